/**
 * Reads the visible table in one sheet of a workbook (`.xlsx`) as raw records. Its rows are converted to CSV in the
 * declared notation, and then read like CSV. Properties that CSV does not have are judged separately: a number that is
 * shown as another one, a date in place of a text, hidden or merged cells. docs/design/workbooks.md
 */
import { alikeSheets } from './alike-sheets.js';
import { columnPlace } from '../column-places.js';
import { columnName } from '../columns.js';
import { addressOf } from './cell-address.js';
import { bindRows } from '../row-binder.js';
import type { Dialect } from '../csv-layout.js';
import type { DecimalMark } from '../numbers.js';
import { refuseAlikeSheets } from '../profile-sheet.js';
import type { RawRecord } from '../raw-record.js';
import type { FileInfo, ReadOptions, RereadRules, SheetFacts } from '../read-options.js';
import { type Misfit, type NumberInCell, type Row, type StrayAdvice, strayContent } from '../rows.js';
import { droppedCells, type Header, namesIn, namelessCells } from '../csv-header.js';
import type { TypedCell } from './cell.js';
import { ColumnFacts } from './column-facts.js';
import { isPlainSign } from './format-currency.js';
import { isAcceptedInCsv, cellRefusal } from './judge.js';
import { openTable, type SheetTable, type TableRow, titleCells, TOP_ROWS } from './sheet-table.js';
import { refuseUnseen } from '../unseen-columns.js';
import { openSheet } from './workbook.js';

/** @throws FileFault, UsageError */
export async function* readXlsx(
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  info: FileInfo,
): AsyncIterable<RawRecord[]> {
  const { headerLine, naming, style, profileSheet } = options;
  const sheet = await openSheet(chunks, info.path, options.sheet, options.stop);
  const table = await openTable(sheet, headerLine);
  if (sheet === null || table === null) return;
  if (profileSheet !== null) {
    const alike = await alikeSheets(sheet, table, headerLine);
    refuseAlikeSheets(profileSheet, info.path, table.name, alike, options.platform);
  }
  const { name, header } = table;
  const headerRow = headerLine === 0 ? 0 : header.line;
  // For advice about the header, the sheet's start is converted to CSV too, with a line for each row.
  const dialect = { delimiter: ',', preamble: '', headerLine: headerRow, head: topOf(table) };
  const ignored = naming.ignoreOthers ? null : naming.ignore;
  const misfitOf = (bound: Header): Misfit => sheetMisfit(namelessCells(bound), bound.all.length, ignored, options);
  const bound = await bindRows(header, misfitOf, dialect, { ...options, delimiter: ',' }, info);
  const { columns } = bound.header;
  const dropped = droppedCells(bound.header);
  const nameless = new Set(namelessCells(bound.header));
  // With a template, no flag ignores a column: those that it does not use are dropped.
  const isField = (index: number): boolean =>
    options.template !== null || columns.some((column) => column.index === index);
  refuseUnseen(
    table.columns,
    { isDropped: (index) => dropped.has(index), isNameless: (index) => nameless.has(index), isField },
    options.platform,
  );
  const kinds = new Map(columns.map(({ index, field }) => [index, field.kind]));
  const seen = new ColumnFacts();
  const found = { name, headerRow, unsound: new Set<number>(), kinds, seen };
  info.sheet = found;
  info.sheetName = name;
  let place = 0;
  for await (const batch of table.rows(style.decimal, found.kinds, (index) => dropped.has(index)))
    yield batch.flatMap((row) => bound.read(judgeRow(row, ++place, found)) ?? []);
}

/**
 * What is wrong with a row as a whole: content under no name, also to the right of the header, unless it is dropped.
 * @param nameless columns of the header without a name
 * @param ignored names and positions of the columns that are dropped; null for all that are no fields
 */
export function sheetMisfit(
  nameless: readonly number[],
  width: number,
  ignored: ReadonlySet<string> | null,
  advice: StrayAdvice,
): Misfit {
  return ({ fault = null, cells, line }) => {
    // Asked of every row: hardly any has more.
    if (fault !== null || (nameless.length === 0 && cells.length <= width)) return fault;
    const beyond = Array.from({ length: ignored === null ? 0 : cells.length - width }, (_, i) => width + i);
    const mustBeEmpty = [...nameless, ...beyond.filter((index) => ignored?.has(columnPlace(index)) !== true)];
    return strayContent(cells, mustBeEmpty, advice, (index) => `${columnPlace(index)} (${addressOf(index, line)})`);
  };
}

/** Null for a cell that shows no number, or another one than it stores. */
function numberInCell(cell: TypedCell | undefined): NumberInCell | null {
  if (cell?.is !== 'number' || cell.shown.problem !== null) return null;
  const { text, currency } = cell.shown;
  // A dash may stand for zero.
  return {
    text: text !== null && /\d/.test(text) ? text : cell.text,
    sign: currency !== null && isPlainSign(currency) ? currency.sign : null,
  };
}

