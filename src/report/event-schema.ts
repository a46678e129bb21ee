/**
 * JSON Schema of the `--json` events. CONTRACT: "`--json`: NDJSON on standard output". Published as samples/schemas/event.json.
 * Later versions may add keys, but never take one away. So members that the schema does not name are allowed: a
 * consumer that checks with it today goes on working tomorrow.
 */
import { ERROR_CODES, WARNING_CODES } from '../records/issue.js';
import { DIALECT, type JsonSchema } from '../records/json-schema.js';
import { RECORD_TYPES } from '../records/kinds.js';

const STATES = ['created', 'already_created', 'skipped', 'rejected', 'unknown', 'not_sent', 'planned'];

const STOP_REASONS = [
  'usage',
  'invalid_input',
  'control_total',
  'repeats',
  'not_confirmed',
  'not_approved',
  'unauthorized',
  'wrong_target',
  'redirected',
  'tls',
  'unreachable',
  'busy',
  'throttled',
  'too_many_rejected',
  'journal',
  'interrupted',
  'internal',
];

/** The schema of one line that a run with `--json` prints. */
export function eventSchema(): JsonSchema {
  return {
    $schema: DIALECT,
    $id: 'urn:gigwork:schema:event',
    title: 'event',
    description:
      'One line of standard output of a run with --json: issues and records in any order, then exactly one summary as the last line.',
    oneOf: [{ $ref: '#/$defs/issue' }, { $ref: '#/$defs/record' }, { $ref: '#/$defs/summary' }],
    $defs: { issue: ISSUE, record: RECORD, summary: SUMMARY, counts: COUNTS, total: TOTAL },
  };
}

/** All members are always there; what is not known is null. */
function event(name: string, description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return object(description, { event: { const: name }, ...properties });
}

function object(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { description, type: 'object', properties, required: Object.keys(properties) };
}

function count(description: string): JsonSchema {
  return { description, type: 'integer', minimum: 0 };
}

/** A whole number from 1, or null. */
function place(description: string): JsonSchema {
  return { description, type: ['integer', 'null'], minimum: 1 };
}

const HTTP_STATUS: JsonSchema = {
  description: 'status of the last answer; null without one',
  type: ['integer', 'null'],
  minimum: 100,
  maximum: 999,
};

/** Exact, without an exponent, without trailing zeros after the point. */
const DECIMAL = '^-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$';

const COST_CENTER: JsonSchema = {
  description: 'cost_center_key, else partner_project_code, else customer_id',
  type: ['string', 'null'],
};

/** ISO 8601 in UTC, to the millisecond. */
const MOMENT = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$';

const EARLIER: JsonSchema = {
  ...object(
    'of repeats: the newest payment that the record repeats, in how many runs and for how much in all; else null',
    {
      run: { description: 'name of its run', type: 'string' },
      at: { description: 'when its state became so', type: 'string', pattern: MOMENT },
      file: { description: 'path as that run was given it; empty where it is not known', type: 'string' },
      record: place('counts from 1 in that file; null where it is not known'),
      line: place('line on which it starts; null in a JSON array'),
      key: { description: 'key under which it is sent', type: 'string' },
      status: { enum: ['created', 'rejected', 'unknown', 'not_sent'] },
      amount: { description: 'exact decimal; null where it is not known', type: ['string', 'null'], pattern: DECIMAL },
      batch_id: { type: 'string', minLength: 1 },
      target: { description: 'base URL (with # and the account), or sandbox', type: 'string' },
      times: { description: 'in how many runs it was paid, or may have been', type: 'integer', minimum: 1 },
      total: {
        description: 'for how much in all; null where it is not known',
        type: ['string', 'null'],
        pattern: DECIMAL,
      },
      by: {
        ...object('who had it sent; null where that is not known', {
          user: { type: 'string' },
          host: { type: 'string' },
        }),
        type: ['object', 'null'],
      },
    },
  ),
  type: ['object', 'null'],
};

const ISSUE = event('issue', 'Something that was found in the input.', {
  severity: { description: 'errors refuse the run, warnings do not', enum: ['error', 'warning'] },
  file: {
    description: 'path as it was given; - is standard input; null for the input as a whole',
    type: ['string', 'null'],
  },
  record: place('counts from 1 in each file; null when it is about the file'),
  line: place('line on which the record starts, or on which the file is at fault; null in a JSON array'),
  field: {
    description: 'dot path, such as tasks.0.title; null when it is about the whole record',
    type: ['string', 'null'],
  },
  code: { description: 'what was found, for programs', enum: [...ERROR_CODES, ...WARNING_CODES] },
  message: { description: 'what was found, what is expected and what to do, for people', type: 'string', minLength: 1 },
  value: { description: 'the value as it was read, cut at 200 characters', type: ['string', 'null'], maxLength: 200 },
  earlier: EARLIER,
});

const STANDS_FOR: JsonSchema = {
  ...object('of a record that was left out: the payment that it stands for; else null', {
    run: { description: 'name of its run', type: 'string' },
    key: { type: 'string' },
    user_id: { type: ['string', 'null'] },
    title: { type: ['string', 'null'] },
    amount: { type: ['string', 'null'], pattern: DECIMAL },
    status: { enum: ['created', 'rejected', 'unknown', 'not_sent'] },
  }),
  type: ['object', 'null'],
};

