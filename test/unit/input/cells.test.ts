import { describe, expect, it } from 'vitest';
import { CellConverter, type CellNotation } from '../../../src/input/cells.js';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { fieldAt } from '../../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { RecordType } from '../../../src/records/types.js';

const PLAIN = PLAIN_STYLE;
const COMMA: CellNotation = { ...PLAIN_STYLE, decimal: 'comma', dateOrder: 'dmy' };

/** The value of a cell and what was found in it. */
function convert(type: RecordType, path: string, cell: string, style = PLAIN) {
  const field = fieldAt(RECORD_SCHEMAS[type].fields, path);
  if (field === null) throw new Error(`no field ${path}`);
  const cells = new CellConverter(style);
  const value = cells.convert(field, cell, path);
  const { findings, unreadable, typed } = cells;
  return { value, findings, unreadable, typed, found: findings.map(({ code, field: at }) => `${code} ${at}`) };
}

describe('cells that are read', () => {
  it.each<[RecordType, string, string, CellNotation, unknown]>([
    ['payout', 'amount', '1200', PLAIN, 1200],
    ['payout', 'amount', '1.234,56', COMMA, 1234.56],
    ['payout', 'user_id', '00123', PLAIN, '00123'],
    ['payout', 'title', ' Bonus ', PLAIN, ' Bonus '],
    ['payout', 'billing_date', '01.11.2026', COMMA, '2026-11-01'],
    ['payout', 'billing_date', '03.11.2026 14:22:10', COMMA, '2026-11-03'],
    ['payout', 'billing_date', '2026-11-03T23:30:00-08:00', COMMA, '2026-11-03'],
    ['payout', 'cost_center_data', '{"legal_entity":"A","inhouse":"No"}', PLAIN, { legal_entity: 'A', inhouse: 'No' }],
    ['result', 'multiplier', '1,25', COMMA, '1.25'],
    ['gig', 'start_at', '1796454000', PLAIN, 1796454000],
    ['gig', 'start_at', '2026-12-05T08:00:00+01:00', PLAIN, 1796454000],
    ['gig', 'start_at', '1.796.454.000', COMMA, 1796454000],
    ['gig', 'start_at', '1796454000.5', PLAIN, 1796454000.5],
    ['gig', 'partner_options.extra_mile', 'TRUE', PLAIN, true],
    ['gig', 'partner_options.extra_mile', ' false ', PLAIN, false],
    ['gig', 'invitation_notification_topic', '4711', PLAIN, 4711],
    ['gig', 'invitation_notification_topic', 'berlin-retail', PLAIN, 'berlin-retail'],
    ['gig', 'invitation_notification_topic', '-1', PLAIN, '-1'],
    ['gig', 'filter_query', '{"a":{"$in":["x",null]}}', PLAIN, { a: { $in: ['x', null] } }],
    ['gig', 'tasks', '[{"title":"a","base_price":1.5}]', PLAIN, [{ title: 'a', base_price: 1.5 }]],
    ['gig', 'notification_payload', 'null', PLAIN, null],
  ])('%s %s: %j', (type, path, cell, style, value) => {
    const converted = convert(type, path, cell, style);
    expect(converted.found).toEqual([]);
    expect(converted.value).toEqual(value);
  });
});

