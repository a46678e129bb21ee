/** What reading is asked to do, and what it finds out about a file. */
import type { Finding } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import type { CellStyle } from './cells.js';
import type { Assignment, Naming } from './columns.js';
import type { Encoding } from './encoding.js';
import type { Format, TextRules } from './formats.js';
import type { LeftOut, OnlyRule } from './only-rows.js';
import type { RawRecord } from './raw.js';
import type { SourceOptions, Taken } from './source.js';

export interface ReadOptions extends SourceOptions, TextRules {
  /** The name or number of a workbook's sheet, as it was written; null where it is not said. */
  readonly sheet: string | null;
  readonly padShortRows: boolean;
  /** Rows of a table that do not fulfil all of these are no records. */
  readonly only: readonly OnlyRule[];
  readonly style: CellStyle;
  readonly naming: Naming;
  /** Values that are set on every record, instead of the file's. */
  readonly assignments: readonly Assignment[];
  /**
   * The shape of the file's records, by the names of its fields.
   * @param advice what to do where they do not tell it
   * @throws UsageError when they do not
   */
  readonly shapeFor: (names: readonly string[], advice?: () => string | null) => Shape;
  /** Called for a table whose columns give none of the fields that its records need, before anything else is found. */
  readonly strange: () => void;
  /** The platform for whose shells suggested flags are quoted. */
  readonly platform: NodeJS.Platform;
  /** Called once for each file with what was found out about it. */
  readonly detected: (path: string, what: string) => void;
}

/** What reading found out about a file; complete after the last record. */
export interface FileFacts {
  readonly path: string;
  sha256: string;
  records: number;
  /** Names of the fields that a header gives; null where records name their own. */
  fields: readonly string[] | null;
  /** Columns and members that were dropped, as the file names them; with a warning where one may be meant for a field. */
  readonly dropped: Map<string, Finding | null>;
  /** Of a workbook: what was found out about its sheet. */
  sheet?: SheetFacts;
  /** Where only some rows are read. */
  leftOut?: LeftOut;
}

/** Of a file that nothing is known of yet. */
export function unreadFacts(path: string): FileFacts {
  return { path, sha256: '', records: 0, fields: null, dropped: new Map() };
}

/** What the first reading of a sheet finds out, and the second one needs. */
export interface SheetFacts {
  readonly name: string;
  /** Of the header; 0 where there is none. */
  readonly headerRow: number;
  /** Places of rows, from 1, that are refused here, but would be taken where their texts stand in CSV. Complete after the last record. */
  readonly unsound: Set<number>;
  /** Columns whose numbers are sent as they are written: they have one reading, and no zero is put behind them. */
  readonly factors: ReadonlySet<number>;
}

/** What a second reading of the same bytes needs from the first. */
export interface FirstReading extends Taken {
  readonly encoding: Encoding;
  /** Null where that was not found out. */
  readonly format: Format | null;
  readonly sheet?: SheetFacts | undefined;
  readonly leftOut?: LeftOut | undefined;
  /** Whether the file was read to its end, and not only to the fault that ended the reading. */
  readonly complete: boolean;
}

export interface OpenedFile {
  readonly facts: FileFacts;
  /** Batches of records, in order. @throws FileFault, UsageError */
  readonly records: () => AsyncIterable<RawRecord[]>;
  /** Known when the records have been read, to their end or to a fault; null before, and where there are no bytes. */
  readonly firstReading: () => FirstReading | null;
}
