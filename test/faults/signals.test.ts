import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts, results } from '../support/builders.js';
import { type CliResult, type RunningCli, workspace } from '../support/cli.js';
import { beginSending, send, startSending, TELL } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import type { Reply, Service } from '../support/service.js';

/** The summary is the last line, and names what remains. */
/** @param isRepeatable its input can be read again */
function expectInterrupted(
  result: CliResult,
  code: number,
  records: Record<string, number>,
  isRepeatable = true,
): void {
  expect(result.code).toBe(code);
  expect(result.summary).toMatchObject({ exit_code: code, stop_reason: 'interrupted', records });
  expect(result.summary.next !== null).toBe(isRepeatable);
  expect(/To continue: \S+ (?:payout|result|batch) /.test(result.stderr)).toBe(isRepeatable);
}

/** Keeps every request from the `nth` on waiting, until all are let go. */
async function holdingService(
  nth: number,
  reply: Reply = { default: true },
): Promise<{ service: Service; arrived: Promise<void>; release: () => void }> {
  let arrive = (): void => {};
  let release = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const service = await testService({
    respond: async ({ n }) => {
      if (n < nth) return { default: true };
      arrive();
      await released;
      return reply;
    },
  });
  return { service, arrived, release };
}

/** The signal has been heard: from now on nothing new starts. */
async function signalled({ said }: Pick<RunningCli, 'said'>, signal: () => void): Promise<void> {
  const heard = said(/stopping/);
  signal();
  await heard;
}

