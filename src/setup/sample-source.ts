/** Setup's view of a file, CSV or workbook: its first lines, its header, and its rows as often as they are needed. */
import { columnPlace } from '../input/column-places.js';
import { columnName } from '../input/columns.js';
import { csvMisfit } from '../input/csv.js';
import { cutHeader, headerText, isBlankRow, isFrame } from '../input/csv-cells.js';
import { detectDelimiter } from '../input/detect-delimiter.js';
import { isLikeData, linesAt } from '../input/header-place.js';
import { ByteDecoder } from '../input/decode.js';
import type { Encoding } from '../input/encoding.js';
import { type Format, openText, type OpenedText, sniff } from '../input/formats.js';
import { FileFault } from '../input/raw-record.js';
import { readRows, type Row } from '../input/rows.js';
import { fieldBySynonym } from '../input/column-synonyms.js';
import { openSource, type SourceOptions } from '../input/source.js';
import { type Inference, inferredValue } from './inference.js';

/** A line that may have the column names. */
export interface FirstLine {
  /** As an editor numbers it; in a workbook the row. */
  readonly line: number;
  /** Its cells as names: trimmed, each on one line. */
  readonly cells: readonly string[];
}

/** A row below the column names. */
export interface SampleRow extends Row {
  /** Type of each cell that is a number or a date in the workbook, by column; undefined if there is none. */
  readonly typed?: readonly ({ readonly is: string } | undefined)[] | undefined;
}

export interface SampleSource {
  readonly lines: readonly FirstLine[];
  /** Its letters may be others. */
  readonly isEncodingGuessed: boolean;
  /** The line on which a run looks for the column names by default. */
  readonly usualLine: number;
  /** @param headerLine as `--header-line` has it, or null. @throws FileFault */
  readonly rows: (headerLine: number | null) => AsyncIterable<readonly SampleRow[]>;
  /** The names of the visible sheets with the same header, if a person has chosen one of them. @throws FileFault */
  readonly sheetsLike: (headerLine: number | null) => Promise<readonly string[]>;
  /** Returns the problem of a row as a whole, except missing cells at its end; or null. */
  readonly misfitOf: (names: readonly string[], headerLine: number | null) => (row: SampleRow) => string | null;
}

export interface SampleOptions {
  readonly path: string;
  /** The person's flags about the file; null to detect. */
  readonly rules: {
    readonly format: Format | null;
    readonly encoding: Encoding | null;
    readonly delimiter: string | null;
    readonly sheet: string | null;
    readonly ignoreColumns: ReadonlySet<string>;
    readonly ignoreOtherColumns: boolean;
  };
  readonly from: SourceOptions;
  /** For whose shells suggested flags are quoted. */
  readonly platform: NodeJS.Platform;
}

/** @throws FileFault, UsageError */
export async function openSampleSource(options: SampleOptions): Promise<SampleSource> {
  return (await isWorkbook(options)) ? sheetSource(options) : textSource(options);
}

/** The sheets to choose from; empty if there is no choice. @throws FileFault, UsageError */
export async function sheetsToChoose(options: SampleOptions): Promise<string[]> {
  const { path, rules, from } = options;
  if (rules.sheet !== null || !(await isWorkbook(options))) return [];
  const { sheetNames } = await import('../input/xlsx/workbook.js');
  const names = await sheetNames(openSource(path, from).chunks());
  return names.length > 1 ? names : [];
}

async function isWorkbook({ path, rules, from }: SampleOptions): Promise<boolean> {
  const found = await sniff(path, openSource(path, from).chunks(), rules.format);
  await closed(found.chunks);
  return found.isWorkbook;
}

/** To close a file, its reader must read a piece and stop. */
async function closed(chunks: AsyncIterable<unknown>): Promise<void> {
  for await (const _piece of chunks) break;
}

/** The cells without a column name that must be empty. */
function unnamedCells(names: readonly string[], ignored: ReadonlySet<string>): number[] {
  return [...names.keys()].filter((index) => names[index] === '' && !ignored.has(columnPlace(index)));
}

