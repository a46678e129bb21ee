/** Writes the files with the input's records as typed. A second reading of the input returns them. */
import { access, constants } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { makeFolder } from '../util/atomic-file.js';
import { whyChanged } from '../prepare/inputs.js';
import { isStream, RECORDS_PATH, STDIN } from '../input/source.js';
import { rereadFile, type OriginalFile } from '../input/open-file.js';
import { titlesIn } from '../input/csv-layout.js';
import { BYTE_ORDER_MARK, type Encoding, encodeText, jsonEscape } from '../input/encoding.js';
import type { RereadInfo } from '../input/read-options.js';
import type { CallRecords } from './call-records.js';
import { escapeApostrophe, escapeFormulaLines } from './printable.js';
import {
  csvLine,
  jsonWithResults,
  type ResultCells,
  type RowResults,
  type RowFileKind,
  type TypedTable,
  createTypedTable,
} from './row-tables.js';
import { type CellTyper, createCellTyper } from './typed-cells.js';
import type { WrittenCell } from './written-cell.js';
import type { NamedFile } from './output-paths.js';
import type { OutputWriter } from './output-writer.js';
import { journalCommandText } from '../follow-up/commands.js';
import type { RunOptions } from '../options.js';

/** A requested file, or folder of files. */
export interface RowFileTarget {
  readonly kind: RowFileKind;
  readonly path: string;
}

/** The possible files: the format depends on the content of an input. @throws UsageError if there is none */
export async function rowFileNames(
  { kind: { flag, title }, path }: RowFileTarget,
  options: RunOptions,
  cwd: string,
): Promise<NamedFile[]> {
  const { resume, input } = options;
  const { files } = input;
  if (resume !== null && files.some((file) => isStream(file, cwd))) {
    const report = `${journalCommandText(options)(`batch report ${resume.name}`)} --report FILE.csv`;
    throw new UsageError(
      `${flag} needs the input, and ${files.includes(RECORDS_PATH) ? 'the records of a program' : 'standard input'} cannot be read again. To see what became of each record: ${report}`,
    );
  }
  if (files.length === 0) throw new UsageError(`${flag} needs input from files or standard input, not from flags`);
  if (files.length === 1) {
    // A file under the name of another kind of workbook would not open.
    if (/\.(?:xls[mb]?|ods)$/i.test(path))
      throw new UsageError(
        `${flag} ${path}: ${title.toLowerCase()} are CSV or .xlsx: name it ${withExtension(path, '.xlsx')}`,
      );
    return [{ flag, path }];
  }
  await checkFolder(path, flag, cwd);
  const names = fileStems(files).flatMap((stem, i) =>
    [...new Set([extensionOf(files[i] ?? ''), ...OTHER_EXTENSIONS])].map((extension) => `${stem}${extension}`),
  );
  return names.map((name) => ({ flag, path: join(path, name), kind: 'member' }));
}

function withExtension(path: string, extension: string): string {
  return path.slice(0, path.length - extname(path).length) + extension;
}

/** @throws UsageError if an input cannot be written under the requested name */
export function checkRowFileFormat(
  { kind: { flag, title }, path }: RowFileTarget,
  readings: readonly (RereadInfo | null)[],
): void {
  const [first = null] = readings;
  if (readings.length > 1 || !WORKBOOK.test(path) || (first?.format !== 'json' && first?.format !== 'ndjson')) return;
  throw new UsageError(
    `${flag} ${path}: ${title.toLowerCase()} of ${first.format.toUpperCase()} are NDJSON: name it ${withExtension(path, '.ndjson')}`,
  );
}

/** Makes the folder for several inputs. @throws UsageError when it is not a folder, or cannot be made */
async function checkFolder(path: string, flag: string, cwd: string): Promise<void> {
  const folder = resolve(cwd, path);
  try {
    makeFolder(folder);
    // The dot makes this fail for a file.
    await access(`${folder}/.`, constants.W_OK);
  } catch (cause) {
    const words = 'with several inputs, this is a folder, and it cannot be made or written. Name another one';
    throw new UsageError(`${flag} ${path}: ${words}`, { cause });
  }
}

