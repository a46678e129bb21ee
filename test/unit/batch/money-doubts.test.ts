import { describe, expect, it } from 'vitest';
import { MoneyDoubts, type MoneyRules } from '../../../src/batch/money-doubts.js';
import { Intake } from '../../../src/batch/validate.js';
import { PLAIN_STYLE } from '../../../src/input/cells.js';
import type { RawRecord } from '../../../src/input/raw.js';
import type { Body } from '../../../src/records/field.js';
import { KINDS } from '../../../src/records/kinds.js';
import type { RecordType } from '../../../src/records/kind.js';

const DOUBTS = new Set(['total-row', 'example-row', 'sub-cent']);

/** For each record what is doubted of its money: `error total-row`. */
function doubtsOf(
  type: RecordType,
  records: readonly (Body & { source?: Body })[],
  rules: Partial<MoneyRules> = {},
  hasErrorColumn = false,
): string[] {
  const all = { allowTotalRow: false, strict: false, ...rules };
  const prices = { priceOf: (_task: string, price: string | undefined) => ({ units: BigInt(price ?? 1), scale: 0 }) };
  const intake = new Intake({ today: '2026-11-20', style: PLAIN_STYLE, keyColumns: [], prices, ...all });
  const doubts = new MoneyDoubts(all, { hasErrorColumn });
  return records.map(({ source, ...input }, i) => {
    const raw: RawRecord = {
      record: i + 1,
      line: null,
      input,
      findings: [],
      ...(source === undefined ? {} : { source }),
    };
    const { findings } = doubts.check(raw, KINDS[type], intake.check(raw, KINDS[type]));
    return findings
      .filter(({ code }) => DOUBTS.has(code))
      .map(({ severity, code }) => `${severity} ${code}`)
      .join();
  });
}

const pay = (amount: number, title = 'Bonus', more: Body = {}): Body => ({
  ...{ user_id: 'u', amount, title, cost_center_key: 'PP-1' },
  ...more,
});
const SUM = 'error total-row';
const DOUBT = 'warning total-row';

