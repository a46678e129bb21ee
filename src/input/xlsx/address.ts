/** Where a cell stands: `C17`. */

/** Columns of a sheet, to XFD, and rows. */
export const MOST_COLUMNS = 16_384;
export const MOST_ROWS = 1_048_576;

/** The code before that of A. */
const LETTER_A = 64;
const DIGIT_0 = 48;

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

export interface Place {
  /** Of the column, from 0. */
  readonly index: number;
  /** From 1. */
  readonly row: number;
}

/** Null for what is no address of a cell. */
export function placeOf(address: string): Place | null {
  let index = 0;
  let at = 0;
  for (; at < address.length; at++) {
    const letter = address.charCodeAt(at) - LETTER_A;
    if (letter < 1 || letter > 26) break;
    index = index * 26 + letter;
    if (index > MOST_COLUMNS) return null;
  }
  let row = 0;
  const start = at;
  for (; at < address.length; at++) {
    const digit = address.charCodeAt(at) - DIGIT_0;
    if (digit < 0 || digit > 9 || (digit === 0 && at === start)) return null;
    row = row * 10 + digit;
    if (row > MOST_ROWS) return null;
  }
  return index === 0 || row === 0 ? null : { index: index - 1, row };
}

/** The corners of `B5:B7`, or of a single cell; null for anything else. */
export function rangeOf(text: string): { readonly from: Place; readonly to: Place } | null {
  const [first = '', last = first] = text.replaceAll('$', '').split(':');
  const from = placeOf(first);
  const to = placeOf(last);
  return from === null || to === null || from.index > to.index || from.row > to.row ? null : { from, to };
}
