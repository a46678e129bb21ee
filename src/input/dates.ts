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

/** An ISO 8601 date with a time of day, with an offset or without. */
const TIMED = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)(?:[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const MIDNIGHT = /^00:00(?::00(?:[.,]0+)?)?$/;

/**
 * Returns YYYY-MM-DD for a date in the declared order. ISO dates, and ISO timestamps at midnight, are read under every
 * order. A year of two digits belongs to this century. Any other text is returned as typed, and the check explains the
 * problem.
 */
export function readDate(cell: string, order: DateOrder): string {
  const typed = cell.trim();
  const date = (order === 'ymd' ? null : parseInOrder(typed, order)) ?? midnight(typed);
  if (date !== null) return isCalendarDate(date) ? date : cell;
  return typed === cell || !isCalendarDate(typed) ? cell : typed;
}

/** Null for a text that does not have the parts of a date in this order. */
function parseInOrder(typed: string, order: 'dmy' | 'mdy'): string | null {
  const parts = DATE_PARTS.exec(typed.normalize('NFC'));
  if (parts === null) return null;
  const [, first = '', , second = '', year = ''] = parts;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  if (!/^\d/.test(day)) return null;
  const number = /^\d/.test(month) ? month.padStart(2, '0') : MONTHS.get(month.toLowerCase());
  if (number === undefined) return null;
  return `${year.length === 2 ? `20${year}` : year}-${number}-${day.padStart(2, '0')}`;
}

/** The written day, whatever the offset; null for any other text. */
function midnight(typed: string): string | null {
  const [, day = '', time = ''] = TIMED.exec(typed) ?? [];
  return MIDNIGHT.test(time) ? day : null;
}

const ORDERS = ['dmy', 'mdy'] as const;
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

/** The problem of a text that is not a date in the declared order. @param ways the orders that read it */
export function dateProblem(typed: string, declared: DateOrder, ways: readonly OtherDate[]): string {
  if (ways.length === 0 && (TIMED.test(typed) || ORDERS.some((order) => parseInOrder(typed, order) !== null)))
    return 'is not a day of the calendar, or has a time of day: write the date alone';
  const hidden = hiddenIn(typed);
  if (hidden !== null) return `holds a hidden character, ${hidden}: remove it`;
  return `is not written as ${DATE_EXAMPLES[declared]}`;
}
