/** The table in a sheet: its header, its rows, and what keeps a person from seeing all of it. */
import { columnName, isNumbered, numberedColumns } from '../columns.js';
import type { DecimalMark } from '../numbers.js';
import { ERROR_COLUMN } from '../own-columns.js';
import { FileFault } from '../raw.js';
import { restored, type RowFault } from '../rows.js';
import { addressOf, columnLetters, type SheetCell, type TypedCell } from './cell.js';
import { csvText } from './judge.js';
import type { SheetRow } from './sheet.js';
import type { OpenedSheet } from './workbook.js';

export interface SheetTable {
  /** The sheet's first rows with content: those above the header, and some more. */
  readonly top: readonly SheetRow[];
  /** Of the header; where there is none, of the first record. */
  readonly headerRow: number;
  /** From the first column on; blank where a column has none. */
  readonly names: readonly string[];
  /** Hidden columns that no name tells of. */
  readonly hidden: ReadonlySet<number>;
  /** It began as a rejects file, whose texts have an apostrophe where they look like formulas. */
  readonly isMended: boolean;
  /** The records' rows. @throws FileFault, after the last one for what only the sheet's end tells */
  readonly rows: AsyncIterable<SheetRow[]>;
}

/**
 * @param headerLine the first row with content from there on is the header; 0 where there is none
 * @param ignored names of columns that a person has dropped: these may be hidden
 * @returns null for a sheet without content
 * @throws FileFault
 */
export async function openTable(
  sheet: OpenedSheet,
  headerLine: number,
  ignored: ReadonlySet<string>,
): Promise<SheetTable | null> {
  const batches = sheet.rows[Symbol.asyncIterator]();
  const above: SheetRow[] = [];
  for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
    const at = next.value.findIndex(({ row }) => row >= headerLine);
    above.push(...(at < 0 ? next.value : next.value.slice(0, at)));
    const top = next.value[at];
    if (top === undefined) continue;
    const named = headerNames(top);
    const isHeader = headerLine > 0 || isNumbered(named);
    const names = isHeader ? named : numberedColumns(named.length);
    const hidden = names.flatMap((name, index) =>
      sheet.isColumnHidden(index) && !ignored.has(columnName(name.trim())) ? [index] : [],
    );
    if (isHeader) refuseHidden(top, names, hidden);
    const rest = next.value.slice(isHeader ? at + 1 : at);
    const isMended = names.some((name) => name.trim() === ERROR_COLUMN);
    const table = {
      top: [...above, ...next.value.slice(at)],
      headerRow: top.row,
      names,
      hidden: new Set(hidden),
      isMended,
    };
    return { ...table, rows: rowsBelow(sheet, table, rest, batches) };
  }
  if (above.length === 0) return null;
  const message = `the header should be in row ${headerLine}, but the sheet ${JSON.stringify(sheet.name)} ends above it`;
  throw new FileFault('bad-csv', null, message);
}

async function* rowsBelow(
  sheet: OpenedSheet,
  table: Pick<SheetTable, 'headerRow' | 'names'>,
  first: SheetRow[],
  batches: AsyncIterator<SheetRow[]>,
): AsyncIterable<SheetRow[]> {
  let last = first.at(-1)?.row ?? table.headerRow;
  try {
    yield first;
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      yield next.value;
      last = next.value.at(-1)?.row ?? last;
    }
  } finally {
    await batches.return?.();
  }
  refuseMerged(sheet, table, last);
}

