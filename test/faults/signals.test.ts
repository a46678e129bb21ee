import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { csv, payouts, results } from '../support/builders.js';
import { type CliResult, type RunningCli, workspaceWith } from '../support/cli.js';
import { TELL } from '../support/crash.js';
import type { Reply } from '../support/service.js';
import { startClerk, expectEnded } from './clerk.js';
import { expectOnce, holding } from './together.js';

const NOWHERE = 'http://127.0.0.1:9';

/** The summary is the last line, and names what remains. @param isRepeatable its input can be read again */
function expectInterrupted(result: CliResult, code: number, records: object, isRepeatable = true): void {
  expectEnded(result, code, records, { stop_reason: 'interrupted' });
  expect(result.summary.next !== null).toBe(isRepeatable);
  expect(/To continue: \S+ (?:payout|result|batch) /.test(result.stderr)).toBe(isRepeatable);
}

/** The signal has been heard: from now on nothing new starts. */
async function signalled({ said }: Pick<RunningCli, 'said'>, signal: () => void): Promise<void> {
  const heard = said(/stopping/);
  signal();
  await heard;
}

test('a signal while standard input is read: nothing was sent', async () => {
  const { work, service, send, start } = await startClerk(3);
  const stdin = { file: '-', input: work.read('p.csv') };
  const running = start('payout', [], { ...stdin, keepInputOpen: true, env: TELL });
  await running.said(/listening/);
  running.child.kill('SIGTERM');
  expectInterrupted(await running.result, 143, { read: 0 }, false);
  expect(service.requestCount).toBe(0);
  expectEnded(await send('payout', [], stdin), 0, { created: 3 });
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)(
  '%s while records are sent: what is under way is finished, nothing else is started',
  async (signal, code) => {
    const held = holding((n) => n >= 4);
    const { service, send, begin } = await startClerk(20, held);
    const running = begin('gig', ['--concurrency', '3'], { env: TELL });
    await held.arrived;
    await signalled(running, () => running.stop(signal));
    held.release();
    const result = await running.result;
    // Three were answered before, and three may have been under way.
    const underWay = service.requestCount;
    expect(underWay).toBeLessThanOrEqual(6);
    expectInterrupted(result, code, { created: underWay, not_sent: 20 - underWay, unknown: 0 });
    expect(service.ledgerTotal()).toBe(underWay);
    const { run } = result.summary;
    expectEnded(await send('gig'), 0, { already_created: underWay, created: 20 - underWay }, { run });
    expect(service.ledgerTotal()).toBe(20);
  },
);

test.each([
  ['payouts', 'payout create - --format csv'],
  ['prices', 'result create r.csv --prices -'],
])('a signal while %s are awaited on standard input, and nothing has come yet', async (_what, words) => {
  const work = workspaceWith({ 'r.csv': csv(results(2)) });
  const running = work.begin(`${words} --base-url ${NOWHERE} --yes --json --no-progress`, {
    keepInputOpen: true,
    env: TELL,
  });
  await running.said(/listening/);
  running.stop('SIGINT');
  expectInterrupted(await running.result, 130, { read: 0 }, false);
});

test('a signal while a pipe that is named by its path has no writer yet', async () => {
  const { work, start } = await startClerk(0);
  spawnSync('mkfifo', [work.path('pipe.csv')]);
  const running = start('payout', [], { file: 'pipe.csv', env: TELL });
  await running.said(/listening/);
  running.child.kill('SIGINT');
  const { code, signal, summary } = await running.result;
  // A process that is held up by a read ends by the signal itself: a shell sees 130 as well.
  expect(code ?? signal).toBe(code === null ? 'SIGINT' : 130);
  expect(summary).toMatchObject({ exit_code: 130, stop_reason: 'interrupted', records: { read: 0 } });
});

test('a signal while a command is asked for the token ends the command too', async () => {
  const { work, service } = await startClerk(1);
  spawnSync('mkfifo', [work.path('alive')]);
  const command = ['sh', '-c', 'exec 3> alive; echo yes >&3; exec sleep 1000'];
  const config = work.file('config.json', JSON.stringify({ base_url: service.url, token: { command } }));
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
  const { begin } = await startClerk(20_000);
  const running = begin('payout', [], { env: TELL });
  await running.said(/listening/);
  running.stop('SIGINT');
  expect(await running.result).toMatchObject({ code: 130, signal: null, summary: { stop_reason: 'interrupted' } });
});

test('a pipe that is named by its path is opened once, and read as a file is', async () => {
  const { work, begin } = await startClerk(0);
  spawnSync('mkfifo', [work.path('pipe.csv')]);
  const running = begin('payout', [], { file: 'pipe.csv' });
  await writeFile(work.path('pipe.csv'), csv(payouts(3)));
  expectEnded(await running.result, 0, { created: 3 });
});

test('a signal ends the wait that a 429 asked for', async () => {
  const busy: Reply = { status: 429, headers: { 'retry-after': '300' } };
  const { service, send, begin } = await startClerk(5, { respond: () => busy });
  const running = begin('payout', ['--concurrency', '2'], { env: TELL });
  await running.said(/^wait (29|30)\d{4}$/m);
  running.stop('SIGTERM');
  expectInterrupted(await running.result, 143, { created: 0, not_sent: 5 });
  service.responder(undefined);
  expectEnded(await send('payout'), 0, { created: 5 });
});

test('a signal ends the wait before a retry, and the record stays in doubt', async () => {
  const { service, send, begin } = await startClerk(1, { respond: () => ({ fault: 'reset-after' }) });
  const running = begin('payout', ['--retries', '1000'], { env: TELL });
  await running.said(/^wait [1-9]\d{3,}$/m);
  running.stop('SIGHUP');
  expectInterrupted(await running.result, 129, { unknown: 1 });
  service.responder(undefined);
  expectEnded(await send('payout'), 0, { created: 1 });
  expect(service.ledgerTotal()).toBe(1);
});

test.each([
  ['payout', 'SIGHUP', 129, 2, { unknown: 0, created: 4, already_created: 2 }],
  ['gig', 'SIGTERM', 143, 1, { unknown: 1, created: 3, already_created: 2 }],
] as const)(
  '%s, %s: a second signal ends it at once, and it is still safe: a gig whose answer nobody waited for is unknown',
  async (type, signal, code, concurrency, records) => {
    const held = holding((n) => n >= 3, 1, { fault: 'hang', execute: true });
    const { service, send, start } = await startClerk(6, held);
    const flags = ['--concurrency', String(concurrency)];
    const running = start(type, flags, { env: TELL });
    await held.arrived;
    await signalled(running, () => running.child.kill('SIGINT'));
    running.child.kill(signal);
    const result = await running.result;
    expect([result.code, result.summary]).toEqual([code, undefined]);
    service.responder(undefined);
    expectEnded(await send(type, flags), records.unknown === 0 ? 0 : 6, records, { stop_reason: null });
    expectOnce(service, 6 - records.unknown);
  },
);
