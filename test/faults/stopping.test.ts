import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { selfSigned } from '../support/certificate.js';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { NO_WAITS, send, states, waitsOf } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { type Reply, type Service, startService } from '../support/service.js';

const RECORDS = 14;
const CONCURRENCY = 4;
const HTML: Reply = { status: 200, body: '<html></html>', execute: false };
/** Against a wait that the test does not mean, and against timeouts while the clock is moved. */
const FLAGS = ['--concurrency', String(CONCURRENCY), '--timeout', '3600'];

function paid(work: Workspace): void {
  work.file('p.csv', csv(payouts(RECORDS)));
}

/** Whatever was not sent is `not_sent`, every record is told of once, and one sentence says why, with the remedy. */
function expectStopped({ summary, events, code, stderr }: CliResult, reason: string, words: RegExp): void {
  const passes = ['unreachable', 'throttled', 'journal'].includes(reason) && !stderr.includes('ENOTFOUND');
  expect(summary).toMatchObject({ stop_reason: reason, exit_code: passes ? 5 : 6, retry: passes });
  expect(code).toBe(summary.exit_code);
  const { created, already_created: earlier, rejected, unknown, not_sent: notSent, valid } = summary.records;
  expect(created + earlier + rejected + unknown + notSent).toBe(valid);
  expect(events.filter(({ event }) => event === 'record')).toHaveLength(RECORDS);
  expect(stderr.split('\n').filter((line) => words.test(line))).toHaveLength(1);
  expect(stderr).toContain(`gigwork batch resume ${summary.run}`);
}

/** When the reason is gone, the same command finishes: every record once. */
async function expectFinished(work: Workspace, service: Service, ...flags: string[]): Promise<void> {
  service.responder(undefined);
  const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, ...flags]);
  expect(result.summary).toMatchObject({ exit_code: 0, stop_reason: null });
  expect([...service.executions.values()]).toEqual(Array.from({ length: RECORDS }, () => 1));
}

test('what is known of a record stays known when the run stops before it is tried again', async () => {
  const work = workspace();
  const service = await testService({ respond: ({ n }) => ({ status: n <= 2 ? 422 : 401 }) });
  work.file('p.csv', csv(payouts(2)));
  const flags = ['--concurrency', '2', '--rate', '1'];
  const options = { env: NO_WAITS };
  expect(states(await send(work, 'payout create', 'p.csv', service, flags, options))).toEqual({ rejected: 2 });
  const more = ['--timeout', '3600', '--retry-rejected'];
  const stopped = await send(work, 'payout create', 'p.csv', service, [...flags, ...more]);
  expect(stopped.summary).toMatchObject({ stop_reason: 'unauthorized', records: { rejected: 1, not_sent: 1 } });
  const known = stopped.events.find(({ event, status }) => event === 'record' && status === 'rejected');
  expect(known).toMatchObject({ http_status: 422, attempts: 1 });
  expect(service.requestCount).toBe(3);
});

