/** Columns by their position: `#1`, `#2`, … count from the left. CONTRACT: `--header-line`. */
import { UsageError } from '../errors.js';
import type { ColumnMapping } from './columns.js';
import { fieldName } from './columns.js';
import { isResultColumn } from './result-columns.js';

/** Counts from 1. */
const NUMBERED = /^#([1-9]\d*)$/;

/** The position of a column, as a person names it. */
export function columnPlace(index: number): string {
  return `#${index + 1}`;
}

/** The names of columns without a header. */
export function numberedColumns(count: number): string[] {
  return Array.from({ length: count }, (_, index) => columnPlace(index));
}

export function isColumnNumber(name: string): boolean {
  return NUMBERED.test(name);
}

/**
 * Whether a row is a header that gigwork wrote for a file without one. In rejects and results, this header has column
 * numbers and gigwork's columns. The same command can then read such a file too, because no row of a person looks like
 * it.
 */
export function isNumbered(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  return names.some(isResultColumn) && names.every((name) => isResultColumn(name) || isColumnNumber(name));
}

/** A column of a table, whose name may be blank or that of another column too. */
export interface HeaderColumn {
  readonly index: number;
  readonly name: string;
  readonly place: string;
}

/** The position of each column. In rejects of a file without a header, the header has the positions of that file. */
function columnPlaces(names: readonly string[]): string[] {
  const hasOwnNumbers = isNumbered(names);
  return names.map((name, index) => (hasOwnNumbers && isColumnNumber(name) ? name : columnPlace(index)));
}

/** @throws UsageError if a flag or setting could mean the name of one column or the position of another one */
export function headerColumns(names: readonly string[], { map, ignore }: ColumnMapping): HeaderColumn[] {
  const places = columnPlaces(names);
  return names.map((name, index) => {
    const place = places[index] ?? '';
    if (isColumnNumber(name) && name !== place && (map.has(name) || ignore.has(name)))
      throw new UsageError(
        `"${name}" is the name of column ${index + 1} and the position of another one. Rename the column in the file`,
      );
    return { index, name, place };
  });
}

/** The name of a column, for people: its position if it has none. */
export function shownColumn({ name, place }: HeaderColumn): string {
  return name === '' ? place : name;
}

/**
 * The field that a column gives, or null to drop it. Its position counts more than its name, which another column may
 * have too. Columns of gigwork have no position: without its key, a corrected row would be another payment.
 */
export function columnField({ name, place }: HeaderColumn, naming: ColumnMapping): string | null {
  if (isResultColumn(name)) return null;
  naming.met.add(place);
  if (naming.ignore.has(place)) return null;
  const mapped = naming.map.get(place);
  if (mapped !== undefined) return mapped;
  return name === '' ? null : fieldName(name, naming);
}

/** Whether a flag or setting says by its position what a column is for. */
export function isPlaced({ place }: HeaderColumn, { map, ignore }: ColumnMapping): boolean {
  return map.has(place) || ignore.has(place);
}

/** The names by which columns can be named: the position, if that has settled a column without a name or one of several. */
export function openNames(names: readonly string[], naming: ColumnMapping): string[] {
  const isTwin = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return headerColumns(names, naming).map((column) =>
    isPlaced(column, naming) && (column.name === '' || isTwin(column.name)) ? column.place : column.name,
  );
}

/** The indexes of the columns that a person can mean, by position or by name. @param names open ones */
export function columnsNamed(named: string, names: readonly string[]): number[] {
  const at = isColumnNumber(named) ? columnPlaces(names).indexOf(named) : -1;
  return at >= 0 ? [at] : [...names.keys()].filter((index) => names[index] === named);
}
