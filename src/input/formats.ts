/** The input formats. A new one is a line in FORMATS. */
import { readCsv } from './csv.js';
import type { Dialect } from './csv-dialect.js';
import { readJson, readNdjson } from './json.js';
import type { RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './read.js';

export type Format = 'csv' | 'json' | 'ndjson' | 'xlsx';

/** @param chunks UTF-8, or the file's own bytes where it is a workbook. @param dialect null where the format is not CSV */
type Reader = (
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  facts: FileFacts,
  dialect: Dialect | null,
) => AsyncIterable<RawRecord[]>;

export const FORMATS: Readonly<Record<Format, Reader>> = {
  csv: (chunks, options, facts, dialect) => readCsv(chunks, dialect as Dialect, options, facts),
  json: readJson,
  ndjson: readNdjson,
  // What unpacks and reads workbooks is loaded for them alone.
  async *xlsx(chunks, options, facts) {
    const { readXlsx } = await import('./xlsx.js');
    yield* readXlsx(chunks, options, facts);
  },
};

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