/** Loads the reader of workbooks only for workbooks. */
async function sheetSource({
  path,
  rules: { sheet, ignoreColumns, ignoreOtherColumns },
  from,
  platform,
}: SampleOptions): Promise<SampleSource> {
  const { readUnknownSheet, sheetMisfit } = await import('../input/xlsx/xlsx.js');
  const chunks = (): AsyncIterable<Buffer> => openSource(path, from).chunks();
  const opened = await readUnknownSheet(chunks(), path, { sheet, headerLine: null, platform }, null);
  return {
    lines: notEmpty(firstLines(opened?.head ?? '', ',')),
    isEncodingGuessed: false,
    usualLine: 1,
    misfitOf: (names) => {
      const nameless = ignoreOtherColumns ? [] : unnamedCells(names, ignoreColumns);
      const ignored = ignoreOtherColumns ? null : ignoreColumns;
      const misfit = sheetMisfit(nameless, names.length, ignored, { platform, template: null });
      return (row) => misfit(row)?.message ?? null;
    },
    sheetsLike: async (headerLine) => {
      if (sheet === null) return [];
      const { sheetsLike } = await import('../input/xlsx/alike-sheets.js');
      const others = await sheetsLike(chunks(), path, sheet, headerLine);
      return others.length === 0 ? [] : [...others, sheet];
    },
    async *rows(headerLine) {
      const rules = { sheet, headerLine, platform };
      yield* (await readUnknownSheet(chunks(), path, rules, ignoreOtherColumns ? null : ignoreColumns))?.rows ?? [];
    },
  };
}

/**
 * The first lines with content, each cut as if it were the header.
 * @param head the start of the file, as text
 * @param delimiter as declared; null to detect one for each line: a title has none, or another one
 */
export function firstLines(head: string, delimiter: string | null): FirstLine[] {
  const asName = (cell: string): string => columnName(cell).trim();
  if (head.trim() === '') return [];
  const lines: FirstLine[] = [];
  for (const [i, rest] of [...linesAt(head)].entries()) {
    const [text = ''] = rest.split(/[\r\n]/, 1);
    const cells = cutHeader(headerText(rest), delimiter ?? detectDelimiter(rest) ?? ',');
    if (cells !== null && (isBlankRow(cells) || isFrame(cells))) continue;
    if (cells !== null) lines.push({ line: i + 1, cells: cells.map(asName) });
    else if (text.trim() !== '') lines.push({ line: i + 1, cells: [asName(text)] });
  }
  return lines;
}

/** @throws FileFault */
function notEmpty(lines: readonly FirstLine[]): readonly FirstLine[] {
  if (lines.length > 0) return lines;
  throw new FileFault('no-records', null, 'this file is empty: there is nothing to set up. Export it again');
}

