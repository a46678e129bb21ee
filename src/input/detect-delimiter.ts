/** Which delimiter separates a file's columns, as its start shows. CONTRACT: `--delimiter`. */
import { cutHeader, headerText, isBlankRow, isFrame } from './csv-cells.js';

/** Commas are common in names and numbers too, so they come last if nothing else decides. */
const DELIMITERS = [';', '\t', '|', ','];
/** The part of the file that is examined, in UTF-16 units. */
const SAMPLE = 64 * 1024;
const SAMPLED_ROWS = 100;
const QUOTED_TEXT = /"(?:[^"]|"")*"/g;

/** How a text looks if it is cut at a delimiter. */
interface Cut {
  readonly delimiter: string;
  /** Cells of the header. */
  readonly columns: number;
  /** Whether the header follows RFC 4180. */
  readonly isSound: boolean;
  /** Rows with as many cells as the header, and all rows. */
  readonly agreeing: number;
  readonly rows: number;
}

/**
 * Of the delimiters under which the header is sound, has two cells or more, and more than half of the rows have as
 * many: the one with the most cells. Without any, the one under which most rows do; the others are reported as ragged.
 * @param text from the header on
 * @returns null if no delimiter cuts the header: then the file has one column
 */
export function detectDelimiter(text: string): string | null {
  const start = fromHeader(text);
  const header = headerText(start);
  const stripped = header.replace(QUOTED_TEXT, '');
  const isCut = start.length > SAMPLE;
  const below = start.slice(header.length, SAMPLE).replace(/^(?:\r\n|\n|\r)/, '');
  const cuts = DELIMITERS.map((delimiter) => {
    const cells = cutHeader(header, delimiter);
    const columns = cells?.length ?? stripped.split(delimiter).length;
    return columns < 2 ? null : { delimiter, columns, isSound: cells !== null };
  }).filter((cut) => cut !== null);
  if (cuts.length < 2) return cuts[0]?.delimiter ?? null;
  const counted = cuts.map((cut): Cut => ({ ...cut, ...countWidths(below, cut, isCut) }));
  return counted.reduce(better).delimiter;
}

function better(one: Cut, other: Cut): Cut {
  if (fits(one) !== fits(other)) return fits(one) ? one : other;
  if (fits(one) && one.columns !== other.columns) return one.columns > other.columns ? one : other;
  if (one.agreeing !== other.agreeing) return one.agreeing > other.agreeing ? one : other;
  return other.columns > one.columns ? other : one;
}

function fits({ isSound, agreeing, rows }: Cut): boolean {
  return isSound && agreeing * 2 > rows;
}

/** The text without blank lines and frames above the header. */
function fromHeader(text: string): string {
  let start = text.replace(/^(?:[\s]*[\r\n])+/, '');
  for (;;) {
    const [line = ''] = /^[^\r\n]*/.exec(start) ?? [];
    if (!isFrame([line]) || line.length === start.length) return start;
    start = start.slice(line.length).replace(/^[\r\n]+(?:[\s]*[\r\n])*/, '');
  }
}

/** @param isCut whether the text goes on: its last row may be only a part of one */
function countWidths(
  text: string,
  { delimiter, columns }: { readonly delimiter: string; readonly columns: number },
  isCut: boolean,
): { readonly agreeing: number; readonly rows: number } {
  const widths = widthsOf(text, delimiter);
  if (isCut && widths.length < SAMPLED_ROWS) widths.pop();
  return { agreeing: widths.filter((width) => width === columns).length, rows: widths.length };
}

/** The number of cells in each of the first rows; 0 for a row whose quotes are wrong. */
function widthsOf(text: string, delimiter: string): number[] {
  const cell = new RegExp(`(?:"(?:[^"]|"")*"|[^"\\${delimiter}\\r\\n]*)(\\${delimiter}|\\r\\n|\\n|\\r|$)`, 'y');
  const restOfLine = /[^\r\n]*(?:\r\n|\n|\r|$)/y;
  const widths: number[] = [];
  for (let at = 0; at < text.length && widths.length < SAMPLED_ROWS;) {
    const cells: string[] = [];
    let isOpen = true;
    while (isOpen) {
      cell.lastIndex = at;
      const found = cell.exec(text);
      if (found === null) break;
      at = cell.lastIndex;
      isOpen = found[1] === delimiter;
      cells.push(found[0].slice(0, found[0].length - (found[1]?.length ?? 0)));
    }
    if (isOpen) {
      restOfLine.lastIndex = at;
      restOfLine.exec(text);
      at = restOfLine.lastIndex;
      widths.push(0);
    } else if (!isBlankRow(cells) && !isFrame(cells)) widths.push(cells.length);
  }
  return widths;
}