describe('cells that are refused', () => {
  it.each<[RecordType, string, string, CellNotation, string]>([
    ['payout', 'amount', '12,50', PLAIN, 'bad-number'],
    ['payout', 'billing_date', '2026-11-01T08:00:00Z', PLAIN, 'bad-date'],
    ['payout', 'billing_date', '20261103', PLAIN, 'bad-date'],
    ['payout', 'billing_date', 'Nov 3, 2026', COMMA, 'bad-date'],
    ['payout', 'billing_date', '03.11.2026 25:00', COMMA, 'bad-date'],
    ['payout', 'amount', '9007199254740993', PLAIN, 'inexact-number'],
    ['payout', 'amount', '9.007.199.254.740.993', COMMA, 'inexact-number'],
    ['result', 'multiplier', '1,25', PLAIN, 'bad-number'],
    ['gig', 'start_at', '2026-12-05T08:00:00', PLAIN, 'bad-date'],
    ['gig', 'start_at', '2026-12-05T08:00:00.5Z', PLAIN, 'bad-date'],
    ['gig', 'start_at', '1.796', PLAIN, 'ambiguous-number'],
    ['gig', 'start_at', 'tomorrow', PLAIN, 'bad-number'],
    ['gig', 'invitation_notification_topic', '007', PLAIN, 'bad-number'],
    ['gig', 'filter_query', 'city=Bonn', PLAIN, 'bad-json'],
    ['payout', 'cost_center_data', '{"legal_entity":"A"', PLAIN, 'bad-json'],
  ])('%s %s: %j', (type, path, cell, style, code) => {
    const { value, found, findings, unreadable } = convert(type, path, cell, style);
    expect(found).toEqual([`${code} ${path}`]);
    expect(value).toBeUndefined();
    expect(findings[0]).toMatchObject({ severity: 'error', value: cell });
    // It was there, so it must not be called missing.
    expect([...(unreadable ?? [])]).toEqual([path]);
  });

  it.each<[string, CellNotation, string]>([
    ['05.12.25', PLAIN, 'is not written as year-month-day, such as 2026-11-01'],
    ['5. Juli 2026', COMMA, 'is not written as day, month, year, such as 01.11.2026'],
    ['2026-11-03 14:22', PLAIN, 'has a time of day'],
    ['2026-11-03 25:22', PLAIN, 'is not a day of the calendar with a time of day: write the date alone'],
    ['31.02.2026', COMMA, 'is not a day of the calendar'],
  ])('what is wrong with a date is said: %j', (cell, style, words) => {
    expect(convert('payout', 'billing_date', cell, style).findings[0]?.message.endsWith(words)).toBe(true);
  });

  it('a date in another order comes with its readings', () => {
    expect(convert('payout', 'billing_date', '05.12.25', PLAIN).findings[0]?.dates).toEqual([
      { order: 'dmy', date: '2025-12-05' },
      { order: 'mdy', date: '2025-05-12' },
    ]);
  });

  it('what is wrong inside of JSON is found with its path', () => {
    expect(convert('gig', 'tasks', '[{"title":"a","base_price":9007199254740993}]').found).toEqual([
      'inexact-number tasks.0.base_price',
    ]);
    expect(convert('gig', 'filter_query', '{"a":{"b":1,"b":2}}').found).toEqual(['duplicate-field filter_query.a.b']);
    expect(convert('gig', 'notification_payload', '{"a":"\\ud800"}').findings[0]).toMatchObject({
      code: 'bad-encoding',
      fault: true,
    });
  });

  it('JSON in a cell may be as deep as in a record of its own', () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(convert('gig', 'filter_query', nested(63)).found).toEqual([]);
    expect(convert('gig', 'filter_query', nested(64)).found).toEqual(['bad-json filter_query']);
  });
});

describe('what was typed', () => {
  it.each<[RecordType, string, string, CellNotation, [string, string][]]>([
    ['payout', 'amount', '1200', PLAIN, []],
    ['payout', 'amount', '0.00', PLAIN, [['amount', '0.00']]],
    ['payout', 'amount', '1.234,5', COMMA, [['amount', '1.234,5']]],
    ['payout', 'billing_date', '01.11.2026', COMMA, [['billing_date', '01.11.2026']]],
    ['result', 'multiplier', '1,5', COMMA, [['multiplier', '1,5']]],
    ['payout', 'cost_center_data', '{"customer_id":1.50}', PLAIN, [['cost_center_data.customer_id', '1.50']]],
  ])('is kept where it prints otherwise: %s %s %j', (type, path, cell, style, typed) => {
    expect([...(convert(type, path, cell, style).typed ?? [])]).toEqual(typed);
  });
});
