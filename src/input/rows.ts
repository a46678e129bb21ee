/** Rows of a table, cell by cell as they were typed; and those of CSV: the header first, without the blank ones. */
import type { FieldKind } from '../records/field.js';
import { looksLikeFormula } from '../records/misleading-text.js';
import type { Finding } from '../records/issue.js';
import { ERROR_COLUMN } from './own-columns.js';
import type { Dialect } from './csv-dialect.js';
import { isNumbered, numberedColumns } from './columns.js';
import { type CutRow, RowCutter } from './row-cutter.js';

/** A row that is not blank. */
export interface Row extends CutRow {
  /** Of a workbook's row: what is wrong with it as a whole. */
  readonly fault?: RowFault | null;
  /** Of a workbook's row: why a cell cannot give a field's value, whatever its text is. */
  readonly refusalOf?: (wanted: WantedValue) => Finding | null;
  /** Of a workbook's row as CSV: it was refused, and CSV would be taken as it stands. */
  readonly isUnsound?: boolean;
}

export interface RowFault {
  /** What was found; and what to do about it, where the header is the right one. */
  readonly found: string;
  readonly remedy: string;
  readonly value?: string;
}

/** What a cell is to give. */
export interface WantedValue {
  /** Of the cell in its row. */
  readonly index: number;
  /** The field's dot path, and its kind. */
  readonly path: string;
  /** Null: nothing but the text. */
  readonly kind: FieldKind | null;
  /** Where it is an amount: its record's currency, where it has one; else null. */
  readonly currency: string | null;
}

/**
 * Rows in order, the header first, blank ones left out. A file without a header gets one that numbers its columns.
 * @param texts after the preamble
 * @throws FileFault where the text cannot be cut any more; rows before the fault are yielded first
 */
export async function* readRows(texts: AsyncIterable<string>, dialect: Dialect): AsyncIterable<Row[]> {
  const cutter = new RowCutter(dialect);
  let isMended: boolean | null = null;
  const kept = (rows: readonly CutRow[]): Row[] => {
    const filled = rows.filter(({ cells }) => !isBlankRow(cells));
    const [first] = filled;
    if (isMended === null && first !== undefined) {
      isMended = first.cells.some((cell) => cell.trim() === ERROR_COLUMN);
      if (dialect.headerLine === 0 && !isNumbered(first.cells))
        filled.unshift({ ...first, cells: numberedColumns(first.cells.length) });
    }
    return isMended === true ? filled.map((row) => ({ ...row, cells: row.cells.map(restored) })) : filled;
  };
  for await (const text of texts) for (const rows of cutter.cut(text)) yield kept(rows);
  for (const rows of cutter.cut(null)) yield kept(rows);
}

/** Empty cells only; or a line of nothing but spaces. */
export function isBlankRow(cells: readonly string[]): boolean {
  if (cells.length === 1) return (cells[0] ?? '').trim() === '';
  return cells.every((cell) => cell === '');
}

/**
 * Removes the apostrophe that a rejects file has before a text that a spreadsheet would run as a formula. Only files
 * with the column of a rejects file have such apostrophes: anywhere else, the person typed it.
 */
export function restored(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell) ? cell.slice(1) : cell;
}
