import { describe, expect, it } from 'vitest';
import type { Body } from '../../../src/records/field.js';
import type { RecordType } from '../../../src/records/kind.js';
import { check, costCenter } from './checking.js';

type Row = [name: string, type: RecordType, change: Body, found: string[]];

describe('required fields', () => {
  const rows: Row[] = (
    [
      ['payout', ['user_id', 'amount', 'title']],
      ['result', ['gig_task_id', 'user_id', 'title', 'quantity']],
      ['gig', ['title', 'description', 'url', 'start_at', 'end_at', 'filter_query']],
    ] as const
  ).flatMap(([type, names]) =>
    names.flatMap((name): Row[] => [
      [`a ${type} without ${name}`, type, { [name]: undefined }, [`error missing-field ${name}`]],
      [`a ${type} with null for ${name}`, type, { [name]: null }, [`error missing-field ${name}`]],
    ]),
  );
  it.each<Row>([
    ...rows,
    ['a task without title', 'gig', { tasks: [{ base_price: 1 }] }, ['error missing-field tasks.0.title']],
    [
      'the second task without price',
      'gig',
      { tasks: [{ title: 'a', base_price: 1 }, { title: 'b' }] },
      ['error missing-field tasks.1.base_price'],
    ],
    [
      'cost center without legal entity',
      'payout',
      costCenter({ legal_entity: undefined }),
      ['error missing-field cost_center_data.legal_entity'],
    ],
    ['null for inhouse', 'result', costCenter({ inhouse: null }), ['error missing-field cost_center_data.inhouse']],
  ])('%s', (_name, type, change, found) => {
    expect(check(type, change).found).toEqual(found);
  });

  it.each<[RecordType, string]>([
    ['payout', 'title'],
    ['result', 'gig_task_id'],
  ])('a %s with a blank %s', (type, name) => {
    for (const blank of ['', ' ', '\t', '\u00a0\n']) {
      expect(check(type, { [name]: blank }).found).toEqual([`error blank ${name}`]);
    }
  });

  it('an own key that is blank would be the key of many records', () => {
    for (const type of ['payout', 'result', 'gig'] as const) {
      expect(check(type, { idempotency_key: '  ' }).found).toEqual(['error blank idempotency_key']);
    }
  });

  it('a blank legal entity, a blank task title', () => {
    expect(check('payout', costCenter({ legal_entity: ' ' })).found).toEqual([
      'error blank cost_center_data.legal_entity',
    ]);
    expect(check('gig', { tasks: [{ title: '', base_price: 1 }] }).found).toEqual(['error blank tasks.0.title']);
  });
});

describe('conditions between fields', () => {
  it.each<Row>([
    ['neither key nor data', 'payout', { cost_center_key: undefined }, ['error missing-one-of cost_center_key']],
    ['a blank key and no data', 'payout', { cost_center_key: ' ' }, ['error blank cost_center_key']],
    [
      'neither customer nor project',
      'payout',
      costCenter({ partner_project_code: undefined }),
      ['error missing-one-of cost_center_data.customer_id'],
    ],
    [
      'a blank project and no customer',
      'payout',
      costCenter({ partner_project_code: '' }),
      ['error blank cost_center_data.partner_project_code'],
    ],
    [
      'a customer without company',
      'payout',
      costCenter({ customer_id: 'C' }),
      ['error missing-companion cost_center_data.company'],
    ],
    [
      'a customer with a blank company',
      'payout',
      costCenter({ customer_id: 'C', company: '' }),
      ['error blank cost_center_data.company'],
    ],
    ['a company without customer', 'payout', costCenter({ company: 'C' }), []],
    [
      'empty data',
      'result',
      { cost_center_key: undefined, cost_center_data: {} },
      [
        'error missing-field cost_center_data.inhouse',
        'error missing-field cost_center_data.legal_entity',
        'error missing-one-of cost_center_data.customer_id',
      ],
    ],
    [
      'a key that is wrong is not missing as well',
      'payout',
      { cost_center_key: 7 },
      ['error wrong-type cost_center_key'],
    ],
    [
      'wrong data beside a good key',
      'payout',
      { cost_center_data: { inhouse: 'Yes' } },
      ['error missing-field cost_center_data.legal_entity', 'error missing-one-of cost_center_data.customer_id'],
    ],
  ])('%s', (_name, type, change, found) => {
    expect(check(type, change).found).toEqual(found);
  });
});

describe('fields that no record has', () => {
  it.each<Row>([
    ['a typo', 'payout', { amuont: 5 }, ['error unknown-field amuont']],
    ['another type’s field', 'payout', { quantity: 5 }, ['error unknown-field quantity']],
    ['null does not make it known', 'payout', { note: null }, ['error unknown-field note']],
    ['within an object', 'payout', costCenter({ country: 'DE' }), ['error unknown-field cost_center_data.country']],
    [
      'a name with a dot',
      'payout',
      { 'cost_center_data.inhouse': 'Yes' },
      ['error unknown-field cost_center_data.inhouse'],
    ],
  ])('%s', (_name, type, change, found) => {
    expect(check(type, change).found).toEqual(found);
  });

  it('are named with what was most likely meant, or with all fields there are', () => {
    const [typo] = check('gig', { total_seat: 4 }).findings;
    expect(typo?.message).toContain('Did you mean "total_seats"?');
    expect(typo?.value).toBe('4');
    const [stranger] = check('payout', { xyz: 4 }).findings;
    expect(stranger?.message).toContain('Known fields: user_id, amount, title');
  });

  it('do not slip in through a prototype', () => {
    const input = JSON.parse('{"__proto__":{"currency":"EUR"}}') as Body;
    const { body, found } = check('payout', input);
    expect(found).toEqual(['error unknown-field __proto__']);
    expect(body['currency']).toBeUndefined();
  });
});
