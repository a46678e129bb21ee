/** A cell of a table that gigwork makes: text, or a value that a workbook keeps as number or time. */

export type WrittenCell =
  | string
  /** Decimal text. */
  | { readonly kind: 'number'; readonly text: string }
  /** UNIX timestamp. */
  | { readonly kind: 'time'; readonly seconds: number };

/** Of a time that a date can have: ISO 8601 in UTC. */
export function writtenText(cell: WrittenCell): string {
  if (typeof cell === 'string') return cell;
  if (cell.kind === 'number') return cell.text;
  const date = new Date(cell.seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(cell.seconds) : date.toISOString().replace('.000Z', 'Z');
}
