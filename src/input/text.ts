/** Bytes → a workbook, or text of a known format without the lines above a CSV header. */
import { type Dialect, readDialect } from './csv-dialect.js';
import type { Decoded } from './decode.js';
import { type Format, formatByContent, formatByName, looksLikeWorkbook, WORKBOOK_START } from './formats.js';
import type { ReadOptions } from './reading.js';

/** What a person may say about a file's text; null where it is to be detected. */
export type TextRules = Pick<ReadOptions, 'format' | 'encoding' | 'delimiter' | 'headerLine'>;

type TextFormat = Exclude<Format, 'xlsx'>;

export interface OpenedText {
  readonly format: TextFormat;
  /** Null where the format is not CSV. */
  readonly dialect: Dialect | null;
  /** The first characters, the preamble included. */
  readonly head: string;
  /** UTF-8 after the preamble. */
  readonly body: AsyncIterable<Buffer>;
}

/** A file's bytes, once it is known whether they are text. */
export interface Sniffed {
  readonly isWorkbook: boolean;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Looks at the first bytes of a file whose format neither the person nor its name tells. */
export async function sniff(
  path: string,
  bytes: AsyncIterable<Buffer>,
  { format }: Pick<TextRules, 'format'>,
): Promise<Sniffed> {
  const named = format ?? formatByName(path);
  if (named !== null) return { isWorkbook: named === 'xlsx', chunks: bytes };
  const chunks = bytes[Symbol.asyncIterator]();
  const start = await readHead(chunks, WORKBOOK_START);
  return { isWorkbook: looksLikeWorkbook(start), chunks: rejoined(start, chunks) };
}

/** @throws FileFault when the bytes are no text, or end before the header line that was declared */
export async function openText(path: string, decoded: Decoded, rules: TextRules): Promise<OpenedText> {
  const chunks = decoded.chunks()[Symbol.asyncIterator]();
  try {
    const bytes = await readHead(chunks);
    const head = bytes.toString();
    const format = told(path, rules) ?? formatByContent(head);
    const dialect = format === 'csv' ? { ...readDialect(head, rules.delimiter, rules.headerLine), head } : null;
    const rest = bytes.subarray(dialect === null ? 0 : Buffer.byteLength(dialect.preamble));
    return { format, dialect, head, body: rejoined(rest, chunks) };
  } catch (cause) {
    await chunks.return?.();
    throw cause;
  }
}

/** The format that the person, or else the file's name, tells; null where neither does. Workbooks do not get here. */
function told(path: string, { format }: TextRules): TextFormat | null {
  const named = format ?? formatByName(path);
  return named === 'xlsx' ? null : named;
}

/** Enough of a file to detect its format and delimiter, and to hold the lines above a header. */
const HEAD_BYTES = 64 * 1024;

async function readHead(chunks: AsyncIterator<Buffer>, enough = HEAD_BYTES): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < enough;) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    size += next.value.length;
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

async function* rejoined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  try {
    if (head.length > 0) yield head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    // A reader that stops at a fault must not leave the file open.
    await rest.return?.();
  }
}
