/** A CSV cell or a flag's text → the value that its field takes. An empty cell never gets here: it is an absent field. */
import { unixSeconds } from '../records/calendar.js';
import { type Field, isJsonKind } from '../records/field.js';
import { type Finding, type IssueCode, error, excerpt } from '../records/issue.js';
import type { WaitingAmount } from './currency-signs.js';
import { dateProblem, type DateOrder, otherDates, readDate } from './dates.js';
import { JsonSyntaxError, parseJson } from './json-text.js';
import { cellProblem, type DecimalMark, isExact, type NumberReading, readFactor, readNumber } from './numbers.js';

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

/** Collects what conversions find. */
export interface CellSink {
  readonly findings: Finding[];
  /** Dot paths of values that could not be read; made with the first one, since most rows have none. */
  unreadable: Set<string> | undefined;
  /** Cells whose value prints differently, by dot path (`0.00`, `01.11.2026`): messages show what was typed. */
  typed: Map<string, string> | undefined;
  /** Amounts with a currency's sign: they are read once the record's currency is known. */
  signed: WaitingAmount[] | undefined;
}

export function emptySink(): CellSink {
  return { findings: [], unreadable: undefined, typed: undefined, signed: undefined };
}

/** The field's value, or undefined when the text is no value of this field: then the reason is in the sink. */
export function convertCell(field: Field, cell: string, path: string, style: CellStyle, sink: CellSink): unknown {
  const value = converted(field, cell, path, style, sink);
  if ((typeof value === 'number' || typeof value === 'string') && String(value) !== cell) keepTyped(path, cell, sink);
  return value;
}

export function keepTyped(path: string, text: string, sink: CellSink): void {
  (sink.typed ??= new Map<string, string>()).set(path, text);
}

/** A result's own price in JSON's notation, or undefined when the text is no number: then the reason is in the sink. */
export function convertPrice(cell: string, path: string, style: CellStyle, sink: CellSink): string | undefined {
  const price = exactNumber(readNumber(cell, style.decimal), cell, path, sink);
  return price === undefined ? undefined : String(price);
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

export function refuse(code: IssueCode, message: string, cell: string, path: string, sink: CellSink): undefined {
  sink.findings.push(error(code, path, message, cell));
  (sink.unreadable ??= new Set()).add(path);
}

/** The number as a double, or undefined when no double is exactly it: then the reason is in the sink. */
export function exactNumber(reading: NumberReading, cell: string, path: string, sink: CellSink): number | undefined {
  if (!reading.ok) return refuse(reading.code, `${path}: ${reading.message}`, cell, path, sink);
  const value = Number(reading.text);
  if (String(value) === reading.text || isExact(reading.text, value)) return value;
  const message = `${path}: ${excerpt(cell.trim())} cannot be sent exactly: it would become ${value}`;
  return refuse('inexact-number', message, cell, path, sink);
}

/** A cell in the form YYYY-MM-DD that is no date stays as it was typed: the check says what is wrong with it. */
function date(cell: string, path: string, style: CellStyle, sink: CellSink): string | undefined {
  const read = readDate(cell, style.dateOrder);
  if (ISO_LIKE.test(read)) return read;
  const typed = cell.trim();
  if (typed === '') return read;
  const ways = otherDates(cell);
  const problem =
    (ways.length === 0 ? (dateProblem(cell) ?? cellProblem(typed)) : null) ??
    [`is not written as ${WRITTEN[style.dateOrder]}`, ...ways].join('; ');
  const message = `${path}: ${JSON.stringify(excerpt(typed))} ${problem}`;
  return refuse('bad-date', message, cell, path, sink);
}

const ISO_LIKE = /^\d{4}-\d{2}-\d{2}$/;
const WRITTEN: Readonly<Record<DateOrder, string>> = {
  ymd: 'year-month-day, such as 2026-11-01',
  dmy: 'day, month, year, such as 01.11.2026',
  mdy: 'month, day, year, such as 11/01/2026',
};

function timestamp(cell: string, path: string, style: CellStyle, sink: CellSink): number | undefined {
  const seconds = unixSeconds(cell.trim());
  if (seconds !== null) return seconds;
  const reading = readNumber(cell, style.decimal);
  const looksLikeDate = /^\s*\d{1,4}[-./]\d|:/.test(cell) && !/^\s*-?\d+\.\d+\s*$/.test(cell);
  if (reading.ok || !looksLikeDate) return exactNumber(reading, cell, path, sink);
  const problem = timestampProblem(cell.trim());
  const message = `${path} must be a UNIX timestamp in seconds, or a date and time with an offset, such as 2026-12-01T08:00:00+01:00${problem}`;
  return refuse('bad-date', message, cell, path, sink);
}

const FRACTION = /(:\d{2})[.,]\d+/;

/** What keeps a date and time from being read: a fraction of a second, a missing offset; empty for anything else. */
function timestampProblem(typed: string): string {
  const whole = typed.replace(FRACTION, '$1');
  const problems = whole === typed ? [] : ['fractions of a second are not read'];
  if (unixSeconds(whole) !== null) return `; ${problems.join()}`;
  if (unixSeconds(`${whole}Z`) === null) return '';
  return `; ${[...problems, 'this one has no offset from UTC, such as Z or +01:00'].join(', and ')}`;
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
