/** The input formats, and how one is told from another. READERS in read.ts has a reader for each. */

export type Format = 'csv' | 'json' | 'ndjson' | 'xlsx';

const EXTENSIONS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.xlsx', 'xlsx'],
]);

/** The format that a file's extension names, or null. */
export function formatByName(path: string): Format | null {
  const extension = /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  return EXTENSIONS.get(extension) ?? null;
}

/** A zip archive, as workbooks are; and what old workbooks are, and those with a password: their reader says what to do. */
const WORKBOOKS: readonly string[] = ['PK\x03\x04', '\xd0\xcf\x11\xe0'];
/** How many bytes tell a workbook from text. */
export const WORKBOOK_START = 4;

/** @param start the file's first bytes */
export function looksLikeWorkbook(start: Buffer): boolean {
  return WORKBOOKS.includes(start.toString('latin1', 0, WORKBOOK_START));
}

/** The format that the first characters tell: a list, an object a line, one object, or else CSV. */
export function formatByContent(head: string): Exclude<Format, 'xlsx'> {
  const start = head.trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) return 'csv';
  const firstLine = /^[^\r\n]*/.exec(start)?.[0] ?? '';
  return isWholeObject(firstLine) ? 'ndjson' : 'json';
}

/** Whether the line holds an object from its first to its last bracket. */
function isWholeObject(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
