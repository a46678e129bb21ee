/** CSV that a spreadsheet opens without running anything in it. */

const PLAIN_NUMBER = /^[+-]?\d+([.,]\d+)?$/;

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front; plain numbers stay. One that begins
 * with apostrophes and a formula sign already gets one more, so that taking one off gives back what was there.
 */
export function defused(cell: string): string {
  return /^'*[=+\-@\t\r]/.test(cell) && !PLAIN_NUMBER.test(cell) ? `'${cell}` : cell;
}

/** The cell as it stands in a file: quoted where RFC 4180 asks for it. */
export function csvCell(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes('"') || cell.includes(delimiter) || cell.includes('\n') || cell.includes('\r');
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}
