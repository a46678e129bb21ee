import { describe, expect, test } from 'vitest';
import { csv, payouts } from '../support/builders.js';
import { type CliResult, workspace } from '../support/cli.js';
import { NO_WAITS, send, states, waitsOf } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { type Reply, type Service, type SeenRequest } from '../support/service.js';

const RECORDS = 14;
const CONCURRENCY = 4;
const HTML: Reply = { status: 200, body: '<html></html>', execute: false };
const ONE_BY_ONE = ['--concurrency', '1'];

/** A file of payouts, and a service that answers so. */
async function desk(respond?: (seen: SeenRequest) => Reply | Promise<Reply>) {
  const work = workspace();
  work.file('p.csv', csv(payouts(RECORDS)));
  const service = await testService(respond === undefined ? {} : { respond });
  /** Against a wait that the test does not mean, and against timeouts while the clock is moved. */
  const run = (flags: readonly string[] = ONE_BY_ONE, to: string | Service = service, file = 'p.csv') => {
    const all = ['--concurrency', String(CONCURRENCY), '--timeout', '3600', ...flags];
    return send(work, 'payout create', file, to, all, { env: { ...NO_WAITS, TEST_TELL: '1' } });
  };
  /** When the reason is gone, the same command finishes: every record once. */
  const finish = async (...flags: string[]): Promise<void> => {
    service.responder(undefined);
    const { summary } = await run(flags);
    expect(summary).toMatchObject({ exit_code: 0, stop_reason: null });
    expect([...service.executions.values()]).toEqual(Array.from({ length: RECORDS }, () => 1));
  };
  return { work, service, run, finish };
}

/** Whatever was not sent is `not_sent`, every record is told of once, and one sentence says why, with the remedy. */
function expectStopped(result: CliResult, reason: string, words: RegExp, ends: Record<string, number>): void {
  const { summary, events, code, stderr } = result;
  const passes = ['unreachable', 'throttled', 'journal'].includes(reason) && !stderr.includes('ENOTFOUND');
  expect(summary).toMatchObject({ stop_reason: reason, exit_code: passes ? 5 : 6, retry: passes });
  expect([code, states(result)]).toEqual([summary.exit_code, ends]);
  expect(events.filter(({ event }) => event === 'record')).toHaveLength(RECORDS);
  expect(stderr.split('\n').filter((line) => words.test(line))).toHaveLength(1);
  expect(stderr).toContain(`gigwork batch resume ${summary.run}`);
}

describe('the run stops', () => {
  test.each<[what: string, reply: Reply, reason: string, words: RegExp]>([
    ['401', { status: 401 }, 'unauthorized', /GIGWORK_TOKEN/],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'redirected', /--base-url/],
  ])('at %s: nothing was carried out; what was in doubt stays in doubt', async (_, reply, reason, words) => {
    const { work, service, run, finish } = await desk(() => reply);
    expectStopped(await run([]), reason, words, { not_sent: RECORDS });
    expect(service.requestCount).toBeLessThanOrEqual(CONCURRENCY);
    expect(service.requests.every(({ path }) => path === '/api/v2/payouts')).toBe(true);
    const [listed] = JSON.parse((await work.run(['batch', 'list', '--json'])).stdout).runs;
    expect(listed).toMatchObject({ exit_code: 6, stop_reason: reason, records: { not_sent: RECORDS } });
    const before = service.requestCount;
    service.responder(({ n }) => (n === before + 1 ? { fault: 'reset-after' } : reply));
    expectStopped(await run(), reason, words, { unknown: 1, not_sent: RECORDS - 1 });
    await finish();
  });

  test('when the first ten answers say that there is nothing here: the records are not at fault, and go out later', async () => {
    const { run, finish } = await desk(({ n }) => ({ status: [403, 404, 405][n % 3] as number }));
    expectStopped(await run(), 'wrong_target', /--base-url/, { not_sent: RECORDS });
    await finish();
  });

  test('when all answers are 404, fewer than ten: before the first one that was created there, and not after', async () => {
    const { work, service, run } = await desk(() => ({ status: 404 }));
    const [one, two] = payouts(2);
    work.file('one.csv', csv([one!]));
    work.file('two.csv', csv([two!]));
    const wrong = await run([], service, 'one.csv');
    expect(wrong.summary).toMatchObject({ stop_reason: 'wrong_target', records: { not_sent: 1 } });
    service.responder(undefined);
    expect((await run([], service, 'one.csv')).code).toBe(0);
    service.responder(() => ({ status: 404 }));
    const refused = await run([], service, 'two.csv');
    expect(refused.summary).toMatchObject({ stop_reason: null, exit_code: 4, records: { rejected: 1 } });
  });

  test('at an answer 2xx that is none, before anything was created', async () => {
    const { run, finish } = await desk(() => HTML);
    // Another address would not know that this one may have been paid.
    const words = /close this run\. Only then try another address/;
    expectStopped(await run(), 'wrong_target', words, { unknown: 1, not_sent: RECORDS - 1 });
    await finish();
  });

  test('after something was created, in an earlier call too, only at ten such answers in a row', async () => {
    const { service, run, finish } = await desk(({ n }) => (n === 1 || n === 11 ? { default: true } : HTML));
    const first = await run();
    expect(first.summary).toMatchObject({ stop_reason: null, records: { created: 2, unknown: RECORDS - 2 } });
    service.responder(() => HTML);
    const before = service.requestCount;
    const words = /close this run\. Only then try another address/;
    expectStopped(await run(), 'wrong_target', words, { already_created: 2, unknown: RECORDS - 2 });
    expect(service.requestCount).toBe(before + 10);
    await finish();
  });

  test('when nobody is there, from the start or in the middle', async () => {
    const { service, run, finish } = await desk();
    const few = [...ONE_BY_ONE, '--retries', '2'];
    await service.refuse();
    expectStopped(await run(few), 'unreachable', /The service cannot be reached/, { not_sent: RECORDS });
    await service.accept();
    service.responder(async ({ n }) => {
      if (n === 5) await service.refuse();
      return { default: true };
    });
    const ends = { created: 5, not_sent: RECORDS - 5 };
    expectStopped(await run(few), 'unreachable', /The service cannot be reached/, ends);
    await service.accept();
    await finish();
  });

  test('when the name is not known', async () => {
    const { run } = await desk();
    const result = await run(['--retries', '1'], 'https://no-such-host.invalid');
    expectStopped(result, 'unreachable', /There is no host with this name/, { not_sent: RECORDS });
  });

  test('with --stop-after, and the rejected ones are sent again by the same command with --retry-rejected', async () => {
    const { run, finish } = await desk(() => ({ status: 422 }));
    const words = /as many records as --stop-after allows/;
    const result = await run([...ONE_BY_ONE, '--stop-after', '3']);
    expectStopped(result, 'too_many_rejected', words, { rejected: 3, not_sent: RECORDS - 3 });
    await finish('--retry-rejected');
  });

  test('after 15 minutes of nothing but 429, and not with an answer in between', async () => {
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const { service, run } = await desk(() => busy);
    const result = await run();
    expectStopped(result, 'throttled', /--rate/, { not_sent: RECORDS });
    // At 0, 4, 8, 12 and 16 minutes.
    expect([service.requestCount, waitsOf(result).length]).toEqual([5, 4]);
    service.responder(({ n }) => (n % 4 === 0 ? { default: true } : busy));
    expect((await run()).summary).toMatchObject({ exit_code: 0, records: { created: RECORDS } });
  });
});