/** The files to write, by input; null for an input that cannot be read again. */
export function rowFilePaths(
  { path }: RowFileTarget,
  files: readonly string[],
  readings: readonly (RereadInfo | null)[],
): (string | null)[] {
  const stems = fileStems(files);
  return files.map((file, number) => {
    const reading = readings[number] ?? null;
    if (reading === null) return null;
    return files.length === 1 ? path : join(path, `${stems[number]}${extensionFor(reading, file)}`);
  });
}

/**
 * Writes a file for each input.
 * @param wrote receives each file's path, and how many records and filtered rows it has
 * @throws Error when a file cannot be written, or an input has changed
 */
export async function writeRowFiles(
  requested: RowFileTarget,
  call: CallRecords,
  writer: OutputWriter,
  wrote: (path: string, count: number, filtered: number) => void,
): Promise<void> {
  const { input, resume } = call.options;
  const { entries, readings } = call.prepared;
  const { files } = input;
  const { kind } = requested;
  const targets = rowFilePaths(requested, files, readings);
  let end = 0;
  for (const [number, file] of files.entries()) {
    const first = readings[number] ?? null;
    const target = targets[number] ?? null;
    if (first === null || target === null) {
      const changed = resume === null ? null : await whyChanged(file, resume.files[number]?.sha256, writer.cwd);
      if (changed !== null) throw new Error(changed);
      continue;
    }
    const begin = end;
    let count = 0;
    for (; end < entries.length && entries.fileOf(end) === number; end++) if (kind.includes(call, end)) count++;
    const original = await rereadFile(file, writer.cwd, first, input);
    const content: RowFileContent = {
      path: file,
      kind,
      results: kind.results(call, begin, end),
      padShortRows: input.padShortRows,
    };
    const typer = createCellTyper(first, input.style);
    // A workbook stays a workbook, unless the name means text.
    const isWorkbook = WORKBOOK.test(target) || (first.format === 'xlsx' && !TEXT.test(target));
    const sheet = (first.info.sheet === undefined ? null : (input.sheet ?? first.info.sheet.name)) ?? kind.title;
    const pieces = isWorkbook
      ? workbookPieces(original, content, sheet, typer)
      : textPieces(original, content, first.encoding);
    await writer.write(target, pieces);
    wrote(target, count, kind.filteredCells === null ? 0 : (first.info.filtered?.count ?? 0));
  }
}

/** Several inputs become files in a folder, with the names of the inputs, unique even without letter case. */
function fileStems(files: readonly string[]): string[] {
  const taken = new Set<string>();
  return files.map((path) => {
    const stem = path === STDIN ? 'stdin' : basename(path, extname(path));
    for (let number = 1; ; number++) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  });
}

/** For the files of a workbook, and of JSON. */
const OTHER_EXTENSIONS = ['.xlsx', '.ndjson'];

const WORKBOOK = /\.xlsx$/i;
const TEXT = /\.(?:csv|tsv|txt)$/i;

function extensionOf(path: string): string {
  return path === STDIN ? '.csv' : extname(path);
}

function extensionFor({ format }: RereadInfo, path: string): string {
  if (format === 'xlsx') return '.xlsx';
  return format === 'json' || format === 'ndjson' ? '.ndjson' : extensionOf(path);
}

/** The rows of an input to write. */
interface RowFileContent {
  readonly path: string;
  readonly kind: RowFileKind;
  /** In the order of the file. */
  readonly results: AsyncIterable<RowResults>;
  readonly padShortRows: boolean;
}

type CsvFile = OriginalFile & { readonly format: 'csv' };