const RECORD = event('record', 'The end of one record that was read, invalid ones included.', {
  file: { description: 'path as it was given; - is standard input', type: 'string' },
  record: { description: 'counts from 1 in each file', type: 'integer', minimum: 1 },
  line: place('line on which the record starts; null in a JSON array'),
  type: { enum: [...RECORD_TYPES] },
  key: {
    description: 'key under which it is sent, its own or computed; null when the record is invalid',
    type: ['string', 'null'],
  },
  status: { enum: [...STATES, 'invalid'] },
  http_status: HTTP_STATUS,
  attempts: count('requests that were made for it, in all runs'),
  response: { description: 'the parsed answer; null without one', type: ['object', 'null'] },
  error: { description: 'why it is not created; null when it is, or would be', type: ['string', 'null'] },
  request: { description: 'the exact body that would be sent, in dry runs only; else null', type: ['object', 'null'] },
  user_id: {
    description: 'whom it is for, as far as it can be read; null where it says none',
    type: ['string', 'null'],
  },
  title: { description: 'what it is, as far as it can be read; null where it says none', type: ['string', 'null'] },
  amount: {
    description: 'exact decimal as in the totals; null where it is unpriced or invalid',
    type: ['string', 'null'],
    pattern: DECIMAL,
  },
  currency: { description: 'null for a record without one', type: ['string', 'null'] },
  cost_center: COST_CENTER,
  reference_id: {
    description: 'the ID that it refers to: reference_id of a payout, gig_task_id of a result; else null',
    type: ['string', 'null'],
  },
  id: { description: 'the ID that the service gave it; null where its answer has none', type: ['string', 'null'] },
  at: {
    description: 'when its state became so, in UTC; null for one that was never sent',
    type: ['string', 'null'],
    pattern: MOMENT,
  },
  stands_for: STANDS_FOR,
});

const COUNTS = object('read = valid + invalid; valid = the sum of the last seven.', {
  read: count('records that were read'),
  valid: count('records that could be sent'),
  invalid: count('records that could not'),
  created: count('created by this call'),
  already_created: count('created by an earlier run'),
  skipped: count('left out by a person’s decision; what they stand for is created'),
  rejected: count('definitely refused by the service'),
  unknown: count('may have been carried out'),
  not_sent: count('not sent by this call; where it was refused, an earlier call may have carried it out'),
  planned: count('would be sent; dry runs only'),
});

const TOTAL = object('A sum over valid records; each record counts in one row.', {
  currency: { description: 'null for records without one', type: ['string', 'null'] },
  cost_center: COST_CENTER,
  status: { enum: STATES },
  count: { ...count('records, unpriced ones included'), minimum: 1 },
  amount: {
    description: 'exact decimal; cents for results and gigs, the unit of the input for payouts',
    type: 'string',
    pattern: DECIMAL,
  },
  unpriced: count('records whose price is not known; they are not in the amount'),
});

const SUMMARY = event('summary', 'How the call ended; always the last line.', {
  exit_code: { enum: [0, 1, 2, 3, 4, 5, 6, 129, 130, 143] },
  command: { description: 'the command without its options, such as payout create', type: 'string' },
  dry_run: { type: 'boolean' },
  run: {
    description: 'name of the run, for the batch commands; null when nothing was to be sent',
    type: ['string', 'null'],
  },
  target: {
    description: 'base URL (with # and the account), sandbox, or null in a dry run without one',
    type: ['string', 'null'],
  },
  batch_id: { type: 'string', minLength: 1 },
  digest: {
    description: 'of target and records, for --expect-digest; null without a target',
    type: ['string', 'null'],
    pattern: '^[0-9a-f]{64}$',
  },
  stop_reason: { description: 'why it stopped before its end; null when it did not', enum: [null, ...STOP_REASONS] },
  records: { $ref: '#/$defs/counts' },
  totals: object('A list of sums for each type, never across types or currencies.', totalsByType()),
  warnings: count('issues that are warnings'),
  version: { description: 'of the program', type: 'string', minLength: 1 },
  started_at: { description: 'when the call began, in UTC', type: 'string', pattern: MOMENT },
  duration_ms: count('how long the call took, milliseconds'),
  reasons: {
    description: 'why it ended as it did, for people, a sentence each',
    type: 'array',
    items: { type: 'string', minLength: 1 },
  },
  next: {
    description:
      'the command that continues, as a list of words, the program first; null where there is nothing to continue',
    type: ['array', 'null'],
    items: { type: 'string' },
    minItems: 1,
  },
  retry: {
    description: 'whether calling again may get further without anybody’s help: true with exit code 5 alone',
    type: 'boolean',
  },
  remedies: {
    description: 'for a refusal: what can be done about it, each way with the case that it is for',
    type: 'array',
    items: object('One way.', {
      when: { description: 'the case', type: 'string', minLength: 1 },
      command: { description: 'as a list of words, the program first', type: 'array', items: { type: 'string' } },
    }),
  },
  notices: {
    description: 'what was paid before: no warnings, and each told once',
    type: 'array',
    items: object('Records of the input that were paid before.', {
      code: { enum: ['already-created', 'skipped', 'paid-in-batch', 'other-date'] },
      count: { ...count('records of the input'), minimum: 1 },
      totals: object('A list of sums for each type.', totalsByType()),
      batch_id: { description: 'in which they were paid', type: 'string', minLength: 1 },
      at: { description: 'when the last of them was', type: 'string', pattern: MOMENT },
    }),
  },
  held: count('records of unknown outcome that only a person can settle'),
});

function totalsByType(): Record<string, JsonSchema> {
  return Object.fromEntries(RECORD_TYPES.map((type) => [type, { type: 'array', items: { $ref: '#/$defs/total' } }]));
}
