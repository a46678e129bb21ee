/** Makes text from files and servers safe for its destination: a terminal, JSON text, a spreadsheet. */
import { readNumber } from '../input/numbers.js';
import { looksLikeFormula } from '../records/misleading-text.js';

/** C0, C1, DEL, and characters that change the direction of text or break a line. */
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** The same without C0, which JSON escapes itself. */
const CONTROL_CHARACTERS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** For a terminal: every control character is replaced by its escape. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTERS, unicodeEscape);
}

/** For JSON text: control characters as `\u` escapes, which is the same value. */
export function escapeControls(json: string): string {
  return json.replace(CONTROL_CHARACTERS_IN_JSON, unicodeEscape);
}

/** Also with groups of digits, in whichever notation the file has its numbers. */
function isPlainNumber(cell: string): boolean {
  if (/^[+-]?\d+([.,]\d+)?$/.test(cell)) return true;
  return /^-\d.*\d$/.test(cell) && (readNumber(cell, 'point').ok || readNumber(cell, 'comma').ok);
}

/**
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front; plain numbers stay. A cell that already
 * begins with apostrophes and a formula sign gets one more, so that removing one restores the cell.
 */
export function escapeFormula(cell: string): string {
  return looksLikeFormula(cell) && !isPlainNumber(cell) ? `'${cell}` : cell;
}

/**
 * A cell of a workbook that is imported again. Nothing runs there, but import takes one apostrophe off such a cell, as
 * it does for a CSV file that a spreadsheet has saved as a workbook.
 */
export function escapeApostrophe(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell) ? `'${cell}` : cell;
}

/**
 * The same for lines that only a person reads, such as a title above the header, cell by cell. They are never read as
 * records, so nothing needs to be restored, and one apostrophe is enough, however often the file is rejected again.
 */
export function escapeFormulaLines(text: string, delimiter: string): string {
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/);
  const cells = (line: string): string => line.split(delimiter).map(escapeTitleCell).join(delimiter);
  return lines.map((line) => (/^sep=/i.test(line) ? line : cells(line))).join('');
}

function escapeTitleCell(cell: string): string {
  const content = cell.replace(/[\r\n]+$/, '');
  const shown = content.replaceAll('"', '');
  const isFormula = looksLikeFormula(shown) && !shown.startsWith("'") && !isPlainNumber(shown);
  return isFormula ? cell.replace(/^"?/, "$&'") : cell;
}

/** The cell for a file: quoted if RFC 4180 requires it. */
export function csvCell(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes('"') || cell.includes(delimiter) || cell.includes('\n') || cell.includes('\r');
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}
