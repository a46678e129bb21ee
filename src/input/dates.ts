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
  /^(.*\d)(?:[Tt]|,?\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:\s?([AaPp])\.?[Mm]\.?)?(?:\s?(?:[Zz]|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/;
const MIDNIGHT = /^\S{10}[Tt ]00:00(?::00(?:[.,]0+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** No date is longer. */
const LONGEST_DATE = 60;

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
  const [, day, hour = '', minute = '', second = '00', half] = TIMED.exec(typed) ?? [];
  if (day === undefined) return typed;
  if (order === null && !MIDNIGHT.test(typed)) return null;
  const isHour = half === undefined ? Number(hour) <= 23 : Number(hour) >= 1 && Number(hour) <= 12;
  return isHour && Number(minute) <= 59 && Number(second) <= 59 ? day : null;
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
  const [, , hour = '0', minute = '00', second = '00', half = ''] = TIMED.exec(cell.trim()) ?? [];
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const time = `${String(hours).padStart(2, '0')}:${minute}:${second}`;
  return time === '00:00:00' ? day : `${day}T${time}`;
}

const ORDERS = ['ymd', 'dmy', 'mdy'] as const;
const DATE_EXAMPLES: Readonly<Record<DateOrder, string>> = {
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
  const isTimed = typed.length <= LONGEST_DATE && TIMED.test(typed);
  if (ways.length === 0 && isTimed) return 'is not a day of the calendar with a time of day: write the date alone';
  if (ways.length === 0 && ORDERS.some((order) => dateInOrder(typed.slice(0, LONGEST_DATE), order) !== null))
    return 'is not a day of the calendar';
  if (declared === null && isTimed) return 'has a time of day';
  const hidden = hiddenIn(typed);
  if (hidden !== null) return `holds a hidden character, ${hidden}: remove it`;
  return `is not written as ${DATE_EXAMPLES[declared ?? 'ymd']}`;
}
