/** A file as setup looks at it, whatever its format: its first lines, and its rows as often as they are needed. */
import { isObject } from '../../records/field.js';
import { Decoder } from '../decode.js';
import { type Format, openText, type OpenedText, sniff, type TextRules } from '../formats.js';
import { type JsonValue, readDocument, readLines } from '../json-stream.js';
import { readRows } from '../rows.js';
import { openSource, type SourceOptions } from '../source.js';
import { asName, type FirstLine, firstLines } from './header-line.js';

/** A row below the column names. */
export interface SurveyRow {
  readonly cells: readonly string[];
  /** By column, what is a number or a date by itself, however it is written; undefined where nothing is. */
  readonly typed?: readonly unknown[] | undefined;
  readonly line: number | null;
}

export interface SurveySource {
  /** Those that may have the column names. */
  readonly lines: readonly FirstLine[];
  /** On which line the tool looks for the column names by itself. */
  readonly usualLine: number;
  /** Whether it has lines of which one may be the header. */
  readonly hasLines: boolean;
  /** @param headerLine as `--header-line` has it, or null. @throws FileFault */
  readonly rows: (headerLine: number | null) => AsyncIterable<readonly SurveyRow[]>;
}

export interface SurveyOptions {
  readonly path: string;
  readonly rules: Omit<TextRules, 'headerLine'> & {
    /** What `--sheet` says, or null. */
    readonly sheet: string | null;
  };
  readonly from: SourceOptions;
}

/** @throws FileFault, UsageError */
export async function openSurveySource(options: SurveyOptions): Promise<SurveySource> {
  return (await isWorkbook(options)) ? sheetSource(options) : textSource(options);
}

/** The sheets of which one has to be chosen; none where there is nothing to choose. @throws FileFault, UsageError */
export async function sheetsToChoose(options: SurveyOptions): Promise<string[]> {
  const { path, rules, from } = options;
  if (rules.sheet !== null || !(await isWorkbook(options))) return [];
  const { sheetNames } = await import('../xlsx/workbook.js');
  const names = await sheetNames(openSource(path, from).chunks());
  return names.length > 1 ? names : [];
}

async function isWorkbook({ path, rules, from }: SurveyOptions): Promise<boolean> {
  const found = await sniff(path, openSource(path, from).chunks(), rules.format);
  await closed(found.chunks);
  return found.isWorkbook;
}

/** Reading a first piece and leaving is what closes a file. */
async function closed(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _piece of chunks) break;
}

/** What unpacks and reads workbooks is loaded for them alone. */
async function sheetSource({ path, rules: { sheet }, from }: SurveyOptions): Promise<SurveySource> {
  const { readUnknownSheet } = await import('../xlsx.js');
  const open = (headerLine: number | null): ReturnType<typeof readUnknownSheet> =>
    readUnknownSheet(openSource(path, from).chunks(), path, sheet, headerLine);
  return {
    ...{ lines: firstLines((await open(null))?.head ?? '', ','), usualLine: 1, hasLines: true },
    async *rows(headerLine) {
      yield* (await open(headerLine))?.rows ?? [];
    },
  };
}

async function textSource({ path, rules, from }: SurveyOptions): Promise<SurveySource> {
  const open = (headerLine: number | null): Promise<OpenedText> =>
    openText(path, new Decoder(openSource(path, from).chunks(), rules.encoding).texts(), { ...rules, headerLine });
  const { format, dialect, head, body } = await open(null);
  await closed(body);
  if (dialect === null) return jsonSource(format, async () => (await open(null)).body);
  // What a `sep=` line above the usual header names, counts for every line.
  const delimiter = rules.delimiter ?? (dialect.headerLine > 1 ? dialect.delimiter : null);
  return {
    ...{ lines: firstLines(head, delimiter), usualLine: dialect.headerLine, hasLines: true },
    async *rows(headerLine) {
      const text = await open(headerLine);
      if (text.dialect === null) return;
      let isBelow = headerLine === 0;
      for await (const batch of readRows(text.body, text.dialect)) {
        yield isBelow ? batch : batch.slice(1);
        if (batch.length > 0) isBelow = true;
      }
    },
  };
}

/** Members of objects as columns: all names of the file, in the order in which they come. */
async function jsonSource(format: Format, open: () => Promise<AsyncIterable<string>>): Promise<SurveySource> {
  const objects = async function* (): AsyncIterable<readonly JsonValue[]> {
    const text = await open();
    // What is no object is reported when the file is read.
    for await (const batch of format === 'ndjson' ? readLines(text) : readDocument(text))
      yield batch.filter(({ value }) => isObject(value));
  };
  const found = new Set<string>();
  for await (const batch of objects())
    for (const { value } of batch) for (const name of Object.keys(value as object)) found.add(name);
  const names = [...found];
  return {
    ...{ usualLine: 1, hasLines: false },
    lines: names.length === 0 ? [] : [{ line: 1, cells: names.map(asName) }],
    async *rows() {
      for await (const batch of objects()) yield batch.map((row) => rowOf(row, names));
    },
  };
}

function rowOf({ value, line }: JsonValue, names: readonly string[]): SurveyRow {
  const members = names.map((name) => (value as Readonly<Record<string, unknown>>)[name]);
  const cells = members.map((each) => (typeof each === 'string' || typeof each === 'number' ? String(each) : ''));
  // What is written in them, no flag says.
  return { cells, typed: cells, line };
}
