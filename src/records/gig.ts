/** A gig offers work: schedule, seats, worker query, priced tasks. service-interface.md, "Gig (request fields)". */
import * as z from 'zod/mini';
import {
  add,
  compare,
  type Decimal,
  decimalOf,
  formatDecimal,
  multiply,
  parseDecimal,
  ZERO,
} from '../money/decimal.js';
import { utcText } from './calendar.js';
import { BLANK_KEY } from './cost-center.js';
import { excerpt, type Report, warning } from './issue.js';
import {
  boolean,
  choice,
  filter,
  id,
  inputSchema,
  json,
  listOf,
  number,
  object,
  type RecordSchema,
  sort,
  strictObject,
  text,
  timestamp,
  topic,
} from './schema.js';
import { placeholderIn } from './text-doubts.js';
import { isObject, RECORD_INFO } from './types.js';

const gigTask = strictObject({
  title: text('title of the gig task', { example: 'Audit', need: 'Every task needs a title' }),
  base_price: number('reward for completing the task, in cents', {
    example: 1500,
    need: 'Every task needs a base price',
  }),
});

const partnerOptions = strictObject({
  extra_mile: z.optional(boolean('extra mile; default false', { example: false })),
});

/** Numbers of seats. */
const SEATS = { positive: true, whole: true };

const gigObject = strictObject({
  title: text('title of the gig', { example: 'Shelf audit Berlin', need: 'Every gig needs a title' }),
  description: text('description of the gig', { example: 'Count the shelves', need: 'Every gig needs a description' }),
  url: text('URL of the gig', { example: 'https://example.com/gigs/1', need: 'Every gig needs a URL' }),
  start_at: timestamp('start, UNIX timestamp in seconds', { example: 1796112000, need: 'Every gig needs a start' }),
  end_at: timestamp('end, UNIX timestamp in seconds', { example: 1796140800, need: 'Every gig needs an end' }),
  invitation_mode: z._default(
    choice(['auto', 'manual'], 'auto or manual; manual when absent', { example: 'manual' }),
    'manual',
  ),
  filter_query: filter('query that selects matching workers', {
    example: { city: { $in: ['Berlin'] } },
    need: 'Every gig needs a query that selects its workers',
  }),
  sort_query: z.optional(
    sort('sort order: field names with 1 (ascending) or -1 (descending)', { example: { rating: -1 } }),
  ),
  archive_at: z.optional(timestamp('when to archive, UNIX timestamp in seconds', { example: 1796745600 })),
  total_seats: z.optional(number('total number of seats', { example: 4, ...SEATS })),
  seats_min: z.optional(number('fewest seats; default 1', { example: 1, ...SEATS })),
  seats_max: z.optional(number('most seats; default 1', { example: 4, ...SEATS })),
  invitation_multiplier: z.optional(number('invitation multiplier; default 10', { example: 10 })),
  invitation_frequency: z.optional(number('invitation frequency; default 5', { example: 5 })),
  notification_payload: z.optional(json('object passed along with notifications', { example: {} })),
  invitation_notification_topic: z.optional(topic('name or id of the notification topic', { example: 'new-gigs' })),
  tasks: z.optional(
    listOf(gigTask, 'list of gig tasks, each with title and base_price in cents', {
      example: [{ title: 'Audit', base_price: 1500 }],
    }),
  ),
  partner_options: z.optional(object(partnerOptions, 'partner options', { example: { extra_mile: false } })),
  idempotency_key: z.optional(
    id('your own key for this record, kept in the journal; never sent', { example: 'gig-berlin-1', need: BLANK_KEY }),
  ),
});

export type GigBody = z.infer<typeof gigObject>;

