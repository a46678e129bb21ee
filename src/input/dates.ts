/** How dates are written in CSV cells. CONTRACT: `--date-format`. */
import { isCalendarDate } from '../records/calendar.js';

export type DateOrder = 'ymd' | 'dmy' | 'mdy';

const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/**
 * The date as YYYY-MM-DD if the cell is one in the declared order, or an ISO date, which is read under every order.
 * Everything else is given back as typed, and the check says what is wrong with it.
 */
export function readDate(cell: string, order: DateOrder): string {
  const typed = cell.trim();
  const match = order === 'ymd' ? null : NUMERIC.exec(typed);
  if (match === null) return typed === cell || !isCalendarDate(typed) ? cell : typed;
  const [, first = '', , second = '', year = ''] = match;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : cell;
}

const ORDERS: readonly DateOrder[] = ['dmy', 'mdy'];

/** How a cell that is no date would be read under another order: `--date-format dmy reads it as 2026-11-01`. */
export function otherDates(cell: string): string[] {
  return ORDERS.map((order) => ({ order, date: readDate(cell, order) }))
    .filter(({ date }) => isCalendarDate(date))
    .map(({ order, date }) => `--date-format ${order} reads it as ${date}`);
}
