/** The inputs of a run: the files to read, or the one record that flags make. */
import { UsageError } from '../errors.js';
import { assignedFields, bindAssignments } from '../input/columns.js';
import { openInputFile } from '../input/open-file.js';
import { FileFault } from '../input/raw-record.js';
import { newFileInfo, type OpenedFile, type ReadOptions, type RereadInfo } from '../input/read-options.js';
import { chooseShape } from '../input/record-type.js';
import { FLAGS_PATH, hashFile, isStdin, sizeOf } from '../input/source.js';
import type { Run } from '../journal/payment.js';
import { sha256 } from '../keys/key.js';
import type { InputOptions } from '../options.js';
import type { RecordType } from '../records/types.js';
import type { World } from '../world.js';
import { checkInput, templateOf } from './input-checks.js';
import type { RecordTable } from './record-table.js';

export interface Inputs {
  readonly options: InputOptions;
  /** In the order of the command line. Each is opened when its chunks are requested. */
  readonly files: readonly OpenedFile[];
  /** How the files are read. */
  readonly readOptions: ReadOptions;
  /** Fields that a flag sets on every record of a file. */
  readonly setFields: ReadonlySet<string>;
}

/**
 * For options that `checkInput` has checked.
 * @param note tells a person what the files show
 * @param stop ends all reading
 * @param keepBytes the files will be read a second time, for records that must be corrected
 * @param setupCommand makes a profile for a file, as a person pastes it
 */
export function openInputs(
  options: InputOptions,
  world: World,
  note: (text: string) => void,
  stop: AbortSignal,
  keepBytes: boolean,
  setupCommand: (path: string) => string,
): Inputs {
  const { files, assignments } = options;
  const template = templateOf(options);
  notePromptOnStdin(options, world, note);
  const readOptions: ReadOptions = {
    ...options,
    shape: null,
    template,
    type: template?.type ?? options.type,
    cwd: world.cwd(),
    stdin: world.stdin,
    stop,
    platform: world.platform,
    naming: {
      map: options.map,
      ignore: options.ignoreColumns,
      ignoreOthers: options.ignoreOtherColumns,
      met: new Set(),
    },
    onUnrecognisedColumns: (path) => {
      if (!isStdin(path, world.cwd())) note(setupText(path, options.type, setupCommand(path)));
    },
    onDetected: (path, text) => note(`${path}: ${text}`),
    keepBytes,
  };
  const isOfFlags = files.length === 0;
  return {
    options,
    files: isOfFlags ? [flagsFile(readOptions)] : files.map((path) => openInputFile(path, readOptions)),
    readOptions,
    setFields: new Set(isOfFlags ? [] : assignedFields(assignments)),
  };
}

/** One record made of flags. */
function flagsFile(options: ReadOptions): OpenedFile {
  const info = { ...newFileInfo(FLAGS_PATH), records: 1 };
  return {
    info,
    async *chunks() {
      const given = bindAssignments(options.assignments, chooseShape([], options, info), options.style);
      const record: Record<string, unknown> = {};
      given.apply(record);
      info.sha256 = sha256(JSON.stringify(record));
      await Promise.resolve();
      const { findings, unreadable } = given;
      yield [{ record: 1, line: null, read: () => ({ input: record, findings, unreadable }) }];
    },
    rereadInfo: () => null,
  };
}

/** Tells a person that the program reads from the terminal: otherwise it seems to hang. */
function notePromptOnStdin({ files, prices }: InputOptions, world: World, note: (text: string) => void): void {
  const isRead = [...files, prices].some((path) => path !== null && isStdin(path, world.cwd()));
  if (!isRead || world.stdin.isTTY !== true) return;
  note(`reading standard input; ${world.platform === 'win32' ? 'Ctrl-Z and Enter end' : 'Ctrl-D ends'} it`);
}

/** The way out for a file whose columns no flag names yet. */
function setupText(path: string, type: RecordType | null, command: string): string {
  const lacking = type === null ? 'whose name tells what its records are' : `that a ${type} needs`;
  return `${path} has no column ${lacking}. To set the file up: ${command}`;
}

/**
 * Reads the files of a run that is resumed, to write its records as typed. By file: the data for a second reading; null
 * if the file is gone, or differs from the one that the run has read.
 * @throws UsageError if flags for reading a file are missing
 */
export async function reopenInputs(
  run: Run,
  entries: RecordTable,
  input: InputOptions,
  world: World,
  stop: AbortSignal,
): Promise<(RereadInfo | null)[]> {
  const isSame = await Promise.all(
    input.files.map(async (path, i) => (await whyChanged(path, run.files[i]?.sha256, world.cwd())) === null),
  );
  const files = input.files.filter((_path, i) => isSame[i] === true);
  if (files.length === 0) return isSame.map(() => null);
  const types = new Set(Array.from({ length: entries.length }, (_, index) => entries.groupOf(index).type));
  const [type = null] = types.size === 1 ? (types as Set<RecordType>) : [];
  const options = { ...input, files, type };
  await checkInput(options, [], world.cwd());
  const opened = openInputs(
    options,
    world,
    () => {},
    stop,
    false,
    () => '',
  ).files.values();
  const readings: (RereadInfo | null)[] = [];
  for (const same of isSame) readings.push(same ? await readThrough(opened.next().value as OpenedFile) : null);
  return readings;
}

async function readThrough({ info, chunks, rereadInfo }: OpenedFile): Promise<RereadInfo | null> {
  try {
    for await (const _records of chunks());
    return rereadInfo();
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    throw new UsageError(`${info.path}: ${cause.message}. Say how it is read with the flags of the first call`, {
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
