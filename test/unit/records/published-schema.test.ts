import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnPaths } from '../../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { RECORD_TYPES, type RecordType } from '../../../src/records/types.js';
import { publishedSchema, validator } from '../../support/schemas.js';
import { check, COST_CENTER_DATA, GOOD } from './checking.js';

const VALID = Object.fromEntries(RECORD_TYPES.map((type) => [type, validator(publishedSchema(type))]));

/** JSON knows no members that are undefined. */
function isValid(type: RecordType, record: object): boolean {
  return VALID[type]?.(JSON.parse(JSON.stringify(record))) === true;
}

describe.each(RECORD_TYPES)('the schema of a %s', (type) => {
  const { fields } = RECORD_SCHEMAS[type];

  test('knows every field, with its help', () => {
    const schema = JSON.stringify(publishedSchema(type));
    for (const path of columnPaths(fields)) expect(schema).toContain(`"${path.split('.').at(-1)}":{"description":`);
    for (const { help } of fields) expect(schema).toContain(JSON.stringify(help));
  });

  test('takes a record with the required fields alone, and asks for each of them', () => {
    expect(isValid(type, GOOD[type])).toBe(true);
    for (const { name } of fields.filter(({ required }) => required)) {
      expect([name, isValid(type, { ...GOOD[type], [name]: undefined })]).toEqual([name, false]);
    }
  });

  test('refuses what it does not name', () => {
    expect(isValid(type, { ...GOOD[type], titel: 'x' })).toBe(false);
  });
});

/** Values that are right for some field and wrong for others. */
const VALUES = [
  '',
  ' ',
  ...'x Yes nO auto EUR 1.25 9.9999 9.99999 10 -1 01 1. 1e0 .5'.split(' '),
  ...'2026-11-01 2026-02-29 2024-02-29 1900-02-29 2000-02-29 0000-01-01 0004-02-29 2026-11-31 2026-1-1'.split(' '),
  0,
  5,
  -1,
  1.5,
  9.9999,
  10,
  1_797_318_000,
  true,
  null,
  {},
  { rating: -1 },
  { rating: 2 },
  [],
  [null],
  [{ title: 'a', base_price: 1 }],
  [{ title: ' ', base_price: 1 }],
  { extra_mile: true },
  { extra_mile: null },
  COST_CENTER_DATA,
  { ...COST_CENTER_DATA, customer_id: 'C' },
];

test.each(RECORD_TYPES)('says of a %s what the check says', (type) => {
  const names = [...RECORD_SCHEMAS[type].fields.map(({ name }) => name), 'unheard_of'];
  const changes = fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...VALUES, undefined), {
    maxKeys: 4,
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(changes, (change) => {
      const record = { ...GOOD[type], ...change };
      // With --allow-negative, payouts of zero or below are sent.
      const context = { amounts: { allowNegative: true, sign: null } };
      const errors = check(type, change, context).findings.filter(({ severity }) => severity === 'error');
      expect([record, isValid(type, record)]).toEqual([record, errors.length === 0]);
    }),
    { numRuns: 700 },
  );
});

test('agrees with the check on every date of the calendar', () => {
  for (const year of ['0000', '0001', '0400', '1900', '2000', '2023', '2024', '2100', '9999']) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const billing_date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
        const { findings } = check('payout', { billing_date }, { now: Date.parse(billing_date) });
        const valid = !findings.some(({ severity }) => severity === 'error');
        expect([billing_date, isValid('payout', { ...GOOD.payout, billing_date })]).toEqual([billing_date, valid]);
      }
    }
  }
});