/** How files of banks and calendars begin: MT940, OFX, QIF, vCard, EDIFACT. */
const OTHER_FORMATS = /^(?:\{1:|:\d\d[A-Z]?:|OFXHEADER|!Type:|BEGIN:|UN[AB][:+])/;

/** @throws FileFault for a text without columns, unless it is a list under the name of a field */
function asTable(lines: readonly FirstLine[]): readonly FirstLine[] {
  const [name = ''] = lines[0]?.cells ?? [];
  if (OTHER_FORMATS.test(name)) {
    const message = 'this is a bank statement or another file that is not CSV (MT940, OFX, QIF, …). Export it as CSV';
    throw new FileFault('bad-csv', null, message);
  }
  const isRow = ({ cells }: FirstLine): boolean => cells.length > 1;
  const hasTable = lines.length === 1 || lines.some((line, i) => i > 0 && isRow(line) && isRow(lines[i - 1] ?? line));
  if ((hasTable && lines.some(isRow)) || fieldBySynonym(name, 'payout') !== null) return lines;
  const found = 'its lines have no columns (with a comma, semicolon, tab or pipe between them)';
  const remedy = 'Save it as CSV (UTF-8) or as a workbook (.xlsx), and set up that file';
  throw new FileFault('bad-csv', null, `this file is not CSV: ${found}. ${remedy}`);
}

async function textSource({ path, rules, from, platform }: SampleOptions): Promise<SampleSource> {
  let isEncodingGuessed = false;
  const onGuess = (): void => {
    isEncodingGuessed = true;
  };
  const open = (headerLine: number | null): Promise<OpenedText> => {
    const decoder = new ByteDecoder(openSource(path, from).chunks(), rules.encoding, onGuess);
    return openText(path, decoder.texts(), { ...rules, headerLine });
  };
  const { dialect, head, body } = await open(null);
  await closed(body);
  if (dialect === null) {
    const message =
      'this is JSON, and setup is for CSV and workbooks. Map names that are not fields with --map, or with "map" in a profile';
    throw new FileFault('bad-csv', null, message);
  }
  // A delimiter in a `sep=` line above the usual header applies to every line.
  const delimiter = rules.delimiter ?? (dialect.headerLine > 1 ? dialect.delimiter : null);
  return {
    lines: asTable(notEmpty(firstLines(head, delimiter))),
    isEncodingGuessed,
    usualLine: dialect.headerLine,
    sheetsLike: () => Promise.resolve([]),
    misfitOf: (names, headerLine) => {
      const unnamed = unnamedCells(names, rules.ignoreColumns);
      const found = { ...dialect, headerLine: headerLine ?? dialect.headerLine };
      const misfit = csvMisfit(unnamed, names.length, found, true, { platform, template: null });
      return (row) => misfit(row)?.message ?? null;
    },
    async *rows(headerLine) {
      const text = await open(headerLine);
      if (text.dialect === null) return;
      let isBelow = false;
      for await (const batch of readRows(text.body, text.dialect)) {
        yield isBelow ? batch : batch.slice(1);
        if (batch.length > 0) isBelow = true;
      }
    },
  };
}

/** This many fields in one line are not chance. */
const ENOUGH_FIELDS = 2;

/**
 * The line with the column names; 0, as a guess, if there is none.
 * @param usual the line on which a run looks for the header by default
 * @param meant the field of a name, certain or likely; or null
 */
export function inferHeader(
  lines: readonly FirstLine[],
  usual: number,
  meant: (name: string) => string | null,
): Inference<number> {
  const first = lines.find(({ line }) => line >= usual);
  let best: FirstLine | undefined;
  let fields: readonly string[] = [];
  for (const each of lines) {
    const paths = each.cells.map((cell) => (cell === '' ? null : meant(cell))).filter((path) => path !== null);
    const found = [...new Set(paths)];
    if (found.length <= fields.length || !isHeader(each, found.length)) continue;
    best = each;
    fields = found;
  }
  if (best !== undefined && fields.length >= ENOUGH_FIELDS)
    return best === first ? { kind: 'default' } : { kind: 'certain', value: best.line };
  const byWidth = headerByWidth(lines, first);
  // One known name may be chance: the table's form counts more.
  if (best !== undefined && (byWidth.kind === 'default' || inferredValue(byWidth) === best.line)) {
    if (best === first) return { kind: 'default' };
    return { kind: 'likely', value: best.line, why: `Line ${best.line} names ${fields[0]}, but no other field.` };
  }
  if (best !== undefined || first === undefined || !first.cells.some(isLikeData)) return byWidth;
  return { kind: 'likely', value: 0, why: `Line ${first.line} looks like data, and no line names a field.` };
}

/**
 * If no name is known: most lines below a header have as many cells as it has. A title has fewer names, also one that is
 * padded with empty cells.
 */
function headerByWidth(lines: readonly FirstLine[], first: FirstLine | undefined): Inference<number> {
  let best: FirstLine | undefined;
  let most = 0;
  for (const [i, each] of lines.entries()) {
    if (!mayBeHeader(each)) continue;
    const below = lines.slice(i + 1);
    const agreeing = below.filter(({ cells }) => cells.length === each.cells.length).length;
    const lead = 2 * agreeing - below.length;
    if (best !== undefined && lead <= most) continue;
    best = each;
    most = lead;
  }
  if (best === undefined || best === first) return { kind: 'default' };
  const why = `Line ${best.line} is the first with ${best.cells.length} cells, as most lines below it have.`;
  return { kind: 'likely', value: best.line, why };
}

function mayBeHeader({ cells }: FirstLine): boolean {
  const filled = cells.filter((cell) => cell !== '').length;
  return filled >= ENOUGH_FIELDS && filled * 2 > cells.length && !cells.some(isLikeData);
}

/** A word of a row may be a usual name, too: in a row with numbers and dates, most other cells must be names. */
function isHeader({ cells }: FirstLine, names: number): boolean {
  const data = cells.filter(isLikeData).length;
  return data === 0 || names >= Math.max(ENOUGH_FIELDS, data);
}
