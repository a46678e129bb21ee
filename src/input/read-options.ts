/** What reading takes and gives beside the records: options, and what is known of a file. */
import type { FieldKind, Shape } from '../records/fields.js';
import type { Finding } from '../records/issue.js';
import type { RecordType } from '../records/types.js';
import type { CellNotation } from './cells.js';
import type { Assignment, ColumnMapping } from './columns.js';
import type { DateColumns } from './dates.js';
import type { Encoding } from './encoding.js';
import type { Overrides } from './overrides.js';
import type { Format, TextRules } from './formats.js';
import type { KnownValues } from './known-values.js';
import type { FilteredRow, FilteredRows } from './filtered-rows.js';
import type { ProfileSheet } from './profile-sheet.js';
import type { RecordTemplate } from './template.js';
import type { FilterRule } from './filtered-rows.js';
import type { ColumnBinding, RawRecord } from './raw-record.js';
import type { SourceOptions, ConsumedBytes } from './source.js';

export interface ReadOptions extends SourceOptions, TextRules {
  /** The name or number of a workbook's sheet, as written; null without the flag. */
  readonly sheet: string | null;
  /** If a profile names it; null if a flag does. */
  readonly profileSheet: ProfileSheet | null;
  readonly padShortRows: boolean;
  /** Rows of a table that do not fulfil all of these are not records. */
  readonly only: readonly FilterRule[];
  /** Columns of a table, each with the only values that it may have. */
  readonly knownValues: readonly KnownValues[];
  readonly style: CellNotation;
  readonly naming: ColumnMapping;
  /** The record that each row fills in: its columns are variables, not fields. Null: its columns are fields. */
  readonly template: RecordTemplate | null;
  /** Total rows are records. */
  readonly allowTotalRow: boolean;
  /** Values that are set on every record, instead of the file's. */
  readonly assignments: readonly Assignment[];
  /** Null: the names of the file's fields decide. */
  readonly type: RecordType | null;
  /** For a list whose entries are not records, such as prices; else null. */
  readonly shape: Shape | null;
  /** Called for a table that has no column for any required field, before any other finding. */
  readonly onUnrecognisedColumns: (path: string) => void;
  /** Called for each row that a rule of `only` filters out. */
  readonly onFiltered?: ((row: FilteredRow) => void) | undefined;
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
  /** The letters beyond ASCII may be others. Known before the first of them is read. */
  isEncodingGuessed: boolean;
  /** That the guessed encoding has most likely read a column name wrongly; and the line of the header. */
  nameDoubt: { readonly finding: Finding; readonly line: number } | null;
  /** Columns and members that were dropped, by the file's names; with a warning if one may be meant for a field. */
  readonly dropped: Map<string, Finding | null>;
  /** The columns of a table, once its header has been read; and the currency of a row's record. */
  columns?: TableColumns;
  currencyOf?: (cells: readonly string[]) => string | null;
  /** The template that does not use those columns; null without one. */
  template: string | null;
  /** The table has no column for any required field. */
  isUnrecognised: boolean;
  /** The detected properties of a workbook's sheet. */
  sheet?: SheetFacts;
  sheetName: string | null;
  /** The orders that read the dates of a table. */
  dates?: DateColumns;
  /** Hash of the reference that all its records, three or more, share; else null. */
  reference: number | null;
  /** If values are set on every record: those of the file that they replace. */
  overrides?: Overrides;
  /** If only some rows are read. */
  filtered?: FilteredRows;
}

/** For a file that is not read yet. */
export function newFileInfo(path: string): FileInfo {
  return {
    path,
    type: null,
    sha256: '',
    records: 0,
    fields: null,
    isEncodingGuessed: false,
    nameDoubt: null,
    dropped: new Map(),
    isUnrecognised: false,
    template: null,
    sheetName: null,
    reference: null,
  };
}

/** The columns of a table, as its header and the flags name them. */
export interface TableColumns {
  /** Of all columns, without the spaces around them. */
  readonly names: readonly string[];
  /** Those of fields. */
  readonly fields: readonly ColumnBinding[];
  /** Those whose texts decide which rows are read. */
  readonly compared: ReadonlySet<number>;
}

/** Results of a sheet's first reading that the second one needs. */
export interface SheetFacts {
  readonly name: string;
  /** Row of the header; 0 for no header. */
  readonly headerRow: number;
  /** Places of rows, from 1, that are refused here, but would be accepted as CSV. Complete after the last record. */
  readonly unsound: Set<number>;
  /** Of the fields of columns, by index. */
  readonly kinds: ReadonlyMap<number, FieldKind>;
  /** Complete after the last record. */
  readonly seen: {
    readonly currencies: readonly ColumnCurrency[];
    readonly mixedDates: readonly ColumnDates[];
  };
}

/** A column with amounts whose records have no currency: the one that the formats of its cells show. */
export interface ColumnCurrency {
  /** Of the column's field. */
  readonly path: string;
  readonly sign: string;
  /** Its possible codes. */
  readonly codes: readonly string[];
  /** The first cell that shows it. */
  readonly address: string;
}

export interface DateCell {
  readonly address: string;
  /** From 1. */
  readonly row: number;
  readonly text: string;
}

/** A column with dates of which some are dates for the spreadsheet, and some only texts. */
export interface ColumnDates {
  /** Of the column's field. */
  readonly path: string;
  readonly realDates: number;
  readonly texts: number;
  /** One of each. */
  readonly real: DateCell;
  /** The real date with day and month swapped; null if that is no other date. */
  readonly swapped: string | null;
  readonly text: DateCell;
}

/** Results of the first reading that a second reading of the same bytes needs. */
export interface RereadInfo extends ConsumedBytes {
  readonly encoding: Encoding;
  /** Null if not known. */
  readonly format: Format | null;
  readonly info: FileInfo;
  /** Whether the file was read to its end, and not only to the fault that ended the reading. */
  readonly complete: boolean;
}

/** A person's flags about how a file is written, as a second reading needs them. */
export interface RereadRules extends TextRules {
  readonly style: CellNotation;
}

export interface OpenedFile {
  readonly info: FileInfo;
  /** The records, in order. @param onFiltered is told of the rows that are none. @throws FileFault, UsageError */
  readonly chunks: (onFiltered?: (row: FilteredRow) => void) => AsyncIterable<RawRecord[]>;
  /** Known after the records have been read, to their end or to a fault. Null before, and if there are no bytes. */
  readonly rereadInfo: () => RereadInfo | null;
}
