/** The header of a CSV file: which cell gives which field. */
import { type Field, fieldAt } from '../records/field.js';
import { memberPath } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { type Naming, fieldName } from './columns.js';
import { ERROR_COLUMN, type OwnCells, ownCells } from './own-columns.js';
import { FileFault } from './raw.js';

export interface Column {
  /** Index of the cell in a row. */
  readonly index: number;
  /** The field's dot path. */
  readonly path: string;
  readonly steps: readonly string[];
  /** Null for a column that is no field of the record. */
  readonly field: Field | null;
}

export interface Header {
  /** How many cells a row must have. */
  readonly width: number;
  readonly columns: readonly Column[];
  /** Cells without a column name: content there is an error. */
  readonly unnamed: readonly number[];
  /** The cell with the row's price, or null. */
  readonly price: { readonly index: number; readonly name: string } | null;
  /** Cells that hold what an earlier run said of the row. */
  readonly own: OwnCells;
  readonly hasErrorColumn: boolean;
}

/** @throws FileFault for a header that looks like data */
export function checkHeaderCells(cells: readonly string[], line: number): void {
  if (cells.some((cell) => cell.trim() !== '') && cells.every((cell) => LIKE_DATA.test(cell.trim()))) {
    const message = `the column names should stand here, but this looks like data; add a line with them, or say where it is with --header-line`;
    throw new FileFault('header-like-data', line, message, cells.join(' | '));
  }
}

/** A blank, a number in any notation, or a date. */
const LIKE_DATA = /^$|^[-+]?[.,'’\s]*\d[\d.,'’\s]*(?:[eE][-+]?\d+|%)?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?$/;

/** Whether a cell is a number or a date, as column names are not. */
export function isLikeData(cell: string): boolean {
  return cell !== '' && LIKE_DATA.test(cell);
}

/** Whether a row names fields: at least two of its cells do, and at least half of those with content. */
export function namesFields(cells: readonly string[], { fields }: Shape, naming: Naming): boolean {
  const names = headerNames(cells, { ...naming, met: new Set() });
  const known = names.filter((name) => fieldAt(fields, name) !== null).length;
  return known >= 2 && known * 2 >= names.length;
}

/** Field names of the columns, for finding out what type of record the file holds. */
export function headerNames(cells: readonly string[], naming: Naming): string[] {
  return cells.map((cell) => fieldName(cell.trim(), naming)).filter((name) => name !== null && name !== '') as string[];
}

/** @throws FileFault for two columns that give the same field */
export function bindHeader(cells: readonly string[], line: number, shape: Shape, naming: Naming): Header {
  // Dropped columns are checked too: nobody can say which of two columns of one name was meant.
  refuseSameNames(cells, line);
  const columns: Column[] = [];
  const unnamed: number[] = [];
  let price: Header['price'] = null;
  cells.forEach((cell, index) => {
    const name = cell.trim();
    if (name === '') return void unnamed.push(index);
    const path = fieldName(name, naming);
    if (path === null) return;
    if (path === shape.price?.name) {
      if (price !== null) throw duplicate(path, path, line);
      price = { index, name: path };
    } else columns.push({ index, path, steps: path.split('.'), field: fieldAt(shape.fields, path) });
  });
  refuseDuplicates(columns, line);
  const hasErrorColumn = cells.some((cell) => cell.trim() === ERROR_COLUMN);
  return { width: cells.length, columns, unnamed, price, own: ownCells(cells, naming), hasErrorColumn };
}

function refuseSameNames(cells: readonly string[], line: number): void {
  const names = new Set<string>();
  for (const cell of cells) {
    const name = cell.trim();
    if (name !== '' && names.has(name)) throw duplicate(name, name, line);
    names.add(name);
  }
}

function refuseDuplicates(columns: readonly Column[], line: number): void {
  const paths = new Set<string>();
  for (const { path } of columns) {
    if (paths.has(path)) throw duplicate(path, path, line);
    paths.add(path);
  }
  for (const { path } of columns) {
    const steps = path.split('.', DEEPEST_PATH);
    const above = steps.map((_, i) => steps.slice(0, i).join('.')).find((start) => paths.has(start));
    if (above !== undefined) throw duplicate(above, path, line);
  }
}

/** More steps than any field's path has. */
const DEEPEST_PATH = 8;

function duplicate(path: string, other: string, line: number): FileFault {
  const [one, two] = [memberPath('', path), memberPath('', other)];
  const found = path === other ? `two columns give ${one}` : `the columns ${one} and ${two} give the same field`;
  return new FileFault(
    'duplicate-column',
    line,
    `${found}; rename one in the file, or drop one with --ignore-column where their names differ`,
    other,
  );
}
