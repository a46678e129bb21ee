import { describe, expect, it } from 'vitest';
import { checkBody, withDefaults } from '../../../src/sandbox/rules.js';
import type { SandboxRecordType } from '../../../src/sandbox/rules.js';

const costCenterData = { legal_entity: 'Example GmbH', inhouse: 'Yes', partner_project_code: 'PP-7' };
const good = {
  gig: {
    title: 'Shelf check',
    description: 'Count the boxes',
    url: 'https://gigs.example/1',
    start_at: 1790000000,
    end_at: 1790003600,
    invitation_mode: 'manual',
    filter_query: { 'address.city': { $in: ['Berlin'] } },
  },
  gig_result: { gig_task_id: 't1', user_id: 'u1', title: 'Done', quantity: 2.5, cost_center_key: 'PP-7' },
  payout: { amount: 1200, title: 'Bonus', user_id: 'u1', cost_center_key: 'PP-7' },
} as const;

/** The fields that are complained about, when `change` is made to a good body; undefined removes a field. */
function faultyFields(type: SandboxRecordType, change: Record<string, unknown>): string[] {
  const body = JSON.parse(JSON.stringify({ ...good[type], ...change })) as Record<string, unknown>;
  return checkBody(type, body).map((problem) => problem.field);
}

describe('bodies that the document allows', () => {
  it.each<[string, SandboxRecordType, Record<string, unknown>]>([
    ['gig, required fields alone', 'gig', {}],
    ['gig, sort query', 'gig', { sort_query: { 'a.b': 1, c: -1 } }],
    ['result, leap day', 'gig_result', { delivery_date: '2028-02-29' }],
    ['result, highest multiplier', 'gig_result', { multiplier: '9.9999' }],
    ['payout, cost center data alone', 'payout', { cost_center_key: undefined, cost_center_data: costCenterData }],
    ['payout, customer', 'payout', { cost_center_data: { ...costCenterData, customer_id: 'c', company: 'C' } }],
  ])('%s', (_name, type, change) => {
    expect(faultyFields(type, change)).toEqual([]);
  });
});

describe('broken rules', () => {
  const data = (change: Record<string, unknown>) => ({ cost_center_data: { ...costCenterData, ...change } });

  it.each<[string, SandboxRecordType, Record<string, unknown>, string[]]>([
    ['title missing', 'gig', { title: undefined }, ['title']],
    ['mode in capitals', 'gig', { invitation_mode: 'AUTO' }, ['invitation_mode']],
    ['sort order 2', 'gig', { sort_query: { a: 1, b: 2 } }, ['sort_query.b']],
    ['task without price', 'gig', { tasks: [{ title: 'a', base_price: 1 }, { title: 'b' }] }, ['tasks.1.base_price']],
    ['extra_mile as text', 'gig', { partner_options: { extra_mile: 'yes' } }, ['partner_options.extra_mile']],
    ['inherited name as field', 'gig', { constructor: 'x' }, ['constructor']],
    ['multiplier as number', 'gig_result', { multiplier: 1.5 }, ['multiplier']],
    ['multiplier with five decimals', 'gig_result', { multiplier: '1.00000' }, ['multiplier']],
    ['date off the calendar', 'gig_result', { delivery_date: '2026-02-30' }, ['delivery_date']],
    ['date with a time', 'payout', { billing_date: '2026-11-01T00:00:00Z' }, ['billing_date']],
    ['no cost center', 'payout', { cost_center_key: undefined }, ['cost_center_key']],
    ['no customer or project', 'payout', data({ partner_project_code: undefined }), ['cost_center_data.customer_id']],
    ['customer without company', 'payout', data({ customer_id: 'c' }), ['cost_center_data.company']],
    ['several at once', 'payout', { amount: 'x', user_id: 7, nope: 1 }, ['amount', 'user_id', 'nope']],
  ])('%s', (_name, type, change, fields) => {
    expect(faultyFields(type, change)).toEqual(fields);
  });

  it.each([
    ['a number that JSON reads as infinity', '"amount":1e999', ['amount']],
    ['__proto__ as a field', '"amount":1,"__proto__":{}', ['__proto__']],
  ])('refuses %s', (_what, members, fields) => {
    const body = JSON.parse(`{${members},"title":"Bonus","user_id":"u1","cost_center_key":"PP-7"}`);
    expect(checkBody('payout', body).map((problem) => problem.field)).toEqual(fields);
  });

  it('stops at a thousand problems', () => {
    const unknown = Object.fromEntries(Array.from({ length: 1500 }, (_, index) => [`x${index}`, 1]));
    expect(checkBody('payout', { ...good.payout, ...unknown })).toHaveLength(1000);
  });
});

describe('defaults', () => {
  const createdAt = '2026-11-01T23:59:59.999Z';

  it('fills those of a gig, and no others', () => {
    expect(withDefaults('gig', good.gig, createdAt)).toEqual({
      ...good.gig,
      sort_query: {},
      seats_min: 1,
      seats_max: 1,
      invitation_multiplier: 10,
      invitation_frequency: 5,
      notification_payload: {},
      partner_options: { extra_mile: false },
    });
  });

  it('fills multiplier and date of a result, the date of a payout', () => {
    const result = withDefaults('gig_result', good.gig_result, createdAt);
    expect(result).toEqual({ ...good.gig_result, multiplier: '1.0', delivery_date: '2026-11-01' });
    const payout = withDefaults('payout', good.payout, createdAt);
    expect(payout).toEqual({ ...good.payout, billing_date: '2026-11-01' });
  });

  it('leaves what was given', () => {
    const given = { seats_min: 2, partner_options: { extra_mile: true }, sort_query: { a: 1 } };
    expect(withDefaults('gig', { ...good.gig, ...given }, createdAt)).toMatchObject(given);
    const result = { ...good.gig_result, multiplier: '0.5', delivery_date: '2026-01-02' };
    expect(withDefaults('gig_result', result, createdAt)).toEqual(result);
  });
});
