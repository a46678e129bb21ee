/** Where the column names are, if they are not on the line that was read: advice for a person. */
import { isCalendarDate } from '../records/calendar.js';
import { fieldAt } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { RECORD_TYPES } from '../records/types.js';
import { shellQuote } from '../util/shell-quote.js';
import { fieldBySynonym } from './column-synonyms.js';
import type { ColumnMapping } from './columns.js';
import { namesIn } from './csv-header.js';
import { cutHeader, headerText } from './csv-cells.js';
import type { Dialect } from './csv-layout.js';
import { detectDelimiter } from './detect-delimiter.js';
import { readDate } from './dates.js';
import { splitSign } from './numbers.js';
import type { ReadOptions } from './read-options.js';
import { refuseResults } from './result-columns.js';

/** A blank, a number in any notation, or a date. */
const LIKE_DATA = /^$|^[-+]?[.,'’\s]*\d[\d.,'’\s]*(?:[eE][-+]?\d+|%)?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?$/;

/** Whether a row has only blanks, numbers in any notation, and dates. @param cells trimmed */
export function isAllData(cells: readonly string[]): boolean {
  return cells.some((cell) => cell !== '') && cells.every((cell) => LIKE_DATA.test(cell));
}

/** Whether a cell is a number, an amount or a date, unlike column names. @param cell trimmed */
export function isLikeData(cell: string): boolean {
  if (cell === '') return false;
  return LIKE_DATA.test(cell) || splitSign(cell) !== null || isCalendarDate(readDate(cell, 'dmy'));
}

/** What to do if the header's line has only data, or nothing that shows the type of the records. */
export function headerAdvice(names: readonly string[], dialect: Dialect, rules: ReadOptions): string | null {
  if (dialect.headerLine === 0) return null;
  const better = betterHeader(names, dialect, rules);
  if (better !== null && rules.headerLine !== null)
    return `The column names are on line ${better} now, and not on line ${rules.headerLine}: use --header-line ${better}, or set header_line to ${better} in the profile`;
  if (better !== null) return `The column names seem to be on line ${better}: add --header-line ${better}`;
  if (!names.some(isLikeData)) return null;
  const example = shellQuote('#1=user_id', rules.platform);
  return `If the column names are on another line, give its number with --header-line. If the file has none, add --header-line 0 and name its columns by position, as in --map ${example}`;
}

/** Whether the column names are not on the declared line, but on another one. */
export function isMoved(names: readonly string[], dialect: Dialect, rules: ReadOptions): boolean {
  return rules.headerLine !== null && dialect.headerLine !== 0 && betterHeader(names, dialect, rules) !== null;
}

/** Whether the column names are on another line than the first one, which cannot be read. */
export function isMisplaced(dialect: Dialect, rules: ReadOptions): boolean {
  return dialect.headerLine !== 0 && betterHeader([], dialect, rules) !== null;
}

/** Why a line without field names is not a header; null if it may be one with unknown names. */
export function headerDoubt(names: readonly string[], dialect: Dialect, rules: ReadOptions): string | null {
  const advice = headerAdvice(names, dialect, rules);
  const isNamed = countNames(names, rules.naming) >= ENOUGH_NAMES && betterHeader(names, dialect, rules) === null;
  if (advice === null || isNamed) return null;
  return `No column name on this line is the name of a field. ${advice}`;
}

/** Titles of bank statements and exports have a dozen lines; hardly any has more than this. */
const MOST_LINES = 60;
/** In a title, one word may be the name of a field by chance. */
const ENOUGH_NAMES = 2;
/** If a row has any names at all, some are among this many cells. */
const MOST_CELLS = 500;
/** No header is longer, in UTF-16 units. */
const LONGEST_HEADER = 10_000;

/**
 * Results keep the lines above the header, so their column may be below the line that was read as the header.
 * @throws FileFault
 */
export function refuseResultsBelow(header: readonly string[], dialect: Dialect, rules: ReadOptions): void {
  if (dialect.headerLine === 0 || countNames(header, rules.naming) >= ENOUGH_NAMES) return;
  for (const [line, names] of otherLines(dialect, rules)) refuseResults(names, line);
}

/** The first lines as names, without the header. */
function* otherLines(
  { head = '', delimiter: found, headerLine }: Dialect,
  { delimiter }: ReadOptions,
): Iterable<[line: number, names: string[]]> {
  let line = 0;
  for (const text of linesAt(head)) {
    line++;
    if (line === headerLine) continue;
    const cells = cutHeader(headerText(text).slice(0, LONGEST_HEADER), delimiter ?? detectDelimiter(text) ?? found);
    yield [line, namesIn(cells ?? [])];
  }
}

/** The line with more field names than the header, or null. Usual names of a field count too. */
function betterHeader(header: readonly string[], dialect: Dialect, rules: ReadOptions): number | null {
  const { naming } = rules;
  let most = Math.max(countNames(header, naming), ENOUGH_NAMES - 1);
  let best: number | null = null;
  for (const [line, names] of otherLines(dialect, rules)) {
    if (names.some(isLikeData)) continue;
    const count = countNames(names, naming);
    if (count <= most) continue;
    most = count;
    best = line;
  }
  return best;
}

/** How many of a row's names are usual for columns, whatever the type of the records. */
function countNames(names: readonly string[], { map }: ColumnMapping): number {
  const isName = (name: string): boolean =>
    map.has(name) ||
    RECORD_TYPES.some(
      (type) => fieldBySynonym(name, type) !== null || fieldAt(RECORD_SCHEMAS[type].fields, name) !== null,
    );
  return new Set(names.slice(0, MOST_CELLS).filter(isName)).size;
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
