import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { type Body, RECORD_TYPES, type RecordType } from '../../../src/records/types.js';
import { check, costCenter } from './checking.js';

/** A change of a good record, and `code field` of each error that it makes. */
type Row = [name: string, type: RecordType, change: Body, errors: string[]];

function expectErrors(type: RecordType, change: Body, errors: readonly string[]): void {
  expect(check(type, change).found).toEqual(errors.map((error) => `error ${error}`));
}

describe('required fields', () => {
  it.each(RECORD_TYPES)('of a %s are missing where they are absent or null, and not blank', (type) => {
    for (const { name, kind, required } of RECORD_SCHEMAS[type].fields) {
      if (!required) continue;
      expectErrors(type, { [name]: undefined }, [`missing-field ${name}`]);
      expectErrors(type, { [name]: null }, [`missing-field ${name}`]);
      if (kind !== 'text' && kind !== 'id') continue;
      for (const blank of ['', ' ', '\t', '\u00a0\n']) expectErrors(type, { [name]: blank }, [`blank ${name}`]);
    }
  });

  it.each<Row>([
    ['a task without title', 'gig', { tasks: [{ base_price: 1 }] }, ['missing-field tasks.0.title']],
    ['a task with a blank title', 'gig', { tasks: [{ title: '', base_price: 1 }] }, ['blank tasks.0.title']],
    [
      'the second task without price',
      'gig',
      { tasks: [{ title: 'a', base_price: 1 }, { title: 'b' }] },
      ['missing-field tasks.1.base_price'],
    ],
    ['no entity', 'payout', costCenter({ legal_entity: undefined }), ['missing-field cost_center_data.legal_entity']],
    ['a blank entity', 'payout', costCenter({ legal_entity: ' ' }), ['blank cost_center_data.legal_entity']],
    ['null for inhouse', 'result', costCenter({ inhouse: null }), ['missing-field cost_center_data.inhouse']],
    // It would be the key of many records.
    ['an own key that is blank', 'payout', { idempotency_key: '  ' }, ['blank idempotency_key']],
    ['the same of a gig', 'gig', { idempotency_key: '  ' }, ['blank idempotency_key']],
  ])('%s', (_name, type, change, errors) => {
    expectErrors(type, change, errors);
  });
});

describe('conditions between fields', () => {
  const PROJECT = 'cost_center_data.partner_project_code';
  const CUSTOMER = 'cost_center_data.customer_id';
  const COMPANY = 'cost_center_data.company';
  const EMPTY = { cost_center_key: undefined, cost_center_data: {} };
  const MISSING = ['missing-field cost_center_data.inhouse', 'missing-field cost_center_data.legal_entity'];

  it.each<Row>([
    ['neither key nor data', 'payout', { cost_center_key: undefined }, ['missing-one-of cost_center_key']],
    ['a blank key and no data', 'payout', { cost_center_key: ' ' }, ['blank cost_center_key']],
    ['no customer or project', 'payout', costCenter({ partner_project_code: null }), [`missing-one-of ${CUSTOMER}`]],
    ['a blank project alone', 'payout', costCenter({ partner_project_code: '' }), [`blank ${PROJECT}`]],
    ['a customer without company', 'payout', costCenter({ customer_id: 'C' }), [`missing-companion ${COMPANY}`]],
    ['a blank company', 'payout', costCenter({ customer_id: 'C', company: '' }), [`blank ${COMPANY}`]],
    ['a company without customer', 'payout', costCenter({ company: 'C' }), []],
    ['empty data', 'result', EMPTY, [...MISSING, `missing-one-of ${CUSTOMER}`]],
    ['a key that is wrong is not missing as well', 'payout', { cost_center_key: 7 }, ['wrong-type cost_center_key']],
    [
      'wrong data beside a good key',
      'payout',
      { cost_center_data: { inhouse: 'Yes' } },
      ['missing-field cost_center_data.legal_entity', `missing-one-of ${CUSTOMER}`],
    ],
  ])('%s', (_name, type, change, errors) => {
    expectErrors(type, change, errors);
  });
});

describe('fields that no record has', () => {
  it.each<[RecordType, Body, string]>([
    ['payout', { amuont: 5 }, 'amuont'],
    ['payout', { quantity: 5 }, 'quantity'],
    ['payout', { note: null }, 'note'],
    ['payout', costCenter({ country: 'DE' }), 'cost_center_data.country'],
    ['payout', { 'cost_center_data.inhouse': 'Yes' }, 'cost_center_data.inhouse'],
  ])('a %s with %j', (type, change, field) => {
    expectErrors(type, change, [`unknown-field ${field}`]);
  });

  it('are named with what was most likely meant, or with all fields there are', () => {
    expect(check('gig', { total_seat: 4 }).findings[0]?.message).toContain('Did you mean "total_seats"?');
    expect(check('payout', { xyz: 4 }).findings[0]?.message).toContain('Known fields: user_id, amount, title');
  });

  it('do not slip in through a prototype', () => {
    const { body, found } = check('payout', JSON.parse('{"__proto__":{"currency":"EUR"}}') as Body);
    expect(found).toEqual(['error unknown-field __proto__']);
    expect(body['currency']).toBeUndefined();
  });
});
