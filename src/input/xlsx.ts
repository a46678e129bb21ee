/**
 * A workbook (`.xlsx`) → raw records: the table that a person sees in one of its sheets. Its rows are made rows of CSV, in
 * the notation that the flags declare, and read on as those are. What CSV cannot say is judged beside them: a number that
 * is shown as another one, a date where a text belongs, what is hidden or merged. docs/design/workbooks.md
 */
import { type Finding, error } from '../records/issue.js';
import { bindRows, type BoundRows } from './bind-rows.js';
import type { DecimalMark } from './numbers.js';
import type { RawRecord } from './raw.js';
import type { FileFacts, ReadOptions, SheetFacts } from './reading.js';
import type { Row } from './rows.js';
import { addressOf } from './xlsx/cell.js';
import { isRefusedInCsv, refusalOf } from './xlsx/judge.js';
import type { SheetRow } from './xlsx/sheet.js';
import { openTable, rowCells, type SheetTable, titleCells } from './xlsx/sheet-table.js';
import { openSheet } from './xlsx/workbook.js';

/** @throws FileFault, UsageError */
export async function* readXlsx(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  facts: FileFacts,
): AsyncIterable<RawRecord[]> {
  const { headerLine, naming, style } = options;
  const sheet = await openSheet(chunks, facts.path, options.sheet, options.stop);
  const table = sheet === null ? null : await openTable(sheet, headerLine ?? 1, naming.ignore);
  if (sheet === null || table === null) return;
  const { headerRow, names } = table;
  const header = { cells: names, line: headerRow, row: headerRow };
  // For advice about the header, the sheet's start is made CSV too, with a line for each row.
  const dialect = { delimiter: ',', preamble: '', headerLine: headerLine === 0 ? 0 : headerRow, head: headOf(table) };
  const bound = bindRows(header, misfit, dialect, { ...options, delimiter: ',' }, facts);
  const factors = bound.header.columns.filter(({ field }) => field.kind === 'multiplier');
  const found: SheetFacts = {
    ...{ name: sheet.name, headerRow: headerLine === 0 ? 0 : headerRow, unsound: new Set() },
    factors: new Set(factors.map(({ index }) => index)),
  };
  facts.sheet = found;
  yield* recordsOf(table, bound, style.decimal, found);
}

function misfit({ fault = null }: Row): Finding | null {
  if (fault === null) return null;
  return { ...error('bad-csv', null, `${fault.found}; ${fault.remedy}`, fault.value), fault: true };
}

async function* recordsOf(
  table: SheetTable,
  bound: BoundRows,
  mark: DecimalMark | null,
  facts: SheetFacts,
): AsyncIterable<RawRecord[]> {
  let record = 0;
  for await (const batch of table.rows)
    yield batch.map((row) => bound.read(judgedRow(row, ++record, table, mark, facts)));
}

/** The row in CSV, with what its cells are beside their texts. */
function judgedRow(
  row: SheetRow,
  record: number,
  table: SheetTable,
  mark: DecimalMark | null,
  { unsound, factors }: SheetFacts,
): Row {
  const { cells, typed, fault } = rowCells(row, table, mark, factors);
  const place = { cells, line: row.row, row: row.row };
  if (fault !== null) {
    unsound.add(record);
    return { ...place, fault };
  }
  if (typed === undefined) return place;
  return {
    ...place,
    refusalOf: (wanted) => {
      const cell = typed[wanted.index];
      const refusal = cell === undefined ? null : refusalOf(cell, wanted, addressOf(wanted.index, row.row));
      if (refusal !== null && !isRefusedInCsv(wanted.kind)) unsound.add(record);
      return refusal;
    },
  };
}

/** What a person has declared of how a file is written. */
export interface DeclaredStyle {
  readonly delimiter: string;
  readonly headerLine: number | null;
  readonly decimal: DecimalMark | null;
}

export interface SheetAsCsv {
  /** The lines above the header, each ended by CRLF: as many as `--header-line` says. */
  readonly preamble: string;
  /** The header first; numbers of columns, where there is none. */
  readonly rows: AsyncIterable<Row[]>;
}

/**
 * Reads a sheet again, as CSV that is read as the same records under the same flags.
 * @param facts what the first reading found
 * @throws FileFault
 */
