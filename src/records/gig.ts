/** A gig offers work: schedule, seats, worker query, priced tasks. service-interface.md, "Gig (request fields)". */
import { add, compare, type Decimal, decimalOf, formatDecimal, ZERO } from '../money/decimal.js';
import { BLANK_KEY } from './common-fields.js';
import { type Body, optional, required } from './field.js';
import { type Report, warning } from './issue.js';
import type { RecordSchema } from './kind.js';

export const gig: RecordSchema = {
  type: 'gig',
  plural: 'gigs',
  path: '/api/v2/gigs',
  mark: 'start_at',
  // The service documents no idempotency_key on gigs: a repeated request would create a second gig.
  keyed: false,
  fields: [
    required('title', 'text', 'title of the gig', 'Shelf audit Berlin', { need: 'Every gig needs a title' }),
    required('description', 'text', 'description of the gig', 'Count the shelves', {
      need: 'Every gig needs a description',
    }),
    required('url', 'text', 'URL of the gig', 'https://example.com/gigs/1', { need: 'Every gig needs a URL' }),
    required('start_at', 'timestamp', 'start, UNIX timestamp in seconds', '1796112000', {
      need: 'Every gig needs a start',
    }),
    required('end_at', 'timestamp', 'end, UNIX timestamp in seconds', '1796140800', { need: 'Every gig needs an end' }),
    optional('invitation_mode', 'choice', 'auto or manual; manual when absent', 'manual', {
      choices: ['auto', 'manual'],
      sentDefault: 'manual',
    }),
    required('filter_query', 'filter', 'query that selects matching workers', '{"city":{"$in":["Berlin"]}}', {
      need: 'Every gig needs a query that selects its workers',
    }),
    optional('sort_query', 'sort', 'sort order: field names with 1 (ascending) or -1 (descending)', '{"rating":-1}'),
    optional('archive_at', 'timestamp', 'when to archive, UNIX timestamp in seconds', '1796745600'),
    optional('total_seats', 'number', 'total number of seats', '4'),
    optional('seats_min', 'number', 'fewest seats; default 1', '1'),
    optional('seats_max', 'number', 'most seats; default 1', '4'),
    optional('invitation_multiplier', 'number', 'invitation multiplier; default 10', '10'),
    optional('invitation_frequency', 'number', 'invitation frequency; default 5', '5'),
    optional('notification_payload', 'json', 'object passed along with notifications', '{}'),
    optional('invitation_notification_topic', 'topic', 'name or id of the notification topic', 'new-gigs'),
    optional(
      'tasks',
      'list',
      'list of gig tasks, each with title and base_price in cents',
      '[{"title":"Audit","base_price":1500}]',
      {
        members: [
          required('title', 'text', 'title of the gig task', 'Audit', { need: 'Every task needs a title' }),
          required('base_price', 'number', 'reward for completing the task, in cents', '1500', {
            need: 'Every task needs a base price',
          }),
        ],
      },
    ),
    optional('partner_options', 'object', 'partner options', '{"extra_mile":false}', {
      members: [optional('extra_mile', 'boolean', 'extra mile; default false', 'false')],
    }),
    optional('idempotency_key', 'id', 'your own key for this record, kept in the journal; never sent', 'gig-berlin-1', {
      filled: true,
      need: BLANK_KEY,
    }),
  ],
  rules: [],
  price: null,
  doubts: (body, report) => {
    doubtSchedule(body, report);
    doubtPrices(body, report);
  },
  payee: ['title', 'start_at', 'filter_query'],
  purpose: 'title',
  reference: null,
  date: null,
  compared: [],
  measure: null,
  unit: 'cents per seat',
  unitWords: 'amounts in cents per seat: sum of the tasks’ base prices',
  howComputed: 'A gig’s amount is the sum of its tasks’ base prices, in cents, for one seat.',
  amountField: null,
  amount: (body) => amountOf(tasksOf(body)),
  steps: (body) => (tasksOf(body).length === 0 ? 'no tasks' : 'sum of the tasks’ base_price'),
};

function tasksOf(body: Body): Body[] {
  return (body['tasks'] ?? []) as Body[];
}

/** In cents. */
function amountOf(tasks: readonly Body[]): Decimal {
  return tasks.reduce((sum, task) => add(sum, decimalOf(task['base_price'] as number)), ZERO);
}

/** service-interface.md, "Gig (request fields)". */
const DEFAULT_SEATS = 1;

function doubtSchedule(body: Body, report: Report): void {
  const { start_at: start, end_at: end, seats_min: fewest, seats_max: most } = body;
  if (typeof start === 'number' && typeof end === 'number' && end <= start) {
    report(warning('end-before-start', 'end_at', `end_at is ${end}, which is not after start_at (${start})`, end));
  }
  // Where one is missing, the service takes its default.
  const min = fewest ?? DEFAULT_SEATS;
  const max = most ?? DEFAULT_SEATS;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const message = `seats_min is ${min}, which is more than seats_max (${max})`;
    report(warning('seats-order', fewest === undefined ? 'seats_max' : 'seats_min', message, fewest ?? max));
  }
}

function doubtPrices(body: Body, report: Report): void {
  const tasks = tasksOf(body);
  if (tasks.length === 0 || tasks.some((task) => typeof task['base_price'] !== 'number')) return;
  const amount = amountOf(tasks);
  if (compare(amount, ZERO) > 0) return;
  const shown = formatDecimal(amount);
  report(warning('not-positive', 'tasks', `The tasks of this gig have ${shown} cents in all`, shown));
}