export const gig: RecordSchema<GigBody> = {
  ...RECORD_INFO.gig,
  ...inputSchema(gigObject),
  doubts: (body, report, now) => {
    doubtUrl(body, report);
    doubtSchedule(body, report, now);
    doubtSeats(body, report);
    doubtPrices(body.tasks ?? [], report);
  },
  amount: ({ tasks = [] }) => amountOf(tasks),
  steps: ({ tasks = [] }) => (tasks.length === 0 ? 'no tasks' : 'sum of the tasks’ base_price'),
};

interface Priced {
  readonly base_price: number;
}

/** In cents. */
function amountOf(tasks: readonly Priced[]): Decimal {
  return tasks.reduce((sum, task) => add(sum, decimalOf(task.base_price)), ZERO);
}

/** service-interface.md, "Gig (request fields)". */
const DEFAULT_SEATS = 1;

/** A worker opens it. A variable in it has its own warning. */
function doubtUrl({ url }: Partial<GigBody>, report: Report): void {
  if (url === undefined || placeholderIn(url) !== null || (/^https?:\/\//i.test(url) && URL.canParse(url))) return;
  const message = `url is not a web address: ${excerpt(url)}. Write a whole one, such as https://example.com/gigs/1`;
  report(warning('bad-url', 'url', message, url));
}

function doubtSchedule(body: Partial<GigBody>, report: Report, now: number): void {
  const { start_at: start, end_at: end, archive_at: archive } = body;
  if (start !== undefined && start * 1000 < now)
    report(warning('past-start', 'start_at', `start_at is ${utcText(start)}, which is in the past`, start));
  if (start !== undefined && end !== undefined && end <= start) {
    const message = `end_at is ${utcText(end)}, which is not after start_at (${utcText(start)})`;
    report(warning('end-before-start', 'end_at', message, end));
  }
  if (end !== undefined && archive !== undefined && archive < end) {
    const message = `archive_at is ${utcText(archive)}, which is before end_at (${utcText(end)})`;
    report(warning('end-before-start', 'archive_at', message, archive));
  }
}

function doubtSeats(body: Partial<GigBody>, report: Report): void {
  const { seats_min: fewest, seats_max: most, total_seats: total } = body;
  // Where one is missing, the service takes its default.
  const min = fewest ?? DEFAULT_SEATS;
  const max = most ?? DEFAULT_SEATS;
  if (min > max) {
    const message = `seats_min is ${min}, which is more than seats_max (${max})`;
    report(warning('seats-order', fewest === undefined ? 'seats_max' : 'seats_min', message, fewest ?? max));
  }
  if (total !== undefined && most !== undefined && total < most) {
    const message = `total_seats is ${total}, which is less than seats_max (${most})`;
    report(warning('seats-order', 'total_seats', message, total));
  }
}

/** @param tasks may have wrong elements and members */
function doubtPrices(tasks: readonly unknown[], report: Report): void {
  for (const [i, task] of tasks.entries()) if (isPriced(task)) doubtCents(task.base_price, i, report);
  if (tasks.length === 0 || !tasks.every(isPriced)) return;
  const amount = amountOf(tasks);
  if (compare(amount, ZERO) > 0) return;
  const shown = formatDecimal(amount);
  report(warning('not-positive', 'tasks', `The tasks of this gig have ${shown} cents in all`, shown));
}

/** Whoever writes euros has decimals. @param index place of the task */
function doubtCents(price: number, index: number, report: Report): void {
  if (Number.isInteger(price)) return;
  const path = `tasks.${index}.base_price`;
  const euros = formatDecimal(decimalOf(price));
  const cents = formatDecimal(multiply(decimalOf(price), HUNDRED));
  const advice = cents.includes('.') ? 'Round it' : `If you mean ${euros} euros, write ${cents}`;
  const message = `${path} is ${euros} cents, which is not a whole number of cents. 100 cents are one euro. ${advice}`;
  report(warning('sub-cent', path, message, price));
}

const HUNDRED = parseDecimal('100');

function isPriced(task: unknown): task is Priced {
  return isObject(task) && typeof task['base_price'] === 'number';
}
