/** A cell of a table that gigwork makes: text, or a value that a workbook keeps as a number or a date. */

export type WrittenCell =
  | string
  /** Decimal text, with the decimals to show; and the sign of a currency to show with it, or null. */
  | { readonly kind: 'number'; readonly text: string; readonly sign: string | null }
  /** YYYY-MM-DD, with `T08:30:00` added for a time of day. */
  | { readonly kind: 'date'; readonly text: string };

/** What most cells of a column are. */
export type WrittenKind = 'text' | 'number' | 'date';

export function writtenText(cell: WrittenCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Spreadsheets keep 15 digits. */
const EXACT_NUMBER = /^-?(?=(?:\d\.?){1,15}$)\d+(?:\.\d+)?$/;

/** Whether a workbook keeps and shows all digits of a decimal text. */
export function isKeptExactly(text: string): boolean {
  return EXACT_NUMBER.test(text);
}
