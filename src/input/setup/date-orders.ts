/** How the dates of a column are written, as far as the dates themselves prove it. CONTRACT: `--date-format`. */
import { isCalendarDate } from '../../records/calendar.js';
import { excerpt } from '../../records/issue.js';
import { type DateOrder, readDate } from '../dates.js';
import { type Conclusion, NOTHING_TO_SAY, type Seen, seenWords } from './conclusion.js';

type Order = Exclude<DateOrder, 'ymd'>;

/** The first and the last day of some dates, YYYY-MM-DD. */
interface Span {
  readonly first: string;
  readonly last: string;
}

/** What a column's dates have shown so far: the first value of each kind. */
export interface DateEvidence {
  /** Read in this order alone: they prove it. */
  readonly only: Record<Order, Seen | null>;
  /** Two readings that differ. */
  ambiguous: Seen | null;
  /** The same day in either order. */
  either: Seen | null;
  /** Year first, four digits: read whatever is said. */
  iso: Seen | null;
  /** By how it is written: separators, names of months, digits of the year. */
  readonly notations: Map<string, Seen>;
  /** Dates with a year of two digits, read in each order and with the year first; null where one cannot be read so. */
  readonly short: Record<Order | 'yearFirst', Span | null | undefined>;
  /** All that can be read in each order. */
  readonly days: Record<Order, Span | null>;
  /** Not to be read at all. */
  none: Seen | null;
  unread: number;
  filled: number;
}

export function dateEvidence(): DateEvidence {
  return {
    only: { dmy: null, mdy: null },
    ...{ ambiguous: null, either: null, iso: null, none: null, unread: 0, filled: 0 },
    notations: new Map(),
    short: { dmy: undefined, mdy: undefined, yearFirst: undefined },
    days: { dmy: null, mdy: null },
  };
}

function readAs(typed: string, order: DateOrder): string | null {
  const read = readDate(typed, order);
  return isCalendarDate(read) ? read : null;
}

/** Adds a cell with content to the evidence. */
export function seeDate(evidence: DateEvidence, cell: string, line: number | null): void {
  const typed = cell.trim();
  const seen = { line, typed: excerpt(typed) };
  const [iso, dmy, mdy] = [readAs(typed, 'ymd'), readAs(typed, 'dmy'), readAs(typed, 'mdy')];
  evidence.filled++;
  evidence.days.dmy = widened(evidence.days.dmy, dmy);
  evidence.days.mdy = widened(evidence.days.mdy, mdy);
  if (iso !== null) {
    evidence.iso ??= seen;
    return;
  }
  if (dmy === null && mdy === null) {
    evidence.unread++;
    evidence.none ??= seen;
    return;
  }
  const notation = notationOf(typed);
  if (!evidence.notations.has(notation)) evidence.notations.set(notation, seen);
  if (dmy === null || mdy === null) evidence.only[dmy === null ? 'mdy' : 'dmy'] ??= seen;
  else if (dmy !== mdy) evidence.ambiguous ??= seen;
  else evidence.either ??= seen;
  seeShortYear(evidence.short, typed, dmy, mdy);
}

/** Adds a cell that is a date by itself, however it is shown. */
export function seeDay({ days }: DateEvidence, cell: string): void {
  const day = readAs(cell, 'ymd');
  days.dmy = widened(days.dmy, day);
  days.mdy = widened(days.mdy, day);
}

/** `n.n.4`, `n-M-2`: what two dates share that one hand has written. */
function notationOf(typed: string): string {
  return typed
    .replace(/\p{L}+\.?/gu, 'M')
    .replace(/\d{4}/g, 'Y')
    .replace(/\d\d?$/, 'y')
    .replace(/\d+/g, 'n');
}

const SHORT_YEAR = /^(\d\d)([./-])(\d\d?)\2(\d\d)$/;

/** A year of two digits may also stand first, which no setting reads: `25-12-31` is no day of 2031. */
function seeShortYear(short: DateEvidence['short'], typed: string, dmy: string | null, mdy: string | null): void {
  const parts = SHORT_YEAR.exec(typed);
  if (parts === null) {
    if (/\D\d\d$/.test(typed)) short.yearFirst = null;
    return;
  }
  const [, year = '', , month = '', day = ''] = parts;
  const yearFirst = `20${year}-${month.padStart(2, '0')}-${day}`;
  const readings = { dmy, mdy, yearFirst: isCalendarDate(yearFirst) ? yearFirst : null };
  for (const way of ['dmy', 'mdy', 'yearFirst'] as const) {
    const [span, date] = [short[way], readings[way]];
    if (span === null) continue;
    short[way] = date === null ? null : widened(span ?? null, date);
  }
}

