/** The table in a sheet, as rows of CSV: its header and its rows. Refuses parts that a person cannot see. */
import type { FieldKind } from '../../records/fields.js';
import type { Finding } from '../../records/issue.js';
import { addressOf, columnLetters } from './cell-address.js';
import { isNumbered, numberedColumns } from '../column-places.js';
import { columnName } from '../columns.js';
import { rejoin } from '../formats.js';
import type { DecimalMark } from '../numbers.js';
import { ERROR_COLUMN } from '../result-columns.js';
import { FileFault } from '../raw-record.js';
import { unescapeFormula, type Row, rowFault } from '../rows.js';
import type { SheetCell, TypedCell } from './cell.js';
import { cellAsCsv } from './judge.js';
import type { SheetRow, StruckCell } from './sheet.js';
import type { SheetColumn } from '../unseen-columns.js';
import type { OpenedSheet } from './workbook.js';

/** A row in CSV: as many cells as the header has, or more if there is content after them. */
export interface TableRow extends Row {
  /** The cells that are more than texts, by column; undefined if there are none. */
  readonly typed: readonly (TypedCell | undefined)[] | undefined;
  /** Why the row cannot be read; null if it can. */
  readonly fault: Finding | null;
}

export interface SheetTable {
  readonly name: string;
  /** Names, blank for a column without one; or numbers of columns, on the line of the first record. */
  readonly header: Row;
  /** The sheet's first rows with content: all above the header, and some more. */
  readonly top: readonly SheetRow[];
  /**
   * The rows below the header.
   * @param mark as declared by `--decimal`
   * @param kinds of the fields of columns, by index
   * @param isDropped whether a column is dropped: then it may be hidden, or have a struck-out name
   * @throws FileFault, after the last row for faults that only the sheet's end shows
   */
  readonly rows: (
    mark: DecimalMark | null,
    kinds: ReadonlyMap<number, FieldKind>,
    isDropped: (index: number) => boolean,
  ) => AsyncIterable<TableRow[]>;
  /** Those that hold something; those without a name as far as the first rows show. */
  readonly columns: readonly SheetColumn[];
}

interface Columns {
  readonly names: readonly string[];
  /** Hidden columns that are not dropped. */
  readonly hidden: ReadonlySet<number>;
  /** Columns that a person does not see, or sees struck out, and that are dropped. */
  readonly dropped: ReadonlySet<number>;
  /** The file was made from a rejects file, whose texts have an apostrophe if they look like formulas. */
  readonly isMended: boolean;
}

/** Number of rows in which the column names are looked for. */
export const TOP_ROWS = 60;

/**
 * @param sheet null for a file without bytes
 * @param declared the first row with content from there on is the header; 0 for no header; null for the first row
 * @returns null for a sheet without content
 * @throws FileFault
 */
export async function openTable(sheet: OpenedSheet | null, declared: number | null): Promise<SheetTable | null> {
  if (sheet === null) return null;
  const headerLine = declared ?? 1;
  const batches = sheet.rows[Symbol.asyncIterator]();
  const top = await topRows(batches, headerLine);
  if (top.length === 0) return null;
  const at = top.findIndex(({ row }) => row >= headerLine);
  const first = top[at];
  if (first === undefined) {
    const message = `the header should be in row ${headerLine}, but the sheet ${JSON.stringify(sheet.name)} ends above it`;
    throw new FileFault('bad-csv', null, message);
  }
  const cells = readHeaderNames(first);
  const isHeader = headerLine > 0 || isNumbered(cells);
  const names = isHeader ? withUnnamed(cells, top.slice(at)) : numberedColumns(cells.length);
  if (isHeader) refuseHiddenHeader(first);
  const { row: line } = first;
  const below = top.slice(isHeader ? at + 1 : at);
  const struckOut = new Set(isHeader ? first.struck.map(({ index }) => index) : []);
  const columns = names.flatMap((written, index): SheetColumn[] => {
    const name = columnName(written).trim();
    const row = name === '' ? below.find(({ indexes }) => indexes.includes(index))?.row : line;
    if (row === undefined) return [];
    const isHidden = sheet.isColumnHidden(index);
    return [{ index, name, row, address: addressOf(index, row), isHidden, isStruckOut: struckOut.has(index) }];
  });
  const rest = rejoin(below, batches);
  return {
    name: sheet.name,
    top,
    header: { cells: names, line, row: line },
    columns,
    async *rows(mark, kinds, isDropped) {
      const all = [...names.keys()].filter((index) => sheet.isColumnHidden(index));
      const read: Columns = {
        names,
        hidden: new Set(all.filter((index) => !isDropped(index))),
        dropped: new Set([...all, ...struckOut].filter(isDropped)),
        isMended: names.some((name) => name.trim() === ERROR_COLUMN),
      };
      let last = line;
      for await (const batch of rest) {
        yield batch.map((row) => rowIn(row, read, mark, kinds));
        last = batch.at(-1)?.row ?? last;
      }
      refuseMerged(sheet, line, names, last);
      refuseStruckByRules(sheet, isHeader ? line : line - 1, names.length, last);
    },
  };
}

/** The names, with blank ones for columns that have content only below the header. */
function withUnnamed(names: readonly string[], rows: readonly SheetRow[]): string[] {
  const width = Math.max(...rows.map(({ indexes }) => (indexes.at(-1) ?? -1) + 1));
  return [...names, ...Array<string>(Math.max(0, width - names.length)).fill('')];
}

