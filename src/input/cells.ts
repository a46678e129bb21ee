/** Converts the text of a CSV cell or a flag to its field's value. Empty cells never get here: the field is absent. */
import { type Field, type FieldKind, isJsonKind } from '../records/fields.js';
import type { Body } from '../records/types.js';
import { type Finding, type IssueCode, error, excerpt } from '../records/issue.js';
import { isSpreadsheetError } from '../records/spreadsheet-errors.js';
import { spreadsheetError } from '../records/text-doubts.js';
import type { DecimalMark, NumberReading, SignedAmount } from './numbers.js';
import { isExact, otherWays, readMultiplier, readNumber, splitSign, unreadNumbers } from './numbers.js';
import { type DateColumns, dateProblem, type OtherDate, otherDates, readDate, timedDate } from './dates.js';
import { JsonSyntaxError, parseJson } from './json-parser.js';
import { timestampProblem } from './timestamp-text.js';
import { readTimestamp, type TimeNotation } from './timestamps.js';

/** The notation of numbers, dates and times. */
export interface CellNotation extends TimeNotation {
  readonly decimal: DecimalMark | null;
  /** Amounts may have the sign or the code of their record's currency. */
  readonly currencySigns: boolean;
  /** Amounts change their sign. */
  readonly negate: boolean;
  /** Spaces around IDs, codes and choices are no part of them. */
  readonly trim: boolean;
}

const TRIMMED: ReadonlySet<FieldKind> = new Set(['id', 'currency', 'choice', 'yes-no', 'topic']);

/** Whether `--trim` concerns a field. */
export function isTrimmable(kind: FieldKind): boolean {
  return TRIMMED.has(kind);
}

/** A cell without the spaces that are no part of its value. Empty: the field is absent. CONTRACT: `--trim`. */
export function trimmedCell(cell: string, kind: FieldKind, { trim }: CellNotation): string {
  return trim && isTrimmable(kind) ? cell.trim() : cell;
}

/** Results of conversions. */
export interface ConversionFindings {
  readonly findings: readonly Finding[];
  /** Dot paths of values that could not be read. */
  readonly unreadable: ReadonlySet<string> | undefined;
}

/** Converts the cells of one record, and collects the findings. */
export class CellConverter implements ConversionFindings {
  readonly findings: Finding[];
  /** Created on first use, since most rows need none. */
  unreadable: Set<string> | undefined;
  /** Cells whose value prints differently, by dot path (`0.00`, `01.11.2026`): messages show what was typed. */
  typed: Map<string, string> | undefined;
  private readonly style: CellNotation;
  private readonly dates: DateColumns | undefined;

  /**
   * @param start findings in every record, from values that are set for all
   * @param dates takes note of the dates of a file
   */
  constructor(style: CellNotation, start?: ConversionFindings, dates?: DateColumns) {
    this.style = style;
    this.dates = dates;
    this.findings = [...(start?.findings ?? [])];
    this.unreadable = start?.unreadable === undefined ? undefined : new Set(start.unreadable);
  }

  /** The field's value, or undefined if the text is not one: then the reason is among the findings. */
  convert(field: Field, cell: string, path: string): unknown {
    const value = this.converted(field, cell, path);
    if (typeof value === 'number' || typeof value === 'string') this.keepTyped(path, cell, value);
    return value;
  }

  /**
   * An amount from a file. Amounts on the command line count as they are, so they do not come here. CONTRACT:
   * `--currency-signs`, `--negate`.
   * @param currency of its record
   */
  convertAmount(cell: string, path: string, currency: string | null): number | undefined {
    const signed = splitSign(cell.trim());
    const read = signed === null ? this.number(cell, path) : this.signed(signed, cell, path, currency);
    if (read === undefined) return undefined;
    const value = inDirection(read, this.style);
    this.keepTyped(path, cell, value);
    return value;
  }

  /** A number, a boolean or an object that a program has written: whether the field takes it, the check says. */
  keepJson({ money }: Field, path: string, text: string, value: unknown): unknown {
    if (typeof value !== 'number') return value;
    const kept = money === true ? inDirection(value, this.style) : value;
    this.keepTyped(path, text, kept);
    return kept;
  }

  private refuse(code: IssueCode, path: string, problem: string, cell: string): undefined {
    const finding = isSpreadsheetError(cell)
      ? spreadsheetError(path, cell)
      : error(code, path, `${path}: ${problem}`, cell);
    this.findings.push(finding);
    (this.unreadable ??= new Set()).add(path);
  }

  private keepTyped(path: string, text: string, value: number | string): void {
    if (value !== text && String(value) !== text) (this.typed ??= new Map<string, string>()).set(path, text);
  }

  private converted(field: Field, cell: string, path: string): unknown {
    switch (field.kind) {
      case 'number':
        return this.number(cell, path);
      case 'timestamp':
        return this.timestamp(cell, path);
      case 'multiplier': {
        const reading = readMultiplier(cell, this.style.decimal);
        return reading.ok ? reading.text : this.refuse(reading.code, path, reading.message, cell);
      }
      case 'topic':
        return /^\d+$/.test(cell) ? this.number(cell, path) : cell;
      case 'boolean': {
        // Excel writes TRUE and FALSE. Anything else stays text, which the check refuses.
        const folded = cell.trim().toLowerCase();
        if (folded === 'true') return true;
        return folded === 'false' ? false : cell;
      }
      case 'date':
        return this.date(cell, path);
      default:
        return isJsonKind(field.kind) ? this.json(cell, path) : cell;
    }
  }

