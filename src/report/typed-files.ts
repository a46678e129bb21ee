/** Writes the files that are made of the input's records as they were typed. A second reading gives them. */
import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { furtherWords } from '../util/shell-word.js';
import { makeFolder } from '../util/folder.js';
import { type Format, formatByName } from '../input/formats.js';
import { STDIN } from '../input/source.js';
import { readAgain, type TypedFile } from '../input/read.js';
import { BYTE_ORDER_MARK, encodeText } from '../input/encoding.js';
import type { FirstReading } from '../input/reading.js';
import type { CallRecords } from './live-records.js';
import { defusedLines } from './spreadsheet.js';
import { type CsvTyped, csvTyped, jsonTyped } from './typed-records.js';
import { checkReplaceable, checkWritable, type FileNames, nameOfFile, writeWhole } from './whole-file.js';
import type { World } from '../world.js';
import type { RunOptions } from '../options.js';
import type { ToldRecord, TypedOutput } from './typed-outputs.js';

/** A file, or a folder of files, that is asked for. */
export interface TypedTarget {
  readonly output: TypedOutput;
  readonly path: string;
}

/**
 * @param targets all that are asked for
 * @param inputs files that must not be written over
 * @throws UsageError when one could not be written, or would be written over another
 */
export async function checkTyped(
  targets: readonly TypedTarget[],
  options: RunOptions,
  inputs: FileNames,
  world: World,
): Promise<void> {
  const { files } = options.input;
  const { report: reports, logFile } = options.output;
  const cwd = world.cwd();
  const taken = new Set<string>();
  const nameOf = (path: string): Promise<string> => nameOfFile(path, cwd, world.platform);
  for (const other of [...reports, logFile, options.safety.approve?.file ?? null])
    if (other !== null) taken.add(await nameOf(other));
  for (const { output, path } of targets) {
    checkInput(output, options);
    if (files.length === 1) {
      refuseWorkbook(path, output);
      await checkWritable(path, output.flag, inputs, cwd);
    } else await checkFolder(path, output.flag, cwd);
    for (const file of filesOf(path, options)) {
      await checkReplaceable(file, output.flag, inputs, cwd);
      const name = await nameOf(file);
      if (taken.has(name))
        throw new UsageError(
          `${file} is named for ${output.flag} and for another output; each needs a name of its own`,
        );
      taken.add(name);
    }
  }
}

/** @throws UsageError where there is no input whose records could be written */
function checkInput({ flag }: TypedOutput, { resume, input, place, platform }: RunOptions): void {
  if (resume !== null) {
    const report = `gigwork batch report ${resume.name}${furtherWords(place, platform)} --report FILE.csv`;
    throw new UsageError(
      `${flag} needs the input: run the first command again, with its files, instead of batch resume; what became of each record is told without it, too, by: ${report}`,
    );
  }
  if (input.files.length === 0)
    throw new UsageError(`${flag} needs input from files or standard input, not from flags`);
}

/** No workbook is written: a file that is none would not open under such a name. @throws UsageError */
function refuseWorkbook(path: string, { flag, title }: TypedOutput): void {
  if (!/\.(?:xls[xmb]?|ods)$/i.test(path)) return;
  const csv = path.replace(/\.[^.]*$/, '.csv');
  throw new UsageError(`${flag} ${path}: ${title.toLowerCase()} are CSV, those of a workbook too: name it ${csv}`);
}

/** Every name that may be written, since the content of an input tells its format. */
function filesOf(path: string, { input: { files, format } }: RunOptions): string[] {
  if (files.length === 1) return [path];
  const names = typedNames(files, format).flatMap(allNames);
  return [...new Set(names)].map((name) => join(path, name));
}

/** @throws UsageError when it is no folder, or cannot be made one */
async function checkFolder(path: string, flag: string, cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  // For a folder that has to be made, the nearest folder above it that exists counts.
  let there = full;
  while (there !== dirname(there) && (await stat(there).catch(() => null)) === null) there = dirname(there);
  const above = await stat(there).catch(() => null);
  if (above === null) throw new UsageError(`${flag} ${path}: there is no ${there}`);
  if (!above.isDirectory()) {
    throw new UsageError(`${flag} ${path}: with several inputs this names a folder, but ${there} is a file`);
  }
  try {
    await access(there, constants.W_OK);
  } catch {
    throw new UsageError(`${flag} ${path}: the folder ${there} cannot be written`);
  }
}

/**
 * Writes a file for each input.
 * @param wrote told each file's path and how many records it holds
 * @throws Error when a file cannot be written, or an input has changed
 */
