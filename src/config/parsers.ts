/** Checks and converts option values as people write them. Every failure is a usage error that names the option. */
import { isAbsolute } from 'node:path';
import { UsageError } from '../errors.js';
import { type Decimal, formatDecimal, parseDecimal } from '../money/decimal.js';
import { totalReadings } from '../money/typed-total.js';
import { isCalendarDate } from '../records/calendar.js';
import { nameFault } from '../records/misleading-text.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { didYouMean } from '../records/nearest.js';
import { REDACTED } from './secrets.js';

/** A whole number within bounds. @param name of the option, for the message */
export function wholeNumber(name: string, written: string | number, least: number, most = LARGEST_INTEGER): number {
  const value = typeof written === 'number' || /^\d+$/.test(written) ? Number(written) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === LARGEST_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} takes a whole number, ${range}; found ${JSON.stringify(written)}`);
}

const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

/** For a setting that takes such a number. */
export function parseInteger(least: number, most?: number): (name: string, written: string | number) => number {
  return (name, written) => wholeNumber(name, written, least, most);
}

/** For a setting that takes a number within bounds, decimals allowed. */
export function numberWithin(least: number, most: number): (name: string, written: string | number) => number {
  return (name, written) => {
    const value = typeof written === 'number' || /^\d+(\.\d+)?$/.test(written) ? Number(written) : Number.NaN;
    if (Number.isFinite(value) && value >= least && value <= most) return value;
    throw new UsageError(`${name} takes a number from ${least} to ${most}; found ${JSON.stringify(written)}`);
  };
}

/** Whole numbers that follow one another, both ends included. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** Whole numbers from 1: `17`, `3-10`, `3,5,9-12`. @param name of the option, for the message */
export function numberRanges(name: string, text: string): NumberRange[] {
  return text.split(',').map((part) => {
    const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    const range = { first: Number(first), last: Number(last) };
    const isRange = range.first >= 1 && range.first <= range.last && Number.isSafeInteger(range.last);
    if (isRange) return range;
    throw new UsageError(`${name} takes whole numbers from 1, as in 17 or 3,5,9-12; found ${JSON.stringify(text)}`);
  });
}

/** A name of 1 to 200 visible characters. */
export function parseName(name: string, text: string): string {
  const fault = nameFault(text);
  if (fault === null) return text;
  throw new UsageError(`${name} ${fault}; found ${JSON.stringify(text)}`);
}

/** A target's name is its URL, `#` and the account, so an account has no `#`. */
export function accountName(name: string, text: string): string {
  if (text.includes('#'))
    throw new UsageError(
      `${name} takes a name without #, which parts it from the address; found ${JSON.stringify(text)}`,
    );
  return parseName(name, text);
}

/** A folder. An empty text, as from a variable that was never set, would mean the working directory. */
export function folderName(name: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${name} takes a folder; found ${JSON.stringify(text)}`);
  // A path pasted from a message with a hidden word would name another folder, with another history or none.
  if (text.includes(REDACTED))
    throw new UsageError(`${name} takes a folder, and ${REDACTED} is a placeholder. Put the original value back`);
  if (/^~(?:[/\\]|$)/.test(text))
    throw new UsageError(`${name} takes a folder, and ~ is not one here: write it out, or say $HOME`);
  return text;
}

/** A file. An empty text, as from a variable that was never set, would mean the working directory. */
export function fileName(name: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${name} takes the name of a file; found ${JSON.stringify(text)}`);
  return text;
}

/** The folder in an XDG base directory variable. By their specification, a relative path counts as not set. */
export function xdgFolder(value: string | undefined): string | null {
  return value !== undefined && isAbsolute(value) ? value : null;
}

/** `a, b or c` */
export function orList(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

export function parseChoice<const T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const end = didYouMean(text, words).replace(/^(?=.)/, '.');
  throw new UsageError(`${name} takes ${orList(words)}; found ${JSON.stringify(text)}${end}`);
}

