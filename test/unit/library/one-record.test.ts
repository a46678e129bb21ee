import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { computeKey, validate } from '../../../src/library/library.js';
import { gig, gigResult, payout } from '../../../src/library/schemas.js';
import type { RecordType } from '../../../src/records/types.js';
import { workspace } from '../../support/cli.js';
import { readPage, ROOT } from '../../support/documents.js';

interface KeyCase {
  readonly name: string;
  readonly batch_id: string;
  readonly type: RecordType;
  readonly kind: string;
  readonly value: object;
  readonly ordinal: number;
  readonly key: string;
}

const { cases } = JSON.parse(readFileSync(new URL('../../vectors/keys.json', import.meta.url), 'utf8')) as {
  cases: KeyCase[];
};

/** Its value is not a record of its type. */
const NO_RECORD = ['the same value as another type', 'amount -0', 'amount 5e-324'];

const BONUS = { amount: 1200, cost_center_key: 'PP-7', title: 'Bonus', user_id: 'u1' };

describe('computeKey', () => {
  const ofContent = cases.filter(({ kind, name }) => kind === 'content' && !NO_RECORD.includes(name));

  test.each(ofContent.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    const { type, value, batch_id: batchId, ordinal, key } = each;
    expect(computeKey(type, value, { batchId, ordinal })).toBe(key);
  });

  test('of columns does not depend on the rest, nor on the ordinal', () => {
    const { key = '' } = cases.find(({ name }) => name === 'one key column') ?? {};
    for (const [title, ordinal] of [
      ['Bonus', 1],
      ['Another', 2],
    ] as const) {
      const record = { ...BONUS, title, reference_id: 'INV-1' };
      expect(computeKey('payout', record, { columns: ['reference_id'], ordinal })).toBe(key);
    }
  });

  test('is the key of the record, if it has one', () => {
    expect(computeKey('payout', { ...BONUS, idempotency_key: 'mine' })).toBe('mine');
  });

  test.each([
    ['a record that is not valid', { ...BONUS, amount: '1200' }, {}, /not valid: amount must be a number/],
    ['a batch without a name', BONUS, { batchId: '' }, /batchId/],
    ['an ordinal below 1', BONUS, { ordinal: 0 }, /ordinal takes a whole number/],
    ['a column that no payout has', BONUS, { columns: ['user'] }, /columns user/],
    ['a correction', { ...BONUS, gigwork_key: 'k' }, {}, /rejected payment/],
    ['what JSON cannot say', { ...BONUS, amount: Number.NaN }, {}, /amount is NaN/],
  ])('refuses %s', (_name, record, options, message) => {
    expect(() => computeKey('payout', record, options)).toThrow(message);
  });
});

describe('validate', () => {
  test('finds nothing in a record without fault', () => {
    expect(validate('payout', BONUS)).toEqual([]);
  });

  test('finds what a run finds, in the same words', async () => {
    const records = readPage('samples/gigs-bad.ndjson').trim().split('\n');
    const { events } = await workspace().run([
      'gig',
      'create',
      `${ROOT}samples/gigs-bad.ndjson`,
      '--dry-run',
      '--json',
    ]);
    const kinds = new Set<string>();
    for (const [i, line] of records.entries()) {
      const found = events.filter(({ event, record }) => event === 'issue' && record === i + 1);
      // What needs another record, and what only the text of a file shows.
      const own = found.filter(
        ({ code }) => !['identical-rows', 'duplicate-key', 'inexact-number', 'duplicate-field'].includes(code),
      );
      const texts = own.map(({ code, field, message }) => ({ code, field, message }));
      for (const { code } of texts) kinds.add(code);
      if (own.length < found.length) continue;
      const mine = validate('gig', JSON.parse(line) as object);
      expect([line, mine.map(({ code, field, message }) => ({ code, field, message }))]).toEqual([line, texts]);
    }
    expect(kinds.size).toBeGreaterThan(8);
  });

  test('reads times as text, and without an offset in a time zone', () => {
    const text = (start: string, end: string): object => ({
      title: 'Audit',
      description: 'Count',
      url: 'https://example.com/1',
      filter_query: { city: 'Berlin' },
      start_at: start,
      end_at: end,
    });
    const local = text('2026-12-05 08:00', '2026-12-05 16:00');
    const options = { timeZone: 'Europe/Berlin' };
    expect(validate('gig', text('2026-12-05T08:00:00+01:00', '2026-12-05T16:00:00+01:00'))).toEqual([]);
    expect(validate('gig', local).map(({ code, field }) => [code, field])).toEqual([
      ['bad-date', 'start_at'],
      ['bad-date', 'end_at'],
    ]);
    expect(validate('gig', local, options)).toEqual([]);
    expect(computeKey('gig', local, options)).toBe(
      computeKey('gig', { ...local, start_at: 1_796_454_000, end_at: 1_796_482_800 }),
    );
    expect(() => validate('gig', local, { timeZone: 'Berlin' })).toThrow(/timeZone takes the name of a time zone/);
  });

  test('tells a record of results, and of no type', () => {
    expect(validate('payout', { ...BONUS, gigwork_status: 'created' }).map(({ code }) => code)).toEqual([
      'results-file',
    ]);
    expect(() => validate('payuot' as RecordType, BONUS)).toThrow(/payout, result, gig; found "payuot"/);
  });
});

test('the schemas check the fields of each type', () => {
  expect(payout.safeParse(BONUS).success).toBe(true);
  expect(payout.safeParse({ ...BONUS, amount: '1' }).success).toBe(false);
  expect(() => gig.parse({})).toThrow(/title/);
  expect(gigResult.safeParse({ title: 'x' }).error?.issues.map(({ path }) => path[0])).toContain('quantity');
});
