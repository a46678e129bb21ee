/** What reading takes and gives: options, records as they are in a file, and what is known of the file. */
import type { Field, Shape } from '../records/fields.js';
import type { Body, RecordType } from '../records/types.js';
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
  /** The record consists only of the cells of its columns. */
  readonly isWhole?: boolean;
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
import type { CellNotation } from './cells.js';
import type { Assignment, ColumnMapping } from './columns.js';
import type { DateColumns } from './dates.js';
import type { Encoding } from './encoding.js';
import type { Format, TextRules } from './formats.js';
import type { FilteredRows, FilterRule } from './row-filter.js';
import type { SourceOptions, ConsumedBytes } from './source.js';

export interface ReadOptions extends SourceOptions, TextRules {
  /** The name or number of a workbook's sheet, as written; null without the flag. */
  readonly sheet: string | null;
  readonly padShortRows: boolean;
  /** Rows of a table that do not fulfil all of these are not records. */
  readonly only: readonly FilterRule[];
  readonly style: CellNotation;
  readonly naming: ColumnMapping;
  /** Values that are set on every record, instead of the file's. */
  readonly assignments: readonly Assignment[];
  /** Null: the names of the file's fields decide. */
  readonly type: RecordType | null;
  /** For a list whose entries are not records, such as prices; else null. */
  readonly shape: Shape | null;
  /** Called for a table that has no column for any required field, before any other finding. */
  readonly onUnrecognisedColumns: (path: string) => void;
  /** The platform for whose shells suggested flags are quoted. */
  readonly platform: NodeJS.Platform;
  /** Called once for each file with its detected properties. */
  readonly onDetected: (path: string, text: string) => void;
}

/** The detected properties of a file; complete after the last record. */
export interface FileInfo {
  readonly path: string;
  /** Of its records; null until its columns, or its first object, have been read. */
  type: RecordType | null;
  sha256: string;
  records: number;
  /** Names of the fields in a header; null if records have names of fields themselves. */
  fields: readonly string[] | null;
  /** Columns and members that were dropped, by the file's names; with a warning if one may be meant for a field. */
  readonly dropped: Map<string, Finding | null>;
  /** The detected properties of a workbook's sheet. */
  sheet?: SheetFacts;
  sheetName: string | null;
  /** The orders that read the dates of a table. */
  dates?: DateColumns;
  /** Hash of the reference that all its records, three or more, share; else null. */
  reference: number | null;
  /** If only some rows are read. */
  leftOut?: FilteredRows;
}

/** For a file that is not read yet. */
export function newFileInfo(path: string): FileInfo {
  return {
    path,
    type: null,
    sha256: '',
    records: 0,
    fields: null,
    dropped: new Map(),
    sheetName: null,
    reference: null,
  };
}

/** Results of a sheet's first reading that the second one needs. */
export interface SheetFacts {
  readonly name: string;
  /** Row of the header; 0 for no header. */
  readonly headerRow: number;
  /** Places of rows, from 1, that are refused here, but would be accepted as CSV. Complete after the last record. */
  readonly unsound: Set<number>;
  /** Columns whose numbers are sent as written: they have only one reading, so no zero is added to them. */
  readonly factors: ReadonlySet<number>;
}

/** Results of the first reading that a second reading of the same bytes needs. */
export interface RereadInfo extends ConsumedBytes {
  readonly encoding: Encoding;
  /** Null if not known. */
  readonly format: Format | null;
  readonly sheet?: SheetFacts | undefined;
  readonly leftOut?: FilteredRows | undefined;
  /** Whether the file was read to its end, and not only to the fault that ended the reading. */
  readonly complete: boolean;
}

/** A person's flags about how a file is written, as a second reading needs them. */
export interface RereadRules extends TextRules {
  readonly style: CellNotation;
}

export interface OpenedFile {
  readonly info: FileInfo;
  /** The records, in order. @throws FileFault, UsageError */
  readonly chunks: () => AsyncIterable<RawRecord[]>;
  /** Known after the records have been read, to their end or to a fault. Null before, and if there are no bytes. */
  readonly rereadInfo: () => RereadInfo | null;
}
