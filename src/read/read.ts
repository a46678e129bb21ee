/** One file → raw records: settles encoding and format, then hands the text to the format's reader. */
import type { Readable } from 'node:stream';
import type { Shape } from '../records/kind.js';
import type { CellStyle } from './cells.js';
import type { Assignment, Naming } from './columns.js';
import { type Dialect, delimiterName, readDialect } from './csv-dialect.js';
import { type Decoded, decode, type Encoding } from './encoding.js';
import { type Format, FORMATS, formatByContent, formatByName } from './formats.js';
import type { RawRecord } from './raw.js';
import { openSource } from './source.js';

export interface ReadOptions {
  readonly cwd: string;
  readonly stdin: Readable;
  /** Null where it is to be found out. */
  readonly format: Format | null;
  readonly encoding: Encoding | null;
  readonly delimiter: string | null;
  readonly headerLine: number | null;
  readonly padShortRows: boolean;
  readonly style: CellStyle;
  readonly naming: Naming;
  /** Values that are set on every record, over what the file says. */
  readonly assignments: readonly Assignment[];
  /** What the file's records are, told by the names of its fields. @throws UsageError when they do not tell */
  readonly shapeFor: (names: readonly string[]) => Shape;
  /** Whether a `base_price` belongs to records of this shape as their price. */
  readonly priced: (shape: Shape) => boolean;
  /** Pass over fields that the shape does not have, instead of reporting them. */
  readonly ignoreUnknown: boolean;
  /** Told, once a file, what was found out about it. */
  readonly detected: (path: string, what: string) => void;
}

/** What reading found out about a file; complete after the last record. */
export interface FileFacts {
  readonly path: string;
  sha256: string;
  records: number;
  hasErrorColumn: boolean;
  /** Names of the fields that a CSV header gives; null where records name their own. */
  fields: readonly string[] | null;
}

export interface OpenedFile {
  readonly facts: FileFacts;
  /** Batches of records, in order. @throws FileFault, UsageError */
  records(): AsyncIterable<RawRecord[]>;
}

export function openFile(path: string, options: ReadOptions): OpenedFile {
  const facts: FileFacts = { path, sha256: '', records: 0, hasErrorColumn: false, fields: null };
  return { facts, records: () => readRecords(facts, options) };
}

async function* readRecords(facts: FileFacts, options: ReadOptions): AsyncIterable<RawRecord[]> {
  const source = openSource(facts.path, options.cwd, options.stdin);
  const decoded = decode(source.chunks(), options.encoding);
  const chunks = decoded.chunks()[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  const text = head.toString();
  const format = options.format ?? formatByName(facts.path) ?? formatByContent(text);
  const dialect = format === 'csv' ? readDialect(text, options.delimiter, options.headerLine) : null;
  const body = head.subarray(dialect === null ? 0 : Buffer.byteLength(dialect.preamble));
  try {
    for await (const batch of FORMATS[format](rejoined(body, chunks), options, facts, dialect as Dialect)) {
      facts.records += batch.length;
      if (batch.length > 0) yield batch;
    }
  } finally {
    options.detected(facts.path, describe(format, decoded, dialect));
  }
  facts.sha256 = source.sha256();
}

/** Enough of a file to tell its format and delimiter by, and to hold what stands above a header. */
const HEAD_BYTES = 64 * 1024;

async function readHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done) break;
    parts.push(next.value);
    size += next.value.length;
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

async function* rejoined(head: Buffer, rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function describe(format: Format, decoded: Decoded, dialect: Dialect | null): string {
  const encoding = `${decoded.encoding()}${decoded.hadMark() ? ' with a byte order mark' : ''}`;
  if (dialect === null) return `${format}, ${encoding}`;
  const header = dialect.headerLine === 1 ? '' : `, header on line ${dialect.headerLine}`;
  return `${format}, ${encoding}, ${delimiterName(dialect.delimiter)}${header}`;
}