/** @throws Error when the file has changed since the first reading */
async function* textPieces(
  original: OriginalFile,
  content: RowFileContent,
  encoding: Encoding,
): AsyncIterable<Uint8Array> {
  let needsMark = original.hadMark;
  // JSON has a way to write any character in ASCII.
  const lacking = original.format === 'json' ? jsonEscape : undefined;
  for await (const line of original.format === 'csv' ? csvLines(original, content) : jsonLines(original, content)) {
    if (needsMark) yield encodeText(BYTE_ORDER_MARK, encoding, lacking);
    needsMark = false;
    yield encodeText(line, encoding, lacking);
  }
  requireSame(original, content);
}

/** @throws Error when the file has changed since the first reading */
async function* workbookPieces(
  original: OriginalFile,
  content: RowFileContent,
  sheet: string,
  typer: CellTyper,
): AsyncIterable<Uint8Array> {
  const { writeXlsx } = await import('./xlsx-writer.js');
  const titles = original.format === 'csv' ? titlesIn(original.dialect) : [];
  async function* rows(): AsyncIterable<readonly WrittenCell[]> {
    if (original.format !== 'csv') return;
    yield* titles;
    for await (const cells of selectedRows(original, content, typer))
      yield content.kind.isImported
        ? cells.map((cell) => (typeof cell === 'string' ? escapeApostrophe(cell) : cell))
        : cells;
  }
  const top = titles.length + 1;
  const frozenRows = top <= MOST_FROZEN ? top : 0;
  yield* writeXlsx({ name: sheet, frozenRows, columns: typer.kinds(content.kind.columns) }, rows());
  requireSame(original, content);
}

/** More would leave no room for the rows below them. */
const MOST_FROZEN = 5;

function requireSame({ isSame }: OriginalFile, { path }: RowFileContent): void {
  if (!isSame())
    throw new Error(`${path} has changed since it was checked, so its records cannot be written as they were`);
}

async function* csvLines(original: CsvFile, content: RowFileContent): AsyncIterable<string> {
  const { dialect, lineEnd } = original;
  let before = escapeFormulaLines(dialect.preamble, dialect.delimiter);
  for await (const cells of selectedRows(original, content, null)) {
    yield before + csvLine(cells, dialect.delimiter, lineEnd);
    before = '';
  }
}

/** The header and the requested rows. */
async function* selectedRows(
  { rows }: CsvFile,
  content: RowFileContent,
  typer: CellTyper | null,
): AsyncIterable<readonly WrittenCell[]> {
  let table: TypedTable | null = null;
  for await (const { item, cells } of withResults(rows, content, 0)) {
    const isUnsound = item.filteredBy === undefined && item.isUnsound;
    const written = typer === null ? undefined : (index: number) => typer.cell(item, index);
    if (cells !== null) yield table?.row(item.cells, cells, isUnsound, written) ?? [];
    else {
      table = createTypedTable(item.cells, content.kind.columns, content.padShortRows);
      yield table.header;
    }
  }
}

async function* jsonLines(original: OriginalFile, content: RowFileContent): AsyncIterable<string> {
  if (original.format !== 'json') return;
  for await (const { item, cells } of withResults(original.values, content, 1))
    if (cells !== null) yield jsonWithResults(item.text, cells);
}

/**
 * The requested rows, each with its results.
 * @param first number of the first item: records count from 1, and 0 is the header, which has no results
 */
async function* withResults<Item extends object>(
  batches: AsyncIterable<readonly Item[]>,
  { results, kind: { filteredCells } }: RowFileContent,
  first: 0 | 1,
): AsyncIterable<{ readonly item: Item; readonly cells: ResultCells | null }> {
  const wanted = results[Symbol.asyncIterator]();
  let next = await wanted.next();
  let number: number = first;
  for await (const batch of batches)
    for (const item of batch) {
      const { filteredBy }: { readonly filteredBy?: string } = item;
      if (filteredBy !== undefined) {
        if (filteredCells !== null) yield { item, cells: filteredCells(filteredBy) };
        continue;
      }
      if (number === 0) yield { item, cells: null };
      else if (next.done !== true && next.value.record === number) {
        yield { item, cells: next.value.cells };
        next = await wanted.next();
      }
      number++;
    }
}