export async function writeTyped(
  { output, path }: TypedTarget,
  call: CallRecords,
  world: World,
  wrote: (path: string, count: number) => void,
): Promise<void> {
  const { input } = call.options;
  const { entries, readings } = call.prepared;
  const { files } = input;
  const cwd = world.cwd();
  if (files.length > 1) makeFolder(resolve(cwd, path));
  const names = typedNames(files, input.format);
  let end = 0;
  for (const [number, file] of files.entries()) {
    const first = readings[number] ?? null;
    if (first === null) continue;
    const begin = end;
    let count = 0;
    for (; end < entries.length && entries.fileOf(end) === number; end++) if (output.has(call, end)) count++;
    const typed = await readAgain(file, cwd, first, input);
    const target = files.length === 1 ? path : join(path, nameFor(typed, first, names[number] as TypedNames));
    const told = output.records(call, begin, end);
    await writeWhole(
      target,
      cwd,
      piecesOf(typed, first, { path: file, output, told, padShortRows: input.padShortRows }),
    );
    wrote(target, count);
  }
}

/** Of several inputs, each has a file in a folder: one name for each format that its content may turn out to be. */
interface TypedNames {
  readonly csv: string;
  readonly json: string;
  /** Of a workbook. */
  readonly sheet: string;
}

function allNames({ csv, json, sheet }: TypedNames): string[] {
  return [csv, json, sheet];
}

/** Names like the inputs', unique whatever the letter case. @param format of all inputs; null: told by their names */
function typedNames(files: readonly string[], format: Format | null): TypedNames[] {
  const taken = new Set<string>();
  return files.map((path) => {
    for (let number = 1; ; number++) {
      const names = namesOf(path, format ?? formatByName(path), number === 1 ? '' : `-${number}`);
      const folded = [...new Set(allNames(names).map((name) => name.toLowerCase()))];
      if (folded.some((name) => taken.has(name))) continue;
      folded.forEach((name) => taken.add(name));
      return names;
    }
  });
}

function namesOf(path: string, format: Format | null, suffix: string): TypedNames {
  const base = path === STDIN ? 'stdin.csv' : basename(path);
  const extension = extname(base);
  const stem = base.slice(0, base.length - extension.length);
  const csv = `${stem}${suffix}${extension}`;
  const json = `${stem}${suffix}.ndjson`;
  const sheet = `${stem}${suffix}.csv`;
  if (format === null) return { csv, json, sheet };
  const only = format === 'csv' ? csv : format === 'xlsx' ? sheet : json;
  return { csv: only, json: only, sheet: only };
}

function nameFor({ format }: TypedFile, { sheet }: FirstReading, names: TypedNames): string {
  if (sheet !== undefined) return names.sheet;
  return format === 'json' ? names.json : names.csv;
}

/** What is written of a file. */
interface Wanted {
  readonly path: string;
  readonly output: TypedOutput;
  /** In the order of the file. */
  readonly told: AsyncIterable<ToldRecord>;
  readonly padShortRows: boolean;
}

/** @throws when the file is not what it was at the first reading */
async function* piecesOf(typed: TypedFile, { encoding }: FirstReading, wanted: Wanted): AsyncIterable<Uint8Array> {
  const lines = typed.format === 'csv' ? csvLines(typed, wanted) : jsonLines(typed, wanted);
  let begun = !typed.hadMark;
  for await (const line of lines) {
    if (!begun) yield encodeText(BYTE_ORDER_MARK, encoding);
    begun = true;
    yield encodeText(line, encoding);
  }
  if (!typed.isSame())
    throw new Error(`${wanted.path} has changed since it was checked, so its records cannot be written as they were`);
}

async function* csvLines(
  { dialect, lineEnd, rows }: TypedFile & { format: 'csv' },
  { output: { columns }, told, padShortRows }: Wanted,
): AsyncIterable<string> {
  const next = nextOf(told);
  let layout: CsvTyped | null = null;
  let record = 0;
  let wanted = await next();
  for await (const batch of rows) {
    for (const { cells, isUnsound } of batch) {
      if (layout === null) {
        layout = csvTyped(cells, { columns, delimiter: dialect.delimiter, lineEnd, padShortRows });
        yield defusedLines(dialect.preamble, dialect.delimiter);
        yield layout.header;
      } else if (++record === wanted?.record) {
        yield layout.row(cells, wanted.told, isUnsound);
        wanted = await next();
      }
    }
  }
}

async function* jsonLines(typed: TypedFile, { told }: Wanted): AsyncIterable<string> {
  if (typed.format !== 'json') return;
  const next = nextOf(told);
  let record = 0;
  let wanted = await next();
  for await (const batch of typed.values) {
    for (const { text } of batch) {
      if (++record !== wanted?.record) continue;
      yield jsonTyped(text, wanted.told);
      wanted = await next();
    }
  }
}

function nextOf<Item>(items: AsyncIterable<Item>): () => Promise<Item | undefined> {
  const iterator = items[Symbol.asyncIterator]();
  return async () => {
    const next = await iterator.next();
    return next.done === true ? undefined : next.value;
  };
}