/** The row, with judgements of its cells, which are more than their texts. */
function judgeRow(row: TableRow, place: number, { unsound, seen }: SheetFacts & { readonly seen: ColumnFacts }): Row {
  const { typed, fault, cells } = row;
  if (fault !== null) unsound.add(place);
  if (fault !== null) return row;
  return {
    ...row,
    refusalOf: (wanted, currency) => {
      const cell = typed?.[wanted.index] ?? cells[wanted.index] ?? '';
      // An address for each text takes time, and only texts among dates are told.
      if (typeof cell === 'string' && wanted.kind !== 'date') return null;
      const address = addressOf(wanted.index, row.row);
      const refusal =
        cellRefusal(cell, wanted, currency, address) ?? seen.see(cell, wanted, currency, address, row.row);
      if (refusal !== null && isAcceptedInCsv(cell, wanted.kind)) unsound.add(place);
      return refusal;
    },
  };
}

/**
 * Reads a sheet again as CSV. The same flags read this CSV as the same records.
 * @param facts results of the first reading
 * @throws FileFault
 */
export async function readSheetAsCsv(
  chunks: AsyncIterable<Buffer>,
  { delimiter: declared, headerLine: line, style }: RereadRules,
  facts: SheetFacts,
): Promise<{ readonly dialect: Dialect; readonly rows: AsyncIterable<Row[]> }> {
  const table = await openTable(await openSheet(chunks, '', facts.name), line);
  const delimiter = declared ?? ',';
  const headerLine = line ?? 1;
  const preamble = table === null ? '' : rowsAsText(table, headerLine - 1, delimiter);
  return { dialect: { delimiter, preamble, headerLine }, rows: csvRows(table, style.decimal, facts) };
}

/** The header first; without one, numbers of columns. @param table null if another file has replaced the first one: its reader then reports the change */
async function* csvRows(table: SheetTable | null, mark: DecimalMark | null, facts: SheetFacts): AsyncIterable<Row[]> {
  if (table === null) return;
  yield [table.header];
  let place = 0;
  for await (const batch of table.rows(mark, facts.kinds, () => true))
    yield batch.map((row) => ({
      ...row,
      shownNumber: (index) => numberInCell(row.typed?.[index]),
      isUnsound: facts.unsound.has(++place),
    }));
}

/**
 * A sheet whose columns are not known yet: its start as CSV text, with commas, a line for each row; and the rows below
 * the header, which may throw a FileFault. Null for a sheet without content.
 * @param ignored the names and positions of the columns that may be hidden; null for all
 * @throws FileFault, UsageError
 */
export async function readUnknownSheet(
  chunks: AsyncIterable<Buffer>,
  path: string,
  rules: { readonly sheet: string | null; readonly headerLine: number | null; readonly platform: NodeJS.Platform },
  ignored: ReadonlySet<string> | null,
): Promise<{ readonly head: string; readonly rows: AsyncIterable<TableRow[]> } | null> {
  const table = await openTable(await openSheet(chunks, path, rules.sheet), rules.headerLine);
  if (table === null) return null;
  const dropped = droppedColumns(table, ignored);
  const isDropped = (index: number): boolean => ignored === null || dropped.has(index);
  const isNameless = (index: number): boolean => columnName(table.header.cells[index] ?? '').trim() === '';
  refuseUnseen(table.columns, { isDropped, isNameless, isField: () => false }, rules.platform);
  return { head: topOf(table), rows: withoutEnds(table, isDropped) };
}

/** Rows without the cells after the last column with a name that are empty or dropped. */
async function* withoutEnds(
  { header, rows }: SheetTable,
  isDropped: (index: number) => boolean,
): AsyncIterable<TableRow[]> {
  const width = header.cells.findLastIndex((name) => name.trim() !== '') + 1;
  for await (const batch of rows(null, new Map(), isDropped))
    yield batch.map((row) => {
      const end = Math.max(width, row.cells.findLastIndex((cell, index) => cell !== '' && !isDropped(index)) + 1);
      return end < row.cells.length ? { ...row, cells: row.cells.slice(0, end) } : row;
    });
}

/** The cells of the columns that a person has dropped by name or by position. */
function droppedColumns({ header: { cells } }: SheetTable, ignored: ReadonlySet<string> | null): ReadonlySet<number> {
  const names = namesIn(cells);
  return new Set(
    [...names.keys()].filter(
      (index) => ignored === null || ignored.has(names[index] ?? '') || ignored.has(columnPlace(index)),
    ),
  );
}

function topOf(table: SheetTable): string {
  return rowsAsText(table, Math.min(TOP_ROWS, table.top.at(-1)?.row ?? 0), ',');
}

/** Rows 1 to `last` as text, so that the same `--header-line` finds its row there. */
function rowsAsText({ top }: SheetTable, last: number, delimiter: string): string {
  const rows = new Map(top.map((row) => [row.row, row]));
  let text = '';
  for (let number = 1; number <= last; number++) {
    const row = rows.get(number);
    text += `${row === undefined ? '' : titleLine(titleCells(row), delimiter)}\r\n`;
  }
  return text;
}

function titleLine(cells: readonly string[], delimiter: string): string {
  const line = cells.map((cell) => titleCell(cell, delimiter)).join(delimiter);
  // Otherwise, such a line would name a delimiter.
  return /^"?sep=/i.test(line) ? ` ${line}` : line;
}

function titleCell(cell: string, delimiter: string): string {
  const text = cell.replace(/[\r\n]+/g, ' ');
  return text.includes('"') || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}
