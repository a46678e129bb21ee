/** Reads an input a second time, to get the records that a person has to correct as they were typed. */
import { type Dialect, lineEndOf } from './csv-dialect.js';
import { decode } from './decode.js';
import { type JsonValue, readDocument, readLines } from './json-stream.js';
import { FileFault } from './raw.js';
import type { FirstReading, ReadOptions, SheetFacts } from './reading.js';
import { readRows, type Row } from './rows.js';
import { reopenSource } from './source.js';
import { openText, type OpenedText, type TextRules } from './text.js';

/** A file as it was typed. Records come in the order in which the first reading numbered them, from 1. */
export type TypedFile =
  /** The first row is the header, where there is one. */
  | (Typed & {
      readonly format: 'csv';
      readonly dialect: Dialect;
      readonly lineEnd: string;
      readonly rows: AsyncIterable<Row[]>;
    })
  | (Typed & { readonly format: 'json' | 'ndjson'; readonly values: AsyncIterable<JsonValue[]> })
  /** A fault stood before the first record. */
  | (Typed & { readonly format: null });

interface Typed {
  readonly hadMark: boolean;
  /** Whether the bytes were those of the first reading. To be asked after the last record. */
  readonly isSame: () => boolean;
}

/** What a person may say about how a file is written. */
type TypedRules = TextRules & Pick<ReadOptions, 'style'>;

/** @throws UsageError when the file is not there any more */
export async function readAgain(path: string, cwd: string, first: FirstReading, rules: TypedRules): Promise<TypedFile> {
  const source = reopenSource(path, cwd, first, first.complete);
  const isSame = (): boolean => {
    const { bytes, sha256 } = source.taken();
    return bytes === first.bytes && sha256 === first.sha256;
  };
  if (first.sheet !== undefined) return sheetAgain(source.chunks(), first.sheet, rules, isSame);
  const decoded = decode(source.chunks(), rules.encoding);
  let text: OpenedText;
  try {
    text = await openText(path, decoded, rules);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    return { format: null, hadMark: decoded.hadMark(), isSame };
  }
  const typed = { hadMark: decoded.hadMark(), isSame };
  const { format, dialect, head, body } = text;
  if (dialect === null) {
    const values = upToFault(format === 'ndjson' ? readLines(body) : readDocument(body));
    return { ...typed, format: format === 'ndjson' ? 'ndjson' : 'json', values };
  }
  return {
    ...typed,
    format: 'csv',
    dialect,
    lineEnd: lineEndOf(head, dialect),
    rows: upToFault(readRows(body, dialect)),
  };
}

/** A workbook is corrected as CSV, which every spreadsheet opens and any editor shows. */
async function sheetAgain(
  chunks: AsyncIterable<Buffer>,
  facts: SheetFacts,
  { delimiter: declared, headerLine, style }: TypedRules,
  isSame: () => boolean,
): Promise<TypedFile> {
  const { readSheetAsCsv } = await import('./xlsx.js');
  const delimiter = declared ?? ',';
  const declaredStyle = { delimiter, headerLine, decimal: style.decimal };
  const { preamble, rows } = await readSheetAsCsv(chunks, declaredStyle, facts);
  const dialect = { delimiter, preamble, headerLine: headerLine ?? 1 };
  return { format: 'csv', dialect, lineEnd: '\r\n', hadMark: true, isSame, rows: upToFault(rows) };
}

/** Ends at a fault, which the first reading has reported. */
async function* upToFault<T>(batches: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* batches;
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
  }
}