/** `COLUMN=FIELD`, cut at the last `=`: the name of a column may contain one, and a field cannot. */
export function parseColumnPair(name: string, text: string): [column: string, field: string] {
  return splitPair(text.lastIndexOf('='), name, text);
}

/** `FIELD=VALUE`, cut at the first `=`. */
export function fieldPair(name: string, text: string): [field: string, value: string] {
  return splitPair(text.indexOf('='), name, text);
}

function splitPair(at: number, name: string, text: string): [string, string] {
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
  throw new UsageError(`${name} takes NAME=VALUE; found ${JSON.stringify(text)}`);
}

/** `Name: value`, cut at the first colon. Never repeats the text: it may contain a secret. */
export function headerPair(name: string, text: string): [header: string, value: string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError(`${name} takes 'Name: value'`);
  return [text.slice(0, at), text.slice(at + 1).trim()];
}

/** A sheet's name or number, as written: only the workbook shows which of the two it is. */
export function sheetName(name: string, written: string | number): string {
  if (written === '') throw new UsageError(`${name} takes the name of a sheet, or its number; found ""`);
  return String(written);
}

/** A switch that a variable turns on with 1. */
export function parseSwitch(_name: string, written: string | boolean): boolean {
  return written === true || written === '1';
}

export function hexDigest(name: string, text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new UsageError(`${name} takes the 64 hexadecimal digits that a dry run prints`);
}

/** Names of fields that identify a record: `user_id,title`. */
export function fieldNames(name: string, text: string): string[] {
  const fields = text.split(',').map((field) => field.trim());
  if (fields.includes('')) throw new UsageError(`${name} takes names of fields, separated by commas`);
  if (fields.includes('idempotency_key'))
    throw new UsageError(`${name}: a record’s own idempotency_key is its key already`);
  if (new Set(fields).size < fields.length) throw new UsageError(`${name} names a field twice`);
  return fields;
}

/** An amount that the person expects, compared exactly. */
export interface ExpectedTotal {
  readonly type: RecordType | null;
  /** `undefined`: not typed; null: records without a currency. */
  readonly currency: string | null | undefined;
  readonly amount: Decimal;
  /** As typed, for messages. */
  readonly typed: string;
}

const EXPECTED = /^(?:(?:([a-z]+)\/)?([^=/]+)=|(?:([a-z]+)\/=?))?(-?\d[^=/]*)$/;
/** As programs write it: a point here is always the one before decimals. */
const PLAIN_TOTAL = /^-?\d+(?:\.\d+)?$/;

/** `[TYPE/][CUR|none]=AMOUNT`, or just an amount, written as it may be typed at the question. */
export function expectedTotal(name: string, typed: string): ExpectedTotal {
  const [, before, currency, alone, amount = ''] = EXPECTED.exec(typed) ?? [];
  const word = before ?? alone;
  const type = RECORD_TYPES.find((each) => each === word) ?? null;
  const [total, another] = PLAIN_TOTAL.test(amount) ? [parseDecimal(amount)] : totalReadings(amount);
  if (total === undefined || (word !== undefined && type === null))
    throw new UsageError(
      `${name} takes [TYPE/][CURRENCY|none]=AMOUNT, such as EUR=1200.50 or payout/none=900; found ${JSON.stringify(typed)}`,
    );
  if (another !== undefined)
    throw new UsageError(
      `${name} ${typed} can mean ${formatDecimal(total)} or ${formatDecimal(another)}. Write it without a mark between thousands, and with a point before decimals`,
    );
  return { type, currency: currency === 'none' ? null : currency, amount: total, typed };
}

/** When a day begins on that clock, milliseconds since 1970. @throws UsageError for a text that is not a day */
export function startOfDay(name: string, text: string, clock: 'UTC' | 'local' = 'UTC'): number {
  // Without a zone, the time is on the local clock.
  if (isCalendarDate(text)) return Date.parse(`${text}T00:00:00${clock === 'UTC' ? 'Z' : ''}`);
  throw new UsageError(
    `${name} takes a day${clock === 'UTC' ? ' in UTC' : ''}, YYYY-MM-DD; found ${JSON.stringify(text)}`,
  );
}
