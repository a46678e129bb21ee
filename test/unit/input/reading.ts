import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { readDialect } from '../../../src/input/csv-layout.js';
import { ByteDecoder } from '../../../src/input/decode.js';
import { formatByContent, type OpenedText } from '../../../src/input/formats.js';
import { FileFault, type RawContent, type RawRecord } from '../../../src/input/raw-record.js';
import { type FileInfo, type ReadOptions, newFileInfo } from '../../../src/input/read-options.js';
import { openInputFile, readOpenedText } from '../../../src/input/open-file.js';

/** What reading gave; a fault that ended it stands beside the records before it. */
export interface Reading {
  readonly records: readonly (RawRecord & RawContent)[];
  readonly facts: FileInfo;
  readonly fault: FileFault | null;
  /** What the person is told about the file. */
  readonly detected: string;
  /** The records' input, for records that can be checked. */
  readonly inputs: readonly unknown[];
  /** `line code field` of each finding. */
  readonly found: readonly string[];
}

/** Changes to the options; names may be given as plain objects and lists. */
export interface Change extends Partial<Omit<ReadOptions, 'naming'>> {
  readonly map?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
  readonly ignoreOthers?: boolean;
}

export function readOptions({ map = {}, ignore = [], ignoreOthers = false, ...change }: Change = {}): ReadOptions {
  return {
    cwd: '/',
    stdin: Readable.from([]),
    stop: new AbortController().signal,
    format: null,
    encoding: null,
    delimiter: null,
    headerLine: null,
    sheet: null,
    profileSheet: null,
    padShortRows: false,
    only: [],
    knownValues: [],
    style: PLAIN_STYLE,
    naming: { map: new Map(Object.entries(map)), ignore: new Set(ignore), ignoreOthers, met: new Set() },
    template: null,
    allowTotalRow: false,
    assignments: [],
    type: 'payout',
    shape: null,
    onUnrecognisedColumns: () => {},
    platform: 'linux',
    onDetected: () => {},
    ...change,
  };
}

/** The bytes in pieces of a size, as a stream brings them. */
export function pieces(bytes: Uint8Array, size: number): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += Math.max(1, size)) yield Buffer.from(bytes.subarray(at, at + size));
    })(),
  );
}

/** Reads a file to its end, or to the fault that ends it. @throws UsageError */
export async function readFile(path: string, options: ReadOptions): Promise<Reading> {
  let detected = '';
  const file = openInputFile(path, { ...options, onDetected: (_path, what) => void (detected = what) });
  return { ...(await collect(file.chunks(), file.info)), detected };
}

/** With what it says beside its place. */
function shown(raw: RawRecord): RawRecord & RawContent {
  const { record, line, sheetRow, source, cells, columns, isWhole, replaces } = raw;
  const place = { record, line, sheetRow, cells, columns, isWhole, replaces, read: () => raw.read() };
  return { ...place, ...(source === undefined ? {} : { source }), ...raw.read() };
}

async function collect(batches: AsyncIterable<RawRecord[]>, facts: FileInfo): Promise<Omit<Reading, 'detected'>> {
  const records: (RawRecord & RawContent)[] = [];
  let fault: FileFault | null = null;
  try {
    for await (const batch of batches) records.push(...batch.map(shown));
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    fault = cause;
  }
  return {
    records,
    facts,
    fault,
    inputs: records.map(({ input }) => input),
    found: records.flatMap(({ line, findings }) => findings.map(({ code, field }) => `${line} ${code} ${field}`)),
  };
}

/** Reads text or bytes from standard input. @param size cuts the text into pieces of so many bytes, or a character */
export async function read(content: string | Uint8Array, change: Change = {}, size?: number): Promise<Reading> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  if (size === undefined) return readFile('-', readOptions({ ...change, stdin: pieces(bytes, bytes.length) }));
  return readCut(bytes, readOptions(change), size);
}

/** Past the head of a file that is looked at as a whole, so that even a short text reaches its format's reader in pieces. */
async function readCut(bytes: Uint8Array, options: ReadOptions, size: number): Promise<Reading> {
  let text = '';
  for await (const piece of new ByteDecoder(pieces(bytes, bytes.length), options.encoding).texts()) text += piece;
  const format = options.format ?? formatByContent(text);
  if (format === 'xlsx') throw new Error('a workbook is no text');
  const head = format === 'csv' ? text : '';
  const dialect = { ...readDialect(head, options.delimiter, options.headerLine), head };
  const rest = Buffer.from(text.slice(dialect.preamble.length));
  const body = new ByteDecoder(pieces(rest, size), 'utf-8').texts();
  const opened: OpenedText = format === 'csv' ? { format, dialect, head, body } : { format, dialect: null, head, body };
  const facts = newFileInfo('-');
  return { ...(await collect(readOpenedText(opened, options, facts), facts)), detected: '' };
}

/** Everything that reading gave of the text, to compare two readings by; hidden maps and sets made visible. */
export function comparable({ records, facts, fault }: Reading): unknown {
  return {
    records: records.map(({ record, line, sheetRow, input, findings, unreadable, typed, replaces }) => ({
      record,
      line,
      sheetRow,
      input,
      findings,
      replaces,
      unreadable: [...(unreadable ?? [])],
      typed: [...(typed ?? [])],
    })),
    names: facts.fields,
    fault: fault === null ? null : { code: fault.code, line: fault.line, message: fault.message, value: fault.value },
  };
}

/** A folder that is gone when the test is over. */
export function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gigwork-read-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
