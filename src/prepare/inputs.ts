/** The inputs of a run: files to open, the type of their records, and the flags about their columns. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { openInputFile } from '../input/open-file.js';
import { FileFault, type RereadInfo, type OpenedFile, type ReadOptions, newFileInfo } from '../input/raw-record.js';
import { bindAssignments, isColumnNumber, type ColumnMapping, requireField } from '../input/columns.js';
import { FLAGS, hashFile, isStdin, sizeOf } from '../input/source.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { RecordSchema, RecordType } from '../records/kind.js';
import { didYouMean } from '../records/nearest.js';
import type { World } from '../world.js';
import { sha256 } from '../keys/key.js';
import type { Run } from '../journal/payment.js';
import type { InputOptions } from '../options.js';
import { shellCommand } from '../util/shell-quote.js';
import type { RecordTable } from './record-table.js';

export interface Inputs {
  readonly files: readonly OpenedFile[];
  /** The kind of record in the file that is being read. */
  readonly kindOf: () => RecordSchema;
  readonly readOptions: ReadOptions;
  /** Fields that a flag sets on every record of a file. */
  readonly setFields: ReadonlySet<string>;
  /**
   * To be called when everything is read.
   * @throws UsageError for a name on the command line that no file has, and for equal inputs
   */
  checkRead(keyColumns: readonly string[]): void;
}

/**
 * For options that `checkInput` has checked.
 * @param stop ends all reading
 * @param keepBytes the files will be read a second time, for records that must be corrected
 */
export function openInputs(
  input: InputOptions,
  world: World,
  note: (text: string) => void,
  stop: AbortSignal,
  keepBytes: boolean,
): Inputs {
  notePromptOnStdin(input, world, note);
  let current: RecordSchema | null = input.type === null ? null : KINDS[input.type];
  const kinds = new Set<RecordSchema>();
  const naming: ColumnMapping = {
    map: input.map,
    ignore: input.ignoreColumns,
    ignoreOthers: input.ignoreOtherColumns,
    met: new Set(),
  };
  const setUp = (path: string): void => {
    if (!isStdin(path, world.cwd())) note(setupCommand(path, input, world));
  };
  const shapeIn =
    (path: string) =>
    (names: readonly string[], advice?: () => string | null): RecordSchema => {
      if (advice !== undefined && input.type === null && markedKinds(names).length === 0) setUp(path);
      current = input.type === null ? kindByColumns(path, names, advice?.() ?? null) : KINDS[input.type];
      kinds.add(current);
      return current;
    };
  const readOptions: ReadOptions = {
    ...input,
    cwd: world.cwd(),
    stdin: world.stdin,
    stop,
    platform: world.platform,
    naming,
    schemaFor: shapeIn(FLAGS),
    onUnrecognisedColumns: () => undefined,
    onDetected: (path, what) => note(`${path}: ${what}`),
    keepBytes,
  };
  const files =
    input.files.length === 0
      ? [flagsFile(input, readOptions)]
      : input.files.map((path) =>
          openInputFile(path, { ...readOptions, schemaFor: shapeIn(path), onUnrecognisedColumns: () => setUp(path) }),
        );
  return {
    files,
    // Invalid records may come before the first one that shows the type.
    kindOf: () => current ?? KINDS.payout,
    readOptions,
    setFields: new Set(input.files.length === 0 ? [] : input.assignments.map(({ path }) => path.split('.')[0] ?? '')),
    checkRead: (keyColumns) => {
      refuseEqualFiles(files);
      checkNames(input, naming.met);
      if (kinds.size > 0) checkSet(input, [...kinds]);
      checkKeyHeaders(input, files, keyColumns);
    },
  };
}

/**
 * Reads the files of a run that is resumed, to write its records as typed. By file: the data for a second reading; null
 * if the file is gone, or differs from the one that the run has read.
 * @throws UsageError if flags for reading a file are missing
 */
