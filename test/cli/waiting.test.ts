/** One call at a time sends a payment. CONTRACT: "Keys and repeats", "One call at a time sends a payment". */
import { describe, expect, test } from 'vitest';
import { csv, type PayoutRow } from '../support/builders.js';
import type { CliResult, RunningInside } from '../support/cli.js';
import { beginSending, killedAt, NO_WAITS, send } from '../support/crash.js';
import {
  DEARER,
  openDesk,
  type Desk,
  expectDone,
  expectRefused,
  FIRST,
  FOURTH,
  own,
  paid,
  SECOND,
  THIRD,
} from '../support/desk.js';

interface Live extends Desk {
  readonly live: Promise<CliResult>;
  readonly run: string;
  /** The service answers now. */
  goOn(): void;
  /** Another call, started while the first is live. */
  call(rows: readonly object[], ...flags: string[]): RunningInside;
}

/** Of the calls of a test: what a killed one leaves is taken over soon. */
const LEASE = { TEST_LEASE_MS: '1000' };

/** A call that has sent SECOND and waits for its answer; FIRST is next. @param env of a process, where it is to be killed */
async function live(env: Record<string, string> = {}): Promise<Live> {
  const at = await openDesk();
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
  const written = (rows: readonly object[]): string => {
    const file = `w${++files}.csv`;
    at.work.file(file, csv(rows as PayoutRow[]));
    return file;
  };
  const one = ['--concurrency', '1'];
  const call: Live['call'] = (rows, ...flags) =>
    beginSending(at.work, 'payout create', written(rows), at.service, [...one, ...flags], { env: LEASE });
  const moved = { env: { ...LEASE, ...env } };
  const first = send(at.work, 'payout create', written([SECOND, FIRST]), at.service, one, moved);
  await underWay;
  const { runs } = await at.batch('list');
  return { ...at, live: first, run: runs[0].run, goOn, call };
}

/** Waits until the calls wait for the live one, and lets that end; gives how it ended, and how they did. */
async function waited(at: Live, ...others: RunningInside[]): Promise<[CliResult, CliResult, ...CliResult[]]> {
  await Promise.all(others.map((other) => other.said(new RegExp(`${at.run}[^]*\\d\\d:\\d\\d`))));
  expect(at.service.requestCount).toBe(1);
  at.goOn();
  const first = await at.live;
  expectDone(first, { created: 2 });
  const ended = await Promise.all(others.map(({ result }): Promise<CliResult> => result));
  return [first, ...ended] as [CliResult, CliResult, ...CliResult[]];
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
    const resumed = at.work.begin(['batch', 'resume', at.run, '--yes', '--json']);
    await resumed.said(new RegExp(at.run));
    expectDone(await at.send([THIRD]), { created: 1 });
    expectRefused(await at.send([FIRST, FOURTH], '--dry-run'), 'repeats', { 'open-before': 1 });
    expect((await at.work.run(['batch', 'close', at.run, '--note', 'x'])).code).toBe(2);
    at.goOn();
    expectDone(await at.live, { created: 2 });
    expectDone(await resumed.result, { already_created: 2 });
    expect(paid(at, FIRST, SECOND, THIRD)).toEqual([1, 1, 1]);
  });
});

test('a run that is closed while its call waits is not sent, under --yes too', async () => {
  const at = await openDesk(() => ({ status: 401 }));
  const row = own(FIRST, 'k1');
  const { run } = (await at.send([row])).summary;
  let goOn = (): void => {};
  const answered = new Promise<void>((resolve) => (goOn = resolve));
  at.service.responder(async ({ n }) => (n === 2 ? answered.then(() => ({ status: 401 })) : { default: true }));
  at.work.file('q.csv', csv([row, own(SECOND, 'k2')]));
  const sending = beginSending(at.work, 'payout create', 'q.csv', at.service, ['--concurrency', '1'], { env: LEASE });
  await expect.poll(() => at.service.requestCount).toBe(2);
  const resumed = at.work.begin(['batch', 'resume', run, '--yes', '--json'], { env: LEASE });
  await resumed.said(/since \d/);
  expect((await at.work.run(['batch', 'close', run, '--note', 'paid by hand'])).code).toBe(0);
  goOn();
  expect((await sending.result).summary.stop_reason).toBe('unauthorized');
  const { summary } = await resumed.result;
  expect(summary).toMatchObject({ exit_code: 2, stop_reason: 'usage' });
  expect(summary.reasons).toEqual([
    expect.stringMatching(
      new RegExp(`^run ${run} was closed on \\d{4}-.* by .* on .*: paid by hand\\. It will not send`),
    ),
  ]);
  expect(paid(at, FIRST, SECOND)).toEqual([0, 0]);
});

describe('a waiting call', () => {
  test('gives up after a lease and --journal-timeout: busy, exit 5, and the same command goes on', async () => {
    const at = await live();
    at.work.file('b.csv', csv([FIRST]));
    const call = `payout create b.csv --base-url ${at.service.url} --yes --json --no-progress`;
    const busy = await at.work.run(`${call} --journal-timeout 5`, { env: NO_WAITS });
    expect(busy.summary).toMatchObject({ exit_code: 5, stop_reason: 'busy', retry: true, run: null });
    expect(busy.summary.duration_ms).toBeGreaterThanOrEqual(65_000);
    expect(busy.summary.duration_ms).toBeLessThan(80_000);
    at.goOn();
    await at.live;
    expectRefused(await at.work.run(call), 'repeats', { 'created-before': 1 });
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });

  test('ends at once at a signal; goes on where the live one was killed: nobody is paid twice or left out', async () => {
    const at = await live(killedAt('answer:read'));
    const stopping = at.call([FIRST]);
    const waiting = at.call([SECOND, FIRST]);
    await Promise.all([stopping, waiting].map((each) => each.said(new RegExp(at.run))));
    stopping.stop('SIGTERM');
    expect((await stopping.result).summary).toMatchObject({ exit_code: 143, stop_reason: 'interrupted', run: null });
    expect(at.service.requestCount).toBe(1);
    at.goOn();
    expect((await at.live).signal).toBe('SIGKILL');
    const result = await waiting.result;
    expectDone(result, { valid: 2 });
    expect(result.summary.run).toBe(at.run);
    expect(paid(at, FIRST, SECOND)).toEqual([1, 1]);
  });
});
