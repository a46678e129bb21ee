/** A CSV cell or a flag's text → the value that its field takes. An empty cell never gets here: it is an absent field. */
import { unixSeconds } from '../records/calendar.js';
import { type Body, type Field, isJsonKind } from '../records/field.js';
import { type Finding, type IssueCode, error, excerpt } from '../records/issue.js';
import { type SignedAmount, splitSign } from './currency-signs.js';
import { dateProblem, type DateOrder, readDate } from './dates.js';
import { JsonSyntaxError, parseJson } from './json-text.js';
import {
  cellProblem,
  type DecimalMark,
  isExact,
  type NumberReading,
  otherWays,
  readFactor,
  readNumber,
} from './numbers.js';

/** How numbers and dates are written. */
export interface CellStyle {
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder;
  /** Amounts may carry the sign or the code of their record's currency. */
  readonly currencySigns: boolean;
  /** Amounts change their sign. */
  readonly negate: boolean;
}

/** Where nothing is said of how cells are written. */
export const PLAIN_STYLE: CellStyle = { decimal: null, dateOrder: 'ymd', currencySigns: false, negate: false };

/** What conversions have found. */
export interface Found {
  readonly findings: readonly Finding[];
  /** Dot paths of values that could not be read. */
  readonly unreadable: ReadonlySet<string> | undefined;
}

/** Collects what conversions find. */
export interface CellSink extends Found {
  readonly findings: Finding[];
  /** Made with the first one, since most rows have none. */
  unreadable: Set<string> | undefined;
  /** Cells whose value prints differently, by dot path (`0.00`, `01.11.2026`): messages show what was typed. */
  typed: Map<string, string> | undefined;
}

/** @param start what is found in every record, by values that are given to all */
export function emptySink(start?: Found): CellSink {
  const unreadable = start?.unreadable === undefined ? undefined : new Set(start.unreadable);
  return { findings: [...(start?.findings ?? [])], unreadable, typed: undefined };
}

/** The field's value, or undefined when the text is no value of this field: then the reason is in the sink. */
export function convertCell(field: Field, cell: string, path: string, style: CellStyle, sink: CellSink): unknown {
  const value = converted(field, cell, path, style, sink);
  if (value !== cell && (typeof value === 'number' || typeof value === 'string') && String(value) !== cell)
    keepTyped(path, cell, sink);
  return value;
}

function keepTyped(path: string, text: string, sink: CellSink): void {
  (sink.typed ??= new Map<string, string>()).set(path, text);
}

function converted(field: Field, cell: string, path: string, style: CellStyle, sink: CellSink): unknown {
  switch (field.kind) {
    case 'number':
      return exactNumber(readNumber(cell, style.decimal), cell, path, sink);
    case 'timestamp':
      return timestamp(cell, path, style, sink);
    case 'multiplier': {
      const reading = readFactor(cell, style.decimal);
      return reading.ok ? reading.text : refuse(reading.code, `${path}: ${reading.message}`, cell, path, sink);
    }
    case 'topic':
      return /^\d+$/.test(cell) ? exactNumber(readNumber(cell, style.decimal), cell, path, sink) : cell;
    case 'boolean':
      return boolean(cell);
    case 'date':
      return date(cell, path, style, sink);
    default:
      return isJsonKind(field.kind) ? json(cell, path, sink) : cell;
  }
}

function refuse(code: IssueCode, message: string, cell: string, path: string, sink: CellSink): undefined {
  sink.findings.push(error(code, path, message, cell));
  (sink.unreadable ??= new Set()).add(path);
}

/** The number as a double, or undefined when no double is exactly it: then the reason is in the sink. */
function exactNumber(reading: NumberReading, cell: string, path: string, sink: CellSink): number | undefined {
  if (!reading.ok) return refuse(reading.code, `${path}: ${reading.message}`, cell, path, sink);
  const value = Number(reading.text);
  if (String(value) === reading.text || isExact(reading.text, value)) return value;
  const message = `${path}: ${excerpt(cell.trim())} cannot be sent exactly: it would become ${value}`;
  return refuse('inexact-number', message, cell, path, sink);
}

/** A cell in the form YYYY-MM-DD that is no date stays as it was typed: the check says what is wrong with it. */
function date(cell: string, path: string, style: CellStyle, sink: CellSink): string | undefined {
  const read = readDate(cell, style.dateOrder);
  const typed = cell.trim();
  if (ISO_LIKE.test(read) || typed === '') return read;
  const problem = dateProblem(typed, style.dateOrder, cellProblem(typed));
  return refuse('bad-date', `${path}: ${JSON.stringify(excerpt(typed))} ${problem}`, cell, path, sink);
}

