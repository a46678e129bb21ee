/** The header of a CSV file: which cell gives which field. */
import { isCalendarDate } from '../records/calendar.js';
import { fieldAt } from '../records/field.js';
import { memberPath } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { fieldName, isOther, type Naming } from './columns.js';
import { splitSign } from './currency-signs.js';
import { readDate } from './dates.js';
import { isOwnColumn, keyCell } from './own-columns.js';
import { type FieldCell, FileFault } from './raw.js';

export interface Header {
  /** As an editor numbers it; without a header, that of the first row. */
  readonly line: number;
  /** How many cells a row must have. */
  readonly width: number;
  /** The columns that are fields. */
  readonly columns: readonly FieldCell[];
  /** Columns that are no field of the record, by the cell in the row. */
  readonly unknown: ReadonlyMap<number, string>;
  /** Names of the columns that are dropped, and those of them that nobody has named. */
  readonly dropped: readonly string[];
  readonly others: readonly string[];
  /** Cells without a column name: content there is an error. */
  readonly unnamed: readonly number[];
  /** The cell with the row's price, or null. */
  readonly price: { readonly index: number; readonly name: string } | null;
  /** The cell with the key of the payment that the row replaces, or null. */
  readonly key: number | null;
}

/** Whether there is nothing in a row but blanks, numbers in any notation, and dates. */
export function isAllData(cells: readonly string[]): boolean {
  return cells.some((cell) => cell.trim() !== '') && cells.every((cell) => LIKE_DATA.test(cell.trim()));
}

/** A blank, a number in any notation, or a date. */
const LIKE_DATA = /^$|^[-+]?[.,'’\s]*\d[\d.,'’\s]*(?:[eE][-+]?\d+|%)?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?$/;

/** Whether a cell is a number, an amount or a date, as column names are not. @param cell trimmed */
export function isLikeData(cell: string): boolean {
  if (cell === '') return false;
  return LIKE_DATA.test(cell) || splitSign(cell) !== null || isCalendarDate(readDate(cell, 'dmy'));
}

/** Field names of the columns, for finding out what type of record the file holds. */
export function headerNames(cells: readonly string[], naming: Naming): string[] {
  return cells.map((cell) => fieldName(cell.trim(), naming)).filter((name) => name !== null && name !== '') as string[];
}

/** @throws FileFault for two columns that give the same field */
export function bindHeader(cells: readonly string[], line: number, shape: Shape, naming: Naming): Header {
  const columns: FieldCell[] = [];
  const unknown = new Map<number, string>();
  const unnamed: number[] = [];
  const dropped: string[] = [];
  const others: string[] = [];
  let price: Header['price'] = null;
  const names = cells.map((cell) => cell.trim());
  // Dropped columns are checked too: nobody can say which of two columns of one name was meant.
  refuseTwice(
    names.filter((name) => name !== ''),
    line,
  );
  names.forEach((name, index) => {
    const path = name === '' ? null : fieldName(name, naming);
    const field = path === null ? null : fieldAt(shape.fields, path);
    if (name === '') unnamed.push(index);
    else if (isOwnColumn(name)) return;
    else if (path === null) dropped.push(name);
    else if (field !== null) columns.push({ index, path, field });
    else if (path === shape.price?.name) {
      if (price !== null) throw duplicate(path, path, line);
      price = { index, name: path };
    } else if (isOther(name, naming)) others.push(name);
    else unknown.set(index, path);
  });
  refuseOverlap([...columns.map(({ path }) => path), ...unknown.values()], line);
  const all = { dropped: [...dropped, ...others], others };
  return { line, width: cells.length, columns, unknown, ...all, unnamed, price, key: keyCell(cells, naming.ignore) };
}

function refuseTwice(names: readonly string[], line: number): Set<string> {
  const known = new Set<string>();
  for (const name of names) {
    if (known.has(name)) throw duplicate(name, name, line);
    known.add(name);
  }
  return known;
}

/** Two columns may not give one field, nor one of them an object and the other a part of it. */
function refuseOverlap(paths: readonly string[], line: number): void {
  const known = refuseTwice(paths, line);
  for (const path of paths) {
    const steps = path.split('.', DEEPEST_PATH);
    const above = steps.map((_, i) => steps.slice(0, i).join('.')).find((start) => known.has(start));
    if (above !== undefined) throw duplicate(above, path, line);
  }
}

/** More steps than any field's path has. */
const DEEPEST_PATH = 8;

function duplicate(path: string, other: string, line: number): FileFault {
  const [one, two] = [memberPath('', path), memberPath('', other)];
  const found = path === other ? `two columns give ${one}` : `the columns ${one} and ${two} give the same field`;
  const remedy = 'rename one in the file, or drop one with --ignore-column where their names differ';
  return new FileFault('duplicate-column', line, `${found}; ${remedy}`, other);
}
