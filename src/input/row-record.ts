/** A row that fits its header, as a raw record. */
import type { Finding } from '../records/issue.js';
import { CellConverter } from './cells.js';
import type { BoundAssignments } from './columns.js';
import type { Header } from './csv-header.js';
import type { ColumnBinding, RawContent, RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { ownText } from './result-columns.js';
import type { ExpectedValue, Row } from './rows.js';

/** What is wrong with cells, by index. */
export type CellFindings = ReadonlyMap<number, Finding>;

/** How the rows of one table become records: shared by all of them. */
export interface RowReading {
  readonly header: Header;
  /** The fields' columns that are used: no flag sets their field for every record. */
  readonly columns: readonly ColumnBinding[];
  /** What the cells of a workbook must be able to be; each once for a column. */
  readonly uses: readonly ExpectedValue[];
  /** No other source fills fields of a record: it has only the cells of its columns. */
  readonly isWhole: boolean;
  readonly given: BoundAssignments;
  readonly options: ReadOptions;
  readonly info: FileInfo;
  /** The record's currency. */
  readonly currencyOf: (cells: readonly string[]) => string | null;
  readonly contentOf: (row: RowRecord, found: CellConverter) => RawContent;
  /** Takes note of each record, in order, for what must be known at the file's end; null if nothing must. */
  readonly note: ((row: RowRecord) => void) | null;
}

/** Its cells are converted only on demand, since most rows do not need it. */
export class RowRecord implements RawRecord {
  readonly record: number;
  readonly line: number;
  readonly sheetRow: number | undefined;
  readonly cells: readonly string[];
  readonly columns: readonly ColumnBinding[];
  /** Cells that cannot be the value of their field, whatever their text is; or that cannot decide whether the row is read. */
  readonly refused: CellFindings;
  private readonly reading: RowReading;
  private content: RawContent | null = null;

  /** @param record 0 for a row that is filtered out, which is no record. @param untold cells that leave the row open */
  constructor(record: number, row: Row, reading: RowReading, untold: CellFindings) {
    this.record = record;
    this.line = row.line;
    this.sheetRow = sheetRowOf(row);
    this.cells = row.cells;
    this.columns = reading.header.columns;
    this.reading = reading;
    // At once: what the cells of a column show together must be known at the file's end.
    this.refused = row.refusalOf === undefined ? untold : refusedCells(row, reading, untold);
  }

  get isWhole(): boolean {
    return this.reading.isWhole && this.refused.size === 0;
  }

  get template(): string | undefined {
    return this.reading.info.template ?? undefined;
  }

  get isOfSheet(): boolean {
    return this.reading.info.sheet !== undefined;
  }

  get isEncodingGuessed(): boolean {
    return this.reading.info.isEncodingGuessed;
  }

  get replaces(): string | undefined {
    return ownText(this.cells, this.reading.header.key);
  }

  get lacksKey(): boolean {
    return this.reading.header.key !== null && this.replaces === undefined;
  }

  read(): RawContent {
    return (this.content ??= this.reading.contentOf(this, this.converter()));
  }

  private converter(): CellConverter {
    const { options, given, info } = this.reading;
    const found = new CellConverter(options.style, given, info.dates);
    for (const refusal of this.refused.values()) {
      found.findings.push(refusal);
      if (refusal.field !== null) (found.unreadable ??= new Set()).add(refusal.field);
    }
    return found;
  }
}

/** The row's number in a spreadsheet, if it differs from the line. */
export function sheetRowOf({ row, line }: Row): number | undefined {
  return row === line ? undefined : row;
}

function refusedCells({ refusalOf, cells }: Row, { uses, currencyOf }: RowReading, untold: CellFindings): CellFindings {
  let refused: Map<number, Finding> | null = null;
  const currency = currencyOf(cells);
  for (const use of uses) {
    const refusal = refusalOf?.(use, currency) ?? null;
    if (refusal !== null) (refused ??= new Map(untold)).set(use.index, refusal);
  }
  return refused ?? untold;
}