describe('the run stops', () => {
  test.each([
    ['401', { status: 401 }, 'unauthorized', /GIGWORK_TOKEN/],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'redirected', /--base-url/],
    ['a permanent redirect', { status: 308, headers: { location: '/elsewhere' } }, 'redirected', /--base-url/],
  ] as [string, Reply, string, RegExp][])(
    'at %s: nothing was carried out, so nothing is in doubt',
    async (_, reply, reason, words) => {
      const work = workspace();
      const service = await testService({ respond: () => reply });
      paid(work);
      const result = await send(work, 'payout create', 'p.csv', service, FLAGS);
      expectStopped(result, reason, words);
      expect(states(result)).toEqual({ not_sent: RECORDS });
      expect(service.requestCount).toBeLessThanOrEqual(CONCURRENCY);
      expect(service.requests.every(({ path }) => path === '/api/v2/payouts')).toBe(true);
      await expectFinished(work, service);
    },
  );

  test.each([
    ['401', { status: 401 }, 'unauthorized', /GIGWORK_TOKEN/],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'redirected', /--base-url/],
  ] as [string, Reply, string, RegExp][])(
    'at %s: a record that was in doubt before stays in doubt',
    async (_, reply, reason, words) => {
      const work = workspace();
      const service = await testService({ respond: ({ n }) => (n === 1 ? { fault: 'reset-after' } : reply) });
      paid(work);
      const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1'], {
        env: NO_WAITS,
      });
      expectStopped(result, reason, words);
      expect(states(result)).toEqual({ unknown: 1, not_sent: RECORDS - 1 });
      await expectFinished(work, service);
    },
  );

  test('when the certificate is not trusted; with --ca it goes on', async () => {
    const work = workspace();
    const tls = selfSigned();
    const service = await testService({ tls });
    paid(work);
    work.file('ca.pem', tls.cert);
    const result = await send(work, 'payout create', 'p.csv', service, FLAGS);
    expectStopped(result, 'tls', /--ca/);
    expect(states(result)).toEqual({ not_sent: RECORDS });
    expect(service.requestCount).toBe(0);
    const trusting = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--ca', 'ca.pem']);
    expect(trusting.summary).toMatchObject({ exit_code: 0, records: { created: RECORDS } });
  });

  test.each([403, 404, 405])('when the first ten answers are %i', async (status) => {
    const work = workspace();
    const service = await testService({ respond: () => ({ status }) });
    paid(work);
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1']);
    expectStopped(result, 'wrong_target', /--base-url/);
    // The records were not at fault: they go out when the run goes on.
    expect(states(result)).toEqual({ not_sent: RECORDS });
    await expectFinished(work, service);
  });

  test('when all answers are 404, fewer than ten: before the first one that was created there, and not after', async () => {
    const work = workspace();
    const service = await testService({ respond: () => ({ status: 404 }) });
    const [one, two] = payouts(2);
    work.file('one.csv', csv([one!]));
    work.file('two.csv', csv([two!]));
    const wrong = await send(work, 'payout create', 'one.csv', service);
    expect(wrong.summary).toMatchObject({ stop_reason: 'wrong_target', records: { not_sent: 1 } });
    service.responder(undefined);
    expect((await send(work, 'payout create', 'one.csv', service)).code).toBe(0);
    service.responder(() => ({ status: 404 }));
    const refused = await send(work, 'payout create', 'two.csv', service);
    expect(refused.summary).toMatchObject({ stop_reason: null, exit_code: 4, records: { rejected: 1 } });
  });

  test('not for ten such answers after another one', async () => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => (n === 1 ? { status: 422 } : { status: 404 }) });
    paid(work);
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1']);
    expect(result.summary).toMatchObject({ exit_code: 4, stop_reason: null, records: { rejected: RECORDS } });
  });

  test('at an answer 2xx that is none, before anything was created', async () => {
    const work = workspace();
    const service = await testService({ respond: () => HTML });
    paid(work);
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1']);
    // Another address would not know that this one may have been paid.
    expectStopped(result, 'wrong_target', /batch settle\. Only then try another address/);
    expect(states(result)).toEqual({ unknown: 1, not_sent: RECORDS - 1 });
    await expectFinished(work, service);
  });

  test('not at such an answer after something was created, in an earlier call too', async () => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => (n === 1 ? { default: true } : HTML) });
    paid(work);
    const first = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1']);
    expect(first.summary).toMatchObject({ stop_reason: null, records: { created: 1, unknown: RECORDS - 1 } });
    service.responder(() => HTML);
    const second = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1']);
    expect(second.summary).toMatchObject({ stop_reason: null, records: { already_created: 1, unknown: RECORDS - 1 } });
    await expectFinished(work, service);
  });

  test('when nobody is there', async () => {
    const work = workspace();
    const service = await testService();
    paid(work);
    await service.refuse();
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--retries', '2'], { env: NO_WAITS });
    expectStopped(result, 'unreachable', /The service cannot be reached/);
    expect(states(result)).toEqual({ not_sent: RECORDS });
    await service.accept();
    await expectFinished(work, service);
  });

  test('when the name is not known', async () => {
    const work = workspace();
    paid(work);
    const url = 'https://no-such-host.invalid';
    const result = await send(work, 'payout create', 'p.csv', url, [...FLAGS, '--retries', '1'], { env: NO_WAITS });
    expectStopped(result, 'unreachable', /There is no host with this name/);
    expect(states(result)).toEqual({ not_sent: RECORDS });
  });

  test('when the service goes away in the middle', async () => {
    const work = workspace();
    const service = await testService();
    service.responder(async ({ n }) => {
      if (n === 5) await service.refuse();
      return { default: true };
    });
    paid(work);
    const result = await send(
      work,
      'payout create',
      'p.csv',
      service,
      [...FLAGS, '--concurrency', '1', '--retries', '2'],
      { env: NO_WAITS },
    );
    expectStopped(result, 'unreachable', /The service cannot be reached/);
    expect(states(result)).toEqual({ created: 5, not_sent: RECORDS - 5 });
    await service.accept();
    await expectFinished(work, service);
  });

  test('with --stop-after, and the rejected ones are sent again by the same command with --retry-rejected', async () => {
    const work = workspace();
    const service = await testService({ respond: () => ({ status: 422 }) });
    paid(work);
    const result = await send(work, 'payout create', 'p.csv', service, [
      ...FLAGS,
      '--concurrency',
      '1',
      '--stop-after',
      '3',
    ]);
    expectStopped(result, 'too_many_rejected', /as many records as --stop-after allows/);
    expect(states(result)).toEqual({ rejected: 3, not_sent: RECORDS - 3 });
    await expectFinished(work, service, '--retry-rejected');
  });

  test('after 15 minutes of nothing but 429', async () => {
    const work = workspace();
    const service = await testService({ respond: () => ({ status: 429, headers: { 'retry-after': '240' } }) });
    paid(work);
    const env = { ...NO_WAITS, TEST_TELL: '1' };
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1'], { env });
    expectStopped(result, 'throttled', /--rate/);
    expect(states(result)).toEqual({ not_sent: RECORDS });
    // At 0, 4, 8, 12 and 16 minutes.
    expect(service.requestCount).toBe(5);
    expect(waitsOf(result)).toHaveLength(4);
    await expectFinished(work, service);
  });

  test('not after 15 minutes of 429 with an answer in between', async () => {
    const work = workspace();
    const busy: Reply = { status: 429, headers: { 'retry-after': '240' } };
    const service = await testService({ respond: ({ n }) => (n % 4 === 0 ? { default: true } : busy) });
    paid(work);
    const result = await send(work, 'payout create', 'p.csv', service, [...FLAGS, '--concurrency', '1'], {
      env: NO_WAITS,
    });
    expect(result.summary).toMatchObject({ exit_code: 0, records: { created: RECORDS } });
  });

  test('a run of gigs that was stopped leaves none in doubt', async () => {
    const work = workspace();
    const service = await testService({ respond: ({ n }) => (n > 3 ? { status: 401 } : { default: true }) });
    work.file('g.ndjson', ndjson(gigs(RECORDS)));
    const result = await send(work, 'gig create', 'g.ndjson', service, FLAGS);
    expectStopped(result, 'unauthorized', /GIGWORK_TOKEN/);
    expect(states(result)).toEqual({ created: 3, not_sent: RECORDS - 3 });
    service.responder(undefined);
    const again = await send(work, 'gig create', 'g.ndjson', service, FLAGS);
    expect(again.summary).toMatchObject({ exit_code: 0, records: { already_created: 3, created: RECORDS - 3 } });
    expect(service.ledgerTotal()).toBe(RECORDS);
  });

  test('history keeps the reason', async () => {
    const work = workspace();
    const service = await startService({ respond: () => ({ status: 401 }) });
    paid(work);
    await send(work, 'payout create', 'p.csv', service, FLAGS);
    await service.close();
    const { stdout } = await work.run(['batch', 'list', '--json']);
    const [run] = (JSON.parse(stdout) as { runs: Record<string, unknown>[] }).runs;
    expect(run).toMatchObject({ exit_code: 6, stop_reason: 'unauthorized', records: { not_sent: RECORDS } });
  });
});
