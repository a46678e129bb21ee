import { describe, expect, it } from 'vitest';
import type { Body, RecordType } from '../../../src/records/types.js';
import { COST_CENTER_DATA, GOOD, check, costCenter } from './checking.js';

type Row = [name: string, type: RecordType, change: Body, found: string[]];

describe('records without fault or doubt', () => {
  const KEYED = { description: 'd', currency: 'EUR', idempotency_key: 'k1' };
  const PAYOUT = { billing_date: '2026-11-01', reference_id: 'g1', reference_type: 'Gig' };
  const SEATS = { total_seats: 4, seats_min: 1, seats_max: 4, invitation_multiplier: 10, invitation_frequency: 5 };
  const GIG = {
    invitation_mode: 'auto',
    invitation_notification_topic: 'news',
    notification_payload: { a: { b: [null] } },
    sort_query: {
      rating: -1,
      'a.b': 1,
    },
    archive_at: 1797346900,
    partner_options: { extra_mile: true },
    tasks: [
      {
        title: 'Count',
        base_price: 1,
      },
    ],
  };

  it.each<[string, RecordType, Body]>([
    ['a payout with everything', 'payout', { ...KEYED, ...PAYOUT }],
    ['a result with everything', 'result', { ...KEYED, multiplier: '1.25', delivery_date: '2026-11-01' }],
    ['a gig with everything', 'gig', { ...GIG, ...SEATS }],
    ['a cost center by its data', 'payout', costCenter()],
    [
      'a customer and a company',
      'result',
      costCenter({ customer_id: 'C', company: 'C', partner_project_code: undefined }),
    ],
    ['key and data of the cost center', 'payout', { cost_center_data: COST_CENTER_DATA }],
    ['empty objects', 'gig', { sort_query: {}, notification_payload: {}, partner_options: {} }],
    ['a blank description', 'payout', { description: '  ' }],
  ])('%s', (_name, type, change) => {
    const { body, found } = check(type, change);
    expect(found).toEqual([]);
    const expected = { ...(type === 'gig' ? { invitation_mode: 'manual' } : {}), ...GOOD[type], ...change };
    expect(body).toEqual(expected);
  });
});

describe('types', () => {
  it.each<Row>([
    ['a number written as a string', 'payout', { amount: '1200' }, ['error wrong-type amount']],
    ['a date for a timestamp', 'gig', { start_at: '2026-12-01' }, ['error wrong-type start_at']],
    ['a number for an ID', 'payout', { user_id: 4711 }, ['error wrong-type user_id']],
    [
      'a text for a boolean',
      'gig',
      { partner_options: { extra_mile: 'true' } },
      ['error wrong-type partner_options.extra_mile'],
    ],
    ['a boolean for inhouse', 'payout', costCenter({ inhouse: true }), ['error wrong-type cost_center_data.inhouse']],
    ['a boolean for a multiplier', 'result', { multiplier: false }, ['error wrong-type multiplier']],
    ['a text for an object', 'gig', { partner_options: 'x' }, ['error wrong-type partner_options']],
    ['a text for a list', 'gig', { tasks: 'Count' }, ['error wrong-type tasks']],
    ['an object for a list', 'gig', { tasks: { title: 'a', base_price: 1 } }, ['error wrong-type tasks']],
    ['null in a list', 'gig', { tasks: [{ title: 'a', base_price: 1 }, null] }, ['error wrong-type tasks.1']],
    ['a text for a query', 'gig', { filter_query: 'city' }, ['error wrong-type filter_query']],
    [
      'a boolean for a topic',
      'gig',
      { invitation_notification_topic: true },
      ['error wrong-type invitation_notification_topic'],
    ],
  ])('%s', (_name, type, change, found) => {
    expect(check(type, change).found).toEqual(found);
  });

  it('a topic stays the number or the text that it is', () => {
    expect(check('gig', { invitation_notification_topic: 4711 }).body['invitation_notification_topic']).toBe(4711);
    expect(check('gig', { invitation_notification_topic: '4711' }).body['invitation_notification_topic']).toBe('4711');
  });
});

describe('the body that is sent', () => {
  it('has its members in canonical order, at every depth', () => {
    const { body } = check('payout', costCenter({ customer_id: 'C', company: 'C' }));
    expect(Object.keys(body)).toEqual(['amount', 'cost_center_data', 'title', 'user_id']);
    expect(Object.keys(body['cost_center_data'] as Body)).toEqual([
      'company',
      'customer_id',
      'inhouse',
      'legal_entity',
      'partner_project_code',
    ]);
    const { body: gig } = check('gig', { tasks: [{ title: 'a', base_price: 1 }] });
    expect(Object.keys((gig['tasks'] as Body[])[0] ?? {})).toEqual(['base_price', 'title']);
  });

  it('has invitation_mode always, and no other default', () => {
    expect(check('gig').body['invitation_mode']).toBe('manual');
    expect(check('gig', { invitation_mode: null }).body['invitation_mode']).toBe('manual');
    expect(check('gig', { invitation_mode: 'auto' }).body['invitation_mode']).toBe('auto');
    expect(Object.keys(check('gig').body).sort()).toEqual([...Object.keys(GOOD.gig), 'invitation_mode'].sort());
    expect(Object.keys(check('result').body).sort()).toEqual(Object.keys(GOOD.result).sort());
  });

  it('has no field that was null, and keeps null inside queries and payloads', () => {
    const kept = { a: null, b: [null], c: { d: null } };
    const { body, found } = check('gig', {
      archive_at: null,
      tasks: null,
      partner_options: { extra_mile: null },
      filter_query: kept,
      notification_payload: kept,
    });
    expect(found).toEqual(['warning wide-filter filter_query.a']);
    expect(body).toEqual({
      ...GOOD.gig,
      invitation_mode: 'manual',
      partner_options: {},
      filter_query: kept,
      notification_payload: kept,
    });
  });
});

describe('what reading left behind', () => {
  it('a value that could not be read is not missing as well', () => {
    const unreadable = new Set(['amount', 'cost_center_key']);
    expect(check('payout', { amount: undefined, cost_center_key: undefined }, { unreadable }).found).toEqual([]);
    const nested = new Set(['tasks.0.base_price']);
    expect(check('gig', { tasks: [{ title: 'a' }] }, { unreadable: nested }).found).toEqual([]);
    const company = new Set(['cost_center_data.company']);
    expect(check('payout', costCenter({ customer_id: 'C' }), { unreadable: company }).found).toEqual([]);
  });

  it('findings show a value as it was typed', () => {
    const typed = new Map([
      ['amount', '0.00'],
      ['user_id', '9007199254740993'],
    ]);
    const { findings } = check('payout', { amount: 0, user_id: 9007199254740992 }, { typed });
    expect(findings.map(({ code, value }) => [code, value])).toEqual([
      ['not-positive', '0.00'],
      ['wrong-type', '9007199254740993'],
    ]);
  });
});
