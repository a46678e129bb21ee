/** Where the column names of a CSV file seem to stand: advice, for where they do not stand on the line that is read. */
import { fieldAt } from '../records/field.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { usualField } from '../records/usual-names.js';
import { columnName, type Naming } from './columns.js';
import { detectDelimiter, headerText } from './csv-delimiter.js';
import type { Dialect } from './csv-dialect.js';
import { isLikeData } from './csv-header.js';

/** Titles of bank statements and exports have a dozen lines; hardly any has more than this. */
export const MOST_LINES = 60;
/** In a title, one word may be the name of a field by chance. */
const ENOUGH_NAMES = 2;
/** Of so many cells, some are names where any is. */
const MOST_CELLS = 500;
/** No header is longer, in UTF-16 units. */
const LONGEST_HEADER = 10_000;

/**
 * The line that names more fields than the header does, or null. Names that are only usual for a field count too.
 * @param cells of the header that was read
 * @param delimiter as the person has declared it, or null
 */
export function betterHeader(
  cells: readonly string[],
  { head = '', delimiter: found, headerLine }: Dialect,
  delimiter: string | null,
  naming: Naming,
): number | null {
  let most = Math.max(countNames(cells, naming), ENOUGH_NAMES - 1);
  let best: number | null = null;
  let line = 0;
  for (const text of linesAt(head)) {
    line++;
    if (line === headerLine) continue;
    const names = cutHeader(headerText(text).slice(0, LONGEST_HEADER), delimiter ?? detectDelimiter(text) ?? found);
    if (names === null || names.some((name) => isLikeData(name.trim()))) continue;
    const count = countNames(names, naming);
    if (count > most) [most, best] = [count, line];
  }
  return best;
}

/** Whether a row has names that columns have. */
export function namesColumns(cells: readonly string[], naming: Naming): boolean {
  return countNames(cells, naming) >= ENOUGH_NAMES;
}

/** How many of a row's cells are names that columns have, whatever the type of the records. */
function countNames(cells: readonly string[], { map }: Naming): number {
  const isName = (name: string): boolean =>
    map.has(name) ||
    RECORD_TYPES.some((type) => usualField(name, type) !== null || fieldAt(KINDS[type].fields, name) !== null);
  return new Set(
    cells
      .slice(0, MOST_CELLS)
      .map((cell) => columnName(cell.trim()))
      .filter(isName),
  ).size;
}

/** The text from each of its first lines on. */
export function* linesAt(text: string): Iterable<string> {
  const end = /\r\n|\n|\r/g;
  for (let line = 0, at = 0; line < MOST_LINES && at < text.length; line++) {
    yield text.slice(at);
    if (end.exec(text) === null) return;
    at = end.lastIndex;
  }
}

/** The cells of one row; null where its quotes are wrong. */
export function cutHeader(text: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${delimiter}]*))(\\${delimiter}|$)`, 'y');
  for (;;) {
    const found = cell.exec(text);
    if (found === null) return null;
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return cells;
  }
}
