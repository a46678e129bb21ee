/**
 * Reads one file as raw records: determines encoding and format, then passes the text to the format's reader. Also
 * reads the same file again, as typed.
 */
import { readCsv } from './csv.js';
import { type Dialect, lineEndOf } from './csv-layout.js';
import { delimiterName } from './delimiters.js';
import { ByteDecoder } from './decode.js';
import { type JsonFormat, openText, type OpenedText, sniff } from './formats.js';
import type { JsonValue } from './json-stream.js';
import { filteredText, withFilterRules } from './filtered-rows.js';
import { overrideText } from './overrides.js';
import { excerpt } from '../records/issue.js';
import { FileFault } from './raw-record.js';
import { newFileInfo } from './read-options.js';
import type { RawRecord } from './raw-record.js';
import type { FileInfo, OpenedFile, ReadOptions } from './read-options.js';
import type { RereadInfo, RereadRules, SheetFacts, TableColumns } from './read-options.js';
import { readRows, type Row } from './rows.js';
import { openSource, reopenSource } from './source.js';
import { droppedText } from './unknown-columns.js';

/** The records of a text in its format. @throws FileFault, UsageError */
export function readOpenedText(text: OpenedText, options: ReadOptions, info: FileInfo): AsyncIterable<RawRecord[]> {
  return text.format === 'csv'
    ? readCsv(text.body, text.dialect, options, info)
    : readJsonText(text.format, text.body, options, info);
}

async function* readJsonText(
  format: JsonFormat,
  body: AsyncIterable<string>,
  options: ReadOptions,
  info: FileInfo,
): AsyncIterable<RawRecord[]> {
  const { readObjects } = await import('./json.js');
  yield* readObjects(format, body, options, info);
}

/** Opens nothing before the records are requested. @param path as the person wrote it; `-` is standard input */
export function openInputFile(path: string, options: ReadOptions): OpenedFile {
  const info = newFileInfo(path);
  const source = openSource(path, options);
  let first: RereadInfo | null = null;
  return {
    info,
    async *chunks(onFiltered) {
      const reading = { ...options, onFiltered };
      let decoder: ByteDecoder | null = null;
      let format: RereadInfo['format'] = null;
      try {
        const { isWorkbook, chunks } = await sniff(path, source.chunks(), options.format);
        if (isWorkbook) format = 'xlsx';
        else decoder = new ByteDecoder(chunks, options.encoding, () => void (info.isEncodingGuessed = true));
        const text = decoder === null ? null : await openText(path, decoder.texts(), options);
        format ??= text?.format ?? null;
        const records =
          text === null
            ? (await import('./xlsx/xlsx.js')).readXlsx(chunks, reading, info)
            : readOpenedText(text, reading, info);
        try {
          for await (const chunk of records) {
            info.records += chunk.length;
            if (chunk.length > 0) yield chunk;
          }
        } finally {
          if (decoder !== null && text !== null) options.onDetected(path, describeText(text, decoder));
          else if (info.sheet !== undefined) {
            options.onDetected(path, describeSheet(info.sheet));
            for (const words of currencyTexts(info.sheet, info.columns)) options.onDetected(path, words);
          }
          if (info.dropped.size > 0) options.onDetected(path, droppedText(info));
          for (const override of info.overrides?.list(false) ?? []) options.onDetected(path, overrideText(override));
          if (info.filtered !== undefined) options.onDetected(path, filteredText(info.filtered, options.only));
        }
        info.sha256 = source.taken().sha256;
      } finally {
        const encoding = decoder?.encoding ?? 'utf-8';
        first = { ...source.taken(), encoding, format, info, complete: info.sha256 !== '' };
      }
    },
    rereadInfo: () => first,
  };
}