async function topRows(batches: AsyncIterator<SheetRow[]>, headerLine: number): Promise<SheetRow[]> {
  const top: SheetRow[] = [];
  while (top.length < TOP_ROWS || (top.at(-1)?.row ?? 0) < headerLine) {
    const next = await batches.next();
    if (next.done === true) break;
    top.push(...next.value);
  }
  return top;
}

/** @throws FileFault for a cell that shows no name */
function readHeaderNames({ row, indexes, values }: SheetRow): string[] {
  const names = Array<string>((indexes.at(-1) ?? -1) + 1).fill('');
  indexes.forEach((index, i) => {
    const cell = values[i] as SheetCell;
    if (typeof cell !== 'string' && cell.is === 'broken') {
      const message = `${addressOf(index, row)} ${cell.words}; a column name belongs there`;
      throw new FileFault('bad-csv', row, message, cell.text);
    }
    names[index] = typeof cell === 'string' ? cell : cell.text;
  });
  return names;
}

const MOST_LISTED = 5;

/** @throws FileFault */
function refuseHiddenHeader({ row, isHidden }: SheetRow): void {
  if (!isHidden) return;
  const message = `row ${row} should hold the column names, and is hidden: show it, or say with --header-line where they are`;
  throw new FileFault('bad-csv', row, message);
}

/** @throws FileFault */
function refuseStruckByRules({ struckByRules }: OpenedSheet, headerRow: number, width: number, last: number): void {
  const inside = struckByRules.filter(({ from, to }) => to.row > headerRow && from.row <= last && from.index < width);
  const [first] = inside;
  if (first === undefined) return;
  const message = `a conditional format may strike out cells of the table: ${someOf(inside.map(({ text }) => text))}. gigwork cannot tell which cells are struck out. Delete the rows that are, then remove the rule (in Excel: Conditional Formatting, Manage Rules)`;
  throw new FileFault('bad-csv', Math.max(first.from.row, headerRow + 1), message);
}

/** A merged cell shows its content across several rows or columns, but stores it in one. @throws FileFault */
function refuseMerged({ merges }: OpenedSheet, headerRow: number, names: readonly string[], last: number): void {
  const isUsed = (from: number, to: number): boolean => names.slice(from, to + 1).some((name) => name.trim() !== '');
  const inside = merges.filter(
    ({ from, to }) => to.row >= headerRow && from.row <= last && isUsed(from.index, to.index),
  );
  const [first] = inside;
  if (first === undefined) return;
  const message = `cells of the table are merged: ${someOf(inside.map(({ text }) => text))}; unmerge them (in Excel: Merge & Center), and fill in what belongs into each cell`;
  throw new FileFault('bad-csv', Math.max(first.from.row, headerRow), message);
}

function someOf(all: readonly string[]): string {
  return (
    all.slice(0, MOST_LISTED).join(', ') + (all.length > MOST_LISTED ? ` and ${all.length - MOST_LISTED} more` : '')
  );
}

/** Number of columns after the header that are kept of a row that is too long. */
const MOST_STRAY = 200;

function rowIn(
  { row, isHidden, indexes, values, struck }: SheetRow,
  { names, hidden, dropped, isMended }: Columns,
  mark: DecimalMark | null,
  kinds: ReadonlyMap<number, FieldKind>,
): TableRow {
  const cells = Array<string>(names.length).fill('');
  let typed: (TypedCell | undefined)[] | undefined;
  let fault = isHidden ? hiddenRow(row, indexes[0] as number) : null;
  const crossed = struck.find(({ index }) => !dropped.has(index));
  if (crossed !== undefined) fault ??= struckCell(crossed, row);
  for (const [i, index] of indexes.entries()) {
    const cell = values[i] as SheetCell;
    const isText = typeof cell === 'string';
    let text = isText ? cell : cellAsCsv(cell, mark, kinds.get(index));
    if (isText && isMended) text = unescapeFormula(text);
    if (hidden.has(index)) fault ??= hiddenCell(index, row);
    if (index >= names.length + MOST_STRAY) break;
    while (cells.length < index) cells.push('');
    cells[index] = text;
    if (!isText) (typed ??= [])[index] = cell;
  }
  return { cells, line: row, row, typed, fault };
}

const NO_INDEXES: ReadonlySet<number> = new Set();
const TITLE_COLUMNS: Columns = {
  names: [],
  hidden: NO_INDEXES,
  dropped: NO_INDEXES,
  isMended: false,
};

/** A row above the header, as cells of CSV. */
export function titleCells(row: SheetRow): readonly string[] {
  return rowIn(row, TITLE_COLUMNS, null, new Map()).cells;
}

function hiddenRow(row: number, index: number): Finding {
  const found = `row ${row} is hidden and holds something (${addressOf(index, row)})`;
  return rowFault(`${found}; show all rows, which a filter may hide, or delete the row`);
}

function hiddenCell(index: number, row: number): Finding {
  const found = `${addressOf(index, row)} holds something, and its column ${columnLetters(index)} is hidden`;
  return rowFault(`${found}; show the column, delete it, or drop it with --ignore-column`);
}

/** A person who strikes out a cell or its row means that it does not count, whatever its column is. */
function struckCell({ index, isPart }: StruckCell, row: number): Finding {
  const found = isPart ? 'a part of its text struck out' : 'something that is struck out';
  const remedy = isPart
    ? 'write only the text that counts'
    : 'delete the row, or remove the strikethrough if it counts';
  return rowFault(`${addressOf(index, row)} ${isPart ? 'has' : 'holds'} ${found}; ${remedy}`);
}
