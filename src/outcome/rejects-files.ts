/** The rejects files: records to correct and import again. A second reading gives them as they were typed. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { makeFolder } from '../util/folder.js';
import { readAgain, type TypedFile } from '../input/second-reading.js';
import { ERROR_COLUMN, KEY_COLUMN } from '../input/own-columns.js';
import { BYTE_ORDER_MARK, encodeText } from '../input/encode.js';
import type { FirstReading } from '../input/read.js';
import { type CsvLayout, csvRejects, jsonReject, type Told } from '../report/rejects.js';
import { defusedLines } from '../report/spreadsheet.js';
import { checkReplaceable, checkWritable, type FileNames, nameOfFile, writeWhole } from '../report/whole-file.js';
import type { World } from '../world.js';
import type { Entries, Status } from '../batch/table.js';
import type { RunOptions } from '../options.js';
import type { Prepared } from '../batch/prepare.js';
import { allNames, type RejectsNames, rejectsNames } from './rejects-names.js';

/** @param inputs files that must not be written over. @throws UsageError when the rejects could not be written */
export async function checkRejects(path: string, options: RunOptions, inputs: FileNames, world: World): Promise<void> {
  const { files } = options.input;
  if (options.resume !== null) {
    throw new UsageError(
      '--rejects needs the input: run the first command again, with its files, instead of batch resume',
    );
  }
  if (files.length === 0) throw new UsageError('--rejects needs input from files or standard input, not from flags');
  const cwd = world.cwd();
  if (files.length === 1) {
    refuseWorkbook(path);
    return checkWritable(path, '--rejects', inputs, cwd);
  }
  await checkFolder(path, cwd);
  const { reports, logFile } = options.output;
  const others: string[] = [];
  for (const other of [...reports, ...(logFile === null ? [] : [logFile])])
    others.push(await nameOfFile(other, cwd, world.platform));
  for (const name of rejectsNames(files, options.input.format).flatMap(allNames)) {
    await checkReplaceable(join(path, name), '--rejects', inputs, cwd);
    if (others.includes(await nameOfFile(join(path, name), cwd, world.platform))) {
      throw new UsageError(
        `${join(path, name)} is named for rejects and for another output; each needs a name of its own`,
      );
    }
  }
}

/** No workbook is written: a file that is none would not open under such a name. @throws UsageError */
function refuseWorkbook(path: string): void {
  if (!/\.(?:xls[xmb]?|ods)$/i.test(path)) return;
  const csv = path.replace(/\.[^.]*$/, '.csv');
  throw new UsageError(`--rejects ${path}: rejects are CSV, those of a workbook too: name it ${csv}`);
}

/** @throws UsageError when it is no folder, or cannot be made one */
async function checkFolder(path: string, cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  // For a folder that has to be made, the nearest folder above it that exists counts.
  let there = full;
  while (there !== dirname(there) && (await stat(there).catch(() => null)) === null) there = dirname(there);
  const above = await stat(there).catch(() => null);
  if (above === null) throw new UsageError(`--rejects ${path}: there is no ${there}`);
  if (!above.isDirectory()) {
    throw new UsageError(`--rejects ${path}: with several inputs this names a folder, but ${there} is a file`);
  }
  try {
    await access(there, constants.W_OK);
  } catch {
    throw new UsageError(`--rejects ${path}: the folder ${there} cannot be written`);
  }
}

/**
 * Writes a file for each input.
 * @param wrote told each file's path and how many records it holds
 * @throws Error when a file cannot be written, or an input has changed
 */
