/** How a file's numbers and dates are written, as far as the values prove it. */
import { splitSign, type DecimalMark, readMultiplier, readNumber } from '../input/numbers.js';
import { type DateOrder, readDate } from '../input/dates.js';
import { isCalendarDate } from '../records/calendar.js';
import {
  type Inference,
  inferNotation,
  isDoubtful,
  onlyReading,
  type ReadableValue,
  type Readings,
  type SampleValue,
  type ValuesByColumn,
} from './inference.js';

// Numbers. CONTRACT: `--decimal`.

const SENT_MULTIPLIER = /^\d(?:\.\d+)?$/;

function readNumberAs(typed: string, mark: DecimalMark | null, isFactor: boolean): string | null {
  const reading = isFactor ? readMultiplier(typed, mark) : readNumber(typed, mark);
  return reading.ok && (!isFactor || SENT_MULTIPLIER.test(reading.text)) ? reading.text : null;
}

/** A number under each mark, in JSON's notation. @param isFactor a multiplier, below 10: `1.250` has one reading */
export function numberReadings(typed: string, isFactor = false): Readings<DecimalMark> {
  return { point: readNumberAs(typed, 'point', isFactor), comma: readNumberAs(typed, 'comma', isFactor) };
}

/** Null if it is not a number. @param isFactor a multiplier */
export function numberValue(sample: SampleValue, isFactor: boolean): ReadableValue<DecimalMark> | null {
  const typed = splitSign(sample.typed)?.number ?? sample.typed;
  const readings = numberReadings(typed, isFactor);
  if (readings.point === null && readings.comma === null) return null;
  return { line: sample.line, typed, readings, isUsual: readNumberAs(typed, null, isFactor) !== null };
}

/** Three or more under this mark: amounts usually have two, so such a mark may separate thousands. */
function hasManyDecimals({ readings }: ReadableValue<DecimalMark>, mark: DecimalMark): boolean {
  const text = readings[mark] ?? '';
  const point = text.indexOf('.');
  return point >= 0 && text.length - point > '.00'.length;
}

const MARK_TEXT = { point: 'with a decimal point', comma: 'with a decimal comma' };

/** One mark for all columns. */
export function inferDecimalMark(columns: ValuesByColumn<DecimalMark>): Inference<DecimalMark> {
  return inferNotation(columns, 'Numbers', MARK_TEXT, ({ notation: mark }, values) => {
    const strange = values.find((value) => isDoubtful(value) && hasManyDecimals(value, mark));
    // If another value certainly has this many decimals, those of the strange one are not surprising.
    const isUsual = values.some((value) => onlyReading(value) === mark && hasManyDecimals(value, mark));
    if (strange === undefined || isUsual) return null;
    return { ...strange, why: 'has three decimals, and no other number has so many' };
  });
}

const DIGITS_AND_MARKS = String.raw`\d[\d.,'’\s]*`;
const WITH_CENTS = String.raw`(?:\d[\d.,'’\s]*)?[.,]\d\d`;
const SIGN_OR_CODE = String.raw`(?:\p{Sc}|[A-Z]{3})?`;

/** Notations that no setting reads, and what is wrong with each: a file that has them must be exported again. */
const ODD_NOTATIONS: readonly (readonly [notation: RegExp, why: string])[] = [
  [new RegExp(String.raw`^${DIGITS_AND_MARKS}[-−–]$`), 'the minus must stand before the number'],
  [
    new RegExp(
      String.raw`^-?${SIGN_OR_CODE}\s?\(\s?-?${SIGN_OR_CODE}\s?${WITH_CENTS}\s?${SIGN_OR_CODE}\s?\)\s?${SIGN_OR_CODE}$`,
      'u',
    ),
    'a negative number is written with a minus, not in brackets',
  ],
  [
    new RegExp(String.raw`^[−–]\s?${SIGN_OR_CODE}\s?${DIGITS_AND_MARKS}$`, 'u'),
    'the minus must be the one of the keyboard (-)',
  ],
  [new RegExp(String.raw`^(?:\+\s?${WITH_CENTS}|${WITH_CENTS}\s?\+)$`), 'a plus is not read'],
  [
    new RegExp(String.raw`^${WITH_CENTS}\s?(?:CR|DR|C|D|S|H)\.?$`, 'i'),
    'letters for debit and credit are not read: a minus must mark negative amounts',
  ],
];

/** What is wrong with a number; null for text, and for a number that some setting reads. */
export function oddNotation(typed: string): string | null {
  const number = splitSign(typed)?.number ?? typed;
  return ODD_NOTATIONS.find(([notation]) => notation.test(typed) || notation.test(number))?.[1] ?? null;
}