export async function readSheetAsCsv(
  chunks: AsyncIterable<Buffer>,
  { delimiter, headerLine, decimal }: DeclaredStyle,
  facts: SheetFacts,
): Promise<SheetAsCsv> {
  // What may be hidden, the first reading has judged.
  const table = await wholeTable(chunks, '', facts.name, headerLine);
  if (table === null) return { preamble: '', rows: nothing() };
  return { preamble: preambleOf(table, headerLine ?? 1, delimiter), rows: csvRows(table, decimal, facts) };
}

/** A sheet's first rows, each as a line with names would be. @throws FileFault, UsageError */
export async function* readSheetTop(
  chunks: AsyncIterable<Buffer>,
  path: string,
  wanted: string | null,
): AsyncIterable<{ readonly line: number; readonly cells: readonly string[] }[]> {
  const sheet = await openSheet(chunks, path, wanted);
  for await (const batch of sheet?.rows ?? []) yield batch.map((row) => ({ line: row.row, cells: titleCells(row) }));
}

/** A row, and its cells that are numbers or dates by themselves. */
export interface PlainRow {
  readonly cells: readonly string[];
  readonly typed: ReadonlySet<number>;
  readonly line: number;
}

/** The rows of a table before anything is known of its columns: what is hidden is judged when the file is read. @throws FileFault, UsageError */
export async function* readSheetRows(
  chunks: AsyncIterable<Buffer>,
  path: string,
  wanted: string | null,
  headerLine: number | null,
): AsyncIterable<PlainRow[]> {
  const table = await wholeTable(chunks, path, wanted, headerLine);
  for await (const batch of table?.rows ?? []) {
    yield batch.map((row) => {
      const { cells, typed } = rowCells(row, table as SheetTable, null, new Set());
      return { cells, typed: new Set(typed?.flatMap((cell, i) => (cell === undefined ? [] : [i]))), line: row.row };
    });
  }
}

/** The table of a sheet with the columns that are hidden. */
async function wholeTable(
  chunks: AsyncIterable<Buffer>,
  path: string,
  wanted: string | null,
  headerLine: number | null,
): Promise<SheetTable | null> {
  const sheet = await openSheet(chunks, path, wanted);
  return sheet === null ? null : openTable({ ...sheet, isColumnHidden: () => false }, headerLine ?? 1, new Set());
}

/** Where another file stands in the place of the first one. Whoever reads it is told that it has changed. */
async function* nothing(): AsyncIterable<Row[]> {}

async function* csvRows(
  table: SheetTable,
  mark: DecimalMark | null,
  { unsound, factors }: SheetFacts,
): AsyncIterable<Row[]> {
  const { headerRow, names, rows } = table;
  yield [{ cells: names, line: headerRow, row: headerRow }];
  let record = 0;
  for await (const batch of rows) {
    yield batch.map((row) => {
      const { cells } = rowCells(row, table, mark, factors);
      return { cells, line: row.row, row: row.row, isUnsound: unsound.has(++record) };
    });
  }
}

/** One line for each row above the header, so that the same `--header-line` finds it. */
function preambleOf({ top }: SheetTable, headerLine: number, delimiter: string): string {
  return linesOf(top, headerLine - 1, delimiter);
}

/** So many rows tell where the column names stand. */
const HEAD_ROWS = 60;

function headOf({ top }: SheetTable): string {
  return linesOf(top, Math.min(HEAD_ROWS, top.at(-1)?.row ?? 0), ',');
}

/** Rows 1 to `last`, as text. @param found those with content, in order */
function linesOf(found: readonly SheetRow[], last: number, delimiter: string): string {
  const rows = new Map(found.map((row) => [row.row, row]));
  let text = '';
  for (let number = 1; number <= last; number++) {
    const row = rows.get(number);
    text += `${row === undefined ? '' : titleLine(titleCells(row), delimiter)}\r\n`;
  }
  return text;
}

function titleLine(cells: readonly string[], delimiter: string): string {
  const line = cells.map((cell) => titleCell(cell, delimiter)).join(delimiter);
  // Such a line would name a delimiter.
  return /^"?sep=/i.test(line) ? ` ${line}` : line;
}

function titleCell(cell: string, delimiter: string): string {
  const text = cell.replace(/[\r\n]+/g, ' ');
  return text.includes('"') || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}
