/** A cell of a table that gigwork makes: text, or a value that a workbook keeps as a number, a date or a time. */

export type WrittenCell =
  | string
  /** Decimal text, with the decimals to show; and the sign of a currency to show with it, or null. */
  | { readonly kind: 'number'; readonly text: string; readonly sign: string | null }
  /** YYYY-MM-DD, with `T08:30:00` added for a time of day. */
  | { readonly kind: 'date'; readonly text: string }
  /** UNIX timestamp. */
  | { readonly kind: 'time'; readonly seconds: number };

/** What most cells of a column are. */
export type WrittenKind = 'text' | 'number' | 'date' | 'time';

/** Of a time that a date can have: ISO 8601 in UTC. */
export function writtenText(cell: WrittenCell): string {
  if (typeof cell === 'string') return cell;
  if (cell.kind !== 'time') return cell.text;
  const date = new Date(cell.seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(cell.seconds) : date.toISOString().replace('.000Z', 'Z');
}

/** Spreadsheets keep 15 digits. */
const EXACT_NUMBER = /^-?(?=(?:\d\.?){1,15}$)\d+(?:\.\d+)?$/;

/** Whether a workbook keeps and shows all digits of a decimal text. */
export function isKeptExactly(text: string): boolean {
  return EXACT_NUMBER.test(text);
}
