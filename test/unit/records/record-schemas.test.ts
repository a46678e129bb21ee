import { describe, expect, it } from 'vitest';
import { formatDecimal, parseDecimal } from '../../../src/money/decimal.js';
import { costCenterOf } from '../../../src/records/cost-center.js';
import { type Field, isJsonKind } from '../../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { JSON_FIELDS, RECORD_INFO, RECORD_TYPES } from '../../../src/records/types.js';
import { COST_CENTER_DATA, GOOD, check } from './checking.js';

const names = (fields: readonly Field[]): string[] => fields.map(({ name }) => name).sort();
const required = (fields: readonly Field[]): string[] => names(fields.filter((field) => field.required));
const membersOf = (fields: readonly Field[], name: string): readonly Field[] =>
  fields.find((field) => field.name === name)?.members ?? [];
const list = (text: string): string[] => text.split(' ').sort();

/** The fields and required fields of each table of service-interface.md. */
const TABLES: readonly (readonly [string, readonly Field[], string, string])[] = [
  [
    'gig',
    RECORD_SCHEMAS.gig.fields,
    // idempotency_key is the tool's own: kept in the journal, never sent.
    'title description url start_at end_at invitation_mode filter_query sort_query archive_at total_seats seats_min ' +
      'seats_max invitation_multiplier invitation_frequency notification_payload invitation_notification_topic tasks ' +
      'partner_options idempotency_key',
    // invitation_mode is required by the service and always sent, so that nobody has to give it.
    'title description url start_at end_at filter_query',
  ],
  ['gig task', membersOf(RECORD_SCHEMAS.gig.fields, 'tasks'), 'title base_price', 'title base_price'],
  ['partner options', membersOf(RECORD_SCHEMAS.gig.fields, 'partner_options'), 'extra_mile', ''],
  [
    'result',
    RECORD_SCHEMAS.result.fields,
    'gig_task_id user_id title quantity cost_center_key cost_center_data description idempotency_key multiplier ' +
      'delivery_date currency',
    'gig_task_id user_id title quantity',
  ],
  [
    'payout',
    RECORD_SCHEMAS.payout.fields,
    'amount title user_id cost_center_key cost_center_data description billing_date reference_id reference_type ' +
      'idempotency_key currency',
    'amount title user_id',
  ],
  [
    'cost center data',
    membersOf(RECORD_SCHEMAS.payout.fields, 'cost_center_data'),
    'legal_entity inhouse customer_id partner_project_code company',
    'legal_entity inhouse',
  ],
];

describe('record types', () => {
  it.each(TABLES)('a %s has the fields of the service', (_name, fields, all, needed) => {
    expect(names(fields)).toEqual(list(all));
    expect(required(fields)).toEqual(needed === '' ? [] : list(needed));
  });

  it.each([
    ['gig', '/api/v2/gigs', 'start_at', false],
    ['result', '/api/v2/gig_results', 'gig_task_id', true],
    ['payout', '/api/v2/payouts', 'amount', true],
  ] as const)('a %s goes to %s, is known by %s, and is keyed: %s', (type, path, mark, keyed) => {
    expect(RECORD_SCHEMAS[type]).toMatchObject({ type, path, mark, keyed });
  });

  it.each(RECORD_TYPES)('the examples of a %s pass its own checks', (type) => {
    const body = Object.fromEntries(RECORD_SCHEMAS[type].fields.map(({ name, example }) => [name, example]));
    expect(check(type, body).found).toEqual([]);
  });
});

describe('amounts', () => {
  it.each<[number, string | undefined, string, string, string]>([
    [3, '1.5', '250', '1125', '3 × 250 × 1.5'],
    [3, undefined, '250', '750', '3 × 250 × 1.0'],
    [1, '0.0000', '250', '0', '1 × 250 × 0.0000'],
    [0.1, '9.9999', '0.1', '0.099999', '0.1 × 0.1 × 9.9999'],
  ])('a result of %d × %s at %s is %s', (quantity, multiplier, price, amount, steps) => {
    const body = { ...GOOD.result, quantity, ...(multiplier === undefined ? {} : { multiplier }) };
    const found = RECORD_SCHEMAS.result.amount(body, parseDecimal(price));
    expect(found && formatDecimal(found)).toBe(amount);
    expect(RECORD_SCHEMAS.result.steps(body, parseDecimal(price))).toBe(steps);
  });

  it('a result without a known price has no invented amount', () => {
    const body = { ...GOOD.result, multiplier: '1.50' };
    expect(RECORD_SCHEMAS.result.amount(body, null)).toBeNull();
    expect(RECORD_SCHEMAS.result.steps(body, null)).toBe('3 × unknown price × 1.50');
  });

  it.each<[unknown, string]>([
    [undefined, '0'],
    [[{ title: 'a', base_price: 450 }], '450'],
    [[{ base_price: 0.1 }, { base_price: 0.2 }, { base_price: 187.5 }], '187.8'],
  ])('a gig of the tasks %j is %s', (tasks, amount) => {
    const found = RECORD_SCHEMAS.gig.amount({ ...GOOD.gig, tasks }, null);
    expect(found && formatDecimal(found)).toBe(amount);
  });
});

describe('the cost center that a record is totalled under', () => {
  const data = { ...COST_CENTER_DATA, customer_id: 'C-1', company: 'C' };
  it.each<[string, Record<string, unknown>, string | null]>([
    ['its key', { cost_center_key: 'PP-1', cost_center_data: data }, 'PP-1'],
    ['else the project code', { cost_center_data: data }, 'PP-7'],
    ['else the customer', { cost_center_data: { ...data, partner_project_code: undefined } }, 'C-1'],
    ['else none', {}, null],
    ['an empty key is none', { cost_center_key: '', cost_center_data: data }, 'PP-7'],
  ])('%s', (_name, body, expected) => {
    expect(costCenterOf(body)).toBe(expected);
  });
});

it('the fields whose values are JSON are listed without loading a schema', () => {
  const pathsOf = (fields: readonly Field[], before = ''): string[] =>
    fields.flatMap(({ name, kind, members = [] }) => [
      ...(isJsonKind(kind) ? [`${before}${name}`] : []),
      ...pathsOf(members, `${before}${name}.`),
    ]);
  expect([...JSON_FIELDS].sort()).toEqual(
    [...new Set(Object.values(RECORD_SCHEMAS).flatMap(({ fields }) => pathsOf(fields)))].sort(),
  );
});

it.each(RECORD_TYPES)('prices are for the types that have a field for them: %s', (type) => {
  expect(RECORD_INFO[type].needsPrices).toBe(RECORD_SCHEMAS[type].price !== null);
});
