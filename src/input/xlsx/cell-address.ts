/** Addresses of cells in a sheet, and the limits of a sheet. */

/** Columns of a sheet, to XFD, and rows. */
export const MOST_COLUMNS = 16_384;
export const MOST_ROWS = 1_048_576;

/** The code before that of A. */
const LETTER_A = 64;

/** @param index from 0 */
export function columnLetters(index: number): string {
  let letters = '';
  for (let left = index + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(LETTER_A + 1 + ((left - 1) % 26)) + letters;
  return letters;
}

/** @param index of the column, from 0. @param row from 1 */
export function addressOf(index: number, row: number): string {
  return `${columnLetters(index)}${row}`;
}

export interface CellPlace {
  /** Of the column, from 0. */
  readonly index: number;
  /** From 1. */
  readonly row: number;
}

/** Null if the text is not an address of a cell. */
export function parseAddress(address: string): CellPlace | null {
  const [, letters = '', digits] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(address) ?? [];
  const row = Number(digits);
  let index = 0;
  for (let i = 0; i < letters.length; i++) index = index * 26 + letters.charCodeAt(i) - LETTER_A;
  return row <= MOST_ROWS && index <= MOST_COLUMNS ? { index: index - 1, row } : null;
}

/** The corners of `B5:B7`, or of a single cell; null for anything else. */
export function parseRange(text: string): { readonly from: CellPlace; readonly to: CellPlace } | null {
  const [first = '', last = first] = text.replaceAll('$', '').split(':');
  const from = parseAddress(first);
  const to = parseAddress(last);
  return from === null || to === null || from.index > to.index || from.row > to.row ? null : { from, to };
}

/** The longest text that a spreadsheet allows in a cell. */
export const LONGEST_TEXT = 32_767;