export async function writeRejects(
  path: string,
  options: RunOptions,
  prepared: Prepared,
  world: World,
  wrote: (path: string, count: number) => void,
): Promise<void> {
  const { files, format } = options.input;
  const cwd = world.cwd();
  if (files.length > 1) makeFolder(resolve(cwd, path));
  const names = rejectsNames(files, format);
  let from = 0;
  for (const [number, input] of files.entries()) {
    const first = prepared.readings[number] ?? null;
    if (first === null) continue;
    const typed = await readAgain(input, cwd, first, options.input);
    const name = nameFor(typed, first, names[number] as RejectsNames);
    const target = files.length === 1 ? path : join(path, name);
    const wanted = rejectedOf(prepared.entries, number, from);
    await writeWhole(target, cwd, piecesOf(typed, input, first, wanted, options.input.padShortRows));
    let count = 0;
    for (; from < prepared.entries.length && prepared.entries.fileOf(from) === number; from++)
      if (isRejected(prepared.entries.status(from))) count++;
    wrote(target, count);
  }
}

function nameFor({ format }: TypedFile, { sheet }: FirstReading, names: RejectsNames): string {
  if (sheet !== undefined) return names.sheet;
  return format === 'json' || format === 'ndjson' ? names.json : names.csv;
}

interface Rejected {
  readonly record: number;
  readonly told: Told;
  readonly reason: string;
}

/** A file's records that have to be corrected, in order. @param from the file's first entry */
function* rejectedOf(entries: Entries, file: number, from: number): Iterator<Rejected, undefined> {
  for (let index = from; index < entries.length && entries.fileOf(index) === file; index++) {
    const status = entries.status(index);
    if (!isRejected(status)) continue;
    // An invalid record has no payment yet. It may still replace an earlier one, which its own column says.
    const told = { [KEY_COLUMN]: status === 'rejected' ? entries.keyText(index) : null };
    yield { record: entries.placeOf(index).record, told, reason: entries.error(index) ?? status };
  }
  return undefined;
}

function isRejected(status: Status): boolean {
  return status === 'invalid' || status === 'rejected';
}

const COLUMNS: Pick<CsvLayout, 'toldColumns' | 'reasonColumn'> = {
  toldColumns: [KEY_COLUMN],
  reasonColumn: ERROR_COLUMN,
};

/** @throws when the file is not what it was at the first reading */
async function* piecesOf(
  typed: TypedFile,
  path: string,
  { encoding }: FirstReading,
  wanted: Iterator<Rejected, undefined>,
  padShortRows: boolean,
): AsyncIterable<Uint8Array> {
  const lines = typed.format === 'csv' ? csvLines(typed, wanted, padShortRows) : jsonLines(typed, wanted);
  let begun = !typed.hadMark;
  for await (const line of lines) {
    if (!begun) yield encodeText(BYTE_ORDER_MARK, encoding);
    begun = true;
    yield encodeText(line, encoding);
  }
  if (!typed.isSame()) throw new Error(`${path} has changed since it was checked, so its rejects were not written`);
}

async function* csvLines(
  { dialect, lineEnd, rows }: TypedFile & { format: 'csv' },
  wanted: Iterator<Rejected, undefined>,
  padShortRows: boolean,
): AsyncIterable<string> {
  let layout: ReturnType<typeof csvRejects> | null = null;
  let record = 0;
  let next = wanted.next().value;
  for await (const batch of rows) {
    for (const { cells, isUnsound } of batch) {
      if (layout === null) {
        layout = csvRejects(cells, { ...COLUMNS, delimiter: dialect.delimiter, lineEnd, padShortRows });
        yield defusedLines(dialect.preamble, dialect.delimiter);
        yield layout.header;
      } else if (++record === next?.record) {
        yield layout.row(cells, next.told, next.reason, isUnsound);
        next = wanted.next().value;
      }
    }
  }
}

async function* jsonLines(typed: TypedFile, wanted: Iterator<Rejected, undefined>): AsyncIterable<string> {
  if (typed.format !== 'json' && typed.format !== 'ndjson') return;
  let record = 0;
  let next = wanted.next().value;
  for await (const batch of typed.values) {
    for (const { text } of batch) {
      if (++record !== next?.record) continue;
      yield jsonReject(text, next.told, next.reason, ERROR_COLUMN);
      next = wanted.next().value;
    }
  }
}
