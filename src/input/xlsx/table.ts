/** The table in a sheet: its header, its rows, and what keeps a person from seeing all of it. */
import { type Finding, error } from '../../records/issue.js';
import { columnName } from '../columns.js';
import type { DecimalMark } from '../numbers.js';
import { FileFault } from '../raw.js';
import { addressOf, columnLetters } from './address.js';
import type { SheetCell, TypedCell } from './cell.js';
import { csvText } from './judge.js';
import type { OpenedSheet } from './open-sheet.js';
import type { SheetRow } from './sheet.js';

export interface SheetTable {
  /** Rows above the header, as far as they have content. */
  readonly above: readonly SheetRow[];
  readonly header: SheetRow;
  /** Its cells from the first column on. */
  readonly names: readonly string[];
  /** Rows below the header. @throws FileFault, after the last one for what only the sheet's end tells */
  readonly rows: AsyncIterable<SheetRow[]>;
}

/**
 * @param headerLine from 1; the first row with content from there on is the header
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
    const header = next.value[at];
    if (header === undefined) continue;
    const names = headerNames(header);
    refuseHidden(sheet, header, names, ignored);
    return { above, header, names, rows: rowsBelow(sheet, header, names, next.value.slice(at + 1), batches) };
  }
  if (above.length === 0) return null;
  const message = `the header should be in row ${headerLine}, but the sheet ${JSON.stringify(sheet.name)} ends above it`;
  throw new FileFault('bad-csv', null, message);
}

async function* rowsBelow(
  sheet: OpenedSheet,
  header: SheetRow,
  names: readonly string[],
  first: SheetRow[],
  batches: AsyncIterator<SheetRow[]>,
): AsyncIterable<SheetRow[]> {
  let last = header.row;
  try {
    yield first;
    last = first.at(-1)?.row ?? last;
    for (let next = await batches.next(); next.done !== true; next = await batches.next()) {
      yield next.value;
      last = next.value.at(-1)?.row ?? last;
    }
  } finally {
    await batches.return?.();
  }
  refuseMerged(sheet, header, names, last);
}

/** @throws FileFault for a cell that shows no name */
function headerNames({ row, indexes, values }: SheetRow): string[] {
  const names = Array<string>((indexes.at(-1) ?? -1) + 1).fill('');
  indexes.forEach((index, i) => {
    const cell = values[i] as SheetCell;
    if (typeof cell !== 'string' && cell.is === 'broken')
      throw new FileFault(
        'bad-csv',
        row,
        `${addressOf(index, row)} ${cell.words}; a column name belongs there`,
        cell.text,
      );
    names[index] = typeof cell === 'string' ? cell : cell.text;
  });
  return names;
}

/** @throws FileFault */
function refuseHidden(
  sheet: OpenedSheet,
  { row, isHidden }: SheetRow,
  names: readonly string[],
  ignored: ReadonlySet<string>,
): void {
  if (isHidden) {
    const message = `row ${row} should hold the column names, and is hidden: show it, or say with --header-line where they are`;
    throw new FileFault('bad-csv', row, message);
  }
  const hidden = names.flatMap((name, index) =>
    name.trim() !== '' && sheet.isColumnHidden(index) && !ignored.has(columnName(name.trim())) ? [index] : [],
  );
  if (hidden.length === 0) return;
  const shown = hidden.slice(0, SHOWN).map((index) => `${addressOf(index, row)} ${JSON.stringify(names[index])}`);
  const more = hidden.length > SHOWN ? ` and ${hidden.length - SHOWN} more` : '';
  const message = `hidden columns hold something: ${shown.join(', ')}${more}; show them (in Excel: select all columns, right-click, Unhide), delete them, or drop them with --ignore-column`;
  throw new FileFault('bad-csv', row, message);
}

const SHOWN = 5;

/** A merged cell shows its content beside several rows or columns, and stores it in one. @throws FileFault */
function refuseMerged({ merges }: OpenedSheet, header: SheetRow, names: readonly string[], last: number): void {
  const isUsed = (from: number, to: number): boolean => names.slice(from, to + 1).some((name) => name.trim() !== '');
  const inside = merges.filter(
    ({ from, to }) => to.row >= header.row && from.row <= last && isUsed(from.index, to.index),
  );
  const [first] = inside;
  if (first === undefined) return;
  const shown = inside.slice(0, SHOWN).map(({ text }) => text);
  const more = inside.length > SHOWN ? ` and ${inside.length - SHOWN} more` : '';
  const message = `cells of the table are merged: ${shown.join(', ')}${more}; unmerge them (in Excel: Merge & Center), and fill in what belongs into each cell`;
  throw new FileFault('bad-csv', Math.max(first.from.row, header.row), message);
}

/** A row's cells as they stand in CSV, and those that are more than text. */
export interface RowCells {
  /** As many as the header has. */
  readonly cells: string[];
  /** By column; undefined where all are texts. */
  readonly typed: readonly (TypedCell | undefined)[] | undefined;
  /** Why the row cannot be read; null where it can. */
  readonly fault: Finding | null;
}

/** @param factors columns whose numbers are sent as they are written */
export function rowCells(
  { row, isHidden, indexes, values }: SheetRow,
  names: readonly string[],
  mark: DecimalMark | null,
  factors: ReadonlySet<number>,
): RowCells {
  const cells = Array<string>(names.length).fill('');
  let typed: (TypedCell | undefined)[] | undefined;
  let fault: Finding | null = isHidden ? hiddenRow(row, indexes[0] as number) : null;
  indexes.forEach((index, i) => {
    const cell = values[i] as SheetCell;
    const isText = typeof cell === 'string';
    const text = isText ? cell : csvText(cell, mark, factors.has(index));
    if ((names[index] ?? '').trim() === '') fault ??= unnamed(index, row, text);
    // Beyond the header, the first cell with content is enough to make the row too long.
    if (index < names.length) cells[index] = text;
    else if (cells.length === names.length) cells.push(text);
    if (!isText && index < names.length) (typed ??= [])[index] = cell;
  });
  return { cells, typed, fault };
}

function hiddenRow(row: number, index: number): Finding {
  const message = `row ${row} is hidden and holds something (${addressOf(index, row)}): show all rows, which a filter may hide, or delete the row`;
  return { ...error('bad-csv', null, message), fault: true };
}

function unnamed(index: number, row: number, text: string): Finding {
  const content = text.trim() === '' ? 'holds nothing but spaces' : 'has content';
  const message = `${addressOf(index, row)} ${content}, but its column ${columnLetters(index)} has no name; name the column or empty the cell`;
  return { ...error('bad-csv', null, message, text), fault: true };
}