  private number(cell: string, path: string): number | undefined {
    return this.exact(readNumber(cell, this.style.decimal), cell, path);
  }

  /** The number as a double, or undefined if no double equals it exactly. */
  private exact(reading: NumberReading, cell: string, path: string): number | undefined {
    if (!reading.ok) return this.refuse(reading.code, path, reading.message, cell);
    const value = Number(reading.text);
    if (String(value) === reading.text || isExact(reading.text, value)) return value;
    const problem = `${excerpt(cell.trim())} cannot be sent exactly: it would become ${value}`;
    return this.refuse('inexact-number', path, problem, cell);
  }

  /** A wrong date in the form YYYY-MM-DD stays as typed: the check explains the problem. */
  private date(cell: string, path: string): string | undefined {
    const { dateOrder } = this.style;
    const read = readDate(cell, dateOrder);
    const typed = cell.trim();
    // An ISO date is read under every order.
    if (!ISO_LIKE.test(typed)) this.dates?.see(path, typed);
    if (ISO_LIKE.test(read) || typed === '') return read;
    const dates = otherDates(typed);
    const problem = `${JSON.stringify(excerpt(typed))} ${dateProblem(typed, dateOrder, dates)}`;
    return this.refuseDate(problem, path, cell, dates);
  }

  /** @param dates as other orders read the text */
  private refuseDate(problem: string, path: string, cell: string, dates: readonly OtherDate[]): undefined {
    this.findings.push({ ...error('bad-date', path, `${path}: ${problem}`, cell), dates });
    (this.unreadable ??= new Set()).add(path);
  }

  private timestamp(cell: string, path: string): number | undefined {
    const reading = readTimestamp(cell, this.style);
    if (reading.ok) return reading.seconds;
    const { fault } = reading;
    const typed = cell.trim();
    const problem = timestampProblem(typed, fault, this.style);
    if (fault.kind === 'no date') {
      const number = readNumber(cell, this.style.decimal);
      const looksLikeDate = /^\d{1,4}[-./]\d|:/.test(typed) && !/^\d+\.\d+$/.test(typed);
      if (number.ok || !(looksLikeDate || /\p{L}/u.test(typed))) return this.exact(number, cell, path);
      return this.refuse(looksLikeDate ? 'bad-date' : 'bad-number', path, problem, cell);
    }
    if (fault.kind !== 'other order') return this.refuse('bad-date', path, problem, cell);
    this.dates?.see(path, timedDate(typed)?.day ?? typed);
    return this.refuseDate(problem, path, cell, fault.dates);
  }

  private json(cell: string, path: string): unknown {
    try {
      const parsed = parseJson(cell, path, CELL_DEPTH);
      this.findings.push(...parsed.findings);
      parsed.typed?.forEach((typed, inner) => (this.typed ??= new Map<string, string>()).set(inner, typed));
      return parsed.value;
    } catch (cause) {
      if (!(cause instanceof JsonSyntaxError)) throw cause;
      const problem = `it must be JSON text: ${cause.message} at character ${cause.offset + 1} of the cell`;
      return this.refuse('bad-json', path, problem, cell);
    }
  }

  private signed(signed: SignedAmount, cell: string, path: string, currency: string | null): number | undefined {
    const { sign, number, currencies } = signed;
    const { decimal, currencySigns } = this.style;
    const reading = readNumber(number, decimal);
    const agrees = currency !== null && currencies.includes(currency);
    if (currencySigns && (agrees || !reading.ok)) return this.exact(reading, cell, path);
    const found = JSON.stringify(excerpt(cell.trim()));
    const set = `say --set currency=${currencies[0]}, where all records are in it`;
    const other = currency === null ? `has no currency; ${set}` : `is in ${excerpt(currency)}: correct one, or ${set}`;
    if (currencySigns)
      return this.refuse('bad-number', path, `${found} carries ${sign}, and its record ${other}`, cell);
    const ways = reading.ok
      ? [`--currency-signs reads it as ${excerpt(reading.text)}${agrees ? '' : `. But its record ${other}`}`]
      : otherWays(number, decimal).map((way) => `--currency-signs with ${way}`);
    const meant = unreadNumbers(number, decimal);
    const rest = meant.length === 0 ? 'is not a number either' : `means ${meant.join(' or ')}`;
    const problem = ways.join('; ') || `it has a currency, and the rest ${rest}`;
    return this.refuse('bad-number', path, `${found} is not a plain number; ${problem}`, cell);
  }
}

const ISO_LIKE = /^\d{4}-\d{2}-\d{2}$/;

/** Depth 1: the value lies within a record. */
const CELL_DEPTH = 1;

/** Applies `--negate`; 0 has no sign. */
function inDirection(value: number, { negate }: CellNotation): number {
  if (!negate) return value;
  return value === 0 ? 0 : -value;
}

/** Applies `--negate` to the amounts of an object. */
export function turnAmounts(input: Body, fields: readonly Field[], style: CellNotation): void {
  for (const { name, money } of fields) {
    const value = input[name];
    if (money === true && typeof value === 'number') input[name] = inDirection(value, style);
  }
}