test('a signal while standard input is read: nothing was sent', async () => {
  const work = workspace();
  const service = await testService();
  const rows = csv(payouts(3));
  const options = { keepInputOpen: true, input: rows, env: TELL };
  const running = startSending(work, 'payout create', '-', service, [], options);
  await running.said(/listening/);
  running.child.kill('SIGTERM');
  expectInterrupted(await running.result, 143, { read: 0 }, false);
  expect(service.requestCount).toBe(0);
  const again = await send(work, 'payout create', '-', service, [], { input: rows });
  expect(again.summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s while records are sent: what is under way is finished, nothing else is started',
  async (signal, code) => {
    const work = workspace();
    const { service, arrived, release } = await holdingService(4);
    work.file('g.ndjson', ndjson(gigs(20)));
    const running = beginSending(work, 'gig create', 'g.ndjson', service, ['--concurrency', '3'], { env: TELL });
    await arrived;
    await signalled(running, () => running.stop(signal));
    release();
    const result = await running.result;
    // Three were answered before, and three may have been under way.
    const underWay = service.requestCount;
    expect(underWay).toBeLessThanOrEqual(6);
    expectInterrupted(result, code, { created: underWay, not_sent: 20 - underWay, unknown: 0 });
    expect(service.ledgerTotal()).toBe(underWay);
    const again = await send(work, 'gig create', 'g.ndjson', service);
    expect(again.summary).toMatchObject({
      exit_code: 0,
      run: result.summary.run,
      records: { already_created: underWay, created: 20 - underWay },
    });
    expect(service.ledgerTotal()).toBe(20);
  },
);

test('a signal while nothing has come on standard input yet', async () => {
  const work = workspace();
  const running = beginSending(work, 'payout create', '-', 'http://127.0.0.1:9', ['--format', 'csv'], {
    keepInputOpen: true,
    env: TELL,
  });
  await running.said(/listening/);
  running.stop('SIGINT');
  expectInterrupted(await running.result, 130, { read: 0 }, false);
});

test('a signal while a pipe that is named by its path has no writer yet', async () => {
  const work = workspace();
  spawnSync('mkfifo', [work.path('pipe.csv')]);
  const running = startSending(work, 'payout create', 'pipe.csv', 'http://127.0.0.1:9', [], { env: TELL });
  await running.said(/listening/);
  running.child.kill('SIGINT');
  const { code, signal, summary } = await running.result;
  // A process that is held up by a read ends by the signal itself: a shell sees 130 as well.
  expect(code ?? signal).toBe(code === null ? 'SIGINT' : 130);
  expect(summary).toMatchObject({ exit_code: 130, stop_reason: 'interrupted', records: { read: 0 } });
});

test('a signal while a command is asked for the token ends the command too', async () => {
  const work = workspace();
  const service = await testService();
  spawnSync('mkfifo', [work.path('alive')]);
  const command = ['sh', '-c', 'exec 3> alive; echo yes >&3; exec sleep 1000'];
  const config = work.file('config.json', JSON.stringify({ base_url: service.url, token: { command } }));
  work.file('p.csv', csv(payouts(1)));
  const running = work.begin(['payout', 'create', 'p.csv', '--config', config, '--yes', '--json']);
  // It ends when the last process that has it open ends.
  const alive = createReadStream(work.path('alive'));
  await once(alive, 'data');
  expect(running.stop('SIGTERM')).toBe(true);
  expectInterrupted(await running.result, 143, { read: 0 });
  await once(alive, 'end');
  expect(service.requestCount).toBe(0);
});

test('a signal while a file is read ends with its exit code', async () => {
  const work = workspace();
  work.file('big.csv', csv(payouts(20_000)));
  const running = beginSending(work, 'payout create', 'big.csv', 'http://127.0.0.1:9', [], { env: TELL });
  await running.said(/listening/);
  running.stop('SIGINT');
  expect(await running.result).toMatchObject({ code: 130, signal: null, summary: { stop_reason: 'interrupted' } });
});

test('a pipe that is named by its path is opened once, and read as a file is', async () => {
  const work = workspace();
  spawnSync('mkfifo', [work.path('pipe.csv')]);
  const service = await testService();
  const running = beginSending(work, 'payout create', 'pipe.csv', service);
  await writeFile(work.path('pipe.csv'), csv(payouts(3)));
  expect((await running.result).summary).toMatchObject({ exit_code: 0, records: { created: 3 } });
});

test('a signal while prices are awaited on standard input', async () => {
  const work = workspace();
  work.file('r.csv', csv(results(2)));
  const flags = ['--prices', '-'];
  const running = beginSending(work, 'result create', 'r.csv', 'http://127.0.0.1:9', flags, {
    keepInputOpen: true,
    env: TELL,
  });
  await running.said(/listening/);
  running.stop('SIGINT');
  expectInterrupted(await running.result, 130, { read: 0 }, false);
});

test('a signal ends the wait that a 429 asked for', async () => {
  const work = workspace();
  const service = await testService({ respond: () => ({ status: 429, headers: { 'retry-after': '300' } }) });
  work.file('p.csv', csv(payouts(5)));
  const running = beginSending(work, 'payout create', 'p.csv', service, ['--concurrency', '2'], { env: TELL });
  await running.said(/^wait (29|30)\d{4}$/m);
  running.stop('SIGTERM');
  expectInterrupted(await running.result, 143, { created: 0, not_sent: 5 });
  service.responder(undefined);
  expect((await send(work, 'payout create', 'p.csv', service)).summary).toMatchObject({
    exit_code: 0,
    records: { created: 5 },
  });
});

test('a signal ends the wait before a retry, and the record stays in doubt', async () => {
  const work = workspace();
  const service = await testService({ respond: () => ({ fault: 'reset-after' }) });
  work.file('p.csv', csv(payouts(1)));
  const running = beginSending(work, 'payout create', 'p.csv', service, ['--retries', '1000'], { env: TELL });
  await running.said(/^wait [1-9]\d{3,}$/m);
  running.stop('SIGHUP');
  expectInterrupted(await running.result, 129, { unknown: 1 });
  service.responder(undefined);
  expect((await send(work, 'payout create', 'p.csv', service)).summary).toMatchObject({
    exit_code: 0,
    records: { created: 1 },
  });
  expect(service.ledgerTotal()).toBe(1);
});

test.each([
  ['payout create', 'p.csv', 'SIGHUP', 129, 2, { unknown: 0, created: 4, already_created: 2 }],
  ['gig create', 'g.ndjson', 'SIGTERM', 143, 1, { unknown: 1, created: 3, already_created: 2 }],
] as const)(
  '%s %s: a second signal ends it at once, and it is still safe: a gig whose answer nobody waited for is unknown',
  async (command, file, signal, code, concurrency, records) => {
    const work = workspace();
    const { service, arrived } = await holdingService(3, { fault: 'hang', execute: true });
    work.file('p.csv', csv(payouts(6)));
    work.file('g.ndjson', ndjson(gigs(6)));
    const flags = ['--concurrency', String(concurrency)];
    const running = startSending(work, command, file, service, flags, { env: TELL });
    await arrived;
    await signalled(running, () => running.child.kill('SIGINT'));
    running.child.kill(signal);
    const result = await running.result;
    expect([result.code, result.summary]).toEqual([code, undefined]);
    service.responder(undefined);
    const { summary } = await send(work, command, file, service, flags);
    expect(summary).toMatchObject({ exit_code: records.unknown === 0 ? 0 : 6, stop_reason: null, records });
    expect([...service.executions.values()].filter((times) => times !== 1)).toEqual([]);
  },
);