// Dates. CONTRACT: `--date-format`.

/** Null if it is not a date in any order. */
export function dateValue(sample: SampleValue): ReadableValue<DateOrder> | null {
  const readings = dateReadings(sample.typed);
  if (Object.values(readings).every((read) => read === null)) return null;
  return { ...sample, readings, isUsual: readDateAs(sample.typed, null) !== null };
}

function readDateAs(typed: string, order: DateOrder | null): string | null {
  const read = readDate(typed, order);
  return isCalendarDate(read) ? read : null;
}

/** A date in each order, YYYY-MM-DD. */
export function dateReadings(typed: string): Readings<DateOrder> {
  return { ymd: readDateAs(typed, 'ymd'), dmy: readDateAs(typed, 'dmy'), mdy: readDateAs(typed, 'mdy') };
}

const TIME_OF_DAY = /(?:T|,?\s+)\d{1,2}:\d{2}.*$/i;

function withoutTime(typed: string): string {
  return typed.replace(TIME_OF_DAY, '');
}

/** A date with a time of day that is not sent, or without any mark between its parts: `20261103`. */
export function isRemarkableDate(typed: string): boolean {
  return TIME_OF_DAY.test(typed) || /^\d{8}$/.test(typed);
}

/** `n.n.Y`, `n-M-y`: what the dates of one source have in common. */
function datePattern(typed: string): string {
  return withoutTime(typed)
    .replace(/\p{L}+\.?/gu, 'M')
    .replace(/\d{4}/g, 'Y')
    .replace(/\d\d?$/, 'y')
    .replace(/\d+/g, 'n');
}

/** A two-digit year may also come first, which no setting reads: `25-12-31` is not a day of 2031. */
function withYearFirst(typed: string): string | null {
  const [, year = '', , month = '', day = ''] = /^(\d\d)([./-])(\d\d?)\2(\d\d)$/.exec(typed) ?? [];
  return readDateAs(`20${year}-${month.padStart(2, '0')}-${day}`, 'ymd');
}

/** YYYY-MM, if all dates lie in one month; else null. */
export function monthOf(dates: readonly ReadableValue<DateOrder>[], order: DateOrder | null): string | null {
  const read = dates.map(({ readings }) => readings[order ?? 'ymd']);
  const days = read.filter((date) => date !== null);
  const [month = null, another] = new Set(days.map((date) => date.slice(0, 'YYYY-MM'.length)));
  return another === undefined ? month : null;
}

const ORDER_TEXT = { ymd: 'with the year first', dmy: 'with the day first', mdy: 'with the month first' };

/** One order for all columns. A date with one reading may still be another one. */
export function inferDateOrder(columns: ValuesByColumn<DateOrder>): Inference<DateOrder> {
  // Under every order, an ISO date with a time is the same day.
  const isOpen = (value: ReadableValue<DateOrder>): boolean => value.isUsual || !isAlike(value);
  const open = new Map(Array.from(columns, ([name, values]) => [name, values.filter(isOpen)] as const));
  const found = inferOrder(open);
  const timed = [...columns.values()].flat().find((value) => !isOpen(value));
  return found.kind === 'default' && timed !== undefined ? { kind: 'certain', value: 'ymd', sample: timed } : found;
}

function isAlike({ readings }: ReadableValue<DateOrder>): boolean {
  return new Set(Object.values(readings)).size === 1;
}

function inferOrder(columns: ValuesByColumn<DateOrder>): Inference<DateOrder> {
  return inferNotation(columns, 'Dates', ORDER_TEXT, ({ value: proof, notation: order }, values) => {
    const other = values.find(({ typed, isUsual }) => isUsual || datePattern(typed) !== datePattern(proof.typed));
    if (other !== undefined)
      return { ...other, why: 'is written differently: a spreadsheet may have changed some dates' };
    const swapped = values.map(({ typed }) => withYearFirst(typed));
    // If day and year are exchanged, dates that lie close together scatter over years.
    const isScattered = yearsBetween(values.map(({ readings }) => readings[order])) <= 1 && yearsBetween(swapped) > 3;
    if (isScattered || swapped.includes(null)) return null;
    return { ...proof, why: 'may begin with the year. Such dates are not read: write years with four digits' };
  });
}

function yearsBetween(dates: readonly (string | null)[]): number {
  const years = dates.filter((date) => date !== null).map((date) => Number(date.slice(0, 'YYYY'.length)));
  return Math.max(...years) - Math.min(...years);
}
