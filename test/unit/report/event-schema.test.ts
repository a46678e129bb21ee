import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.js';
import { SIGNAL_EXIT } from '../../../src/world.js';
import { eventSchema } from '../../../src/report/event-schema.js';
import type { Status } from '../../../src/batch/table.js';
import type { RecordCounts } from '../../../src/report/summary.js';
import type { StopReason } from '../../../src/run/ending.js';
import { checkEvent, validator } from '../../support/schemas.js';

type Definitions = Record<string, { properties: Record<string, { enum?: unknown[] }>; required: string[] }>;
const { $defs } = eventSchema() as { $defs: Definitions };

/** The compiler sees to it that each list is whole. */
const REASONS: Record<StopReason, true> = {
  ...{ usage: true, invalid_input: true, control_total: true, repeats: true, not_confirmed: true, not_approved: true },
  ...{
    unauthorized: true,
    wrong_target: true,
    redirected: true,
    tls: true,
    unreachable: true,
    busy: true,
    throttled: true,
    too_many_rejected: true,
  },
  ...{ journal: true, interrupted: true, internal: true },
};
const STATES: Record<Exclude<Status, 'pending'>, true> = {
  ...{
    created: true,
    already_created: true,
    skipped: true,
    rejected: true,
    unknown: true,
    not_sent: true,
    planned: true,
    invalid: true,
  },
};
const COUNTS: Record<keyof RecordCounts, true> = {
  ...{ read: true, valid: true, invalid: true, created: true, already_created: true, skipped: true, rejected: true },
  ...{ unknown: true, not_sent: true, planned: true },
};

test('names every reason, state, count and exit code that the program has', () => {
  expect($defs['summary']?.properties['stop_reason']?.enum).toEqual([null, ...Object.keys(REASONS)]);
  expect($defs['record']?.properties['status']?.enum).toEqual(Object.keys(STATES));
  expect(Object.keys($defs['counts']?.properties ?? {})).toEqual(Object.keys(COUNTS));
  const codes = [...Object.values(EXIT), ...Object.values(SIGNAL_EXIT)].sort((a, b) => a - b);
  expect($defs['summary']?.properties['exit_code']?.enum).toEqual(codes);
});

const ISSUE = {
  ...{ event: 'issue', severity: 'error', file: 'a.csv', record: 1, line: 2, field: 'title' },
  ...{ code: 'blank', message: 'title is blank', value: ' ', earlier: null },
};

describe('an event', () => {
  const valid = validator(eventSchema());

  test('has all its members', () => {
    expect(valid(ISSUE)).toBe(true);
    for (const name of Object.keys(ISSUE))
      expect([name, valid({ ...ISSUE, [name]: undefined })]).toEqual([name, false]);
  });

  test('may get further ones for its consumers, but not unnoticed here', () => {
    expect(valid({ ...ISSUE, hint: 'x' })).toBe(true);
    expect(() => checkEvent({ ...ISSUE, hint: 'x' })).toThrow(/hint/);
  });

  test.each([{ code: 'blnk' }, { severity: 'fatal' }, { record: 0 }, { event: 'isue' }])(
    'is refused with %j',
    (change) => {
      expect(valid({ ...ISSUE, ...change })).toBe(false);
    },
  );
});
