/** The oracle's own reading of the CONTRACT, sentence by sentence: nothing of the program is asked here. */
import { describe, expect, test } from 'vitest';
import { canonical, type Json } from './keys.js';
import { areToldApart, foldedBatch, isLike, isLikeElsewhere, isSameBill, type Side } from './likeness.js';
import { READINGS } from './readings.js';
import type { RecordType } from './rows.js';

interface Likely {
  readonly type?: RecordType;
  readonly key?: string;
  /** Fields that are not from the file. */
  readonly set?: readonly string[];
  readonly sharesReference?: boolean;
}

const PAID = { user_id: '0042', title: 'Bonus Nov', amount: 100, cost_center_key: 'PP-1' };

function side(
  fields: Record<string, Json>,
  { type = 'payout', key, set = [], sharesReference = false }: Likely = {},
): Side {
  const row = { type, fields, ownKey: key ?? null, replaces: null, isValid: true };
  return {
    row,
    content: `${type} ${canonical(fields)}`,
    kind: key === undefined ? 'content' : 'own',
    key: key ?? 'computed',
    source: {
      digest: 'd',
      line: 2,
      set,
      sharesReference,
    },
  };
}

describe('(a) the same user and title', () => {
  test.each([
    ['another amount', { amount: 7 }, true],
    ['zeros, letter case and spaces', { user_id: '42', title: 'bonus  nov' }, true],
    ['look-alike characters', { title: 'Ｂonus Nov' }, true],
    ['another user', { user_id: '43' }, false],
    ['another title', { title: 'Wage' }, false],
    ['a reference that only one has', { reference_id: 'R1' }, true],
  ])('%s', (_name, change, expected) => {
    expect(isLike(side({ ...PAID, ...change }), side(PAID))).toBe(expected);
  });
});

describe('own keys', () => {
  test.each([
    ['letter case', 'INV-1', 'inv-1', true],
    ['spaces and marks', 'INV 1', 'INV-1', true],
    ['leading zeros', '00777', '777', true],
    ['a mark between two digits', 'inv-2026-11', 'inv-202611', false],
    ['another number', 'inv-1', 'inv-2', false],
  ])('%s', (_name, mine, theirs, expected) => {
    expect(isLike(side({ ...PAID, amount: 7 }, { key: mine }), side(PAID, { key: theirs }))).toBe(expected);
  });

  test('near keys of another user are other payments', () => {
    expect(isLike(side({ ...PAID, user_id: 'u9' }, { key: 'inv-1' }), side(PAID, { key: 'INV-1' }))).toBe(false);
  });

  test('the same content is the same payment under whatever keys', () => {
    expect(isLike(side(PAID, { key: 'a' }), side(PAID, { key: 'b' }))).toBe(true);
    expect(isLike(side({ ...PAID, amount: 7 }, { key: 'a' }), side(PAID, { key: 'b' }))).toBe(false);
  });
});

describe('(b) the same bill', () => {
  const billed = { ...PAID, reference_id: 'INV 7' };
  const retitled = { ...billed, title: 'Export 18:02', reference_id: 'inv-7' };

  test('a reference is the same however it is written', () => {
    expect(isSameBill(side(retitled), side(billed), READINGS)).toBe(true);
    expect(isSameBill(side({ ...retitled, amount: 7 }), side(billed), READINGS)).toBe(false);
    expect(isSameBill(side({ ...retitled, currency: 'EUR' }), side(billed), READINGS)).toBe(false);
  });

  test('what is not from the file, or stands on all rows of it, does not count', () => {
    expect(isSameBill(side(retitled, { set: ['reference_id'] }), side(billed), READINGS)).toBe(false);
    expect(isSameBill(side(retitled, { sharesReference: true }), side(billed), READINGS)).toBe(false);
  });
});

describe('told apart', () => {
  const dated = { ...PAID, billing_date: '2026-11-03' };
  test.each([
    ['by dates that differ', { ...dated, billing_date: '2026-12-03' }, [], true],
    ['not by the order of day and month', { ...dated, billing_date: '2026-03-11' }, [], false],
    ['not by a date of --set', { ...dated, billing_date: '2026-12-03' }, ['billing_date'], false],
    ['not by a date that only one has', PAID, [], false],
  ])('%s', (_name, fields, set, expected) => {
    expect(areToldApart(side(fields, { set }), side(dated))).toBe(expected);
  });
});

test('in another batch the amount counts', () => {
  expect(isLikeElsewhere(side(PAID), side(PAID), READINGS)).toBe(true);
  expect(isLikeElsewhere(side({ ...PAID, amount: 7 }), side(PAID), READINGS)).toBe(false);
});

test.each(['2026/11', '2026.11', '202611', '2026 11', '2026–11'])('the batch %s is a misspelt 2026-11', (name) => {
  expect(foldedBatch(name)).toBe(foldedBatch('2026-11'));
});
