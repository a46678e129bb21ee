/** The line of a file's column names. CONTRACT: `--header-line`. */
import { columnName } from '../columns.js';
import { detectDelimiter, headerText } from '../csv-dialect.js';
import { cutHeader, isLikeData, linesAt } from '../header-advice.js';
import { isBlankRow } from '../rows.js';
import { type Conclusion, NOTHING_TO_SAY } from './conclusion.js';

/** A line that may have the column names. */
export interface FirstLine {
  /** As an editor numbers it; in a workbook the row. */
  readonly line: number;
  /** Its cells as names: trimmed, each on one line. */
  readonly cells: readonly string[];
}

/**
 * The first lines with content, each cut as if it were the header.
 * @param head the start of the file, as text
 * @param delimiter as declared; null to detect one for each line: a title has none, or another one
 */
export function firstLines(head: string, delimiter: string | null): FirstLine[] {
  const asName = (cell: string): string => columnName(cell).trim();
  if (head.trim() === '') return [];
  return [...linesAt(head)].flatMap((rest, i) => {
    const [text = ''] = rest.split(/[\r\n]/, 1);
    const cells = cutHeader(headerText(rest), delimiter ?? detectDelimiter(rest) ?? ',');
    if (cells !== null && !isBlankRow(cells)) return [{ line: i + 1, cells: cells.map(asName) }];
    return text.trim() === '' ? [] : [{ line: i + 1, cells: [asName(text)] }];
  });
}

/** This many fields in one line are not chance. */
const ENOUGH_FIELDS = 2;
const MOST_SHOWN = 4;

/**
 * @param usual the line on which a run looks for the header by default
 * @param meant the field of a name, certain or likely; or null
 * @returns the line with the column names; null for the usual one; 0, as a guess, if there is none
 */
export function concludeHeader(
  lines: readonly FirstLine[],
  usual: number,
  meant: (name: string) => string | null,
): Conclusion<number> {
  const first = lines.find(({ line }) => line >= usual);
  let best: FirstLine | undefined;
  let fields: string[] = [];
  for (const each of lines) {
    const found = new Set(each.cells.map((cell) => (cell === '' ? null : meant(cell))).filter((path) => path !== null));
    if (found.size > fields.length && isHeader(each, found.size)) [best, fields] = [each, [...found]];
  }
  if (best !== undefined) {
    const isSure = best === first || fields.length >= ENOUGH_FIELDS;
    const because = `Line ${best.line} names ${fields.slice(0, MOST_SHOWN).join(', ')}${isSure ? '' : ', but no other field'}.`;
    return { isProven: isSure, value: best === first ? null : best.line, because };
  }
  if (first === undefined || !first.cells.some(isLikeData)) return byWidth(lines, first);
  const because = `Line ${first.line} looks like data, and no line names a field.`;
  return { isProven: false, value: 0, because };
}

/** If no name is known: rows below a header have as many cells as the header, and a title has fewer. */
function byWidth(lines: readonly FirstLine[], first: FirstLine | undefined): Conclusion<number> {
  const widths = lines.map(({ cells }) => cells.length);
  const countOf = (width: number): number => widths.filter((each) => each === width).length;
  const usual = widths.toSorted((a, b) => countOf(b) - countOf(a))[0];
  const found = lines.find(({ cells }) => cells.length === usual && !cells.some(isLikeData));
  if (found === undefined || found === first) return NOTHING_TO_SAY;
  const because = `Line ${found.line} is the first with ${usual} cells, as most lines below it have.`;
  return { isProven: false, value: found.line, because };
}

/** A word of a row may be a usual name, too: in a row with numbers and dates, most other cells must be names. */
function isHeader({ cells }: FirstLine, names: number): boolean {
  const data = cells.filter(isLikeData).length;
  return data === 0 || names >= Math.max(ENOUGH_FIELDS, data);
}
