/** Columns of a file without column names: `#1`, `#2`. CONTRACT: `--header-line 0`. */
import { isOwnColumn } from './own-columns.js';

/** Counts from 1. */
const NUMBERED = /^#([1-9]\d*)$/;

/** The names of so many columns. */
export function numberedColumns(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `#${i + 1}`);
}

/** Whether a column's name is its number. */
export function isColumnNumber(name: string): boolean {
  return NUMBERED.test(name);
}

/**
 * Whether a row is the header that the tool has given to a file without one: in rejects and results, column numbers with
 * columns of the tool's own. So the same command reads such a file too, and no row of a person's looks like it.
 */
export function isNumbered(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  return names.some(isOwnColumn) && names.every((name) => isOwnColumn(name) || isColumnNumber(name));
}
