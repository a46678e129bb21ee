/** One file → raw records: settles encoding and format, then hands the text to the format's reader. */
import { readCsv } from './csv.js';
import { type Dialect, delimiterName } from './csv-dialect.js';
import { droppedWords } from './dropped.js';
import { type Decoded, decode } from './decode.js';
import type { Encoding } from './encoding.js';
import type { Format } from './formats.js';
import { readJson, readNdjson } from './json.js';
import type { RawRecord } from './raw.js';
import {
  type FileFacts,
  type FirstReading,
  type OpenedFile,
  type ReadOptions,
  type SheetFacts,
  unreadFacts,
} from './reading.js';
import { openSource } from './source.js';
import { openText, sniff } from './text.js';

/** @param chunks UTF-8, or the file's own bytes where it is a workbook. @param dialect null where the format is not CSV */
type Reader = (
  chunks: AsyncIterable<Buffer>,
  options: ReadOptions,
  facts: FileFacts,
  dialect: Dialect | null,
) => AsyncIterable<RawRecord[]>;

export const READERS: Readonly<Record<Format, Reader>> = {
  csv: (chunks, options, facts, dialect) => readCsv(chunks, dialect as Dialect, options, facts),
  json: readJson,
  ndjson: readNdjson,
  // What unpacks and reads workbooks is loaded for them alone.
  async *xlsx(chunks, options, facts) {
    const { readXlsx } = await import('./xlsx.js');
    yield* readXlsx(chunks, options, facts);
  },
};

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
    yield* counted(READERS.xlsx(chunks, options, facts, null), facts);
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
      yield* counted(READERS[format](body, options, facts, dialect), facts);
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