export async function reopenInputs(
  { files: read }: Run,
  entries: RecordTable,
  input: InputOptions,
  world: World,
  stop: AbortSignal,
): Promise<(RereadInfo | null)[]> {
  const isSame = await Promise.all(
    input.files.map(async (path, i) => (await whyChanged(path, read[i]?.sha256, world.cwd())) === null),
  );
  const files = input.files.filter((_path, i) => isSame[i] === true);
  const types = new Set(Array.from({ length: entries.length }, (_, index) => entries.groupOf(index).type));
  const [type = null] = types.size === 1 ? (types as Set<RecordType>) : [];
  if (files.length === 0) return isSame.map(() => null);
  const again = { ...input, files, type };
  await checkInput(again, [], world.cwd());
  const found = openInputs(again, world, () => {}, stop, false).files[Symbol.iterator]();
  const readings: (RereadInfo | null)[] = [];
  for (const same of isSame) readings.push(same ? await readThrough(found.next().value as OpenedFile) : null);
  return readings;
}

async function readThrough({ facts, records, firstReading }: OpenedFile): Promise<RereadInfo | null> {
  try {
    for await (const batch of records())
      // Refused cells of a workbook are found only when they are read.
      if (facts.sheet !== undefined) for (const raw of batch) raw.read();
    return firstReading();
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    throw new UsageError(`${facts.path}: ${cause.message}. Say how it is read with the flags of the first call`, {
      cause,
    });
  }
}

/** Why a file is not the one that was read before; null if it is the same. @param expected SHA-256 of that one */
export async function whyChanged(path: string, expected: string | undefined, cwd: string): Promise<string | null> {
  try {
    // A pipe could wait for its writer.
    if ((await sizeOf(path, cwd)) === null) return `${path} cannot be read again`;
    return (await hashFile(path, cwd)) === expected ? null : `${path} has changed since the run read it`;
  } catch (cause) {
    if (cause instanceof UsageError) return cause.message;
    throw cause;
  }
}

/** Tells a person that the program reads from the terminal: otherwise it seems to hang. */
function notePromptOnStdin({ files, prices }: InputOptions, world: World, note: (text: string) => void): void {
  const isRead = [...files, ...(prices === null ? [] : [prices])].some((path) => isStdin(path, world.cwd()));
  if (!isRead || world.stdin.isTTY !== true) return;
  note(`reading standard input; ${world.platform === 'win32' ? 'Ctrl-Z and Enter end' : 'Ctrl-D ends'} it`);
}

/** One record made of flags. */
function flagsFile(input: InputOptions, options: ReadOptions): OpenedFile {
  const facts = { ...newFileInfo(FLAGS), records: 1 };
  return {
    facts,
    async *records() {
      const given = bindAssignments(input.assignments, options.schemaFor([]), options.style);
      const record: Record<string, unknown> = {};
      given.apply(record);
      facts.sha256 = sha256(JSON.stringify(record));
      await Promise.resolve();
      const { findings, unreadable } = given;
      yield [{ record: 1, line: null, read: () => ({ input: record, findings, unreadable }) }];
    },
    firstReading: () => null,
  };
}

/** The way out for a file whose columns no flag names yet. */
function setupCommand(path: string, { type, setUpWords: place }: InputOptions, world: World): string {
  const command = [
    world.program(),
    'setup',
    resolve(world.cwd(), path),
    ...(type === null ? [] : ['--type', type]),
    ...place,
  ];
  const what = type === null ? 'whose name tells what its records are' : `that a ${type} needs`;
  return `${path} has no column ${what}. To set the file up: ${shellCommand(command, world.platform)}`;
}

function markedKinds(names: readonly string[]): RecordSchema[] {
  return RECORD_TYPES.map((type) => KINDS[type]).filter((kind) => names.includes(kind.mark));
}

/** @throws UsageError when no column, or more than one, shows the type */
function kindByColumns(path: string, names: readonly string[], advice: string | null): RecordSchema {
  const kinds = markedKinds(names);
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1) return kind;
  const marks = RECORD_TYPES.map((type) => `"${KINDS[type].mark}" makes a ${type}`).join(', ');
  const found =
    kinds.length === 0
      ? 'no column tells'
      : `the columns ${kinds.map(({ mark }) => mark).join(' and ')} do not agree on`;
  const shown = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name));
  const more = names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '';
  const remedy =
    advice === null
      ? 'Name the type with --type, rename a column with --map, or give the line of the column names with --header-line'
      : `${advice}. Or name the type of the records with --type`;
  throw new UsageError(
    `${path}: ${found} what the records are (${marks}); found ${shown.join(', ') || 'no column names'}${more}. ${remedy}`,
  );
}

