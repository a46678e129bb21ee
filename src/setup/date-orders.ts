/** The order of a file's dates, as far as the dates themselves prove it. CONTRACT: `--date-format`. */
import { isCalendarDate } from '../records/calendar.js';
import { type DateOrder, readDate } from '../input/dates.js';
import { type Inference, inferNotation, type Doubt, type Readings, type SampleValue, type Value } from './inference.js';

type Order = Exclude<DateOrder, 'ymd'>;

/** Null if it is not a date in any order. */
export function dateValue(seen: SampleValue): Value<Order> | null {
  const readings = dateReadings(seen.typed);
  if (readings.dmy === null && readings.mdy === null) return null;
  return { ...seen, readings, isUsual: readAs(seen.typed, 'ymd') !== null };
}

function readAs(typed: string, order: DateOrder): string | null {
  const read = readDate(typed, order);
  return isCalendarDate(read) ? read : null;
}

/** A date in each order, YYYY-MM-DD. */
export function dateReadings(typed: string): Readings<Order> {
  return { dmy: readAs(typed, 'dmy'), mdy: readAs(typed, 'mdy') };
}

/** `n.n.Y`, `n-M-y`: the notation, which is the same in dates from one source. */
function notationOf(typed: string): string {
  return typed
    .replace(/\p{L}+\.?/gu, 'M')
    .replace(/\d{4}/g, 'Y')
    .replace(/\d\d?$/, 'y')
    .replace(/\d+/g, 'n');
}

/** A two-digit year may also come first, which no setting reads: `25-12-31` is not a day of 2031. */
function withYearFirst(typed: string): string | null {
  const [, year = '', , month = '', day = ''] = /^(\d\d)([./-])(\d\d?)\2(\d\d)$/.exec(typed) ?? [];
  return readAs(`20${year}-${month.padStart(2, '0')}-${day}`, 'ymd');
}

/** YYYY-MM, if all dates lie in one month; else null. */
export function monthOf(dates: readonly Value<Order>[], order: DateOrder | null): string | null {
  const read = dates.map(({ readings }) => readings[order === 'mdy' ? 'mdy' : 'dmy']);
  const [month = null, another] = new Set(read.flatMap((date) => date?.slice(0, 'YYYY-MM'.length) ?? []));
  return another === undefined ? month : null;
}

/** Also a date that no setting reads: `20261103`, or one with a time of day. */
export function isAnyDate(typed: string): boolean {
  const day = typed.replace(/[T ]\d\d?:\d\d.*$/, '').replace(/^((?:19|20)\d\d)[./]?(\d\d)[./]?(\d\d)$/, '$1-$2-$3');
  return Object.values(dateReadings(day)).some((read) => read !== null);
}

const WORDS = { what: 'Dates', ways: { dmy: 'with the day first', mdy: 'with the month first' } };

/** One order for all columns. */
export function inferDateOrder(columns: ReadonlyMap<string, readonly Value<Order>[]>): Inference<Order> {
  return inferNotation(columns, WORDS, doubtOf);
}

/** Why a date with one reading may still be another one. */
function doubtOf(proof: Value<Order>, order: Order, values: readonly Value<Order>[]): Doubt | null {
  const other = values.find(({ typed, isUsual }) => isUsual || notationOf(typed) !== notationOf(proof.typed));
  if (other !== undefined)
    return { ...other, words: 'is written differently: a spreadsheet may have changed some dates' };
  const swapped = values.map(({ typed }) => withYearFirst(typed));
  // If day and year are exchanged, dates that lie close together scatter over years.
  const isScattered = yearsBetween(values.map(({ readings }) => readings[order])) <= 1 && yearsBetween(swapped) > 3;
  if (isScattered || swapped.includes(null)) return null;
  return { ...proof, words: 'may begin with the year. Such dates are not read: write years with four digits' };
}

function yearsBetween(dates: readonly (string | null)[]): number {
  const years = dates.flatMap((date) => (date === null ? [] : [Number(date.slice(0, 'YYYY'.length))]));
  return Math.max(...years) - Math.min(...years);
}
