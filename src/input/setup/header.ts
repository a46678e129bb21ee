/** Where the column names of a file stand: below a title, on the first line, or nowhere. CONTRACT: `--header-line`. */
import { columnName } from '../columns.js';
import { detectDelimiter, headerText } from '../csv-dialect.js';
import { isLikeData } from '../csv-header.js';
import { cutHeader, linesAt } from '../header-advice.js';
import { isBlankRow } from '../rows.js';
import type { Conclusion } from './conclusion.js';

/** A line that may have the column names. */
export interface FirstLine {
  /** As an editor numbers it; in a workbook the row. */
  readonly line: number;
  /** Its cells as names: trimmed, each on one line. */
  readonly cells: readonly string[];
}

/** A cell as a column's name. */
export function asName(cell: string): string {
  return columnName(cell).trim();
}

/**
 * The first lines that hold anything, each cut as a header would be that stands there.
 * @param head the start of the file, as text
 * @param delimiter as declared; null where each line may have its own: a title has none, or other ones
 */
export function firstLines(head: string, delimiter: string | null): FirstLine[] {
  if (head.trim() === '') return [];
  return [...linesAt(head)].flatMap((rest, i) => {
    const [text = ''] = rest.split(/[\r\n]/, 1);
    const cells = cutHeader(headerText(rest), delimiter ?? detectDelimiter(rest) ?? ',');
    if (cells !== null && !isBlankRow(cells)) return [{ line: i + 1, cells: cells.map(asName) }];
    return text.trim() === '' ? [] : [{ line: i + 1, cells: [asName(text)] }];
  });
}

export interface HeaderLine extends FirstLine {
  /** Fields that its cells name. */
  readonly fields: readonly string[];
}

/** @param fieldOf the field that a name gives, or is likely to give; or null */
export function withFields(lines: readonly FirstLine[], fieldOf: (name: string) => string | null): HeaderLine[] {
  return lines.map(({ line, cells }) => {
    const fields = cells.map((cell) => (cell === '' ? null : fieldOf(cell))).filter((field) => field !== null);
    return { line, cells, fields: [...new Set(fields)] };
  });
}

/** So many fields in one line are no accident. */
const ENOUGH_FIELDS = 2;

/**
 * @param usual the line on which the tool looks for the header by itself
 * @returns the line with the column names; null for the usual one; 0, as a guess, where there is none
 */
export function concludeHeader(lines: readonly HeaderLine[], usual: number): Conclusion<number> {
  const first = lines.find(({ line }) => line >= usual);
  const best = lines.reduce<HeaderLine | undefined>(
    (most, line) => (isHeader(line) && line.fields.length > (most?.fields.length ?? 0) ? line : most),
    undefined,
  );
  const say = (line: number): string[] => [`--header-line ${line}`];
  if (best !== undefined && (best === first || best.fields.length >= ENOUGH_FIELDS)) {
    const because = `line ${best.line} names ${someOf(best.fields)}`;
    if (best === first) return { certainty: 'nothing', value: null, because, say: [] };
    return { certainty: 'proven', value: best.line, because, say: say(best.line) };
  }
  if (best !== undefined) {
    const because = `line ${best.line} names ${best.fields.join(', ')}, and no more than that`;
    return { certainty: 'likely', value: best.line, because, say: say(best.line) };
  }
  if (first !== undefined && looksLikeData(first)) {
    const because = `line ${first.line} looks like data, and no line above the rows names a field: if there is no line with column names, columns are named by their position, as in --header-line 0 --map '#1=user_id'`;
    return { certainty: 'likely', value: 0, because, say: ['--header-line N', '--header-line 0'] };
  }
  const top = first === undefined ? undefined : topOfTable(lines.slice(lines.indexOf(first)));
  if (top === undefined || top === first) return { certainty: 'nothing', value: null, because: '', say: [] };
  const because = `no line names a field, and line ${top.line} stands above rows of as many cells`;
  return { certainty: 'likely', value: top.line, because, say: say(top.line) };
}

/** The line without a number or a date above the first rows of as many cells, that have some. */
function topOfTable(lines: readonly HeaderLine[]): HeaderLine | undefined {
  const widest = Math.max(...lines.map(({ cells }) => cells.length));
  if (widest < 2) return undefined;
  return lines.find(
    (line, i) =>
      line.cells.length === widest &&
      !looksLikeData(line) &&
      lines[i + 1]?.cells.length === widest &&
      looksLikeData(lines[i + 1] as HeaderLine),
  );
}

const FEW = 4;

function someOf(fields: readonly string[]): string {
  const more = fields.length - FEW;
  return more > 0 ? `${fields.slice(0, FEW).join(', ')} and ${more} more` : fields.join(', ');
}

/** A word of a row may be a usual name, too: beside numbers and dates, most of the others must be names. */
function isHeader(line: HeaderLine): boolean {
  const data = line.cells.filter(isLikeData).length;
  return data === 0 || line.fields.length >= Math.max(ENOUGH_FIELDS, data);
}

/** A name is no number, and no date. */
function looksLikeData({ cells }: HeaderLine): boolean {
  return cells.some(isLikeData);
}
