import { checkRecord } from '../../../src/records/check.js';
import type { CheckContext } from '../../../src/records/doubts.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Body, RecordType } from '../../../src/records/types.js';
import type { Finding } from '../../../src/records/issue.js';

const NOW = Date.parse('2026-11-15');

export const COST_CENTER_DATA = { legal_entity: 'Example GmbH', inhouse: 'Yes', partner_project_code: 'PP-7' };

/** A record of each type with the required fields alone, without fault or doubt. */
export const GOOD: Readonly<Record<RecordType, Body>> = {
  payout: { user_id: 'u1', amount: 1200, title: 'Bonus', cost_center_key: 'PP-7' },
  result: { gig_task_id: 't1', user_id: 'u1', title: 'Audit', quantity: 3, cost_center_key: 'PP-7' },
  gig: {
    title: 'Shelf check',
    description: 'Count the boxes',
    url: 'https://gigs.example/1',
    start_at: 1_797_318_000,
    end_at: 1_797_346_800,
    filter_query: { 'address.city': 'Bonn' },
  },
};

/** A cost center by its data, with some members changed; undefined removes one. */
export function costCenter(change: Body = {}): Body {
  const members = Object.entries({ ...COST_CENTER_DATA, ...change }).filter(([, value]) => value !== undefined);
  return { cost_center_key: undefined, cost_center_data: Object.fromEntries(members) };
}

export interface Check {
  readonly body: Body;
  readonly findings: readonly Finding[];
  /** `severity code field`, one for each finding. */
  readonly found: readonly string[];
}

/** Checks a good record with some members changed; undefined removes one. */
export function check(type: RecordType, change: Body = {}, context: Partial<CheckContext> = {}): Check {
  const input = Object.fromEntries(
    Object.entries({ ...GOOD[type], ...change }).filter(([, value]) => value !== undefined),
  );
  const findings: Finding[] = [];
  const body = checkRecord(RECORD_SCHEMAS[type], input, {
    now: NOW,
    report: (finding) => void findings.push(finding),
    ...context,
  });
  return { body, findings, found: findings.map(({ severity, code, field }) => `${severity} ${code} ${field}`) };
}
