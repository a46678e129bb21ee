/** How the dates of a file are written, as far as the dates themselves prove it. CONTRACT: `--date-format`. */
import { isCalendarDate } from '../../records/calendar.js';
import { type DateOrder, readDate } from '../dates.js';
import type { Conclusion, Seen } from './conclusion.js';
import {
  concludeTogether,
  concludeWay,
  emptyTally,
  keepFirst,
  type Readings,
  type Tally,
  tallyUp,
} from './two-ways.js';

type Order = Exclude<DateOrder, 'ymd'>;

export interface DateTally extends Tally<Order> {
  /** By how they are written: separators, names of months, digits of the year. */
  readonly notations: Map<string, Seen>;
  /** YYYY-MM of all dates in each order; `yearFirst` of those with a year of two digits, where it may stand first. */
  readonly months: Readonly<Record<Order | 'yearFirst', Set<string>>>;
  /** All may begin with a year of two digits. */
  mayBeginWithYear: boolean;
}

export function dateTally(): DateTally {
  const months = { dmy: new Set<string>(), mdy: new Set<string>(), yearFirst: new Set<string>() };
  return { ...emptyTally<Order>(), notations: new Map(), months, mayBeginWithYear: true };
}

function readAs(typed: string, order: DateOrder): string | null {
  const read = readDate(typed, order);
  return isCalendarDate(read) ? read : null;
}

/** A date in each order, YYYY-MM-DD. */
export function dateReadings(typed: string): Readings<Order> {
  return { dmy: readAs(typed, 'dmy'), mdy: readAs(typed, 'mdy') };
}

/** Adds a value to the tally. */
export function tallyDate(tally: DateTally, seen: Seen): void {
  const readings = dateReadings(seen.typed);
  const isIso = readAs(seen.typed, 'ymd') !== null;
  tallyUp(tally, seen, readings, isIso);
  if (readings.dmy === null && readings.mdy === null) return;
  keepFirst(tally.notations, isIso ? 'iso' : notationOf(seen.typed), seen);
  addMonths(tally, readings);
  const yearFirst = withYearFirst(seen.typed);
  if (yearFirst === null) tally.mayBeginWithYear = false;
  else tally.months.yearFirst.add(monthIn(yearFirst));
}

/** Adds a cell that is a date by itself, however it is shown. */
export function tallyDay(tally: DateTally, cell: string): void {
  tally.isAnyRead = true;
  addMonths(tally, dateReadings(cell));
}

function addMonths({ months }: DateTally, { dmy, mdy }: Readings<Order>): void {
  if (dmy !== null) months.dmy.add(monthIn(dmy));
  if (mdy !== null) months.mdy.add(monthIn(mdy));
}

function monthIn(date: string): string {
  return date.slice(0, 'YYYY-MM'.length);
}

/** `n.n.Y`, `n-M-y`: what two dates share that one hand has written. */
function notationOf(typed: string): string {
  return typed
    .replace(/\p{L}+\.?/gu, 'M')
    .replace(/\d{4}/g, 'Y')
    .replace(/\d\d?$/, 'y')
    .replace(/\d+/g, 'n');
}

/** A year of two digits may also stand first, which no setting reads: `25-12-31` is no day of 2031. */
function withYearFirst(typed: string): string | null {
  const [, year = '', , month = '', day = ''] = /^(\d\d)([./-])(\d\d?)\2(\d\d)$/.exec(typed) ?? [];
  return readAs(`20${year}-${month.padStart(2, '0')}-${day}`, 'ymd');
}

/** YYYY-MM, where all dates lie in one month; else null. */
export function monthOf({ months }: DateTally, order: DateOrder | null): string | null {
  const [month = null, another] = months[order === 'mdy' ? 'mdy' : 'dmy'];
  return another === undefined ? month : null;
}

const WORDS = {
  ...{ what: 'dates', flag: '--date-format' },
  ways: { dmy: 'with the day first', mdy: 'with the month first' },
};

/** One order for all columns. */
export function concludeOrders(columns: ReadonlyMap<string, DateTally>): Conclusion<Order> {
  return concludeTogether(
    [...columns].map(([name, tally]) => {
      // Points between the parts of a date are written where the day comes first, but that is a habit and no proof.
      const isPointed = (tally.doubtful ?? tally.alike)?.typed.includes('.') === true;
      return concludeWay(name, tally, WORDS, doubtOf(tally), isPointed ? 'dmy' : null);
    }),
  );
}

/** Why a date that has one reading may yet be another one. */
function doubtOf(tally: DateTally): (Seen & { readonly words: string }) | null {
  const [[order, proof] = []] = [...tally.only];
  if (order === undefined || proof === undefined) return null;
  const [, other] = [...tally.notations].find(([notation]) => notation !== notationOf(proof.typed)) ?? [];
  if (other !== undefined)
    return { ...other, words: 'is written in another way: a spreadsheet may have taken some dates for others' };
  const { [order]: ours, yearFirst } = tally.months;
  // Read with day and year exchanged, what lies close together is scattered over years.
  const isScattered = yearsBetween(ours) <= 1 && yearsBetween(yearFirst) > 3;
  if (!tally.mayBeginWithYear || isScattered) return null;
  return {
    ...proof,
    words: 'may begin with the year, which is not read where it has two digits: write years with four',
  };
}

function yearsBetween(months: ReadonlySet<string>): number {
  const years = [...months].map((month) => Number(month.slice(0, 'YYYY'.length)));
  return Math.max(...years) - Math.min(...years);
}
