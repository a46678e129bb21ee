/** One file → raw records: settles encoding and format, then hands the text to the format's reader. */
import type { Finding } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import type { CellStyle } from './cells.js';
import type { Assignment, Naming } from './columns.js';
import { type Dialect, delimiterName } from './csv-dialect.js';
import { droppedWords } from './dropped.js';
import { type Decoded, decode, type Encoding } from './encoding.js';
import { type Format, FORMATS } from './formats.js';
import type { RawRecord } from './raw.js';
import { openSource, type SourceOptions, type Taken } from './source.js';
import { openText, sniff } from './text.js';
import type { SheetFacts } from './xlsx.js';

export interface ReadOptions extends SourceOptions {
  /** Null where it is to be detected. */
  readonly format: Format | null;
  readonly encoding: Encoding | null;
  readonly delimiter: string | null;
  /** From 1; 0 where there is none, and columns are named by position; null where it is not said. */
  readonly headerLine: number | null;
  /** The name or number of a workbook's sheet, as it was written; null where it is not said. */
  readonly sheet: string | null;
  readonly padShortRows: boolean;
  readonly style: CellStyle;
  readonly naming: Naming;
  /** Values that are set on every record, instead of the file's. */
  readonly assignments: readonly Assignment[];
  /**
   * The shape of the file's records, by the names of its fields.
   * @param advice what to do where they do not tell it
   * @throws UsageError when they do not
   */
  readonly shapeFor: (names: readonly string[], advice?: () => string | null) => Shape;
  /** Pass over fields that the shape does not have, instead of reporting them. */
  readonly ignoreUnknown: boolean;
  /** The platform for whose shells suggested flags are quoted. */
  readonly platform: NodeJS.Platform;
  /** Called once for each file with what was found out about it. */
  readonly detected: (path: string, what: string) => void;
}

/** What reading found out about a file; complete after the last record. */
export interface FileFacts {
  readonly path: string;
  sha256: string;
  records: number;
  /** Names of the fields that a header gives; null where records name their own. */
  fields: readonly string[] | null;
  /** Columns and members that were dropped, as the file names them. */
  readonly dropped: Set<string>;
  /** Dropped columns that may be meant for a field. */
  readonly doubts: DroppedDoubt[];
  /** Of a workbook: what was found out about its sheet. */
  sheet?: SheetFacts;
}

/** Of a file that nothing is known of yet. */
export function unreadFacts(path: string): FileFacts {
  return { path, sha256: '', records: 0, fields: null, dropped: new Set(), doubts: [] };
}

/** A column that was dropped because it is no field, and may be meant for one. */
export interface DroppedDoubt {
  /** As the file has it. */
  readonly column: string;
  readonly field: string;
  /** A warning. */
  readonly finding: Finding;
  /** Of the header; null without one. */
  readonly line: number | null;
}

/** What a second reading of the same bytes needs from the first. */
export interface FirstReading extends Taken {
  readonly encoding: Encoding;
  readonly sheet?: SheetFacts | undefined;
  /** Whether the file was read to its end, and not only to the fault that ended the reading. */
  readonly complete: boolean;
}

export interface OpenedFile {
  readonly facts: FileFacts;
  /** Batches of records, in order. @throws FileFault, UsageError */
  readonly records: () => AsyncIterable<RawRecord[]>;
  /** Known when the records have been read, to their end or to a fault; null before, and where there are no bytes. */
  readonly firstReading: () => FirstReading | null;
}

/** Opens nothing before the records are asked for. @param path as the person wrote it; `-` is standard input */
export function openFile(path: string, options: ReadOptions): OpenedFile {
  const facts = unreadFacts(path);
  const source = openSource(path, options);
  let encoding: Encoding = 'utf-8';
  let first: FirstReading | null = null;
  return {
    facts,
    async *records() {
      try {
        const { isWorkbook, chunks } = await sniff(path, source.chunks(), options);
        if (isWorkbook) yield* sheetRecords(facts, chunks, options);
        else yield* textRecords(facts, chunks, options, (found) => (encoding = found));
        facts.sha256 = source.taken().sha256;
      } finally {
        first = { ...source.taken(), encoding, sheet: facts.sheet, complete: facts.sha256 !== '' };
      }
    },
    firstReading: () => first,
  };
}

async function* sheetRecords(
  facts: FileFacts,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
): AsyncIterable<RawRecord[]> {
  try {
    yield* counted(FORMATS.xlsx(chunks, options, facts, null), facts);
  } finally {
    if (facts.sheet !== undefined) tell(facts, describeSheet(facts.sheet), options);
  }
}

/** What was found out about a file, for people. */
function tell(facts: FileFacts, what: string, { detected }: ReadOptions): void {
  detected(facts.path, what);
  if (facts.dropped.size > 0) detected(facts.path, droppedWords(facts));
}

function describeSheet({ name, headerRow }: SheetFacts): string {
  return `xlsx, sheet ${JSON.stringify(name)}${headerWords(headerRow, 'in row')}`;
}

/** @param detected told of the encoding when everything has been read */
async function* textRecords(
  facts: FileFacts,
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  detected: (encoding: Encoding) => void,
): AsyncIterable<RawRecord[]> {
  const decoded = decode(chunks, options.encoding);
  try {
    const { format, dialect, body } = await openText(facts.path, decoded, options);
    try {
      yield* counted(FORMATS[format](body, options, facts, dialect), facts);
    } finally {
      tell(facts, describe(format, decoded, dialect), options);
    }
  } finally {
    detected(decoded.encoding());
  }
}

/** Nothing where the header is where everybody expects it. */
function headerWords(line: number, where: string): string {
  return line === 1 ? '' : line === 0 ? ', no header line' : `, header ${where} ${line}`;
}

async function* counted(batches: AsyncIterable<RawRecord[]>, facts: FileFacts): AsyncIterable<RawRecord[]> {
  for await (const batch of batches) {
    facts.records += batch.length;
    if (batch.length > 0) yield batch;
  }
}

function describe(format: Format, decoded: Decoded, dialect: Dialect | null): string {
  const encoding = `${decoded.encoding()}${decoded.hadMark() ? ' with a byte order mark' : ''}`;
  const samples = decoded.samples().map((cell) => `"${cell}"`);
  // A person sees whether the letters are the right ones.
  const sample = samples.length === 0 ? '' : `; the encoding is a guess: ${samples.join(', ')} should look right`;
  if (dialect === null) return `${format}, ${encoding}${sample}`;
  const header = headerWords(dialect.headerLine, 'on line');
  return `${format}, ${encoding}, ${delimiterName(dialect.delimiter)}${header}${sample}`;
}