function describeText({ format, dialect }: OpenedText, decoder: ByteDecoder): string {
  const mark = decoder.hadMark ? ' with a byte order mark' : '';
  const samples = decoder.samples().map((cell) => `"${cell}"`);
  // A person checks whether the letters are right.
  const verb = samples.length === 1 ? 'is' : 'are';
  const sample =
    samples.length === 0
      ? ''
      : `. Please check that ${samples.join(', ')} ${verb} displayed correctly; if not, save the file as CSV UTF-8, or name --encoding`;
  const table =
    dialect === null ? '' : `, ${delimiterName(dialect.delimiter)}${headerPlaceText(dialect.headerLine, 'on line')}`;
  return `${format}, ${decoder.encoding}${mark}${table}${sample}`;
}

function describeSheet({ name, headerRow }: SheetFacts): string {
  return `xlsx, sheet ${JSON.stringify(name)}${headerPlaceText(headerRow, 'in row')}`;
}

/** Amounts that look like money of a currency are sent without one. */
function currencyTexts({ seen }: SheetFacts, columns: TableColumns | undefined): string[] {
  return seen.currencies.map(({ path, sign, codes }) => {
    const name = columns?.fields.find((column) => column.path === path)?.name ?? path;
    const [code = ''] = codes;
    const remedy = codes.length === 1 && /^[A-Z]{3}$/.test(code) ? code : 'CODE, with the code of their currency';
    return `the cells of ${JSON.stringify(excerpt(name))} show ${JSON.stringify(sign)}, but these amounts will be sent without a currency. To send it, add --set currency=${remedy}`;
  });
}

/** Empty if the header is on the usual line. */
function headerPlaceText(line: number, where: string): string {
  if (line === 1) return '';
  return line === 0 ? ', no header line' : `, header ${where} ${line}`;
}

/**
 * A file as typed. Records come in the order in which the first reading numbered them, from 1; rows that it filtered
 * out have no number.
 */
export type OriginalFile =
  /** The first row is the header, if there is one. */
  | (Typed & {
      readonly format: 'csv';
      readonly dialect: Dialect;
      readonly lineEnd: string;
      readonly rows: AsyncIterable<Row[]>;
    })
  | (Typed & { readonly format: 'json'; readonly values: AsyncIterable<JsonValue[]> })
  /** There was a fault before the first record. */
  | (Typed & { readonly format: null });

interface Typed {
  readonly hadMark: boolean;
  /** Whether the bytes were the same as in the first reading. To be called after the last record. */
  readonly isSame: () => boolean;
}

/**
 * Reads an input a second time, to get the records that a person must correct as they were typed.
 * @throws UsageError when the file is gone
 */
export async function rereadFile(
  path: string,
  cwd: string,
  first: RereadInfo,
  rules: RereadRules,
): Promise<OriginalFile> {
  const source = reopenSource(path, cwd, first, first.complete);
  const isSame = (): boolean => {
    const { bytes, sha256 } = source.taken();
    return bytes === first.bytes && sha256 === first.sha256;
  };
  const { sheet, filtered } = first.info;
  const asTyped = (batches: AsyncIterable<Row[]>): AsyncIterable<Row[]> =>
    upToFault(filtered === undefined ? batches : withFilterRules(batches, filtered));
  if (sheet !== undefined) {
    const { readSheetAsCsv } = await import('./xlsx/xlsx.js');
    const { dialect, rows } = await readSheetAsCsv(source.chunks(), rules, sheet);
    return { format: 'csv', dialect, lineEnd: '\r\n', hadMark: true, isSame, rows: asTyped(rows) };
  }
  const decoder = new ByteDecoder(source.chunks(), rules.encoding);
  let text: OpenedText;
  try {
    text = await openText(path, decoder.texts(), rules);
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    return { format: null, hadMark: decoder.hadMark, isSame };
  }
  const typed = { hadMark: decoder.hadMark, isSame };
  if (text.format !== 'csv') {
    const { readJson } = await import('./json-stream.js');
    return { ...typed, format: 'json', values: upToFault(readJson(text.format, text.body)) };
  }
  const { format, dialect, head, body } = text;
  return { ...typed, format, dialect, lineEnd: lineEndOf(head, dialect), rows: asTyped(readRows(body, dialect)) };
}

/** Ends at a fault, which the first reading has reported. */
async function* upToFault<T>(batches: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* batches;
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
  }
}
