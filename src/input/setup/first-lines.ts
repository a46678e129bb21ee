/** The first lines of a CSV file, each as a header would be read that stands there. */
import { columnName } from '../columns.js';
import { headerText } from '../csv-delimiter.js';
import { type Dialect, readDialect } from '../csv-dialect.js';
import { FileFault } from '../raw.js';
import { readRows } from '../rows.js';

/** A line that may have the column names. */
export interface FirstLine {
  /** As an editor numbers it; in a workbook the row. */
  readonly line: number;
  /** Its cells as names: trimmed, each on one line. */
  readonly cells: readonly string[];
}

/** Titles of bank statements and exports have a dozen lines; nobody has more than this. */
export const MOST_LINES = 60;

/** A cell as a column's name. */
export function asName(cell: string): string {
  return columnName(cell).trim();
}

/** The lines that hold anything. @param head the start of the file, as text. @param delimiter as declared, or null */
export async function firstLines(head: string, delimiter: string | null): Promise<FirstLine[]> {
  const found: FirstLine[] = [];
  for (let line = 1; line <= MOST_LINES; line++) {
    const dialect = dialectAt(head, delimiter, line);
    if (dialect === null) break;
    const rest = head.slice(dialect.preamble.length);
    const [text = ''] = rest.split(/[\r\n]/, 1);
    const cells = (await firstRow(headerText(rest), dialect)) ?? (text.trim() === '' ? null : [text]);
    if (cells !== null) found.push({ line, cells: cells.map(asName) });
  }
  return found;
}

/** Each line may have its own delimiter: a title has none, or other ones. Null behind the end of the text. */
function dialectAt(head: string, delimiter: string | null, line: number): Dialect | null {
  try {
    const dialect = readDialect(head, delimiter, line);
    return dialect.preamble.length < head.length ? dialect : null;
  } catch (cause) {
    if (cause instanceof FileFault) return null;
    throw cause;
  }
}

/** Null for a blank line, and for one that cannot be cut into cells. */
async function firstRow(text: string, { delimiter }: Dialect): Promise<readonly string[] | null> {
  const bytes = Buffer.from(`${text}\n`);
  try {
    for await (const rows of readRows(once(bytes), { delimiter, preamble: '', headerLine: 1 }))
      if (rows[0] !== undefined) return rows[0].cells;
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
  }
  return null;
}

async function* once(bytes: Buffer): AsyncIterable<Buffer> {
  await Promise.resolve();
  yield bytes;
}
