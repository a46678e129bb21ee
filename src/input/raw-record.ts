/** Records as they are in a file, and a fault that ends the reading. */
import type { Field } from '../records/fields.js';
import type { Body } from '../records/types.js';
import { type Finding, type Issue, type IssueCode, shownValue } from '../records/issue.js';

/** A record's place, what was typed, and its content, which is read only if the cells alone are not enough. */
export interface RawRecord {
  /** Counts from 1 in each file. */
  readonly record: number;
  /** The line on which the record starts, as an editor numbers it; null in a JSON array. */
  readonly line: number | null;
  /** The row in a spreadsheet, if it differs from the line. */
  readonly sheetRow?: number | undefined;
  /** The JSON object as in the file, if flags replace some of its fields. */
  readonly source?: Body;
  /** The cells of a CSV row as typed. */
  readonly cells?: readonly string[];
  /** The file's columns that are fields, also those that a flag replaces: one list for all rows. */
  readonly columns?: readonly ColumnBinding[];
  /** The path of the template that the row has filled in. */
  readonly template?: string | undefined;
  /** It is a row of a workbook. */
  readonly isOfSheet?: boolean;
  /** The record consists only of the cells of its columns. */
  readonly isWhole?: boolean;
  /** The encoding of its file was guessed: its letters may be others. */
  readonly isEncodingGuessed?: boolean;
  /** Key of the rejected payment that this record replaces, from a rejects file; blank for none. */
  readonly replaces?: string | undefined;
  /** The file has the column for that key, and the record none: it was invalid. */
  readonly lacksKey?: boolean;
  readonly read: () => RawContent;
}

export interface RawContent {
  /** Null if there is no object to check (a row of the wrong length, a JSON value that is not an object). */
  readonly input: Body | null;
  /** Findings while reading: cells that are not numbers, duplicate fields. */
  readonly findings: readonly Finding[];
  /** Dot paths that were reported already and must not be called missing. */
  readonly unreadable?: ReadonlySet<string> | undefined;
  /** Values as typed, by dot path, if they print differently (`1.50`). */
  readonly typed?: ReadonlyMap<string, string> | undefined;
}

export interface ColumnBinding {
  /** Index of the cell in a row. */
  readonly index: number;
  /** The column's name in the file. */
  readonly name: string;
  readonly path: string;
  readonly field: Field;
}

/** A fault that ends the reading of a file: the rest cannot be trusted. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly code: IssueCode;
  /** As an editor numbers it, or null when the fault is not in one line. */
  readonly line: number | null;
  readonly value: string | null;
  constructor(code: IssueCode, line: number | null, message: string, value: string | null = null) {
    super(message);
    this.code = code;
    this.line = line;
    this.value = value === null ? null : shownValue(value);
  }
}

/** The issue for a fault. No flag skips it. */
export function faultIssue({ code, line, message, value }: FileFault, file: string): Issue {
  return { severity: 'error', code, file, record: null, line, field: null, message, value, fault: true };
}

/** CRLF, LF and CR count as one each. */
export function countLineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) if (text[at + 1] !== '\n') count++;
  return count;
}