/** @throws FileFault for a cell that shows no name */
function headerNames({ row, indexes, values }: SheetRow): string[] {
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

const SHOWN = 5;

/** @throws FileFault */
function refuseHidden({ row, isHidden }: SheetRow, names: readonly string[], hidden: readonly number[]): void {
  if (isHidden) {
    const message = `row ${row} should hold the column names, and is hidden: show it, or say with --header-line where they are`;
    throw new FileFault('bad-csv', row, message);
  }
  const named = hidden.filter((index) => names[index]?.trim() !== '');
  if (named.length === 0) return;
  const shown = named.slice(0, SHOWN).map((index) => `${addressOf(index, row)} ${JSON.stringify(names[index])}`);
  const message = `hidden columns hold something: ${shown.join(', ')}${andMore(named)}; show them (in Excel: select all columns, right-click, Unhide), delete them, or drop them with --ignore-column`;
  throw new FileFault('bad-csv', row, message);
}

/** A merged cell shows its content beside several rows or columns, and stores it in one. @throws FileFault */
function refuseMerged(
  { merges }: OpenedSheet,
  { headerRow, names }: Pick<SheetTable, 'headerRow' | 'names'>,
  last: number,
): void {
  const isUsed = (from: number, to: number): boolean => names.slice(from, to + 1).some((name) => name.trim() !== '');
  const inside = merges.filter(
    ({ from, to }) => to.row >= headerRow && from.row <= last && isUsed(from.index, to.index),
  );
  const [first] = inside;
  if (first === undefined) return;
  const shown = inside.slice(0, SHOWN).map(({ text }) => text);
  const message = `cells of the table are merged: ${shown.join(', ')}${andMore(inside)}; unmerge them (in Excel: Merge & Center), and fill in what belongs into each cell`;
  throw new FileFault('bad-csv', Math.max(first.from.row, headerRow), message);
}

function andMore({ length }: readonly unknown[]): string {
  return length > SHOWN ? ` and ${length - SHOWN} more` : '';
}

/** A row's cells as they stand in CSV, and those that are more than text. */
export interface RowCells {
  /** As many as the header has; more where there is content behind it. */
  readonly cells: string[];
  /** By column; undefined where all are texts. */
  readonly typed: readonly (TypedCell | undefined)[] | undefined;
  /** Why the row cannot be read; null where it can. */
  readonly fault: RowFault | null;
}

/** So many columns behind the header are kept of a row that does not fit it. */
const MOST_STRAY = 200;

/**
 * @param mark as declared by `--decimal`
 * @param factors columns whose numbers are sent as they are written
 */
export function rowCells(
  { row, isHidden, indexes, values }: SheetRow,
  { names, hidden, isMended }: Pick<SheetTable, 'names' | 'hidden' | 'isMended'>,
  mark: DecimalMark | null,
  factors: ReadonlySet<number>,
): RowCells {
  const cells = Array<string>(names.length).fill('');
  let typed: (TypedCell | undefined)[] | undefined;
  let fault = isHidden ? hiddenRow(row, indexes[0] as number) : null;
  for (const [i, index] of indexes.entries()) {
    const cell = values[i] as SheetCell;
    const isText = typeof cell === 'string';
    const text = isText ? (isMended ? restored(cell) : cell) : csvText(cell, mark, factors.has(index));
    if (hidden.has(index)) fault ??= hiddenCell(index, row);
    if ((names[index] ?? '').trim() === '') fault ??= unnamed(index, row, text);
    if (index >= names.length + MOST_STRAY) break;
    while (cells.length < index) cells.push('');
    cells[index] = text;
    if (!isText) (typed ??= [])[index] = cell;
  }
  return { cells, typed, fault };
}

/** The title rows' cells as they stand in CSV. */
export function titleCells(row: SheetRow): string[] {
  return rowCells(row, { names: [], hidden: new Set(), isMended: false }, null, new Set()).cells;
}

function hiddenRow(row: number, index: number): RowFault {
  const found = `row ${row} is hidden and holds something (${addressOf(index, row)})`;
  return { found, remedy: 'show all rows, which a filter may hide, or delete the row' };
}

function hiddenCell(index: number, row: number): RowFault {
  const found = `${addressOf(index, row)} holds something, and its column ${columnLetters(index)} is hidden`;
  return { found, remedy: 'show the column, delete it, or drop it with --ignore-column' };
}

function unnamed(index: number, row: number, text: string): RowFault {
  const content = text.trim() === '' ? 'holds nothing but spaces' : 'has content';
  const found = `${addressOf(index, row)} ${content}, but its column ${columnLetters(index)} has no name`;
  return { found, remedy: 'name the column or empty the cell', value: text };
}