describe('rows of sums', () => {
  it.each<[string, Body[], string[]]>([
    ['none above', [pay(1)], ['']],
    ['one above', [pay(1), pay(1, 'Summe')], ['', '']],
    ['two above', [pay(1), pay(2), pay(3)], ['', '', DOUBT]],
    ['two above, and a word', [pay(1), pay(2), pay(3, 'Summe')], ['', '', SUM]],
    ['two above that say so themselves', [pay(1, 'Total'), pay(2, 'Total'), pay(3, 'Total')], ['', '', SUM]],
    ['a sum of sums', [pay(1), pay(2), pay(3), pay(6)], ['', '', DOUBT, DOUBT]],
    ['beyond the safe integers', [pay(9e15), pay(9e15), pay(1.8e16, 'Sum')], ['', '', SUM]],
    ['parts that no double has', [pay(0.1), pay(0.2), pay(0.3)], ['', '', DOUBT]],
    ['amounts that cancel each other', [pay(5), pay(-5), pay(0)], ['', '', DOUBT]],
    ['nothing but zeros', [pay(0), pay(0), pay(0), pay(0, 'Summe')], ['', '', '', '']],
    ['an invalid row above', [pay(1), pay(2, ''), pay(3, 'Summe')], ['', '', SUM]],
    ['an invalid row of sums', [pay(1), pay(2), pay(3, 'Summe', { user_id: null })], ['', '', SUM]],
    [
      'blocks, each with its sum, and the sum of all',
      [pay(1), pay(2), pay(3, 'Summe A'), pay(4), pay(5), pay(9, 'Summe B'), pay(12, 'Gesamtsumme')],
      ['', '', SUM, '', '', SUM, SUM],
    ],
    [
      'a block of one row behind others',
      [pay(1), pay(2), pay(3, 'Zwischentotal'), pay(4), pay(4, 'Zwischentotal'), pay(7, 'Gesamttotal')],
      ['', '', SUM, '', SUM, SUM],
    ],
    [
      'a block of one row before others: one amount is no sum, but it is in no other',
      [pay(4), pay(4, 'Subtotal'), pay(1), pay(2.5), pay(3.5, 'Subtotal'), pay(7.5, 'Total')],
      ['', '', '', '', SUM, SUM],
    ],
    ['equal amounts under one title', [1, 2, 3, 4, 5].map(() => pay(9, 'Total wages')), ['', '', '', '', '']],
    ['equal amounts under titles alike', [1, 2, 3, 4, 5].map((n) => pay(9, `Total wages ${n}`)), ['', '', '', '', '']],
  ])('%s', (_what, records, expected) => {
    expect(doubtsOf('payout', records)).toEqual(expected);
    expect(doubtsOf('payout', records, { allowTotalRow: true }).join('')).toBe('');
    expect(doubtsOf('payout', records, { strict: true })).toEqual(expected.map((each) => (each === '' ? '' : SUM)));
  });

  it('say so in any text, however deep it stands, and as the file has it', () => {
    const rows = (last: Body & { source?: Body }) => [pay(1), pay(2), { ...pay(3), ...last }];
    const data = { legal_entity: 'Gesamt', inhouse: 'No', partner_project_code: 'PP-1' };
    expect(doubtsOf('payout', rows({ cost_center_data: data }))[2]).toBe(SUM);
    expect(doubtsOf('payout', rows({ source: { ...pay(3), note: 'Summe' } }))[2]).toBe(SUM);
    expect(doubtsOf('payout', rows({ title: 'Total pay', source: pay(3) }))[2]).toBe(DOUBT);
  });

  it('are known again in rejects, as long as amount and text are the same', () => {
    const said = 'amount 3 is the sum of rows above it, and the row says "Summe": a sum is paid to nobody.';
    const rejected = (amount: number, title: string): Body & { source: Body } => {
      const record = pay(amount, title);
      return { ...record, source: { ...record, gigwork_error: `title is blank; ${said}` } };
    };
    expect(doubtsOf('payout', [rejected(3, 'Summe')], {}, true)).toEqual([SUM]);
    expect(doubtsOf('payout', [rejected(3, 'Summe')], { allowTotalRow: true }, true)).toEqual(['']);
    expect(doubtsOf('payout', [rejected(3, 'Bonus')], {}, true)).toEqual(['']);
    expect(doubtsOf('payout', [rejected(4, 'Summe')], {}, true)).toEqual(['']);
  });

  it('have computed amounts, too, but not those of gigs without tasks', () => {
    const done = (quantity: number, title = 'Audit'): Body => ({
      ...{ gig_task_id: 't', user_id: 'u', title, quantity, cost_center_key: 'PP-1' },
    });
    expect(doubtsOf('result', [done(1), done(2), done(3), done(6, 'Summe')])).toEqual(['', '', DOUBT, SUM]);
    const gig = { title: 'Total count', description: 'd', url: 'u', start_at: 1, end_at: 2, filter_query: {} };
    expect(doubtsOf('gig', [gig, gig, gig, gig])).toEqual(['', '', '', '']);
  });
});

describe('parts of a cent', () => {
  it.each<[number, string | null, string]>([
    [12.5, 'EUR', ''],
    [12.345, 'EUR', 'warning sub-cent'],
    [12.3456, 'KWD', 'warning sub-cent'],
    [12.345, 'KWD', ''],
    [0.5, 'JPY', 'warning sub-cent'],
    [12.345, 'XAU', ''],
    [12.345, 'eur', ''],
    [12.345, null, ''],
  ])('%d %s', (amount, currency, expected) => {
    expect(doubtsOf('payout', [pay(amount, 'Bonus', { currency })])).toEqual([expected]);
    expect(doubtsOf('payout', [pay(amount, '', { currency })])).toEqual([expected]);
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