/** The span with one day more. */
function widened(span: Span | null, day: string | null): Span | null {
  if (day === null) return span;
  if (span === null) return { first: day, last: day };
  return { first: day < span.first ? day : span.first, last: day > span.last ? day : span.last };
}

/** YYYY-MM, where all dates lie in one month; else null. */
export function monthOf({ days }: DateEvidence, order: DateOrder | null): string | null {
  const span = days[order === 'mdy' ? 'mdy' : 'dmy'];
  const [first, last] = [span?.first.slice(0, MONTH), span?.last.slice(0, MONTH)];
  return first !== undefined && first === last ? first : null;
}

const MONTH = 'YYYY-MM'.length;

const SAY = ['--date-format dmy', '--date-format mdy'];

/** @param today YYYY-MM-DD: it tells a year from a day where a year has two digits */
export function concludeOrder(name: string, evidence: DateEvidence, today: string): Conclusion<Order> {
  const { only, ambiguous, either, iso, notations, short } = evidence;
  const open = (because: string, value: Order | null, certainty: 'open' | 'likely' = 'open'): Conclusion<Order> => ({
    ...{ certainty, value, because: `${name}, ${because}` },
    say: value === null ? SAY : [`--date-format ${value}`],
  });
  if (only.dmy !== null && only.mdy !== null) {
    const because = `${name}: dates are written in two ways: ${seenWords(only.dmy)} has the day first, ${seenWords(only.mdy)} the month; write them all in one way`;
    return { certainty: 'conflict', value: null, because, say: [] };
  }
  const order = only.dmy !== null ? 'dmy' : only.mdy !== null ? 'mdy' : null;
  const [first, second] = [...(iso === null ? [] : [iso]), ...notations.values()];
  if (first === undefined || notations.size === 0) return NOTHING_TO_SAY;
  if (second !== undefined)
    return open(
      `dates are written in two ways, ${seenWords(first)} and ${seenWords(second)}: a spreadsheet may have taken some of them for others`,
      order,
      order === null ? 'open' : 'likely',
    );
  if (order === null) {
    const doubtful = ambiguous ?? either ?? first;
    const words =
      ambiguous === null
        ? `${seenWords(doubtful)} is the same day in either order, and no other date tells which comes first, day or month`
        : `${seenWords(doubtful)} can be ${readAs(doubtful.typed, 'dmy')} (day first) or ${readAs(doubtful.typed, 'mdy')} (month first), and no other date of the column tells which`;
    // Points between the parts of a date are written where the day comes first, but that is a habit and no proof.
    const isPointed = doubtful.typed.includes('.');
    if (!isPointed) return open(words, null);
    return { ...open(`${words}; with points, the day usually comes first`, 'dmy', 'likely'), say: SAY };
  }
  if (isYearFirst(short[order], short.yearFirst, today))
    return open(
      `${seenWords(first)} may begin with the year, which is not read where it has two digits: write years with four`,
      order,
      'likely',
    );
  const because = `${name}, ${seenWords(only[order] as Seen)} has one reading, with the ${order === 'dmy' ? 'day' : 'month'} first`;
  return { certainty: 'proven', value: order, because, say: [`--date-format ${order}`] };
}

const DAY_MS = 86_400_000;
/** A file is about a year at most; dates with day and year exchanged lie decades apart. */
const LONGEST_DAYS = 400;

/**
 * Whether dates whose year has two digits may begin with it. They do not, where that would scatter over years what lies
 * close together otherwise; or would be in the far future, and otherwise it is not; or far from today, and otherwise near.
 */
function isYearFirst(ours: Span | null | undefined, theirs: Span | null | undefined, today: string): boolean {
  if (theirs === null || theirs === undefined || ours === null || ours === undefined) return false;
  const [own, other] = [daysBetween(ours.first, ours.last), daysBetween(theirs.first, theirs.last)];
  if (own <= LONGEST_DAYS && other > 3 * LONGEST_DAYS) return false;
  const isNear = ({ first, last }: Span): boolean =>
    [first, last].every((day) => Math.abs(daysBetween(today, day)) <= LONGEST_DAYS);
  const isFuture = ({ last }: Span): boolean => daysBetween(today, last) > LONGEST_DAYS;
  return !(isFuture(theirs) && !isFuture(ours)) && !(isNear(ours) && !isNear(theirs));
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS;
}
