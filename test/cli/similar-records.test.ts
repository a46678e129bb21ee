/** What resembles another payment, and what a person decides about it. CONTRACT: "Keys and repeats", "Repeats". */
import { describe, expect, test } from 'vitest';
import { csv, type GigRow, gigs, type Row } from '../support/builders.js';
import {
  correcting,
  DEARER,
  openDesk,
  expectDone,
  expectRefused,
  FIRST,
  issues,
  issuesOf,
  own,
  paid,
  remedyOf,
  SECOND,
  sent,
  sentAt,
  THIRD,
} from '../support/desk.js';

const ROW = { user_id: '00123', amount: 100, title: 'Bonus Café 1', cost_center_key: 'PP-1' };
const OTHER = { ...ROW, amount: 101 };
const ref = (row: object, reference_id: string): Row => ({ ...row, reference_id });
const dated = (row: object, billing_date: string): Row => ({ ...row, billing_date });
/** Hours: a little less than 6 days, and a little more. */
const RECENT = 6 * 24 - 1;
const OLD = 6 * 24 + 1;

interface Case {
  readonly before: Row;
  readonly now: Row;
  /** Of the first call, of the second, and how many hours later that is. */
  readonly flags?: readonly [first: string[], second: string[]];
  readonly hours?: number;
  readonly state?: 'created' | 'unknown' | 'rejected';
}

/** How many records of the second input are similar ones; the second input is sent, or refused, accordingly. */
async function similar({ before, now, flags = [[], []], hours = 0, state = 'created' }: Case): Promise<number> {
  const at = await sent(state, [before], ...flags[0]);
  const result = await at.later(hours).send([now], ...flags[1]);
  const found = issuesOf(result, 'similar-record').length;
  expect(result.summary.exit_code).toBe(found === 0 ? 0 : 3);
  expect(at.service.requestCount).toBe(found === 0 ? 2 : 1);
  return found;
}

const twoBatches = ['x', 'y'].map((name) => ['--batch-id', name]) as [string[], string[]];

describe('in its batch: the same type, user and title', () => {
  test.each<[string, Case]>([
    ['another amount', { before: ROW, now: OTHER }],
    ['in doubt', { before: ROW, now: OTHER, state: 'unknown' }],
    ['letter case', { before: ROW, now: { ...OTHER, title: 'BONUS CAFÉ 1' } }],
    ['look-alike characters', { before: ROW, now: { ...OTHER, title: 'Ｂonus Café １' } }],
    ['zeros that a spreadsheet takes', { before: ROW, now: { ...ROW, user_id: '123' } }],
    ['the same reference', { before: ref(ROW, 'R-1'), now: ref(OTHER, 'r-1') }],
    ['a reference from a flag', { before: ref(ROW, 'R-1'), now: ROW, flags: [[], ['--set', 'reference_id=R-2']] }],
    ['own keys, the same content', { before: own(ROW, 'a'), now: own(ROW, 'b') }],
    ['one own key', { before: own(ROW, 'a'), now: ROW }],
  ])('%s: similar', async (_what, given) => {
    expect(await similar(given)).toBe(1);
  });

  test.each<[string, Case]>([
    ['another title', { before: ROW, now: { ...ROW, title: 'Bonus 2' } }],
    ['another user', { before: ROW, now: { ...ROW, user_id: '00124' } }],
    ['zeros in an ID of letters', { before: { ...ROW, user_id: 'A012' }, now: { ...ROW, user_id: 'A12' } }],
    ['references that differ', { before: ref(ROW, 'R-1'), now: ref(OTHER, 'R-2') }],
    ['dates that differ', { before: dated(ROW, '2026-11-01'), now: dated(OTHER, '2026-11-08') }],
    ['own keys, other content', { before: own(ROW, 'a'), now: own(OTHER, 'b') }],
  ])('%s: another payment', async (_what, given) => {
    expect(await similar(given)).toBe(0);
  });

  test('not what is rejected; what is open comes first', async () => {
    const at = await sent('rejected', [ROW]);
    expectDone(await at.send([OTHER]), { created: 1 });
    const other = await sent('open', [ROW]);
    expectRefused(await other.send([OTHER]), 'repeats', { 'open-before': 1 });
  });
});

