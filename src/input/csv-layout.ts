/**
 * How a CSV file is laid out, as its start shows: Excel's `sep=` line, the delimiter, the line of the column names; and
 * advice if the column names are not on the line that was read.
 */
import { FileFault, countLineBreaks, type ReadOptions } from './raw-record.js';
import { isCalendarDate } from '../records/calendar.js';
import { fieldAt } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import { RECORD_TYPES } from '../records/types.js';
import { shellQuote } from '../util/shell-quote.js';
import type { ColumnMapping } from './columns.js';
import { DELIMITER_NAMES } from './delimiters.js';
import { splitSign } from './numbers.js';
import { readDate } from './dates.js';
import { namesIn } from './csv-header.js';
import { refuseResults } from './result-columns.js';
import { fieldBySynonym } from './column-synonyms.js';

export interface Dialect {
  readonly delimiter: string;
  /** UTF-16 units before the first row: the `sep=` line and everything above `--header-line`. */
  readonly preamble: string;
  /** Line of the header, as an editor numbers it; 0 for no header. */
  readonly headerLine: number;
  /** The start of the file's text, for advice about its header. */
  readonly head?: string;
}

/** Excel's line that names the delimiter. Some programs put it in quotes. */
const SEP_LINE = /^("?)sep=([^"\r\n])\1(?:\r\n|\n|\r|$)/i;

/**
 * @param head the start of the file, as text
 * @param declared delimiter from the person, or null
 * @param headerLine line of the header from the person, from 1; 0 for no header; or null
 * @throws FileFault
 */
export function readDialect(head: string, declared: string | null, headerLine: number | null): Dialect {
  // An empty file does not lack a header: it is a file without records.
  if (head.trim() === '') return { delimiter: declared ?? ',', preamble: '', headerLine: headerLine === 0 ? 0 : 1 };
  const sep = SEP_LINE.exec(head);
  const linesAbove = sep === null ? 0 : 1;
  const skip = headerLine !== null && headerLine > 0 ? headerLine - 1 : linesAbove;
  const preamble = takeLines(head, skip);
  if (preamble === null) {
    const message = `the header should be on line ${headerLine}, but the file ends before it or has too much above it`;
    throw new FileFault('bad-csv', null, message);
  }
  const delimiter =
    declared ?? (sep === null ? null : separator(sep)) ?? detectDelimiter(head.slice(preamble.length)) ?? ',';
  return { delimiter, preamble, headerLine: headerLine === 0 ? 0 : skip + 1 };
}

/** The line on which the first row starts, as an editor numbers it. This is the header, if there is one. */
export function firstLine({ preamble, headerLine }: Dialect): number {
  return headerLine === 0 ? 1 + countLineBreaks(preamble) : headerLine;
}

/** The delimiter that the `sep=` line names. @throws FileFault for an unsupported one */
function separator({ 0: line, 2: found = '' }: RegExpExecArray): string {
  if (DELIMITER_NAMES.has(found)) return found;
  const message = `the sep= line says ${JSON.stringify(found)}, and what is read is comma, semicolon, tab or pipe: correct the line, or say with --delimiter what separates the columns`;
  throw new FileFault('bad-csv', 1, message, line.trimEnd());
}

/** Rows that a spreadsheet shows above the header: it hides the `sep=` line, and a cell of several lines is one row. */
export function rowsAbove({ preamble }: Dialect): number {
  return countLineBreaks(preamble.replace(SEP_LINE, '').replace(/"(?:[^"]|"")*"/g, ''));
}

/** The text above the header as cells, a row for each line, so that the header's row number is its line. */
export function titlesIn({ preamble, delimiter }: Dialect): string[][] {
  const lines = preamble.split(LINE_END).slice(0, -1);
  // The `sep=` line means nothing in a file without a delimiter.
  return lines.map((line) => (SEP_LINE.test(line) ? [] : (cutHeader(line, delimiter) ?? [line])));
}

/** The cells of one line; null if its quotes are wrong. */
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

/** The first `count` lines with their ends, or null when the text has fewer. */
function takeLines(text: string, count: number): string | null {
  const end = /\r\n|\n|\r/g;
  for (let i = 0; i < count; i++) {
    if (end.exec(text) === null) return null;
  }
  return count === 0 ? '' : text.slice(0, end.lastIndex);
}

/** The file's line end: that of the header, else of the lines above it. Without any, CRLF as in RFC 4180. */
export function lineEndOf(head: string, { preamble }: Dialect): string {
  const first = head.slice(preamble.length);
  const after = first.slice(headerText(first).length);
  return LINE_END.exec(after)?.[0] ?? LINE_END.exec(preamble)?.[0] ?? '\r\n';
}

const LINE_END = /\r\n|\n|\r/;

/** Commas are common in names and numbers too, so they come last if nothing else decides. */
const DELIMITERS = [';', '\t', '|', ','];
/** The part of the file that is examined, in UTF-16 units. */
const SAMPLE = 64 * 1024;
const SAMPLED_ROWS = 100;
const QUOTED_TEXT = /"(?:[^"]|"")*"/g;

/**
 * The delimiter that cuts the first line with content into the most columns, and the rows below it into as many. If
 * none does both, the one with the most columns wins, and the ragged rows are reported. Quoted text does not count.
 * With no delimiter at all, the file has one column.
 * @param text from the header on
 */
export function detectDelimiter(text: string): string | null {
  const start = text.replace(/^(?:[\s]*[\r\n])+/, '');
  const header = headerText(start).replace(QUOTED_TEXT, '');
  const found = DELIMITERS.map((delimiter) => ({ delimiter, columns: header.split(delimiter).length }))
    .filter(({ columns }) => columns > 1)
    .sort((a, b) => b.columns - a.columns);
  if (found.length < 2) return found[0]?.delimiter ?? null;
  const sample = start
    .slice(0, SAMPLE)
    .replace(QUOTED_TEXT, '')
    .split(/\r\n|\n|\r/, SAMPLED_ROWS);
  // The last row may be cut off.
  if (start.length > SAMPLE && sample.length > 1 && sample.length < SAMPLED_ROWS) sample.pop();
  const agreeing = found.find(({ delimiter, columns }) =>
    sample.every((row) => isBlankLine(row, delimiter) || row.split(delimiter).length === columns),
  );
  return (agreeing ?? found[0])?.delimiter ?? null;
}

function isBlankLine(row: string, delimiter: string): boolean {
  return row.trim() === '' || row.replaceAll(delimiter, '') === '';
}

/** The first record's text: up to the first line end outside quotes. */
export function headerText(text: string): string {
  return /^(?:[^"\r\n]|"(?:[^"]|"")*"|")*/.exec(text)?.[0] ?? '';
}

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
