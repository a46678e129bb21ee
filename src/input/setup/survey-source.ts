/** A file as setup looks at it, whatever its format: its first lines, and its rows as often as they are needed. */
import { isObject } from '../../records/field.js';
import { Decoder } from '../decode.js';
import { type Format, openText, type OpenedText, type TextRules } from '../formats.js';
import { type JsonValue, readDocument, readLines } from '../json-stream.js';
import { readRows } from '../rows.js';
import { openSource, type SourceOptions } from '../source.js';
import { asName, type FirstLine, firstLines } from './header.js';

/** A row below the column names. */
export interface SurveyRow {
  readonly cells: readonly string[];
  /** Cells that are numbers or dates by themselves, however they are written; undefined where there are none. */
  readonly typed?: ReadonlySet<number>;
  readonly line: number | null;
}

export interface SurveySource {
  readonly format: Format;
  /** Those that may have the column names. */
  readonly lines: readonly FirstLine[];
  /** On which line the tool looks for the column names by itself. */
  readonly usualLine: number;
  /** Whether cells are texts, so that it matters how numbers and dates are written in them. */
  readonly isText: boolean;
  /** @param headerLine as `--header-line` has it, or null. @throws FileFault */
  rows(headerLine: number | null): AsyncIterable<readonly SurveyRow[]>;
}

export interface SurveyRules extends Omit<TextRules, 'headerLine'> {
  /** What `--sheet` says, or null. */
  readonly sheet: string | null;
}

/** A file of text. @throws FileFault, UsageError */
export async function textSource(path: string, rules: SurveyRules, from: SourceOptions): Promise<SurveySource> {
  const open = (headerLine: number | null): Promise<OpenedText> =>
    openText(path, new Decoder(openSource(path, from).chunks(), rules.encoding).chunks(), { ...rules, headerLine });
  const { format, dialect, head, body } = await open(null);
  // Reading a first piece and leaving is what closes the file.
  for await (const _piece of body) break;
  if (dialect === null) return jsonSource(format, open);
  // What a `sep=` line above the usual header names, counts for every line.
  const delimiter = rules.delimiter ?? (dialect.headerLine > 1 ? dialect.delimiter : null);
  return {
    format,
    lines: firstLines(head, delimiter),
    usualLine: dialect.headerLine,
    isText: true,
    rows: (headerLine) => csvRows(open, headerLine),
  };
}

async function* csvRows(
  open: (headerLine: number | null) => Promise<OpenedText>,
  headerLine: number | null,
): AsyncIterable<readonly SurveyRow[]> {
  const { dialect, body } = await open(headerLine);
  if (dialect === null) return;
  let isBelow = headerLine === 0;
  for await (const batch of readRows(body, dialect)) {
    yield isBelow ? batch : batch.slice(1);
    if (batch.length > 0) isBelow = true;
  }
}

/** Members of objects as columns: all names of the file, in the order in which they come. */
async function jsonSource(format: Format, open: (headerLine: null) => Promise<OpenedText>): Promise<SurveySource> {
  const objects = async function* (): AsyncIterable<readonly JsonRow[]> {
    const { body } = await open(null);
    for await (const batch of format === 'ndjson' ? readLines(body) : readDocument(body)) yield batch.flatMap(objectOf);
  };
  const names = new Set<string>();
  for await (const batch of objects())
    for (const { value } of batch) for (const name of Object.keys(value)) names.add(name);
  const order = [...names];
  return {
    format,
    lines: order.length === 0 ? [] : [{ line: 1, cells: order.map(asName) }],
    usualLine: 1,
    isText: false,
    async *rows() {
      for await (const batch of objects()) yield batch.map((row) => rowOf(row, order));
    },
  };
}

interface JsonRow {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: number | null;
}

/** What is no object is reported when the file is read. */
function objectOf({ value, line }: JsonValue): JsonRow[] {
  return isObject(value) ? [{ value, line }] : [];
}

function rowOf({ value, line }: JsonRow, names: readonly string[]): SurveyRow {
  const typed = new Set<number>();
  const cells = names.map((name, i) => {
    const member = value[name];
    if (typeof member === 'string') return member;
    if (typeof member !== 'number') return '';
    typed.add(i);
    return String(member);
  });
  return { cells, typed, line };
}
