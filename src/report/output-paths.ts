/** Which paths an output file may have: writable ones, and none that would replace an input or the state. */
import { type BigIntStats, fstatSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { hashFile } from '../input/source.js';
import { sha256 } from '../keys/key.js';
import type { Run } from '../journal/payment.js';
import type { JournalLocation } from '../journal/location.js';
import { tryToWrite } from '../util/atomic-file.js';
import type { World } from '../world.js';

/** Paths, and descriptors of files that are open already. */
export type FileNames = readonly (string | number)[];

export interface NamedFile {
  readonly flag: string;
  readonly path: string;
  /** `member`: in a folder made for the files. `log`: appended to, and checked when it is opened. */
  readonly kind?: 'member' | 'log';
}

/** Files that no output may be written over. */
export interface ProtectedFiles {
  readonly inputs: FileNames;
  /** Folders of the state: a journal that was written over could not protect from paying twice. */
  readonly folders: readonly string[];
  /** The run of these files, if an earlier call made it; else null. */
  readonly run: Run | null;
}

/** @param outputs all requested files. @throws UsageError when one is not writable, or would replace another file */
export async function checkOutputs(
  outputs: readonly NamedFile[],
  { inputs, folders, run }: ProtectedFiles,
  { cwd, platform }: World,
): Promise<void> {
  const nameOf = (path: string): Promise<string> => nameOfFile(path, cwd(), platform);
  const states = new Set(await Promise.all(folders.map(async (folder) => dirname(await nameOf(join(folder, 'x'))))));
  const taken = new Set<string>();
  for (const { flag, path, kind } of outputs) {
    const name = await nameOf(path);
    if (taken.has(name)) throw new UsageError(`${path} is named for two output files; each needs a separate name`);
    taken.add(name);
    if (STATE_FILE.test(basename(name)) && states.has(dirname(name)))
      throw new UsageError(`${path} belongs to the state of gigwork, and it would be written over; name another file`);
    if (kind === undefined) await checkWritable(path, flag, inputs, cwd());
    else if (kind === 'member') await checkReplaceable(path, flag, inputs, cwd());
  }
  if (run !== null) await refuseInputsOf(run, outputs, cwd());
}

/** The program's files in its state directory, and SQLite's additional ones. */
const STATE_FILE = /^(journal|sandbox)\.db|^alive-/i;

/** Full paths of the present files of the state. */
export async function stateFiles(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flatMap((each, i) =>
    each.filter((name) => STATE_FILE.test(name)).map((name) => join(folders[i] as string, name)),
  );
}

/** Empty for a journal in a database. */
export function journalFolders(place: JournalLocation): string[] {
  return place.kind === 'file' && place.folder !== null ? [place.folder] : [];
}

/** The hash of an empty file: writing over it loses nothing. */
const OF_NOTHING = sha256('');

/** The files that a run has read are recognised by their bytes: their names may be relative to another folder. */
async function refuseInputsOf(run: Run, outputs: readonly NamedFile[], cwd: string): Promise<void> {
  const read = new Set(run.files.map((file) => file.sha256).filter((hash) => hash !== OF_NOTHING));
  for (const { path } of outputs) {
    // Most likely the file does not exist yet; whether it can be written is checked elsewhere.
    const found = await hashFile(path, cwd).catch(() => null);
    if (found === null || !read.has(found)) continue;
    throw new UsageError(
      `${path} is an input file of run ${run.name}, and it would be written over; name another file`,
    );
  }
}

/**
 * @param flag the option that names the file, for messages
 * @param inputs files that must not be written over
 * @throws UsageError when the file cannot be written, or is an input
 */
export async function checkWritable(path: string, flag: string, inputs: FileNames, cwd: string): Promise<void> {
  const full = resolve(cwd, path);
  try {
    await tryToWrite(full);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason =
      code === 'ENAMETOOLONG'
        ? 'its name is too long'
        : `the folder ${dirname(full)} is not there or cannot be written`;
    throw new UsageError(`${flag} ${path}: ${reason}; name another file`, { cause });
  }
  await checkReplaceable(path, flag, inputs, cwd);
}

/** @throws UsageError when a file must not replace the existing thing at this path */
async function checkReplaceable(path: string, flag: string, inputs: FileNames, cwd: string): Promise<void> {
  const target = await statOf(resolve(cwd, path));
  if (target === null) return;
  if (target.isDirectory()) throw new UsageError(`${flag} ${path}: this is a folder; name a file`);
  if (!target.isFile()) throw new UsageError(`${flag} ${path}: this is a device or a pipe; name a file`);
  if (await isAnyOf(resolve(cwd, path), inputs, cwd))
    throw new UsageError(`${flag} ${path}: this is an input file, and it would be written over; name another file`);
}

/** Whether it is one of the files, whatever its name is. @param file a full path, or a descriptor */
export async function isAnyOf(file: string | number, files: FileNames, cwd: string): Promise<boolean> {
  const target = await statOf(file);
  if (target === null) return false;
  for (const each of files) {
    const other = await statOf(typeof each === 'string' ? resolve(cwd, each) : each);
    if (other !== null && other.dev === target.dev && other.ino === target.ino) return true;
  }
  return false;
}

/** Null if there is no file at this path or descriptor. */
async function statOf(file: string | number): Promise<BigIntStats | null> {
  try {
    return typeof file === 'string' ? await stat(file, { bigint: true }) : fstatSync(file, { bigint: true });
  } catch {
    return null;
  }
}

/**
 * One name for a file that may not exist yet, however its path is written and whichever links lead to its folder. A
 * link at the path itself is not followed, since writing replaces it.
 */
export async function nameOfFile(path: string, cwd: string, platform: NodeJS.Platform): Promise<string> {
  const full = resolve(cwd, path);
  const folder = await realpath(dirname(full)).catch(() => dirname(full));
  const name = join(folder, basename(full));
  // Disks of these systems usually treat names that differ only in letter case as one name.
  return platform === 'win32' || platform === 'darwin' ? name.normalize('NFC').toLowerCase() : name;
}
