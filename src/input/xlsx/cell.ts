/** Converts a cell's stored value and format to what a person sees in it. */
import { isCalendarDate } from '../../records/calendar.js';
import { addressOf, LONGEST_TEXT, type CellPlace } from './cell-address.js';
import type { FileFault } from '../raw-record.js';
import { damaged } from './package.js';
import type { SharedTexts, Strike } from './shared-parts.js';
import type { CellStyle } from './styles.js';
import { GENERAL, type NumberFormat, plainDecimal, type DisplayedNumber, shownNumber } from './displayed-number.js';

export type SheetCell = string | TypedCell;

export type TypedCell =
  /** @property text in its shortest decimal form, without an exponent */
  | { readonly is: 'number'; readonly text: string; readonly shown: DisplayedNumber }
  /**
   * @property text YYYY-MM-DD, with `T08:30:00` added if it has a time of day
   * @property showsTime its format shows a time of day, if only 00:00
   */
  | { readonly is: 'date'; readonly text: string; readonly showsTime: boolean }
  /** A time of day or a duration, HH:MM:SS. */
  | { readonly is: 'time'; readonly text: string }
  | { readonly is: 'boolean'; readonly text: 'TRUE' | 'FALSE' }
  /** @property text neither a number nor a date. @property words what is wrong; completes "the cell …" */
  | {
      readonly is: 'broken';
      readonly text: string;
      readonly words: string;
      readonly code: 'wrong-type' | 'spreadsheet-error';
    };

/** A cell as its XML has it. */
export interface StoredCell extends CellPlace {
  /** The kind of value: `s`, `str`, `inlineStr`, `n`, `b`, `e`, `d`. */
  readonly type: string;
  /** Number of its format in the workbook; null if it names none. */
  readonly style: number | null;
  /** Null if nothing is stored. */
  readonly value: string | null;
  readonly isFormula: boolean;
}

/** The data of the workbook that reading a cell needs. */
export interface CellContext {
  readonly strings: SharedTexts;
  readonly styles: readonly CellStyle[];
  readonly from1904: boolean;
  readonly isUncomputed: boolean;
}

/** @throws FileFault for values that no workbook contains */
export function readCell(stored: StoredCell, context: CellContext): SheetCell {
  const { type, value, isFormula, style } = stored;
  const format = style === null ? GENERAL : context.styles[style]?.format;
  if (format === undefined) throw contradicted(stored, 'names a format that is not there');
  if (type === 'inlineStr') return shownText(value ?? '', format);
  if (type === 'str' && value !== null) return shownText(value, format);
  if (value === null || value.trim() === '') return isFormula ? NOT_COMPUTED : '';
  if (type === 's') return shownText(sharedText(value, stored, context), format);
  if (type === 'e') return broken(value, `holds the error ${value}: correct its formula`, 'spreadsheet-error');
  if (type === 'b') return { is: 'boolean', text: value.trim() === '1' || value.trim() === 'true' ? 'TRUE' : 'FALSE' };
  if (type === 'd') return isoDate(value.trim());
  if (type !== 'n' && type !== 'str') throw contradicted(stored, `has a value of the unknown kind ${type}`);
  const number = parseStored(value, stored);
  // Programs that do not compute formulas write 0 as their result.
  if (isFormula && number === 0 && context.isUncomputed) return NOT_COMPUTED;
  return numberCell(number, format, context.from1904);
}

/** @param inline how much of the text in the cell itself is struck out */
export function strikeOf({ type, value, style }: StoredCell, inline: Strike, context: CellContext): Strike {
  if (style !== null && context.styles[style]?.isStruck === true) return 'whole';
  return type === 's' && value !== null ? (context.strings.strikes.get(Number(value)) ?? 'none') : inline;
}

function contradicted({ index, row }: CellPlace, what: string): FileFault {
  return damaged(`${addressOf(index, row)} ${what}`);
}

function broken(text: string, words: string, code: 'wrong-type' | 'spreadsheet-error' = 'wrong-type'): TypedCell {
  return { is: 'broken', text, words, code };
}

const NOT_COMPUTED = broken(
  'a formula without a stored value',
  'has a formula without a stored value: open the workbook in a spreadsheet, which computes it, and save it again',
);

function shownText(text: string, { hidesText, code }: NumberFormat): SheetCell {
  if (text.length > LONGEST_TEXT) {
    const start = `${text.slice(0, 200)}…`;
    return broken(start, `holds ${text.length} characters, more than a cell has room for`);
  }
  if (!hidesText || text === '') return text;
  const words = `does not show its text as it is: its format is ${JSON.stringify(code)}; format it as text`;
  return broken(`${text} (not shown so)`, words);
}