const ISO_LIKE = /^\d{4}-\d{2}-\d{2}$/;

function timestamp(cell: string, path: string, style: CellStyle, sink: CellSink): number | undefined {
  const seconds = unixSeconds(cell.trim());
  if (seconds !== null) return seconds;
  const reading = readNumber(cell, style.decimal);
  const looksLikeDate = /^\s*\d{1,4}[-./]\d|:/.test(cell) && !/^\s*-?\d+\.\d+\s*$/.test(cell);
  if (reading.ok || !looksLikeDate) return exactNumber(reading, cell, path, sink);
  const message = `${path} must be a UNIX timestamp in seconds, or a date and time with an offset and without a fraction of a second, such as 2026-12-01T08:00:00+01:00`;
  return refuse('bad-date', message, cell, path, sink);
}

/** Excel writes TRUE and FALSE. Anything else stays text, which the check refuses. */
function boolean(cell: string): boolean | string {
  const folded = cell.trim().toLowerCase();
  return folded === 'true' ? true : folded === 'false' ? false : cell;
}

/** Depth 1: the value lies within a record. */
const CELL_DEPTH = 1;

function json(cell: string, path: string, sink: CellSink): unknown {
  try {
    const parsed = parseJson(cell, path, CELL_DEPTH);
    sink.findings.push(...parsed.findings);
    parsed.typed?.forEach((typed, inner) => keepTyped(inner, typed, sink));
    return parsed.value;
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const message = `${path} must be JSON text: ${cause.message} at character ${cause.offset + 1} of the cell`;
    return refuse('bad-json', message, cell, path, sink);
  }
}

/**
 * An amount of a file. What people write on the command line counts as it is, so it does not come here.
 * CONTRACT: `--currency-signs`, `--negate`.
 * @param currency of its record
 */
export function convertAmount(
  cell: string,
  path: string,
  currency: string | null,
  style: CellStyle,
  sink: CellSink,
): number | undefined {
  const signed = splitSign(cell.trim());
  const read =
    signed === null
      ? exactNumber(readNumber(cell, style.decimal), cell, path, sink)
      : signedNumber(signed, cell, path, currency, style, sink);
  const value = read === undefined ? undefined : inDirection(read, style);
  if (value !== undefined && String(value) !== cell) keepTyped(path, cell, sink);
  return value;
}

/** The amount as it counts; 0 has no direction. */
function inDirection(value: number, { negate }: CellStyle): number {
  return !negate ? value : value === 0 ? 0 : -value;
}

/** The same for the amounts of an object. */
export function turnAmounts(input: Body, fields: readonly Field[], style: CellStyle): void {
  for (const { name, money } of fields) {
    const value = input[name];
    if (money === true && typeof value === 'number') input[name] = inDirection(value, style);
  }
}

function signedNumber(
  signed: SignedAmount,
  cell: string,
  path: string,
  currency: string | null,
  { decimal, currencySigns }: CellStyle,
  sink: CellSink,
): number | undefined {
  const { sign, number, currencies } = signed;
  const reading = readNumber(number, decimal);
  const agrees = currency !== null && currencies.includes(currency);
  if (currencySigns && (agrees || !reading.ok)) return exactNumber(reading, cell, path, sink);
  const ways = reading.ok
    ? [`--currency-signs reads it as ${excerpt(reading.text)}`]
    : otherWays(number, decimal).map((way) => `--currency-signs with ${way}`);
  const disagreement = `carries ${signWords(signed)}, ${disagreementWords(signed, currency)}`;
  let problem = disagreement;
  if (!reading.ok && ways.length === 0) problem = `is not a plain number; without ${sign}, ${reading.message}`;
  else if (!currencySigns) problem = `is not a plain number; ${ways.join('; ')}${agrees ? '' : `. It ${disagreement}`}`;
  return refuse('bad-number', `${path}: ${JSON.stringify(excerpt(cell.trim()))} ${problem}`, cell, path, sink);
}

/** `£, the sign of GBP`, `the code EUR`, `$, a sign of USD and other currencies` */
function signWords({ sign, currencies }: SignedAmount): string {
  const [first = ''] = currencies;
  if (sign === first) return `the code ${sign}`;
  return currencies.length === 1 ? `${sign}, the sign of ${first}` : `${sign}, a sign of ${first} and other currencies`;
}

function disagreementWords({ currencies }: SignedAmount, currency: string | null): string {
  const [first = ''] = currencies;
  const set = `--set currency=${first}${currencies.length === 1 ? '' : ', or the one that it is'}`;
  return currency === null
    ? `and its record has no currency; a sign gives none: say ${set}, where all records are in it`
    : `and its record's currency is ${excerpt(currency)}: correct one of the two, or say ${set}, where all records are in it`;
}