describe('in another batch: the amount too, in doubt or of the last 6 days', () => {
  const elsewhere = { ...ROW, cost_center_key: 'PP-9' };
  test.each<[string, number, Case]>([
    ['less than 6 days ago', 1, { before: ROW, now: elsewhere, hours: RECENT, flags: twoBatches }],
    ['longer ago', 0, { before: ROW, now: ROW, hours: OLD, flags: twoBatches }],
    ['in doubt, at any time', 1, { before: ROW, now: ROW, hours: OLD, state: 'unknown', flags: twoBatches }],
    ['in no batch now, at any time', 1, { before: ROW, now: ROW, hours: 9_000, flags: [twoBatches[0], []] }],
    ['another amount', 0, { before: ROW, now: OTHER, flags: twoBatches }],
    ['the amount, however it is written', 1, { before: ROW, now: { ...ROW, amount: '100.00' }, flags: twoBatches }],
    ['own keys, other content', 1, { before: own(ROW, 'a'), now: own(elsewhere, 'b'), flags: twoBatches }],
    ['zeros', 1, { before: ROW, now: { ...ROW, user_id: '123' }, flags: twoBatches }],
    ['references that differ', 0, { before: ref(ROW, 'R-1'), now: ref(ROW, 'R-2'), flags: twoBatches }],
  ])('%s: %i', async (_what, count, given) => {
    expect(await similar(given)).toBe(count);
  });

  test('results: task and quantity', async () => {
    const result = { gig_task_id: 't1', user_id: 'u1', title: 'A', quantity: 2, cost_center_key: 'PP' };
    const at = await openDesk();
    expectDone(await at.create('result', [result], '--batch-id', 'x'), { created: 1 });
    const other = [{ multiplier: '1.5' }, { quantity: 3 }, { gig_task_id: 't2' }].map((more) => ({
      ...result,
      ...more,
    }));
    expectRefused(await at.create('result', other, '--batch-id', 'y'), 'repeats', { 'similar-record': 1 });
  });

  test('gigs: title, start and filter, in this batch and in another', async () => {
    const [gig] = gigs(1) as [GigRow];
    const at = await openDesk();
    expectDone(await at.create('gig', [gig], '--batch-id', 'x'), { created: 1 });
    const again = { ...gig, description: 'written otherwise' };
    const changes = [{ start_at: gig.start_at + 60 }, { filter_query: { city: 'Bonn' } }];
    const apart = changes.map((change) => ({ ...gig, ...change }));
    for (const batch of ['x', 'y']) {
      const refused = await at.create('gig', [again, ...apart], '--batch-id', batch);
      expectRefused(refused, 'repeats', { 'similar-record': 1 });
      expect(issuesOf(refused, 'similar-record')[0]?.message).toContain('same title, start and filter');
    }
    expectDone(await at.create('gig', apart, '--batch-id', 'y'), { created: 2 });
  });

  test('a payment of the same content that was rejected and corrected: the correction is shown', async () => {
    const at = await sent('rejected', [SECOND], '--batch-id', 'x');
    expectDone(await at.send([correcting(DEARER, at.key)]), { created: 1 });
    const again = await at.later(RECENT).send([SECOND], '--batch-id', 'y');
    expectRefused(again, 'repeats', { 'similar-record': 1 });
    const earlier = { amount: String(DEARER.amount), batch_id: 'x' };
    expect(issuesOf(again, 'similar-record')).toMatchObject([{ earlier }]);
    expectDone(await at.send([SECOND], '--batch-id', 'y', '--skip-similar'), { skipped: 1 });
    expectDone(await at.later(OLD).send([SECOND, FIRST], '--batch-id', 'y', '--skip-similar'), { created: 2 });
    expect(paid(at, SECOND, DEARER)).toEqual([1, 1]);
  });
});

test('at another target on the same host: the same key and content', async () => {
  const at = await sent('created', [ROW]);
  for (const [rows, flags, count] of [
    [[ROW], ['--account', 'second'], 1],
    [[OTHER], ['--account', 'second'], 0],
    [[ROW], ['--account', 'second', '--batch-id', 'y'], 0],
  ] as const) {
    const result = await at.send(rows, '--dry-run', ...flags);
    expect(issues(result)).toEqual(count === 0 ? {} : { 'similar-record': count });
  }
  expectRefused(await at.send([ROW], '--account', 'second'), 'repeats', { 'similar-record': 1 });
});

describe('a person decides', () => {
  // What is told of it then: left-out.test.ts.
  test('the same payment: --skip-similar, as a remedy says', async () => {
    const at = await sent('created', [SECOND]);
    expectDone(await at.runPrinted(remedyOf(await at.send([DEARER, THIRD]), '--skip-similar')), {
      skipped: 1,
      created: 1,
    });
    expect(paid(at, SECOND, DEARER, THIRD)).toEqual([1, 0, 1]);
  });

  test('a payment in its own right: --send-similar N, as a remedy says; more than N are refused', async () => {
    const at = await sent('created', [FIRST, SECOND]);
    const now = [FIRST, SECOND].map((row) => ({ ...row, amount: row.amount + 1 }));
    const refused = await at.send([...now, THIRD], '--send-similar', '1');
    expectRefused(refused, 'repeats', { 'similar-record': 2 });
    expect((await at.send(now, '--send-similar', '2', '--skip-similar')).summary).toMatchObject({ exit_code: 2 });
    expectDone(await at.runPrinted(remedyOf(await at.send([...now, THIRD]), '--send-similar')), { created: 3 });
    expectDone(await at.send([{ ...THIRD, amount: 1 }], '--send-similar', '5'), { created: 1 });
    expect(at.service.ledgerTotal()).toBe(6);
  });

  test('a person sees the newest payment, in how many runs, and for how much in all', async () => {
    const x = await sent('created', [SECOND], '--batch-id', 'x');
    const y = await sentAt(x.later(24 * 7), 'created', [SECOND], '--batch-id', 'y');
    x.work.file('q.csv', csv([SECOND]));
    const result = await x.later(24 * 14).sendFiles(['q.csv']);
    expect(issuesOf(result, 'similar-record')[0].earlier).toMatchObject({
      run: y.run,
      batch_id: 'y',
      file: 'p.csv',
      record: 1,
      line: 2,
      status: 'created',
      times: 2,
      total: String(2 * SECOND.amount),
    });
  });
});

test('a record in doubt that is taken for a similar one is held: its doubt stays, and no call ends that', async () => {
  const at = await sent('unknown', [own(FIRST, 'k')]);
  expectDone(await at.send([{ ...FIRST, amount: FIRST.amount + 1 }], '--send-similar', '1'), { created: 1 });
  const { summary } = await at.resume(at.run, '--skip-similar');
  expect(summary).toMatchObject({ exit_code: 6, retry: false, held: 1, records: { unknown: 1 } });
  expectDone(await at.resume(at.run, '--send-similar', '1'), { created: 1 });
});