function sharedText(value: string, place: CellPlace, { strings }: CellContext): string {
  const text = /^\s*\d+\s*$/.test(value) ? strings.texts[Number(value)] : undefined;
  if (text === undefined) throw contradicted(place, 'names a text that is not there');
  return text;
}

const STORED_NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

function parseStored(value: string, place: CellPlace): number {
  const text = value.trim();
  const number = text.length <= 400 && STORED_NUMBER.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(number)) throw contradicted(place, 'should hold a number');
  return number;
}

function numberCell(number: number, format: NumberFormat, from1904: boolean): TypedCell {
  if (format.is === 'time') return { is: 'time', text: durationOf(number) };
  if (format.is !== 'date') {
    const text = plainDecimal(number);
    return { is: 'number', text, shown: shownNumber(text, format) };
  }
  const date = dateOfSerial(number, from1904, format);
  if (date !== null) return date;
  const words = `is formatted as a date, but its number ${plainDecimal(number)} is not a day of the calendar`;
  return broken(`${plainDecimal(number)} (not a day of the calendar)`, words);
}

function dateCell(date: string, time: string | null, showsTime: boolean): TypedCell {
  return { is: 'date', text: time === null ? date : `${date}T${time}`, showsTime };
}

const DAY_IN_MS = 86_400_000;
/** The day before the first day, so that day 1 is 1900-01-01. */
const BEFORE_1900 = Date.UTC(1899, 11, 31);
const FIRST_1904 = Date.UTC(1904, 0, 1);
/**
 * Day 60 is 1900-02-29, which never existed: an error of the first spreadsheets that all later ones kept. Numbers of
 * later days are one too high.
 */
const NO_DAY = 60;
const LAST_DAY = Date.UTC(9999, 11, 31);

const DAY_IN_SECONDS = 86_400;

/**
 * The date as its format shows it. Sums of hours end a little before a midnight that spreadsheets show as the next day's.
 * @param serial days; in the system of 1900, 1 is 1900-01-01, and in the one of 1904, 0 is 1904-01-01
 * @returns null for a number outside of both calendars
 */
export function dateOfSerial(serial: number, from1904: boolean, format: NumberFormat): TypedCell | null {
  const stored = Math.floor(serial);
  const isNextDay = isShownAsNextDay(serial, format);
  const day = isNextDay ? stored + 1 : stored;
  if (!(serial >= 0) || (!from1904 && (day < 1 || day === NO_DAY))) return null;
  let start = from1904 ? FIRST_1904 : BEFORE_1900;
  if (!from1904 && day > NO_DAY) start -= DAY_IN_MS;
  const at = start + day * DAY_IN_MS;
  if (!(at <= LAST_DAY)) return null;
  const seconds = isNextDay ? 0 : Math.min(DAY_IN_SECONDS - 1, Math.round((serial - stored) * DAY_IN_SECONDS));
  const [date = '', time = ''] = new Date(at + seconds * 1000).toISOString().slice(0, 19).split('T');
  return dateCell(date, seconds === 0 ? null : time, format.showsTime);
}

/** A date without a time moves only by what is lost in sums, so that its day stays the one that is shown. */
function isShownAsNextDay(serial: number, { showsTime, show }: NumberFormat): boolean {
  const midnight = Math.floor(serial) + 1;
  const rest = midnight - serial;
  if (Math.round(rest * DAY_IN_MS) === 0) return true;
  return showsTime && Math.round(rest * DAY_IN_SECONDS) === 0 && show(serial) === show(midnight);
}

/** @param days may be above one or negative */
function durationOf(days: number): string {
  const whole = Math.floor(days);
  const seconds = Math.round((days - whole) * DAY_IN_SECONDS);
  const hours = whole * 24 + Math.floor(seconds / 3600);
  return `${String(hours).padStart(2, '0')}:${new Date(seconds * 1000).toISOString().slice(14, 19)}`;
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)Z?)?$/;

function isoDate(value: string): TypedCell {
  const [, date, time] = ISO_DATE.exec(value) ?? [];
  if (date === undefined) return { is: 'time', text: value };
  if (!isCalendarDate(date)) return broken(value, `holds ${value}, not a day of the calendar`);
  return dateCell(date, time === undefined || /^[0:.]*$/.test(time) ? null : time, time !== undefined);
}
