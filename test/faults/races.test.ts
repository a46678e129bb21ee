import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';
import { send, startSending } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { expectEnds, expectOnce, holding } from './together.js';

function noLocks({ stateDir }: Workspace): void {
  expect(readdirSync(stateDir).filter((name) => name.startsWith('alive-'))).toEqual([]);
}

test('two processes with the same file: one sends, the other waits and finds everything created', async () => {
  const work = workspace();
  const service = await testService();
  work.file('g.ndjson', ndjson(gigs(40)));
  const both = await Promise.all([1, 2].map(() => startSending(work, 'gig create', 'g.ndjson', service).result));
  expectEnds(both, [0, { created: 40 }], [0, { already_created: 40 }]);
  expect(both[0]!.summary.run).toBe(both[1]!.summary.run);
  expectOnce(service, 40);
  noLocks(work);
});

test('two processes with overlapping files: the second sees what the first has sent', async () => {
  const work = workspace();
  const service = await testService();
  const all = payouts(60);
  work.file('a.ndjson', ndjson(all.slice(0, 40)));
  work.file('b.ndjson', ndjson(all.slice(20)));
  const files = ['a.ndjson', 'b.ndjson'];
  const both = await Promise.all(files.map((file) => startSending(work, 'payout create', file, service).result));
  expectEnds(both, [0, { created: 40 }], [3, { already_created: 20, not_sent: 20 }]);
  for (const file of files) expect((await send(work, 'payout create', file, service, ['--skip-created'])).code).toBe(0);
  expectOnce(service, 60);
  noLocks(work);
});

test('two targets do not wait for each other', async () => {
  const work = workspace();
  const held = holding((n) => n === 1);
  const slow = await testService(held);
  const quick = await testService();
  work.file('p.csv', csv(payouts(20)));
  const waiting = send(work, 'payout create', 'p.csv', slow);
  await held.arrived;
  const result = await send(work, 'payout create', 'p.csv', quick);
  expect(result.summary).toMatchObject({ exit_code: 0, records: { created: 20 } });
  held.release();
  expect((await waiting).summary).toMatchObject({ exit_code: 0, records: { created: 20 } });
  expectOnce(slow, 20);
  expectOnce(quick, 20);
});

test('another account at the same address is another target, where what was paid is similar', async () => {
  const work = workspace();
  const service = await testService({ keyMemory: false });
  work.file('p.csv', csv(payouts(5)));
  const to = (account: string, ...flags: string[]) =>
    send(work, 'payout create', 'p.csv', service, ['--account', account, ...flags]);
  expectEnds([await to('north')], [0, { created: 5 }]);
  expectEnds([await to('south')], [3, { not_sent: 5 }]);
  expectEnds([await to('south', '--send-similar', '5')], [0, { created: 5 }]);
  expect(service.ledgerTotal()).toBe(10);
});
