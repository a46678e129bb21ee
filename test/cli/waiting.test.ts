/** One call at a time sends a payment. CONTRACT: "Keys and repeats", "One call at a time sends a payment". */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow } from '../support/builders.js';
import type { CliResult, RunningCli } from '../support/cli.js';
import { NO_WAITS, said, startSending } from '../support/crash.js';
import {
  DEARER,
  desk,
  type Desk,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  paid,
  SECOND,
  THIRD,
} from '../support/desk.js';

interface Live extends Desk {
  readonly live: RunningCli;
  readonly run: string;
  /** The service answers now. */
  goOn(): void;
  /** Another call, started while the first is live. */
  call(rows: readonly object[], ...flags: string[]): RunningCli;
}

/** A call that has sent SECOND and waits for its answer; FIRST is next. */
async function live(): Promise<Live> {
  const at = await desk();
  let goOn = (): void => {};
  const answered = new Promise<void>((resolve) => (goOn = resolve));
  let arrived = (): void => {};
  const underWay = new Promise<void>((resolve) => (arrived = resolve));
  at.service.responder(async ({ n }) => {
    if (n > 1) return { default: true };
    arrived();
    await answered;
    return { default: true };
  });
  let files = 0;
  const call: Live['call'] = (rows, ...flags) => {
    const file = `w${++files}.csv`;
    at.work.file(file, csv(rows as PayoutRow[]));
    return startSending(at.work, 'payout create', file, at.service, ['--concurrency', '1', ...flags], {
      env: { TEST_LEASE_MS: '1000' },
    });
  };
  const first = call([SECOND, FIRST]);
  await underWay;
  const { runs } = await at.batch('list');
  return { ...at, live: first, run: runs[0].run, goOn, call };
}

/** Starts a call that waits for the live one, which then ends. */
async function waited(at: Live, rows: readonly object[], ...flags: string[]): Promise<CliResult> {
  const other = at.call(rows, ...flags);
  await said(other, new RegExp(`${at.run}[^]*\\d\\d:\\d\\d`));
  expect(at.service.requestCount).toBe(1);
  at.goOn();
  expectDone(await at.live.result, { created: 2 });
  return other.result;
}

describe('a call that would send what a live call has accepted waits before its review, then looks again', () => {
  test('the same input, on the same or another desk: it goes on with that run', async () => {
    const at = await live();
    const result = await waited(at, [SECOND, FIRST]);
    expectDone(result, { already_created: 2 });
    expect(result.summary.run).toBe(at.run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('another input with one of its payments', async () => {
    const at = await live();
    expectRefused(await waited(at, [FIRST, THIRD]), 'repeats', { 'created-before': 1 });
    expect(paid(at, FIRST, SECOND, THIRD)).toEqual([1, 1, 0]);
  });

  test('one that resembles one of them, in this batch or in another', async () => {
    const at = await live();
    const inBatch = waited(at, [DEARER]);
    const other = at.call([{ ...FIRST, cost_center_key: 'PP-9' }], '--batch-id', 'y');
    for (const result of [await inBatch, await other.result]) expectRefused(result, 'repeats', { 'similar-record': 1 });
    expect(paid(at, FIRST, SECOND, DEARER)).toEqual([1, 1, 0]);
  });

  test('the same one at another target on the same host', async () => {
    const at = await live();
    expectRefused(await waited(at, [SECOND, FIRST], '--account', 'b'), 'repeats', { 'similar-record': 2 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('batch resume of the live run', async () => {
    const at = await live();
    const resumed = at.work.start(['batch', 'resume', at.run, '--yes', '--json']);
    await said(resumed, new RegExp(at.run));
    at.goOn();
    expectDone(await at.live.result, { created: 2 });
    expectDone(await resumed.result, { already_created: 2 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });
});

describe('a call that does not', () => {
  test('sends side by side: other payments are paid meanwhile, also while another call waits', async () => {
    const at = await live();
    const waiting = at.call([FIRST]);
    await said(waiting, new RegExp(at.run));
    expectDone(await at.send([THIRD]), { created: 1 });
    at.goOn();
    await at.live.result;
    expectRefused(await waiting.result, 'repeats', { 'created-before': 1 });
    expect(paid(at, FIRST, SECOND, THIRD)).toEqual([1, 1, 1]);
  });

  test('a dry run never waits, and counts what a live call has accepted as open', async () => {
    const at = await live();
    const dry = await at.send([FIRST, THIRD], '--dry-run');
    expectRefused(dry, 'repeats', { 'open-before': 1 });
    expect(issues(await at.send([THIRD], '--dry-run'))).toEqual({});
    at.goOn();
    await at.live.result;
  });

  test('closing a live run is refused', async () => {
    const at = await live();
    expect((await at.work.run(['batch', 'close', at.run, '--note', 'x'])).code).toBe(2);
    at.goOn();
    expectDone(await at.live.result, { created: 2 });
  });
});

describe('a waiting call', () => {
  test('gives up after a lease and --journal-timeout: busy, exit 5, and the same command goes on', async () => {
    const at = await live();
    at.work.file('b.csv', csv([FIRST]));
    const words = ['payout', 'create', 'b.csv', '--base-url', at.service.url, '--yes', '--json', '--no-progress'];
    const busy = await at.work.run([...words, '--journal-timeout', '5'], { env: NO_WAITS });
    expect(busy.summary).toMatchObject({ exit_code: 5, stop_reason: 'busy', retry: true, run: null });
    expect(busy.summary.duration_ms).toBeGreaterThanOrEqual(65_000);
    expect(busy.summary.duration_ms).toBeLessThan(80_000);
    at.goOn();
    await at.live.result;
    expectRefused(await at.work.run(words), 'repeats', { 'created-before': 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at once at %s', async (signal, code) => {
    const at = await live();
    const waiting = at.call([FIRST]);
    await said(waiting, new RegExp(at.run));
    waiting.child.kill(signal);
    const { summary } = await waiting.result;
    expect(summary).toMatchObject({ exit_code: code, stop_reason: 'interrupted', run: null });
    expect(at.service.requestCount).toBe(1);
    at.goOn();
    expectDone(await at.live.result, { created: 2 });
  });

  test('goes on where the live one was killed: nobody is paid twice, nobody is left out', async () => {
    const at = await live();
    const waiting = at.call([SECOND, FIRST]);
    await said(waiting, new RegExp(at.run));
    at.live.child.kill('SIGKILL');
    at.goOn();
    const result = await waiting.result;
    expectDone(result, { valid: 2 });
    expect(result.summary.run).toBe(at.run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });
});

test('two calls that start at once with the same records for two accounts of one host pay each once', async () => {
  const at = await desk();
  at.work.file('a.csv', csv([FIRST, SECOND]));
  const of = (account: string) =>
    startSending(at.work, 'payout create', 'a.csv', at.service, ['--account', account]).result;
  const codes = (await Promise.all([of('a'), of('b')])).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set([0, 3]));
  expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
});

test('two calls that start at once with the same records pay each once', async () => {
  const at = await desk();
  at.work.file('a.csv', csv([FIRST, SECOND]));
  const both = [1, 2].map(() => startSending(at.work, 'payout create', 'a.csv', at.service, []).result);
  for (const result of await Promise.all(both))
    expect(result.summary).toMatchObject({ exit_code: 0, records: { valid: 2 } });
  expect((await at.batch('list')).runs).toHaveLength(1);
  expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
});
