/** The inputs of a run: files to open, the type of their records, and what the command line says about their columns. */
import { UsageError } from '../errors.js';
import { openFile } from '../input/read.js';
import { type OpenedFile, type ReadOptions, unreadFacts } from '../input/reading.js';
import { bindAssignments, isColumnNumber, type Naming, priceBeside } from '../input/columns.js';
import { hashFile, isStdin, sizeOf } from '../input/source.js';
import { fieldAt } from '../records/field.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import type { Kind } from '../records/kind.js';
import { excerpt } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import { usualField } from '../input/usual-names.js';
import type { World } from '../world.js';
import { sha256 } from '../keys/key.js';
import type { InputOptions } from '../options.js';

/** Stands for the file's path when the record's fields were given as flags. */
const FLAGS = '(flags)';

export interface Inputs {
  readonly files: readonly OpenedFile[];
  /** The kind of record in the file that is being read. */
  readonly kindOf: () => Kind;
  readonly readOptions: ReadOptions;
  /** Fields that every record of a file is given, whatever the file says. */
  readonly setFields: ReadonlySet<string>;
  /**
   * To be called when everything is read.
   * @throws UsageError for a name on the command line that no file has, and for equal inputs
   */
  checkRead(keyColumns: readonly string[]): void;
}

/**
 * @param stop ends the reading of whatever is being read
 * @param keepBytes the files will be read a second time, for what has to be corrected
 * @throws UsageError for a file that is not there, equal files, or a field that no record has
 */
export async function openInputs(
  input: InputOptions,
  world: World,
  note: (text: string) => void,
  stop: AbortSignal,
  keepBytes: boolean,
): Promise<Inputs> {
  checkFields(input);
  refuseStdinTwice(input, world.cwd());
  await refuseEqualFiles(input.files, world.cwd(), stop);
  noteTyping(input, world, note);
  let current: Kind | null = input.type === null ? null : KINDS[input.type];
  const naming: Naming = {
    map: input.map,
    ignore: input.ignoreColumns,
    ignoreOthers: input.ignoreOtherColumns,
    met: new Set(),
  };
  const shapeIn =
    (path: string) =>
    (names: readonly string[], advice?: () => string | null): Kind =>
      (current = input.type === null ? kindByColumns(path, names, advice?.() ?? null) : KINDS[input.type]);
  const readOptions: ReadOptions = {
    ...input,
    cwd: world.cwd(),
    stdin: world.stdin,
    stop,
    platform: world.platform,
    naming,
    shapeFor: shapeIn(FLAGS),
    detected: (path, what) => note(`${path}: ${what}`),
    keepBytes,
  };
  const files =
    input.files.length === 0
      ? [flagsFile(input, readOptions)]
      : input.files.map((path) => openFile(path, { ...readOptions, shapeFor: shapeIn(path) }));
  return {
    files,
    // Invalid records may come before the first one that tells the type.
    kindOf: () => current ?? KINDS.payout,
    readOptions,
    setFields: new Set(input.files.length === 0 ? [] : input.assignments.map(({ path }) => path.split('.')[0] ?? '')),
    checkRead: (keyColumns) => {
      // Only now is known what standard input and pipes held.
      refuseEqualHashes(files.map(({ facts }) => [facts.path, facts.sha256]));
      checkNames(input, naming, files, keyColumns);
    },
  };
}

/** Says that a terminal is read: otherwise the program seems to hang. */
function noteTyping({ files, prices }: InputOptions, world: World, note: (text: string) => void): void {
  const isRead = [...files, ...(prices === null ? [] : [prices])].some((path) => isStdin(path, world.cwd()));
  if (!isRead || world.stdin.isTTY !== true) return;
  note(`reading standard input; ${world.platform === 'win32' ? 'Ctrl-Z and Enter end' : 'Ctrl-D ends'} it`);
}

