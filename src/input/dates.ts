/** How dates are written in CSV cells. CONTRACT: `--date-format`. */
import { isCalendarDate } from '../records/calendar.js';
import { hiddenIn } from '../records/misleading-text.js';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

/** Day, month and year, or month, day and year; the month may be a name. */
const DATE_PARTS = /^(\d{1,2}|\p{L}{3,9})([./-])(\d{1,2}|\p{L}{3,9})\2(\d{4}|\d{2})$/u;

/** Names of months and their short forms, in English and German; in lower case. */
const MONTHS: ReadonlyMap<string, string> = new Map(
  [
    'jan january januar jän jänner',
    'feb february februar',
    'mar march mär märz mrz',
    'apr april',
    'may mai',
    'jun june juni',
    'jul july juli',
    'aug august',
    'sep sept september',
    'oct october okt oktober',
    'nov november',
    'dec december dez dezember',
  ].flatMap((names, i) => names.split(' ').map((name) => [name, String(i + 1).padStart(2, '0')] as const)),
);

/** The year first: `2026/11/3`, `20261103`. */
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$|^(\d{4})(\d{2})(\d{2})$/;
/** `Nov 03, 2026` */
const NAME_FIRST = /^(\p{L}{3,9})\.? (\d{1,2}),? (\d{4})$/u;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A date, then a time of day, with an offset or without: `03.11.2026 14:22`, `11/3/2026, 2:22 PM`. */
const TIMED =
  /^(.*\d)(?:[Tt]|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s?([AaPp])\.?[Mm]\.?)?(?:\s?([Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/;
const MIDNIGHT = /^\S{10}[Tt ]00:00(?::00(?:[.,]0+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** No date is longer. */
export const LONGEST_DATE = 60;

/** A date with a time of day. */
export interface TimedDate {
  /** As typed. */
  readonly day: string;
  /** Seconds since midnight; null for a time of day that does not exist. */
  readonly time: number | null;
  readonly hasFraction: boolean;
  /** As typed; null for none. */
  readonly offset: string | null;
}

/** Null for a text without a time of day. @param typed trimmed, not longer than a date can be */
export function timedDate(typed: string): TimedDate | null {
  const [, day, hour = '', minute = '', second = '00', fraction = '', half, offset = null] = TIMED.exec(typed) ?? [];
  if (day === undefined) return null;
  const isHour = half === undefined ? Number(hour) <= 23 : Number(hour) >= 1 && Number(hour) <= 12;
  const isTime = isHour && Number(minute) <= 59 && Number(second) <= 59;
  // 12 AM is midnight.
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const time = isTime ? hours * 3600 + Number(minute) * 60 + Number(second) : null;
  return { day, time, hasFraction: /[1-9]/.test(fraction), offset };
}

/**
 * Returns YYYY-MM-DD for a date in the declared order; of one with a time of day its day as it is written, whatever the
 * offset. ISO dates are read under every order. A year of two digits belongs to this century. Any other text is returned
 * as typed, and the check explains the problem.
 * @param order null if none is declared: then only ISO dates are read, and timestamps at midnight
 */
export function readDate(cell: string, order: DateOrder | null): string {
  const typed = cell.trim();
  if (typed.length > LONGEST_DATE) return cell;
  const day = dayAlone(typed, order);
  const date = day === null ? null : dateInOrder(day, order);
  if (date !== null) return isCalendarDate(date) ? date : cell;
  return typed === cell || !isCalendarDate(typed) ? cell : typed;
}

/** The text without its time of day; null for a time that does not exist, or that is part of the date's meaning. */
function dayAlone(typed: string, order: DateOrder | null): string | null {
  const timed = timedDate(typed);
  if (timed === null) return typed;
  if (order === null && !MIDNIGHT.test(typed)) return null;
  return timed.time === null ? null : timed.day;
}

/** Null for a text that does not have the parts of a date in this order. */
function dateInOrder(typed: string, order: DateOrder | null): string | null {
  if (ISO_DAY.test(typed)) return typed;
  if (order === 'ymd') return yearFirst(typed);
  if (order === null) return null;
  const [, name = '', dayAfter = '', yearAfter = ''] =
    (order === 'mdy' && NAME_FIRST.exec(typed.normalize('NFC'))) || [];
  if (name !== '') return dateOf(yearAfter, name, dayAfter);
  const [, first = '', , second = '', year = ''] = DATE_PARTS.exec(typed.normalize('NFC')) ?? [];
  return order === 'dmy' ? dateOf(year, second, first) : dateOf(year, first, second);
}

function yearFirst(typed: string): string | null {
  const [, year, , month = '', day = '', compactYear, compactMonth = '', compactDay = ''] =
    YEAR_FIRST.exec(typed) ?? [];
  return year === undefined ? dateOf(compactYear ?? '', compactMonth, compactDay) : dateOf(year, month, day);
}

/** @param month a number or a name */
function dateOf(year: string, month: string, day: string): string | null {
  if (!/^\d/.test(day)) return null;
  const number = /^\d/.test(month) ? month.padStart(2, '0') : MONTHS.get(month.toLowerCase());
  if (number === undefined) return null;
  return `${year.length === 2 ? `20${year}` : year}-${number}-${day.padStart(2, '0')}`;
}

/** The day as YYYY-MM-DD, with `T08:30:00` added for a time of day other than midnight; null if it is not read as a date. */
export function readDateAndTime(cell: string, order: DateOrder | null): string | null {
  const day = readDate(cell, order);
  if (!ISO_DAY.test(day) || !isCalendarDate(day)) return null;
  const { time } = timedDate(cell.trim()) ?? { time: 0 };
  return time === null || time === 0 ? day : `${day}T${new Date(time * 1000).toISOString().slice(11, 19)}`;
}

const ORDERS = ['ymd', 'dmy', 'mdy'] as const;
export const DATE_EXAMPLES: Readonly<Record<DateOrder, string>> = {
  ymd: 'year-month-day, such as 2026-11-01',
  dmy: 'day, month, year, such as 01.11.2026',
  mdy: 'month, day, year, such as 11/01/2026',
};

/** A date as another order reads it, YYYY-MM-DD. */
export interface OtherDate {
  readonly order: DateOrder;
  readonly date: string;
}

/** The other orders that read a text. */
export function otherDates(typed: string): OtherDate[] {
  return ORDERS.map((order) => ({ order, date: readDate(typed, order) })).filter(({ date }) => isCalendarDate(date));
}

/** Which orders read all dates of a file's columns. */
export class DateColumns {
  private readonly failed = new Set<string>();

  /** @param path of the column's field */
  see(path: string, typed: string): void {
    for (const order of ORDERS)
      if (!this.failed.has(`${path} ${order}`) && !isCalendarDate(readDate(typed, order)))
        this.failed.add(`${path} ${order}`);
  }

  reads(path: string, order: string): boolean {
    return !this.failed.has(`${path} ${order}`);
  }
}

/**
 * The problem of a text that is not a date in the declared order.
 * @param declared null if none is
 * @param ways the orders that read it
 */
export function dateProblem(typed: string, declared: DateOrder | null, ways: readonly OtherDate[]): string {
  const isTimed = typed.length <= LONGEST_DATE && timedDate(typed) !== null;
  if (ways.length === 0 && isTimed) return 'is not a day of the calendar with a time of day: write the date alone';
  if (ways.length === 0 && ORDERS.some((order) => dateInOrder(typed.slice(0, LONGEST_DATE), order) !== null))
    return 'is not a day of the calendar';
  if (declared === null && isTimed) return 'has a time of day';
  const hidden = hiddenIn(typed);
  if (hidden !== null) return `holds a hidden character, ${hidden}: remove it`;
  return `is not written as ${DATE_EXAMPLES[declared ?? 'ymd']}`;
}
