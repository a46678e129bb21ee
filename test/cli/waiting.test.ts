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
  FOURTH,
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

/** Waits until the calls wait for the live one, and lets that end; gives how it ended, and how they did. */
async function waited(at: Live, ...others: RunningCli[]): Promise<[CliResult, CliResult, ...CliResult[]]> {
  await Promise.all(others.map((other) => said(other, new RegExp(`${at.run}[^]*\\d\\d:\\d\\d`))));
  expect(at.service.requestCount).toBe(1);
  at.goOn();
  const first = await at.live.result;
  expectDone(first, { created: 2 });
  return [first, ...(await Promise.all(others.map(({ result }) => result)))] as [CliResult, CliResult, ...CliResult[]];
}

describe('a call that would send what a live call has accepted waits before its review, then looks again', () => {
  test('the same input, on the same or another desk: it goes on with that run', async () => {
    const at = await live();
    const [, result] = await waited(at, at.call([SECOND, FIRST]));
    expectDone(result, { already_created: 2 });
    expect(result.summary.run).toBe(at.run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('one of its payments, or what resembles one, in this batch, in another, or at another target', async () => {
    const at = await live();
    const others = [at.call([FIRST, THIRD]), at.call([DEARER]), at.call([SECOND, FIRST], '--account', 'b')];
    const elsewhere = at.call([{ ...FIRST, cost_center_key: 'PP-9' }], '--batch-id', 'y');
    const [, first, ...resembling] = await waited(at, ...others, elsewhere);
    expectRefused(first, 'repeats', { 'created-before': 1 });
    for (const [i, count] of [1, 2, 1].entries()) expectRefused(resembling[i]!, 'repeats', { 'similar-record': count });
    expect(paid(at, FIRST, SECOND, THIRD, DEARER)).toEqual([1, 1, 0, 0]);
  });

  test('batch resume of the live run; meanwhile others send, dry runs do not wait, and it is not closed', async () => {
    const at = await live();
    const resumed = at.work.start(['batch', 'resume', at.run, '--yes', '--json']);
    await said(resumed, new RegExp(at.run));
    expectDone(await at.send([THIRD]), { created: 1 });
    expectRefused(await at.send([FIRST, FOURTH], '--dry-run'), 'repeats', { 'open-before': 1 });
    expect((await at.work.run(['batch', 'close', at.run, '--note', 'x'])).code).toBe(2);
    at.goOn();
    expectDone(await at.live.result, { created: 2 });
    expectDone(await resumed.result, { already_created: 2 });
    expect(paid(at, FIRST, SECOND, THIRD)).toEqual([1, 1, 1]);
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

  test('ends at once at a signal; goes on where the live one was killed: nobody is paid twice or left out', async () => {
    const at = await live();
    const [stopping, waiting] = [at.call([FIRST]), at.call([SECOND, FIRST])];
    await Promise.all([stopping, waiting].map((each) => said(each, new RegExp(at.run))));
    stopping.child.kill('SIGTERM');
    expect((await stopping.result).summary).toMatchObject({ exit_code: 143, stop_reason: 'interrupted', run: null });
    expect(at.service.requestCount).toBe(1);
    at.live.child.kill('SIGKILL');
    at.goOn();
    const result = await waiting.result;
    expectDone(result, { valid: 2 });
    expect(result.summary.run).toBe(at.run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });
});

test('calls that start at once with the same records pay each once, also for two accounts of one host', async () => {
  for (const [accounts, codes] of [
    [
      [[], []],
      [0, 0],
    ],
    [
      [
        ['--account', 'a'],
        ['--account', 'b'],
      ],
      [0, 3],
    ],
  ] as const) {
    const at = await desk();
    at.work.file('a.csv', csv([FIRST, SECOND]));
    const both = accounts.map((flags) => startSending(at.work, 'payout create', 'a.csv', at.service, flags).result);
    const ended = (await Promise.all(both)).map(({ code }) => Number(code));
    expect(ended.toSorted((one, other) => one - other)).toEqual(codes);
    expect((await at.batch('list')).runs).toHaveLength(1);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  }
});
