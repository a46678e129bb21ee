/** The input formats. A new one is a line in FORMATS. */
import { readCsv } from './csv.js';
import type { Dialect } from './csv-dialect.js';
import { readJson, readNdjson } from './json.js';
import type { RawRecord } from './raw.js';
import type { FileFacts, ReadOptions } from './read.js';

export type Format = 'csv' | 'json' | 'ndjson';

/** @param dialect null where the format is not CSV */
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
};

const EXTENSIONS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.json', 'json'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
]);

/** The format that a file's extension names, or null. */
export function formatByName(path: string): Format | null {
  const extension = /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  return EXTENSIONS.get(extension) ?? null;
}

/** The format that the first characters tell: a list, an object a line, one object, or else CSV. */
export function formatByContent(head: string): Format {
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
