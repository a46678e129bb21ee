import { describe, expect, it } from 'vitest';
import { dry } from '../support/dry.js';

// What is said of records that lack what --key-columns makes their keys from: one thing of each field.

const CENTER = '"cost_center_data":{"legal_entity":"L","inhouse":"No","partner_project_code":"PP"}';

/** `code field` of each issue of one payout. */
async function issuesOf(content: string, keyColumns: string, name = 'p.json'): Promise<string[]> {
  const { code, events } = await dry({ [name]: content }, '--key-columns', keyColumns);
  const issues = events.filter(({ event }) => event === 'issue');
  expect(code).toBe(issues.length === 0 ? 0 : 3);
  return issues.map(({ code: issue, field }) => `${String(issue)} ${String(field)}`);
}

describe('a key column', () => {
  it('that the service requires is missing once', async () => {
    expect(await issuesOf(`{"title":"T","amount":1,${CENTER}}`, 'user_id,title')).toEqual(['missing-field user_id']);
    expect(await issuesOf('{"user_id":"u","title":"T","amount":1}', 'cost_center_key')).toEqual([
      'missing-one-of cost_center_key',
    ]);
  });

  it('is named, each of several that are missing', async () => {
    const record = `{"user_id":"u","title":"T","amount":1,${CENTER}}`;
    expect(await issuesOf(record, 'reference_id,user_id,billing_date,cost_center_data.customer_id')).toEqual([
      'missing-field reference_id',
      'missing-field billing_date',
      'missing-field cost_center_data.customer_id',
    ]);
  });

  it('is not asked for where a record has a key of its own', async () => {
    const record = `{"user_id":"u","title":"T","amount":1,"idempotency_key":"k",${CENTER}}`;
    expect(await issuesOf(record, 'reference_id')).toEqual([]);
  });
});