const SHOWN_NAMES = 8;

/**
 * Checks what flags and settings say of the input, as far as that needs no reading.
 * @throws UsageError for a field that no record has, a missing file, or standard input named twice
 */
export async function checkInput(input: InputOptions, keyColumns: readonly string[], cwd: string): Promise<void> {
  const { files, map, mapMustMatch, prices } = input;
  const all = Object.values(KINDS);
  const kinds = input.type === null ? all : [KINDS[input.type]];
  for (const [name, path] of map) {
    const isFlag = mapMustMatch.includes(name);
    // Settings serve all commands.
    requireField(path, isFlag ? kinds : all, `${isFlag ? '--map' : 'map'} ${name}=${path}`, true);
  }
  checkSet(input, kinds);
  for (const path of keyColumns) requireField(path, kinds, `--key-columns ${path}`);
  refuseStdinTwice(input, cwd);
  for (const path of files) await sizeOf(path, cwd);
  if (prices !== null) await sizeOf(prices, cwd, `--prices ${prices}`);
}

/** @param kinds of the records, as far as they are known. Settings serve all commands. */
function checkSet({ assignments }: InputOptions, kinds: readonly RecordSchema[]): void {
  for (const { path, optional } of assignments)
    requireField(path, optional === true ? Object.values(KINDS) : kinds, `--set ${path}`);
}

function refuseStdinTwice({ files, prices }: InputOptions, cwd: string): void {
  const paths = prices === null ? files : [...files, prices];
  if (paths.filter((path) => isStdin(path, cwd)).length < 2) return;
  throw new UsageError(
    `standard input can be read only once; ${prices !== null && isStdin(prices, cwd) ? 'name a file with --prices' : 'name it once'}`,
  );
}

/** Sending the same bytes twice in one run is never meant. A hash is empty if a fault ended the reading. */
function refuseEqualFiles(files: readonly OpenedFile[]): void {
  const seen = new Map<string, string>();
  for (const { path, sha256: hash } of files.map(({ facts }) => facts)) {
    const other = hash === '' ? undefined : seen.get(hash);
    if (other !== undefined) throw new UsageError(`${other} and ${path} are the same, byte for byte; name it once`);
    seen.set(hash, path);
  }
}

/** Columns on the command line must be in some file. An input without any column, e.g. an empty one, is not checked. */
function checkNames({ mapMustMatch, map, ignoreMustMatch }: InputOptions, met: ReadonlySet<string>): void {
  if (met.size === 0) return;
  const named = [
    ...mapMustMatch.map((name) => [name, `--map ${name}=${map.get(name)}`] as const),
    ...ignoreMustMatch.map((name) => [name, `--ignore-column ${name}`] as const),
  ];
  for (const [name, flag] of named) {
    if (met.has(name)) continue;
    const isNumber = isColumnNumber(name);
    const meant = isNumber ? ' Columns have numbers only under --header-line 0' : didYouMean(name, [...met]);
    throw new UsageError(`${flag}: no file has a column "${name}".${meant}`);
  }
}

/** When all files are CSV, their headers show that a key column is missing from every record. */
function checkKeyHeaders(input: InputOptions, files: readonly OpenedFile[], keyColumns: readonly string[]): void {
  const headers = files.map(({ facts }) => facts.fields);
  if (headers.length === 0 || headers.includes(null)) return;
  const given = [...headers.flatMap((fields) => fields ?? []), ...input.assignments.map(({ path }) => path)];
  for (const path of keyColumns) {
    const has = given.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
    if (!has) throw new UsageError(`--key-columns ${path}: the file has no such column.${didYouMean(path, given)}`);
  }
}
