import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.js';
import { SIGNAL_EXIT } from '../../../src/errors.js';
import { PROXY_VARIABLES } from '../../../src/config/tls-and-proxy.js';
import { RESPONSE_KEYS } from '../../../src/config/config-schema.js';
import { SETTING_NAMES } from '../../../src/config/settings.js';
import { isShown } from '../../../src/cli/config-show.js';
import { ORIGINS } from '../../../src/config/resolve.js';
import { SCHEMA_NAMES } from '../../../src/cli/commands.js';
import type { Check } from '../../../src/doctor/finding.js';
import { ERROR_CODES, WARNING_CODES } from '../../../src/records/issue.js';
import { RECORD_TYPES } from '../../../src/records/types.js';
import type { NoticeCode } from '../../../src/report/history-text.js';
import type { Status } from '../../../src/prepare/record-table.js';
import type { RecordCounts } from '../../../src/report/reporter.js';
import type { StopReason } from '../../../src/run/exit-status.js';
import { checkEvent, publishedSchema, validator } from '../../support/schemas.js';

// The schemas of events and documents are files, samples/schemas: each list in them is held against the code here.

interface Definition {
  readonly title?: string;
  readonly properties: Record<string, Definition>;
  readonly required: string[];
  readonly enum?: unknown[];
  readonly items: Definition;
}
type Document = Definition & { readonly $defs: Record<string, Definition> };

const published = (name: string): Document => publishedSchema(name) as unknown as Document;
const { $defs } = published('event');

test.each(SCHEMA_NAMES.filter((name) => name !== 'openapi'))(
  '%s: a generator can use the names of its schemas',
  (name) => {
    const schema = published(name);
    const parts = '$defs' in schema ? Object.values(schema.$defs) : [];
    const titles = [schema, ...parts].map(({ title }) => title);
    for (const each of titles) {
      expect(each).toMatch(/^([A-Z][a-z]+)+$/);
      expect(['Record', 'Date', 'Error', 'Map', 'Set', 'Object', 'Partial']).not.toContain(each);
    }
    expect(new Set(titles).size).toBe(titles.length);
  },
);

/** The compiler sees to it that each list is whole. */
const REASONS: Record<StopReason, true> = {
  usage: true,
  invalid_input: true,
  control_total: true,
  repeats: true,
  not_confirmed: true,
  not_approved: true,
  unauthorized: true,
  wrong_target: true,
  redirected: true,
  tls: true,
  unreachable: true,
  busy: true,
  throttled: true,
  in_doubt: true,
  too_many_rejected: true,
  journal: true,
  interrupted: true,
  internal: true,
};
const STATES: Record<Exclude<Status, 'pending'>, true> = {
  created: true,
  already_created: true,
  skipped: true,
  rejected: true,
  unknown: true,
  not_sent: true,
  planned: true,
  invalid: true,
};
const COUNTS: Record<keyof RecordCounts, true> = {
  read: true,
  valid: true,
  invalid: true,
  created: true,
  already_created: true,
  skipped: true,
  rejected: true,
  unknown: true,
  not_sent: true,
  planned: true,
};

const NOTICES: Record<NoticeCode, true> = {
  'already-created': true,
  skipped: true,
  'paid-in-batch': true,
  'other-date': true,
  'same-payee-and-amount': true,
};
const CHECKS: Record<Check['state'], true> = { ok: true, warn: true, fail: true };

/** A list of words in a schema, by the way to it. */
function words(of: Definition | undefined, ...path: string[]): unknown[] | undefined {
  return path.reduce((at, name) => at?.properties[name], of)?.enum;
}

describe('the schema of events', () => {
  const { issue, record, summary, counts, total } = $defs;

  test('names every reason, state, count and exit code that the program has', () => {
    expect(words(summary, 'stop_reason')).toEqual([null, ...Object.keys(REASONS)]);
    expect(words(record, 'status')).toEqual(Object.keys(STATES));
    expect(words(total, 'status')).toEqual(Object.keys(STATES).filter((state) => state !== 'invalid'));
    expect(Object.keys(counts?.properties ?? {})).toEqual(Object.keys(COUNTS));
    const codes = [...Object.values(EXIT), ...Object.values(SIGNAL_EXIT)].sort((a, b) => a - b);
    expect(words(summary, 'exit_code')).toEqual(codes);
  });

  test('names every issue code, type and notice', () => {
    expect(words(issue, 'code')).toEqual([...ERROR_CODES, ...WARNING_CODES]);
    expect(words(record, 'type')).toEqual([...RECORD_TYPES]);
    expect(Object.keys(summary?.properties['totals']?.properties ?? {})).toEqual([...RECORD_TYPES]);
    const { notices } = summary?.properties ?? {};
    expect(words(notices?.items, 'code')).toEqual(Object.keys(NOTICES));
  });
});

test('the schemas of the batch commands have of events what they print of them', () => {
  const { record, counts, total } = $defs;
  expect(published('batch-list').$defs).toMatchObject({ counts, total });
  expect(published('batch-report').$defs).toMatchObject({ counts, total });
  expect(published('batch-show').$defs).toMatchObject({ counts, total, record });
  expect(published('batch-find').$defs['payment']?.properties).toMatchObject(record?.properties ?? {});
});

test('the schema of config show names every setting that is always shown, and where one can come from', () => {
  const { properties, $defs: defs } = published('config');
  const always = [...SETTING_NAMES.filter(isShown), 'color', ...PROXY_VARIABLES.map((name) => name.toLowerCase())];
  const names = [...always, ...RESPONSE_KEYS.map((rule) => `response.${rule}`)];
  expect(Object.keys(properties['settings']?.properties ?? {}).toSorted()).toEqual(names.toSorted());
  expect(properties['settings']?.required.toSorted()).toEqual(names.toSorted());
  expect(words(defs['setting'], 'from')).toEqual(ORIGINS);
});

test('the schema of doctor names the states of a check, and its exit codes', () => {
  const { $defs: defs, ...document } = published('doctor');
  expect(words(defs['check'], 'state')).toEqual(Object.keys(CHECKS));
  expect(words(document as Definition, 'exit_code')).toEqual([EXIT.ok, EXIT.usage]);
});

const ISSUE = {
  event: 'issue',
  severity: 'error',
  file: 'a.csv',
  record: 1,
  line: 2,
  field: 'title',
  code: 'blank',
  message: 'title is blank',
  value: ' ',
  earlier: null,
  count: 1,
};

test('an event has all its members, and further ones not unnoticed here', () => {
  const valid = validator(publishedSchema('event'));
  expect(valid(ISSUE)).toBe(true);
  for (const name of Object.keys(ISSUE)) expect([name, valid({ ...ISSUE, [name]: undefined })]).toEqual([name, false]);
  for (const change of [{ code: 'blnk' }, { severity: 'fatal' }, { record: 0 }, { event: 'isue' }])
    expect(valid({ ...ISSUE, ...change })).toBe(false);
  // Its consumers may be given more.
  expect(valid({ ...ISSUE, hint: 'x' })).toBe(true);
  expect(() => checkEvent({ ...ISSUE, hint: 'x' })).toThrow(/hint/);
});
