/** Rows of a table as typed, cell by cell. Rows of CSV come with the header first and without blank rows and frames. */
import type { FieldKind } from '../records/fields.js';
import { looksLikeFormula } from '../records/misleading-text.js';
import { error, type Finding } from '../records/issue.js';
import { shellQuote } from '../util/shell-quote.js';
import { ERROR_COLUMN } from './result-columns.js';
import type { Dialect } from './csv-layout.js';
import { columnPlace, isNumbered, numberedColumns } from './column-places.js';
import { isBlankRow, isFrame } from './csv-cells.js';
import { type CsvRow, CsvTokenizer } from './csv-tokenizer.js';

/** A row that is neither blank nor a frame. */
export interface Row extends CsvRow {
  /** For a workbook's row: what is wrong with it as a whole. */
  readonly fault?: Finding | null;
  /** For a workbook's row: why a cell cannot be the value of a field, whatever its text is. */
  readonly refusalOf?: RefusalOf;
  /** For a workbook's row as CSV: the number that a cell shows; null for any other cell. */
  readonly shownNumber?: (index: number) => NumberInCell | null;
  /** For a workbook's row as CSV: it was refused, but CSV would accept it. */
  readonly isUnsound?: boolean;
  /** Of a second reading: the rule of `--only` that filters it out, as a person wrote it. */
  readonly filteredBy?: string;
}

/** A number in a workbook. */
export interface NumberInCell {
  /** With a point before decimals, as many as its cell shows. */
  readonly text: string;
  /** The sign of the currency that its cell shows; null for none. */
  readonly sign: string | null;
}

/** The problem of a row as a whole; null for none. */
export type Misfit = (row: Row) => Finding | null;

/** What is wrong with a row as a whole. No flag skips it. */
export function rowFault(message: string, value?: string): Finding {
  return { ...error('bad-csv', null, message, value), fault: true };
}

/** What advice about content under no name depends on. */
export interface StrayAdvice {
  readonly platform: NodeJS.Platform;
  /** The template that each row fills in; null for none: then columns are ignored or mapped. */
  readonly template: object | null;
}

/** The most columns that one message names. */
const MOST_STRAY_SHOWN = 5;

/**
 * For content under columns without a name, which may change what the row means, as `CR` for a refund does. The message
 * is the same for all rows with content there, so that they are told as one.
 * @param unnamed cells that must be empty
 * @param shownColumn a column as a person finds it
 */
export function strayContent(
  cells: readonly string[],
  unnamed: readonly number[],
  { platform, template }: StrayAdvice,
  shownColumn = columnPlace,
): Finding | null {
  if (unnamed.length === 0 || !unnamed.some((index) => (cells[index] ?? '') !== '')) return null;
  const stray = unnamed.filter((index) => (cells[index] ?? '') !== '').slice(0, MOST_STRAY_SHOWN);
  const [first = 0] = stray;
  const isBlank = stray.every((index) => cells[index]?.trim() === '');
  const columns = `${stray.length === 1 ? 'column' : 'columns'} ${stray.map(shownColumn).join(', ')}`;
  const found = `There is no name above ${columns}, but this row has ${isBlank ? 'only spaces' : 'content'} there`;
  if (template !== null)
    return rowFault(`${found}. Give the column a name in the file, or add --ignore-other-columns`, cells[first]);
  const ignore = stray.map((index) => `--ignore-column ${shellQuote(columnPlace(index), platform)}`).join(' ');
  const map = shellQuote(`${columnPlace(first)}=FIELD`, platform);
  const remedy = `If it does not change what the row means, add ${ignore}. If it is a field, add --map ${map}`;
  return rowFault(`${found}. ${remedy}`, cells[first]);
}

/** What a cell must be able to be. */
export interface ExpectedValue {
  /** Of the cell in its row. */
  readonly index: number;
  /** The field's dot path, and its kind. */
  readonly path: string;
  /** Null: only the text counts. */
  readonly kind: FieldKind | null;
  /** Of a record: its currency belongs to it. */
  readonly isAmount?: boolean;
  /** A template puts it into other text or into a query: dates and times stand there as they are shown. */
  readonly isWithinText?: boolean;
}

/** @param currency of the record; null for none */
type RefusalOf = (wanted: ExpectedValue, currency: string | null) => Finding | null;

/**
 * Rows in order, the header first, without blank ones, frames, and a Ctrl-Z at the end. A file without a header gets one that numbers its columns.
 * @param texts after the preamble
 * @throws FileFault if the rest of the text cannot be cut; rows before the fault are yielded first
 */
export async function* readRows(texts: AsyncIterable<string>, dialect: Dialect): AsyncIterable<Row[]> {
  const cutter = new CsvTokenizer(dialect);
  let isMended: boolean | null = null;
  const kept = (rows: readonly CsvRow[]): Row[] => {
    const filled = rows.filter(({ cells }) => !isBlankRow(cells) && !isFrame(cells));
    const [first] = filled;
    if (isMended === null && first !== undefined) {
      isMended = first.cells.some((cell) => cell.trim() === ERROR_COLUMN);
      if (dialect.headerLine === 0 && !isNumbered(first.cells))
        filled.unshift({ ...first, cells: numberedColumns(first.cells.length) });
    }
    return isMended === true ? filled.map((row) => ({ ...row, cells: row.cells.map(unescapeFormula) })) : filled;
  };
  for await (const text of withoutEndMark(texts)) for (const rows of cutter.cut(text)) yield kept(rows);
  for (const rows of cutter.cut(null)) yield kept(rows);
}

/** Ctrl-Z: old programs end a text with it. */
const END_MARK = '\x1a';
const END = /\x1a[\x1a\r\n]*$/;

/** The same text without Ctrl-Z at its end. */
async function* withoutEndMark(texts: AsyncIterable<string>): AsyncIterable<string> {
  let held = '';
  for await (const piece of texts) {
    const text = held + piece;
    const at = text.includes(END_MARK) ? text.search(END) : -1;
    held = at < 0 ? '' : text.slice(at);
    if (at !== 0) yield at < 0 ? text : text.slice(0, at);
  }
}

/**
 * Removes the apostrophe that a rejects file has before a text that a spreadsheet would run as a formula. Only files
 * with the column of a rejects file have such apostrophes: anywhere else, the person typed it.
 */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell) ? cell.slice(1) : cell;
}
