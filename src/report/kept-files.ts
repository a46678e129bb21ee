/** Files that no output is written over: the state of the program, and what a run has read. */
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../errors.js';
import { hashFile } from '../input/source.js';
import { sha256 } from '../keys/key.js';
import type { Run } from '../ledger/payment.js';
import type { JournalPlace } from '../ledger/place.js';
import type { World } from '../world.js';
import { nameOfFile } from './whole-file.js';

/** @param folders of the state. @throws UsageError for two names of one file, and for a file of the state */
export async function refuseOutputs(
  outputs: readonly string[],
  folders: readonly string[],
  world: World,
): Promise<void> {
  await refuseSameTwice(outputs, world);
  await refuseStateFiles(outputs, folders, world);
}

/**
 * Protects the files that a run has read. They are known by their bytes, because their names were meant from the folder
 * where the run was made.
 * @throws UsageError when one of them would be written over
 */
export async function refuseInputsOf(run: Run, outputs: readonly string[], { cwd }: World): Promise<void> {
  const read = new Set(run.files.map((file) => file.sha256).filter((hash) => hash !== OF_NOTHING));
  for (const path of outputs) {
    // Most likely the file is not there yet; whether it can be written is checked elsewhere.
    const found = await hashFile(path, cwd()).catch(() => null);
    if (found === null || !read.has(found)) continue;
    throw new UsageError(
      `${path} is an input file of run ${run.name}, and it would be written over; name another file`,
    );
  }
}

/** The hash of an empty file: nothing can be lost of it. */
const OF_NOTHING = sha256('');

async function refuseSameTwice(outputs: readonly string[], { cwd, platform }: World): Promise<void> {
  const full = await Promise.all(outputs.map((path) => nameOfFile(path, cwd(), platform)));
  const again = full.findIndex((path, i) => full.indexOf(path) !== i);
  if (again >= 0) throw new UsageError(`${outputs[again]} is named for two output files; each needs a name of its own`);
}

/** What the program keeps in its state directory, and what SQLite puts beside it. */
const STATE_FILE = /^(journal|sandbox)\.db|^alive-/i;

/** Full paths of what the state consists of now. */
export async function stateFiles(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flatMap((each, i) =>
    each.filter((name) => STATE_FILE.test(name)).map((name) => join(folders[i] as string, name)),
  );
}

/** The folder of a journal that is kept in one. */
export function journalFolders(place: JournalPlace): string[] {
  return place.kind === 'file' && place.folder !== null ? [place.folder] : [];
}

/** A journal that is written over protects nobody from being paid twice. */
async function refuseStateFiles(
  outputs: readonly string[],
  folders: readonly string[],
  { cwd, platform }: World,
): Promise<void> {
  const states = await Promise.all(folders.map((folder) => nameOfFile(join(folder, 'x'), cwd(), platform)));
  for (const path of outputs) {
    const full = await nameOfFile(path, cwd(), platform);
    if (!STATE_FILE.test(basename(full)) || !states.some((state) => dirname(state) === dirname(full))) continue;
    throw new UsageError(`${path} belongs to the state of gigwork, and it would be written over; name another file`);
  }
}
