/** The input formats and their detection. Separates a file's text from the lines above a CSV header. */
import { type Dialect, readDialect } from './csv-layout.js';
import type { Encoding } from './encoding.js';

export type JsonFormat = 'json' | 'ndjson';
export type TextFormat = 'csv' | JsonFormat;
export type Format = TextFormat | 'xlsx';

/** A person's flags about a file's text; null to detect. */
export interface TextRules {
  readonly format: Format | null;
  readonly encoding: Encoding | null;
  readonly delimiter: string | null;
  /** From 1; 0 for no header, then columns are named by position; null to detect. */
  readonly headerLine: number | null;
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.csv': 'csv',
  '.tsv': 'csv',
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.xlsx': 'xlsx',
};

/** The format that a file's extension names, or null. */
export function formatByName(path: string): Format | null {
  const extension = /\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, extension) ? (EXTENSIONS[extension] ?? null) : null;
}

/** The first bytes of a zip archive, like workbooks; and of old workbooks, and of those with a password. */
export const ZIP = 'PK\x03\x04';
export const OLE = '\xd0\xcf\x11\xe0';

/** The format that the first characters show: a list, an object per line, one object, or else CSV. */
export function formatByContent(head: string): TextFormat {
  const start = head.trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) return 'csv';
  const firstLine = /^[^\r\n]*/.exec(start)?.[0] ?? '';
  return isJson(firstLine) ? 'ndjson' : 'json';
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Whether a file is a workbook, and its bytes. Looks at the first ones if neither a flag nor its name shows that. */
export async function sniff(
  path: string,
  bytes: AsyncIterable<Buffer>,
  format: Format | null,
): Promise<{ readonly isWorkbook: boolean; readonly chunks: AsyncIterable<Buffer> }> {
  const named = format ?? formatByName(path);
  if (named !== null) return { isWorkbook: named === 'xlsx', chunks: bytes };
  const chunks = bytes[Symbol.asyncIterator]();
  const start = Buffer.concat(await readHead(chunks, ZIP.length));
  return {
    isWorkbook: [ZIP, OLE].includes(start.toString('latin1', 0, ZIP.length)),
    chunks: rejoin(start, chunks),
  };
}

export type OpenedText = OpenedStart &
  ({ readonly format: 'csv'; readonly dialect: Dialect } | { readonly format: JsonFormat; readonly dialect: null });

interface OpenedStart {
  /** The first characters, the preamble included. */
  readonly head: string;
  /** After the preamble. */
  readonly body: AsyncIterable<string>;
}

/** @throws FileFault if the bytes are not text, or end before the declared header line */
export async function openText(path: string, texts: AsyncIterable<string>, rules: TextRules): Promise<OpenedText> {
  const rest = texts[Symbol.asyncIterator]();
  try {
    const head = (await readHead(rest, HEAD_LENGTH)).join('');
    const named = rules.format ?? formatByName(path);
    const format = named === null || named === 'xlsx' ? formatByContent(head) : named;
    if (format !== 'csv') return { format, dialect: null, head, body: rejoin(head, rest) };
    const dialect = { ...readDialect(head, rules.delimiter, rules.headerLine), head };
    return { format, dialect, head, body: rejoin(head.slice(dialect.preamble.length), rest) };
  } catch (cause) {
    await rest.return?.();
    throw cause;
  }
}

/** Enough of a file to detect its format and delimiter, and to contain the lines above a header. In UTF-16 units. */
const HEAD_LENGTH = 64 * 1024;

/** The first pieces. @param enough their least total length */
async function readHead<T extends Buffer | string>(pieces: AsyncIterator<T>, enough: number): Promise<T[]> {
  const head: T[] = [];
  for (let length = 0; length < enough;) {
    const next = await pieces.next();
    if (next.done) break;
    head.push(next.value);
    length += next.value.length;
  }
  return head;
}

/** A first piece, which was read to look at it, and those after it. */
export async function* rejoin<T extends { readonly length: number }>(
  head: T,
  rest: AsyncIterator<T>,
): AsyncIterable<T> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // A reader that stops at a fault must not leave the file open.
    await rest.return?.();
  }
}
