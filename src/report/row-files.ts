/** Writes the files with the input's records as typed. A second reading of the input returns them. */
import { access, constants } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { quotedFlags } from '../util/shell-quote.js';
import { makeFolder } from '../util/folder.js';
import { whyChanged } from '../prepare/inputs.js';
import { isStream, STDIN } from '../input/source.js';
import { rereadFile, type OriginalFile } from '../input/open-file.js';
import { titlesIn } from '../input/csv-dialect.js';
import { BYTE_ORDER_MARK, encodeText } from '../input/encoding.js';
import type { RereadInfo } from '../input/raw-record.js';
import type { CallRecords } from './call-records.js';
import { defusedLines } from './printable.js';
import {
  csvLine,
  jsonTyped,
  type ResultCells,
  type ToldRecord,
  type RowFileKind,
  type TypedTable,
  typedTable,
} from './row-tables.js';
import { type NamedFile, writeFileAtomically } from './atomic-file.js';
import type { RunOptions } from '../options.js';

/** A requested file, or folder of files. */
export interface TypedTarget {
  readonly output: RowFileKind;
  readonly path: string;
}

/** The possible files: the format depends on the content of an input. @throws UsageError if there is none */
export async function namedTyped(
  { output: { flag, title }, path }: TypedTarget,
  { resume, input: { files }, onward, place, platform }: RunOptions,
  cwd: string,
): Promise<NamedFile[]> {
  if (resume !== null && files.some((file) => isStream(file, cwd))) {
    const report = `${onward.program} batch report ${resume.name}${quotedFlags(place, platform)} --report FILE.csv`;
    throw new UsageError(
      `${flag} needs the input, and standard input cannot be read again. To see what became of each record: ${report}`,
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
  const names = stemsOf(files).flatMap((stem, i) =>
    [...new Set([extensionOf(files[i] ?? ''), ...OTHER_EXTENSIONS])].map((extension) => `${stem}${extension}`),
  );
  return names.map((name) => ({ flag, path: join(path, name), kind: 'member' }));
}

function withExtension(path: string, extension: string): string {
  return path.slice(0, path.length - extname(path).length) + extension;
}

/** @throws UsageError if an input cannot be written under the requested name */
export function checkTyped(
  { output: { flag, title }, path }: TypedTarget,
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

/**
 * Writes a file for each input.
 * @param wrote receives each file's path and its number of records
 * @throws Error when a file cannot be written, or an input has changed
 */
export async function writeRowFiles(
  { output, path }: TypedTarget,
  call: CallRecords,
  cwd: string,
  wrote: (path: string, count: number) => void,
): Promise<void> {
  const { input, resume } = call.options;
  const { entries, readings } = call.prepared;
  const { files } = input;
  const stems = stemsOf(files);
  let end = 0;
  for (const [number, file] of files.entries()) {
    const first = readings[number] ?? null;
    if (first === null) {
      const changed = resume === null ? null : await whyChanged(file, resume.files[number]?.sha256, cwd);
      if (changed !== null) throw new Error(changed);
      continue;
    }
    const begin = end;
    let count = 0;
    for (; end < entries.length && entries.fileOf(end) === number; end++) if (output.has(call, end)) count++;
    const typed = await rereadFile(file, cwd, first, input);
    const target = files.length === 1 ? path : join(path, `${stems[number]}${extensionFor(first, file)}`);
    const told = output.records(call, begin, end);
    const wanted: Wanted = { path: file, columns: output.columns, told, padShortRows: input.padShortRows };
    // A workbook stays a workbook, unless the name means text.
    const isWorkbook = WORKBOOK.test(target) || (first.format === 'xlsx' && !TEXT.test(target));
    const sheet = (first.sheet === undefined ? null : (input.sheet ?? first.sheet.name)) ?? output.title;
    const pieces = isWorkbook ? workbookPieces(typed, sheet, wanted) : textPieces(typed, first, wanted);
    await writeFileAtomically(target, cwd, pieces);
    wrote(target, count);
  }
}

/** Several inputs become files in a folder, with the names of the inputs, unique even without letter case. */
function stemsOf(files: readonly string[]): string[] {
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

/** The part of a file to write. */
interface Wanted {
  readonly path: string;
  readonly columns: RowFileKind['columns'];
  /** In the order of the file. */
  readonly told: AsyncIterable<ToldRecord>;
  readonly padShortRows: boolean;
}

/** @throws when the file has changed since the first reading */
async function* textPieces(typed: OriginalFile, { encoding }: RereadInfo, wanted: Wanted): AsyncIterable<Uint8Array> {
  let begun = !typed.hadMark;
  for await (const line of typed.format === 'csv' ? csvLines(typed, wanted) : jsonLines(typed, wanted)) {
    if (!begun) yield encodeText(BYTE_ORDER_MARK, encoding);
    begun = true;
    yield encodeText(line, encoding);
  }
  requireSame(typed, wanted);
}

/** @throws when the file has changed since the first reading */
async function* workbookPieces(typed: OriginalFile, sheet: string, wanted: Wanted): AsyncIterable<Uint8Array> {
  const { writeXlsx } = await import('./xlsx-writer.js');
  async function* rows(): AsyncIterable<readonly string[]> {
    if (typed.format !== 'csv') return;
    yield* titlesIn(typed.dialect);
    yield* selectedRows(typed, wanted);
  }
  yield* writeXlsx(sheet, rows());
  requireSame(typed, wanted);
}

function requireSame({ isSame }: OriginalFile, { path }: Wanted): void {
  if (!isSame())
    throw new Error(`${path} has changed since it was checked, so its records cannot be written as they were`);
}

async function* csvLines(typed: OriginalFile & { format: 'csv' }, wanted: Wanted): AsyncIterable<string> {
  const { dialect, lineEnd } = typed;
  const { delimiter, preamble } = dialect;
  let before = defusedLines(preamble, delimiter);
  for await (const cells of selectedRows(typed, wanted)) {
    yield before + csvLine(cells, delimiter, lineEnd);
    before = '';
  }
}

/** The header and the requested rows. */
async function* selectedRows(
  { rows }: OriginalFile & { format: 'csv' },
  { columns, told, padShortRows }: Wanted,
): AsyncIterable<readonly string[]> {
  let table: TypedTable | null = null;
  for await (const { item, of } of wantedOf(rows, told, 0)) {
    if (of !== null) yield table?.row(item.cells, of, item.isUnsound) ?? [];
    else {
      table = typedTable(item.cells, { columns, padShortRows });
      yield table.header;
    }
  }
}

async function* jsonLines(typed: OriginalFile, { told }: Wanted): AsyncIterable<string> {
  if (typed.format !== 'json') return;
  for await (const { item, of } of wantedOf(typed.values, told, 1)) if (of !== null) yield jsonTyped(item.text, of);
}

/**
 * The requested records, each with its results.
 * @param first number of the first item: records count from 1, and 0 is the header, which has no results
 */
async function* wantedOf<Item>(
  batches: AsyncIterable<readonly Item[]>,
  told: AsyncIterable<ToldRecord>,
  first: 0 | 1,
): AsyncIterable<{ readonly item: Item; readonly of: ResultCells | null }> {
  const wanted = told[Symbol.asyncIterator]();
  let next = await wanted.next();
  let number: number = first;
  for await (const batch of batches)
    for (const item of batch) {
      if (number === 0) yield { item, of: null };
      else if (next.done !== true && next.value.record === number) {
        yield { item, of: next.value.told };
        next = await wanted.next();
      }
      number++;
    }
}
