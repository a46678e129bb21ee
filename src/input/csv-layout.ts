/** How a CSV file is laid out, as its start shows: Excel's `sep=` line, the delimiter, the line of the column names. */
import { cutHeader, headerText } from './csv-cells.js';
import { DELIMITER_NAMES } from './delimiters.js';
import { detectDelimiter } from './detect-delimiter.js';
import { countLineBreaks, FileFault } from './raw-record.js';

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
