/** A gig: a work offer with a schedule, seats, a worker-matching query and priced tasks. service-interface.md, "Gig (request fields)". */
import { ZERO, add, decimalOf } from '../money/decimal.js';
import type { Body } from './field.js';
import { type Report, warning } from './issue.js';
import type { Kind } from './kind.js';

export const gig: Kind = {
  type: 'gig',
  plural: 'gigs',
  path: '/api/v2/gigs',
  mark: 'start_at',
  // The service documents no idempotency_key on gigs: a repeated request would be a second gig.
  keyed: false,
  fields: [
    { name: 'title', kind: 'text', required: true, help: 'title of the gig', example: 'Shelf audit Berlin' },
    { name: 'description', kind: 'text', required: true, help: 'description of the gig', example: 'Count the shelves' },
    { name: 'url', kind: 'text', required: true, help: 'URL of the gig', example: 'https://example.com/gigs/1' },
    {
      name: 'start_at',
      kind: 'timestamp',
      required: true,
      help: 'start, UNIX timestamp in seconds',
      example: '1796112000',
    },
    {
      name: 'end_at',
      kind: 'timestamp',
      required: true,
      help: 'end, UNIX timestamp in seconds',
      example: '1796140800',
    },
    {
      name: 'invitation_mode',
      kind: 'choice',
      required: false,
      choices: ['auto', 'manual'],
      sentDefault: 'manual',
      help: 'auto or manual; manual when absent',
      example: 'manual',
    },
    {
      name: 'filter_query',
      kind: 'filter',
      required: true,
      help: 'query that selects matching workers',
      example: '{"city":{"$in":["Berlin"]}}',
    },
    {
      name: 'sort_query',
      kind: 'sort',
      required: false,
      help: 'sort order: field names with 1 (ascending) or -1 (descending)',
      example: '{"rating":-1}',
    },
    {
      name: 'archive_at',
      kind: 'timestamp',
      required: false,
      help: 'when to archive, UNIX timestamp in seconds',
      example: '1796745600',
    },
    { name: 'total_seats', kind: 'number', required: false, help: 'total number of seats', example: '4' },
    { name: 'seats_min', kind: 'number', required: false, help: 'fewest seats; default 1', example: '1' },
    { name: 'seats_max', kind: 'number', required: false, help: 'most seats; default 1', example: '4' },
    {
      name: 'invitation_multiplier',
      kind: 'number',
      required: false,
      help: 'invitation multiplier; default 10',
      example: '10',
    },
    {
      name: 'invitation_frequency',
      kind: 'number',
      required: false,
      help: 'invitation frequency; default 5',
      example: '5',
    },
    {
      name: 'notification_payload',
      kind: 'json',
      required: false,
      help: 'object passed along with notifications',
      example: '{}',
    },
    {
      name: 'invitation_notification_topic',
      kind: 'topic',
      required: false,
      help: 'name or id of the notification topic',
      example: 'new-gigs',
    },
    {
      name: 'tasks',
      kind: 'list',
      required: false,
      help: 'list of gig tasks, each with title and base_price in cents',
      example: '[{"title":"Audit","base_price":1500}]',
      members: [
        { name: 'title', kind: 'text', required: true, help: 'title of the gig task', example: 'Audit' },
        {
          name: 'base_price',
          kind: 'number',
          required: true,
          help: 'reward for completing the task, in cents',
          example: '1500',
        },
      ],
    },
    {
      name: 'partner_options',
      kind: 'object',
      required: false,
      help: 'partner options',
      example: '{"extra_mile":false}',
      members: [
        {
          name: 'extra_mile',
          kind: 'boolean',
          required: false,
          help: 'extra mile; default false',
          example: 'false',
        },
      ],
    },
    {
      name: 'idempotency_key',
      kind: 'id',
      required: false,
      filled: true,
      help: 'your own key for this record, kept in the journal; never sent',
      example: 'gig-berlin-1',
    },
  ],
  rules: [],
  price: null,
  doubts: doubtSchedule,
  similarity: ['title', 'start_at', 'filter_query'],
  reference: null,
  date: null,
  measure: null,
  unit: 'cents per seat',
  unitWords: 'amounts in cents per seat: sum of the tasks’ base prices',
  howComputed: 'A gig’s amount is the sum of its tasks’ base prices, in cents, for one seat.',
  amountField: null,
  amount: (body) => tasksOf(body).reduce((sum, task) => add(sum, decimalOf(task['base_price'] as number)), ZERO),
  steps: (body) => (tasksOf(body).length === 0 ? 'no tasks' : 'sum of the tasks’ base_price'),
};

function tasksOf(body: Body): Body[] {
  return (body['tasks'] ?? []) as Body[];
}

function doubtSchedule(body: Body, report: Report): void {
  const { start_at: start, end_at: end, seats_min: fewest, seats_max: most } = body;
  if (typeof start === 'number' && typeof end === 'number' && end <= start) {
    report(warning('end-before-start', 'end_at', `end_at (${end}) is not after start_at (${start})`, end));
  }
  if (typeof fewest === 'number' && typeof most === 'number' && fewest > most) {
    const message = `seats_min (${fewest}) is more than seats_max (${most})`;
    report(warning('seats-order', 'seats_min', message, fewest));
  }
}
