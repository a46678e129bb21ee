import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';
import { killedAt, send, startSending } from '../support/crash.js';
import { testService } from '../support/fixtures.js';

async function runs(work: Workspace): Promise<Record<string, unknown>[]> {
  const { stdout } = await work.run(['batch', 'list', '--json']);
  return (JSON.parse(stdout) as { runs: Record<string, unknown>[] }).runs;
}

describe('what a process leaves behind that died', () => {
  test('a lock that was never written down is removed, one that is held is not', async () => {
    const work = workspace();
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const service = await testService({
      respond: () => {
        arrive();
        return { fault: 'hang' };
      },
    });
    work.file('p.csv', csv(payouts(1)));
    work.file('q.csv', csv(payouts(2).slice(1)));
    startSending(work, 'payout create', 'p.csv', service);
    await arrived;
    const [held] = readdirSync(work.stateDir).filter((name) => name.endsWith('.lock'));
    const stray = `alive-${randomUUID()}.lock`;
    work.file(`state/${stray}`, '');
    service.responder(undefined);
    expect((await send(work, 'payout create', 'q.csv', service)).code).toBe(0);
    expect(readdirSync(work.stateDir).filter((name) => name.endsWith('.lock'))).toEqual([held]);
  });

  test('a half-written file is removed, one that is being written is not', async () => {
    const work = workspace();
    const service = await testService();
    work.file('p.csv', csv(payouts(1)));
    const dead = startSending(work, 'payout create', 'p.csv', service, ['--report', 'r.csv'], {
      env: killedAt('report:writing'),
    });
    await dead.result;
    const parts = (): string[] => readdirSync(work.dir).filter((name) => name.endsWith('.part'));
    expect(parts()).toHaveLength(1);
    const alive = parts()[0]!.replace(String(dead.child.pid), String(process.pid));
    const elsewhere = parts()[0]!.replace(hostname(), 'another-machine');
    work.file(alive, '');
    work.file(elsewhere, '');
    expect((await send(work, 'payout create', 'p.csv', service, ['--report', 'r.csv'])).code).toBe(0);
    expect(parts().toSorted()).toEqual([alive, elsewhere].toSorted());
    expect(work.read('r.csv').trimEnd().split('\r\n')).toHaveLength(2);
  });

  test('a run that was cut off when all was done is ended by the call that finds it so', async () => {
    const work = workspace();
    const service = await testService();
    work.file('p.csv', csv(payouts(1)));
    await send(work, 'payout create', 'p.csv', service, [], { env: killedAt('outcome:after-commit') });
    const [cutOff] = await runs(work);
    expect(cutOff).toMatchObject({ exit_code: null, finished_at: null, records: { created: 1 } });
    expect((await send(work, 'payout create', 'p.csv', service)).summary).toMatchObject({
      exit_code: 0,
      records: { already_created: 1 },
    });
    const [ended] = await runs(work);
    expect(ended).toMatchObject({ exit_code: 0, stop_reason: null, records: { created: 1 } });
    expect(ended?.['finished_at']).not.toBeNull();
  });

  test('only records that were under way are in doubt, where the service has not answered yet', async () => {
    const CONCURRENCY = 4;
    const work = workspace();
    let arrived = 0;
    let arrive = (): void => {};
    const all = new Promise<void>((resolve) => (arrive = resolve));
    const service = await testService({
      respond: () => {
        if (++arrived === CONCURRENCY) arrive();
        return { fault: 'hang' };
      },
    });
    work.file('p.csv', csv(payouts(100)));
    const flags = ['--concurrency', String(CONCURRENCY)];
    const running = startSending(work, 'payout create', 'p.csv', service, flags);
    await all;
    running.child.kill('SIGKILL');
    await running.result;
    expect(await runs(work)).toMatchObject([{ records: { unknown: CONCURRENCY, not_sent: 100 - CONCURRENCY } }]);
  });

  test('a preparation that was cut off is not history', async () => {
    const work = workspace();
    const service = await testService();
    work.file('p.csv', csv(payouts(3)));
    await send(work, 'payout create', 'p.csv', service, [], { env: killedAt('gate:before-commit') });
    expect(await runs(work)).toEqual([]);
    expect(service.requestCount).toBe(0);
    await send(work, 'payout create', 'p.csv', service);
    expect(await runs(work)).toHaveLength(1);
  });
});
