/** Reads CSV (RFC 4180, strictly) as raw records, and explains rows that do not fit their header. */
import { excerpt, type Finding } from '../records/issue.js';
import { bindRows, type RowBinder } from './row-binder.js';
import { isOnlyPadding } from './csv-cells.js';
import type { Dialect } from './csv-layout.js';
import { strayQuote } from './csv-tokenizer.js';
import { delimiterName } from './delimiters.js';
import { type Header, namelessCells } from './csv-header.js';
import { headerAdvice, isMisplaced } from './header-place.js';
import { FileFault, type RawRecord } from './raw-record.js';
import type { FileInfo, ReadOptions } from './read-options.js';
import { type Misfit, readRows, type Row, rowFault, type StrayAdvice, strayContent } from './rows.js';

/**
 * @param texts after the preamble
 * @throws FileFault if the rest of the file cannot be read; records before the fault are yielded first
 */
export async function* readCsv(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  options: ReadOptions,
  info: FileInfo,
): AsyncIterable<RawRecord[]> {
  const { padShortRows } = options;
  const misfitOf = (header: Header): Misfit =>
    csvMisfit(namelessCells(header), header.all.length, dialect, padShortRows, options);
  let bound: RowBinder | null = null;
  for await (const rows of readRowsOfTable(texts, dialect, options)) {
    const records: RawRecord[] = [];
    for (const row of rows) {
      if (bound === null) bound = await bindRows(row, misfitOf, dialect, options, info);
      else {
        const fault = row.formulas === undefined ? null : formulaFault(row, row.formulas, bound.header);
        if (fault !== null) {
          yield records;
          throw fault;
        }
        const record = bound.read(row);
        if (record !== null) records.push(record);
      }
    }
    yield records;
  }
}

/** A title above the column names may have quotes that CSV does not allow: then the fault is that it was read at all. */
async function* readRowsOfTable(
  texts: AsyncIterable<string>,
  dialect: Dialect,
  options: ReadOptions,
): AsyncIterable<Row[]> {
  let hasHeader = false;
  try {
    for await (const rows of readRows(texts, dialect)) {
      const [top] = rows;
      const fault = hasHeader || top?.formulas === undefined ? null : formulaFault(top, top.formulas, null);
      if (fault !== null) throw fault;
      hasHeader ||= rows.length > 0;
      yield rows;
    }
  } catch (cause) {
    if (hasHeader || !(cause instanceof FileFault) || !isMisplaced(dialect, options)) throw cause;
    const message = `This line is not a header: ${cause.message}. ${headerAdvice([], dialect, options)}`;
    throw new FileFault('header-like-data', cause.line, message);
  }
}

/**
 * What is wrong with a row as a whole: it does not fit its header, or has content under no name.
 * @param nameless columns of the header without a name
 */
export function csvMisfit(
  nameless: readonly number[],
  width: number,
  dialect: Dialect,
  pad: boolean,
  advice: StrayAdvice,
): Misfit {
  return (row) => faultOfRow(row, width, dialect, pad) ?? strayContent(row.cells, nameless, advice);
}

/** Why a row does not fit its header. */
function faultOfRow({ cells }: Row, expected: number, dialect: Dialect, pad: boolean): Finding | null {
  if (cells.length !== expected && !(pad && isOnlyPadding(cells, expected))) {
    const found = cells.length === 1 ? '1 cell' : `${cells.length} cells`;
    const first = dialect.headerLine === 0 ? 'first row' : 'header';
    const message = `the row has ${found}, the ${first} ${expected}; ${lengthRemedy(cells, expected, dialect)}`;
    return rowFault(message, cells.join(dialect.delimiter));
  }
  return null;
}

/**
 * The fault of a formula's text, `="0045"`, in its column. In an ID it is none: the check says what it means.
 * @param header null for the header itself
 */
function formulaFault({ cells, line }: Row, formulas: readonly number[], header: Header | null): FileFault | null {
  for (const index of formulas) {
    const column = header?.columns.find((each) => each.index === index);
    const isHarmless =
      header !== null && header.all[index]?.use !== 'text' && (column === undefined || column.field.kind === 'id');
    if (!isHarmless || !WHOLE_FORMULA.test(cells[index] ?? ''))
      return new FileFault('bad-csv', line, formulaText(cells, index), cells[index]);
  }
  return null;
}

const WHOLE_FORMULA = /^="([^"]*)"$/;

function formulaText(cells: readonly string[], index: number): string {
  const text = WHOLE_FORMULA.exec(cells[index] ?? '')?.[1];
  if (text === undefined) return strayQuote(index);
  const shown = excerpt(text);
  return `cell ${index + 1} is a formula, and means ${shown}. Write ${shown}, without = and the quotes`;
}

/** What to do about a row with too few or too many cells. */
function lengthRemedy(cells: readonly string[], expected: number, { delimiter }: Dialect): string {
  if (cells.length < expected) return 'add the missing cells, or say --pad-short-rows to read them as empty';
  const name = delimiterName(delimiter);
  const extra = cells.slice(expected);
  if (extra.some((cell) => cell !== ''))
    return `put a cell that holds a ${name} in quotes, or say what else separates the columns with --delimiter`;
  const way = 'or add --pad-short-rows to drop empty cells at the end';
  return extra.length === 1
    ? `the extra cell is empty: remove the trailing ${name}, ${way}`
    : `the extra cells are empty: remove the ${extra.length} trailing ${name}s, ${way}`;
}