/** One record made of flags. */
function flagsFile(input: InputOptions, options: ReadOptions): OpenedFile {
  const facts = { ...unreadFacts(FLAGS), records: 1 };
  return {
    facts,
    async *records() {
      const given = bindAssignments(input.assignments, options.shapeFor([]), options.style);
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

/** @throws UsageError when no column, or more than one, tells the type */
function kindByColumns(path: string, names: readonly string[], advice: string | null): Kind {
  const kinds = RECORD_TYPES.map((type) => KINDS[type]).filter((kind) => names.includes(kind.mark));
  const [kind] = kinds;
  if (kind !== undefined && kinds.length === 1) return kind;
  const marks = RECORD_TYPES.map((type) => `"${KINDS[type].mark}" makes a ${type}`).join(', ');
  const found =
    kinds.length === 0
      ? 'none of the columns tells'
      : `the columns ${kinds.map(({ mark }) => mark).join(' and ')} do not agree on`;
  const remedy =
    advice === null
      ? `Say it with --type, rename a column with --map${markHint(names)}, or say with --header-line on which line the column names stand`
      : `${advice.charAt(0).toUpperCase()}${advice.slice(1)}; or say with --type what the records are`;
  throw new UsageError(`${path}: ${found} what the records are (${marks}); found ${foundNames(names)}. ${remedy}`);
}

/** The column that probably tells the type, where one has a name that is usual for it. */
function markHint(names: readonly string[]): string {
  for (const type of RECORD_TYPES) {
    const { mark } = KINDS[type];
    const name = names.find((each) => usualField(each, type)?.field === mark);
    if (name !== undefined) return ` (${JSON.stringify(excerpt(name))} is probably ${mark})`;
  }
  return '';
}

const SHOWN_NAMES = 8;

function foundNames(names: readonly string[]): string {
  if (names.length === 0) return 'no column names';
  const shown = names.slice(0, SHOWN_NAMES).map((name) => JSON.stringify(name));
  return `${shown.join(', ')}${names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : ''}`;
}

/** The fields that a record may have, by what is known of its type before anything is read. */
function possibleFields({ type }: InputOptions): {
  names: readonly string[];
  exists: (path: string) => boolean;
  /** Whether the field is a price, which stands beside a record. */
  isPrice: (path: string) => boolean;
} {
  const kinds = type === null ? Object.values(KINDS) : [KINDS[type]];
  return {
    names: kinds.flatMap(({ fields }) => fields.map(({ name }) => name)),
    exists: (path) => kinds.some(({ fields }) => fieldAt(fields, path) !== null),
    isPrice: (path) => kinds.some(({ price }) => price?.name === path),
  };
}

/**
 * Fields named on the command line must exist in the record type, or in some type when it is not known yet. Fields
 * named in settings, which serve all commands, must exist in some type.
 */
function checkFields(input: InputOptions): void {
  const anyType = { ...input, type: null };
  for (const [name, path] of input.map) {
    const isFlag = input.mapMustMatch.includes(name);
    const { names, exists, isPrice } = possibleFields(isFlag ? input : anyType);
    if (!isPrice(path) && !exists(path))
      throw new UsageError(
        `${isFlag ? '--map' : 'map'} ${name}=${path}: there is no field "${path}".${didYouMean(path, names)}`,
      );
  }
  const { names, exists, isPrice } = possibleFields(anyType);
  for (const { path } of input.assignments.filter(({ optional }) => optional === true)) {
    if (isPrice(path)) throw new UsageError(`--set ${path}: ${priceBeside(path)}`);
    if (!exists(path)) throw new UsageError(`--set ${path}: there is no field "${path}".${didYouMean(path, names)}`);
  }
}

function refuseStdinTwice({ files, prices }: InputOptions, cwd: string): void {
  const paths = prices === null ? files : [...files, prices];
  if (paths.filter((path) => isStdin(path, cwd)).length < 2) return;
  throw new UsageError(
    `standard input can be read only once; ${prices !== null && isStdin(prices, cwd) ? 'name a file with --prices' : 'name it once'}`,
  );
}

/** Sending the same bytes twice in one run is never meant. */
async function refuseEqualFiles(paths: readonly string[], cwd: string, stop: AbortSignal): Promise<void> {
  const bySize = new Map<number, string[]>();
  for (const path of paths) {
    const size = await sizeOf(path, cwd);
    if (size !== null) bySize.set(size, [...(bySize.get(size) ?? []), path]);
  }
  for (const group of bySize.values()) {
    if (group.length < 2) continue;
    const hashes: [string, string][] = [];
    for (const path of group) hashes.push([path, await hashFile(path, cwd, stop)]);
    if (stop.aborted) return;
    refuseEqualHashes(hashes);
  }
}

/** @param hashes paths with the SHA-256 of their bytes; empty where a fault ended the reading */
function refuseEqualHashes(hashes: readonly (readonly [string, string])[]): void {
  const seen = new Map<string, string>();
  for (const [path, hash] of hashes) {
    const other = hash === '' ? undefined : seen.get(hash);
    if (other !== undefined) throw new UsageError(`${other} and ${path} are the same, byte for byte; name it once`);
    seen.set(hash, path);
  }
}

/** Columns named on the command line are in some file. An input without any column, as an empty one, lacks none. */
function checkMet({ mapMustMatch, map, ignoreMustMatch }: InputOptions, met: ReadonlySet<string>): void {
  if (met.size === 0) return;
  const named = [
    ...mapMustMatch.map((name) => [name, `--map ${name}=${map.get(name)}`] as const),
    ...ignoreMustMatch.map((name) => [name, `--ignore-column ${name}`] as const),
  ];
  for (const [name, flag] of named)
    if (!met.has(name)) throw new UsageError(`${flag}: no file has a column "${name}".${meantColumn(name, met)}`);
}

/** What a column's name was probably to be, or why there is none. */
function meantColumn(name: string, met: ReadonlySet<string>): string {
  if (!isColumnNumber(name)) return didYouMean(name, [...met]);
  const numbers = [...met].filter(isColumnNumber);
  if (numbers.length > 0) return ` Its columns are ${numbers[0]} to ${numbers.at(-1)}.`;
  return ' Columns are named by their position only where --header-line 0 says that there is no line with their names.';
}

function checkNames(
  input: InputOptions,
  naming: Naming,
  files: readonly OpenedFile[],
  keyColumns: readonly string[],
): void {
  checkMet(input, naming.met);
  // When all files are CSV, their headers show that a key column is missing from every record.
  const headers = files.map(({ facts }) => facts.fields);
  if (headers.length === 0 || headers.includes(null)) return;
  const given = [...headers.flatMap((fields) => fields ?? []), ...input.assignments.map(({ path }) => path)];
  for (const path of keyColumns) {
    const has = given.some((name) => name === path || name.startsWith(`${path}.`) || path.startsWith(`${name}.`));
    if (!has) throw new UsageError(`--key-columns ${path}: the file has no such column.${didYouMean(path, given)}`);
  }
}

/** @throws UsageError for a key column that no record has */
export function checkKeyColumns(keyColumns: readonly string[], input: InputOptions): void {
  const { names, exists, isPrice } = possibleFields(input);
  for (const path of keyColumns) {
    if (exists(path)) continue;
    if (isPrice(path)) throw new UsageError(`--key-columns ${path}: ${priceBeside(path)}`);
    throw new UsageError(`--key-columns ${path}: there is no field "${path}".${didYouMean(path, names)}`);
  }
}
