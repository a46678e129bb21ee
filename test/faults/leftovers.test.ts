import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { killedAt } from '../support/crash.js';
import { startClerk, expectEnded, runsOf } from './clerk.js';
import { holding } from './together.js';

describe('what a process leaves behind that died', () => {
  test('a lock that was never written down is removed, one that is held is not', async () => {
    const held = holding(() => true);
    const { work, service, send, start } = await startClerk(1, held);
    work.file('q.csv', csv(payouts(2).slice(1)));
    start('payout');
    await held.arrived;
    const [lock] = readdirSync(work.stateDir).filter((name) => name.endsWith('.lock'));
    const stray = `alive-${randomUUID()}.lock`;
    work.file(`state/${stray}`, '');
    service.responder(undefined);
    expect((await send('payout', [], { file: 'q.csv' })).code).toBe(0);
    expect(readdirSync(work.stateDir).filter((name) => name.endsWith('.lock'))).toEqual([lock]);
  });

  test('a half-written file is removed, one that is being written is not', async () => {
    const { work, send, start } = await startClerk(1);
    const dead = start('payout', ['--report', 'r.csv'], { env: killedAt('report:writing') });
    await dead.result;
    const parts = (): string[] => readdirSync(work.dir).filter((name) => name.endsWith('.part'));
    expect(parts()).toHaveLength(1);
    const alive = parts()[0]!.replace(String(dead.child.pid), String(process.pid));
    const elsewhere = parts()[0]!.replace(hostname(), 'another-machine');
    work.file(alive, '');
    work.file(elsewhere, '');
    expect((await send('payout', ['--report', 'r.csv'])).code).toBe(0);
    expect(parts().toSorted()).toEqual([alive, elsewhere].toSorted());
    expect(work.read('r.csv').trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('a run that was cut off when all was done is ended by the call that finds it so', async () => {
    const { work, send } = await startClerk(1);
    await send('payout', [], { env: killedAt('outcome:after-commit') });
    const [cutOff] = await runsOf(work);
    expect(cutOff).toMatchObject({ exit_code: null, finished_at: null, records: { created: 1 } });
    expectEnded(await send('payout'), 0, { already_created: 1 });
    const [ended] = await runsOf(work);
    expect(ended).toMatchObject({ exit_code: 0, stop_reason: null, records: { created: 1 } });
    expect(ended?.['finished_at']).not.toBeNull();
  });

  test('only records that were under way are in doubt, where the service has not answered yet', async () => {
    const CONCURRENCY = 4;
    const held = holding(() => true, CONCURRENCY);
    const { work, start } = await startClerk(100, held);
    const running = start('payout', ['--concurrency', String(CONCURRENCY)]);
    await held.arrived;
    running.child.kill('SIGKILL');
    await running.result;
    expect(await runsOf(work)).toMatchObject([{ records: { unknown: CONCURRENCY, not_sent: 100 - CONCURRENCY } }]);
  });

  test('a preparation that was cut off is not history', async () => {
    const { work, service, send } = await startClerk(3);
    await send('payout', [], { env: killedAt('gate:before-commit') });
    expect(await runsOf(work)).toEqual([]);
    expect(service.requestCount).toBe(0);
    await send('payout');
    expect(await runsOf(work)).toHaveLength(1);
  });
});
