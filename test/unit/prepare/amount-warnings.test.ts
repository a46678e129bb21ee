import { describe, expect, it } from 'vitest';
import { AmountWarnings, type MoneyRules } from '../../../src/prepare/amount-warnings.js';
import { RecordValidator } from '../../../src/prepare/validator.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import type { RawRecord } from '../../../src/input/raw-record.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Body, RecordType } from '../../../src/records/types.js';

const DOUBTS = new Set(['total-row', 'example-row', 'sub-cent']);

/** For each record what is doubted of its money: `error total-row`. */
function doubtsOf(
  type: RecordType,
  records: readonly (Body & { source?: Body })[],
  rules: Partial<MoneyRules> = {},
): string[] {
  const all = { allowTotalRow: false, ...rules };
  const prices = { priceOf: (_task: string, price: string | undefined) => ({ units: BigInt(price ?? 1), scale: 0 }) };
  const intake = new RecordValidator({
    now: Date.parse('2026-11-20'),
    allowNegative: true,
    style: PLAIN_STYLE,
    keyColumns: [],
    prices,
    ...all,
  });
  const doubts = new AmountWarnings(all);
  return records.map(({ source, ...input }, i) => {
    const raw: RawRecord = {
      record: i + 1,
      line: null,
      read: () => ({ input, findings: [] }),
      ...(source === undefined ? {} : { source }),
    };
    const { findings } = doubts.check(raw, RECORD_SCHEMAS[type], intake.check(raw, RECORD_SCHEMAS[type]));
    return findings
      .filter(({ code }) => DOUBTS.has(code))
      .map(({ severity, code }) => `${severity} ${code}`)
      .join();
  });
}

const pay = (amount: number, title = 'Bonus', more: Body = {}): Body => ({
  user_id: 'u',
  amount,
  title,
  cost_center_key: 'PP-1',
  ...more,
});
const SUM = 'error total-row';
const DOUBT = 'warning total-row';

describe('rows of sums', () => {
  const three = [pay(1), pay(2), pay(3)];

  it.each<[string, Body[], string[]]>([
    ['three above', [...three, pay(6)], ['', '', '', DOUBT]],
    ['three above, and a cent', [...three, pay(6.01)], ['', '', '', '']],
    ['beyond the safe integers', [pay(9e15), pay(9e15), pay(1), pay(1.8e16 + 2)], ['', '', '', '']],
    ['parts that no double has', [pay(0.1), pay(0.2), pay(0.3), pay(0.6)], ['', '', '', DOUBT]],
    ['amounts that cancel each other', [pay(5), pay(-6), pay(1), pay(0)], ['', '', '', DOUBT]],
    ['nothing but zeros', [pay(0), pay(0), pay(0), pay(0)], ['', '', '', '']],
    ['an invalid row above', [pay(1), pay(2, ''), pay(3), pay(6)], ['', '', '', DOUBT]],
    ['a word in an invalid row', [pay(1, 'Bonus', { user_id: 'TOTAL', amount: null })], [SUM]],
    ['a word among others, and the sum', [...three, pay(6, 'Summe November')], ['', '', '', DOUBT]],
  ])('%s', (_what, records, expected) => {
    expect(doubtsOf('payout', records)).toEqual(expected);
    expect(doubtsOf('payout', records, { allowTotalRow: true }).join('')).toBe('');
  });

  it('say so in their user, title, description or reference, as the file has it', () => {
    const one = (more: Body & { source?: Body }, rules?: Partial<MoneyRules>): string =>
      doubtsOf('payout', [{ ...pay(3), ...more }], rules)[0] as string;
    for (const name of ['user_id', 'title', 'description', 'reference_id']) expect(one({ [name]: 'Saldo' })).toBe(SUM);
    for (const name of ['cost_center_key', 'reference_type']) expect(one({ [name]: 'Saldo' })).toBe('');
    const set = { setFields: new Set(['title']) };
    expect(one({ title: 'Total' }, set)).toBe('');
    expect(one({ title: 'Pay', source: { ...pay(3), title: 'Total' } }, set)).toBe(SUM);
  });

  it('are results and gigs, too, but gigs without tasks are no sums', () => {
    const done = (quantity: number, more: Body = {}): Body => ({
      gig_task_id: 't',
      user_id: 'u',
      title: 'Audit',
      quantity,
      cost_center_key: 'PP-1',
      ...more,
    });
    expect(doubtsOf('result', [done(1), done(2), done(3), done(6)])).toEqual(['', '', '', DOUBT]);
    expect(doubtsOf('result', [done(1, { gig_task_id: 'Sum' })])).toEqual([SUM]);
    const gig = { title: 'Count', description: 'd', url: 'u', start_at: 1, end_at: 2, filter_query: {} };
    expect(doubtsOf('gig', [gig, gig, gig, gig, { ...gig, title: 'Total' }])).toEqual(['', '', '', '', SUM]);
  });
});

describe('the example of a template', () => {
  const example: Body = { user_id: 'usr_7f3a91', amount: 1200, title: 'Bonus November', cost_center_key: 'PP-7' };
  const isOne = (changes: Body, set: readonly string[] = []): boolean =>
    doubtsOf('payout', [{ ...example, ...changes }], { setFields: new Set(set) })[0] === 'error example-row';

  it.each<[string, boolean, Body, string[]]>([
    ['is one', true, {}, []],
    ['of another day', true, { billing_date: '2026-11-20' }, []],
    ['with a key of its own', true, { idempotency_key: 'k' }, []],
    ['that lacks what a record needs', true, { cost_center_key: null }, []],
    ['with another amount', false, { amount: 1201 }, []],
    ['with another user', false, { user_id: 'u1' }, []],
    ['with a value that was filled in', false, { currency: 'CHF' }, []],
    ['with a value that all records are given', true, { currency: 'CHF', title: 'Pay' }, ['currency', 'title']],
    ['whose user all records are given', false, { user_id: 'u1' }, ['user_id']],
  ])('%s', (_what, expected, changes, set) => {
    expect(isOne(changes, set)).toBe(expected);
  });
});
