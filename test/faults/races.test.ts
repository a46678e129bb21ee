import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ndjson, payouts } from '../support/builders.js';
import type { Workspace } from '../support/cli.js';
import { testService } from '../support/fixtures.js';
import { startClerk, expectEnded } from './clerk.js';
import { expectEnds, expectOnce, holding } from './together.js';

function noLocks({ stateDir }: Workspace): void {
  expect(readdirSync(stateDir).filter((name) => name.startsWith('alive-'))).toEqual([]);
}

test('two processes with the same file: one sends, the other waits and finds everything created', async () => {
  const { work, service, start } = await startClerk(40);
  const both = await Promise.all([1, 2].map(() => start('gig').result));
  expectEnds(both, [0, { created: 40 }], [0, { already_created: 40 }]);
  expect(both[0]!.summary.run).toBe(both[1]!.summary.run);
  expectOnce(service, 40);
  noLocks(work);
});

test('two processes with overlapping files: the second sees what the first has sent', async () => {
  const { work, service, send, start } = await startClerk(0);
  const all = payouts(60);
  work.file('a.ndjson', ndjson(all.slice(0, 40)));
  work.file('b.ndjson', ndjson(all.slice(20)));
  const files = ['a.ndjson', 'b.ndjson'];
  const both = await Promise.all(files.map((file) => start('payout', [], { file }).result));
  expectEnds(both, [0, { created: 40 }], [3, { already_created: 20, not_sent: 20 }]);
  for (const file of files) expect((await send('payout', ['--skip-created'], { file })).code).toBe(0);
  expectOnce(service, 60);
  noLocks(work);
});

test('two targets do not wait for each other', async () => {
  const held = holding((n) => n === 1);
  const { service: slow, send } = await startClerk(20, held);
  const quick = await testService();
  const waiting = send('payout');
  await held.arrived;
  expectEnded(await send('payout', [], { to: quick }), 0, { created: 20 });
  held.release();
  expectEnded(await waiting, 0, { created: 20 });
  expectOnce(slow, 20);
  expectOnce(quick, 20);
});

test('another account at the same address is another target, where what was paid is similar', async () => {
  const { service, send } = await startClerk(5, { keyMemory: false });
  const to = (account: string, ...flags: string[]) => send('payout', ['--account', account, ...flags]);
  expectEnds([await to('north')], [0, { created: 5 }]);
  expectEnds([await to('south')], [3, { not_sent: 5 }]);
  expectEnds([await to('south', '--send-similar', '5')], [0, { created: 5 }]);
  expect(service.ledgerTotal()).toBe(10);
});
