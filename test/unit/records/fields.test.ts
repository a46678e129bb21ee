import { describe, expect, it } from 'vitest';
import { columnPaths, fieldAt } from '../../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';

describe('the field at a dot path', () => {
  it.each<['payout' | 'gig', string, string | null]>([
    ['payout', 'amount', 'amount'],
    ['payout', 'cost_center_data.inhouse', 'inhouse'],
    ['gig', 'partner_options.extra_mile', 'extra_mile'],
    ['gig', 'tasks.0.title', 'title'],
    ['gig', 'tasks.999.base_price', 'base_price'],
    ['payout', '', null],
    ['payout', 'amount.x', null],
    ['payout', 'cost_center_data.x', null],
    ['payout', '__proto__', null],
    ['gig', 'tasks.title', null],
    ['gig', 'tasks.00.title', null],
    ['gig', 'tasks.1000.title', null],
    ['gig', 'tasks.0.title.x', null],
    ['gig', 'filter_query.city', null],
  ])('%s: %j is %s', (type, path, name) => {
    expect(fieldAt(RECORD_SCHEMAS[type].fields, path)?.name ?? null).toBe(name);
  });
});

describe('columns', () => {
  it.each(['payout', 'result', 'gig'] as const)('of a %s lead to a field each', (type) => {
    const { fields } = RECORD_SCHEMAS[type];
    for (const path of columnPaths(fields)) expect(fieldAt(fields, path)).not.toBeNull();
  });
});
