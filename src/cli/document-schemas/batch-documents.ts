/** JSON Schemas of what `batch list`, `batch show` and `batch find` print with `--json`. Published in samples/schemas. */
import type { JsonSchema } from '../../records/json-schema.js';
import { eventSchema } from '../../report/event-schema.js';
import { documentSchema, members } from './members.js';

type Members = Readonly<Record<string, JsonSchema>>;

/** What a document has in common with the events of a run. */
function shared(): Members {
  const { record, counts, total, summary } = eventSchema()['$defs'] as Record<string, JsonSchema>;
  const { totals } = (summary as { readonly properties: Record<string, JsonSchema> }).properties;
  return { record, counts, total, totals } as Members;
}

const TIME: JsonSchema = { description: 'ISO 8601 in UTC', type: 'string', format: 'date-time' };

function orNull({ description, ...schema }: JsonSchema, why: string): JsonSchema {
  const words = typeof description === 'string' ? `${description}; ${why}` : why;
  return { description: words, anyOf: [schema, { type: 'null' }] };
}

const PERSON: JsonSchema = members('Who it was.', { user: { type: 'string' }, host: { type: 'string' } });

const WORD = members('What a person decided, when, and why.', {
  at: TIME,
  by: { $ref: '#/$defs/person' },
  note: { type: 'string' },
});

/** Members of a run, in `batch list` and `batch show`. */
const RUN: Members = {
  run: { description: 'its name', type: 'string' },
  started_at: TIME,
  finished_at: orNull(TIME, 'null while it is under way, and where it was cut off'),
  command: { type: 'string' },
  target: { description: 'base URL (with # and the account), or sandbox', type: 'string' },
  batch_id: { type: 'string' },
  digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  files: {
    type: 'array',
    items: members('An input file.', {
      path: { type: 'string' },
      sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      records: { type: 'integer', minimum: 0 },
    }),
  },
  exit_code: { description: 'of its last call; null where that was cut off', type: ['integer', 'null'] },
  stop_reason: { description: 'why that stopped before its end; null where it did not', type: ['string', 'null'] },
  records: { $ref: '#/$defs/counts' },
  totals: { $ref: '#/$defs/totals' },
  by: { $ref: '#/$defs/person' },
  version: { description: 'of the program that began it', type: 'string' },
  approved_by: orNull({ $ref: '#/$defs/word' }, 'null where nobody approved it'),
  closed: orNull({ $ref: '#/$defs/word' }, 'null where nobody closed it'),
  next: {
    description: 'words of the command that goes on; null where nothing is open, or the run is closed',
    type: ['array', 'null'],
    items: { type: 'string' },
  },
};

const SETTLED = members('What a person said of a record in doubt.', {
  at: TIME,
  file: { type: 'string' },
  record: { type: ['integer', 'null'] },
  status: { enum: ['created', 'not_sent'] },
  note: { type: 'string' },
  by: { $ref: '#/$defs/person' },
});

function definitions(): Members {
  return { ...shared(), person: PERSON, word: WORD };
}

function list(description: string, item: string): JsonSchema {
  return { description, type: 'array', items: { $ref: `#/$defs/${item}` } };
}

export function batchListSchema(): JsonSchema {
  const { record: _record, ...rest } = definitions();
  return documentSchema(
    'batch-list',
    'What batch list --json prints.',
    { runs: list('the newest first', 'run') },
    { ...rest, run: members('A run that has sent something.', RUN) },
  );
}

export function batchShowSchema(): JsonSchema {
  return documentSchema(
    'batch-show',
    'What batch show --json prints: one run.',
    {
      ...RUN,
      settled: list('what persons said of records in doubt, in order', 'settled'),
      outcomes: list('all records, in the order of the input', 'record'),
    },
    { ...definitions(), settled: SETTLED },
  );
}

export function batchFindSchema(): JsonSchema {
  const { record } = shared();
  const payment = members('A payment, and the run that lists it as its own.', {
    ...(record?.['properties'] as Members),
    run: { type: 'string' },
    batch_id: { type: 'string' },
    target: { type: 'string' },
  });
  return documentSchema(
    'batch-find',
    'What batch find --json prints.',
    { payments: list('the newest first', 'payment') },
    { payment },
  );
}
