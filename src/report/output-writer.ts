/** Writes output files, and replaces no file of a person. CONTRACT: "Files it writes". */
import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { hashFile } from '../input/source.js';
import type { Journal } from '../journal/journal.js';
import { type FileOwner, isReplaceableBy, type WrittenFile } from '../journal/written-file.js';
import { type Pieces, writeFileAtomically } from '../util/atomic-file.js';
import type { World } from '../world.js';
import { nameOfFile, type NamedFile } from './output-paths.js';

/** What decides whether a file that is there already may be replaced. */
export interface ReplaceRules {
  /** A person allows all of it: `--overwrite`. */
  readonly overwrite: boolean;
  /** What it knows of the files; null if nothing is known. */
  readonly journal: Journal | null;
  /** What the call itself has written before. */
  readonly owner: FileOwner;
  /** The records may show that the call continues a run. Then the files of runs are decided about later. */
  readonly mayContinueRun: boolean;
  /** Nothing is sent. */
  readonly dryRun: boolean;
  /** A person approves what another call sends. */
  readonly approves: boolean;
}

/** Why a file that is there already must stay. */
type FileConflict =
  | { readonly kind: 'unknown' | 'rehearsed' | 'approves' | 'not-ours' | 'changed' }
  | { readonly kind: 'other-run'; readonly run: string }
  | { readonly kind: 'other-input'; readonly inputs: readonly string[] };

interface PresentFile {
  /** See {@link WrittenFile.path}. */
  readonly name: string;
  /** Null if there is no file, or the journal knows of none under this name. */
  readonly sha256: string | null;
  readonly conflict: FileConflict | null;
}

/**
 * To be called before anything is sent.
 * @param files logs are appended to, and left out
 * @throws UsageError that names every file that must stay
 */
export async function requireReplaceable(
  files: readonly NamedFile[],
  rules: ReplaceRules,
  world: World,
): Promise<void> {
  if (rules.overwrite) return;
  const found: FileConflict[] = [];
  const reasons: string[] = [];
  for (const { flag, path, kind } of files) {
    const conflict = kind === 'log' ? null : (await presentFile(path, rules, world)).conflict;
    if (conflict === null) continue;
    found.push(conflict);
    reasons.push(`${flag} ${path}: ${conflictText(conflict)}. `);
  }
  const sent = rules.journal === null ? '' : 'Nothing was sent. ';
  if (found.length > 0) throw new UsageError(`${sent}${reasons.join('')}${waysOut(found)}`);
}

/** For commands that write a file once, and keep nothing of it. @throws UsageError if a file is there already */
export function requireNew(files: readonly NamedFile[], overwrite: boolean, world: World): Promise<void> {
  const owner: FileOwner = { run: null, inputs: [] };
  return requireReplaceable(
    files,
    { overwrite, journal: null, owner, mayContinueRun: false, dryRun: false, approves: false },
    world,
  );
}

/** A quick look, for calls whose files are all new. */
export async function isAnyThere(files: readonly NamedFile[], cwd: string): Promise<boolean> {
  for (const { path } of files) if (await isFileThere(path, cwd)) return true;
  return false;
}

/** A link is a file of a person, wherever it leads. */
async function isFileThere(path: string, cwd: string): Promise<boolean> {
  return (await lstat(resolve(cwd, path)).catch(() => null)) !== null;
}

/** Writes the files of a call, each whole or not at all. */
export interface OutputWriter {
  /** Where relative paths start from. */
  readonly cwd: string;
  /** @throws Error if the file cannot be written, or another one is there by now; JournalError */
  write(path: string, pieces: Pieces, mode?: number): Promise<void>;
}

/**
 * For the end of a call.
 * @param sentNothing the call began no run: the same input may replace its files
 */
export function createOutputWriter(known: ReplaceRules, sentNothing: boolean, world: World): OutputWriter {
  const rules = { ...known, mayContinueRun: false };
  const { owner, dryRun } = rules;
  const run = owner.run;
  const inputs = sentNothing ? owner.inputs : null;
  // A dry run leaves no trace: it may have no right to write into the journal.
  const journal = dryRun ? null : rules.journal;
  return {
    cwd: world.cwd(),
    write: async (path, pieces, mode) => {
      const beforeAppearing = async (sha256: string): Promise<void> => {
        // Again: a person or another call may have written it since the call began.
        const { name, sha256: replaced, conflict } = await presentFile(path, rules, world);
        if (conflict !== null && !rules.overwrite) throw new Error(`${conflictText(conflict)}. ${waysOut([conflict])}`);
        await journal?.addWrittenFile({ path: name, sha256, run, inputs }, replaced);
        world.failpoint('file:stored');
      };
      await writeFileAtomically(path, world.cwd(), pieces, {
        beforeAppearing,
        ...(mode === undefined ? {} : { mode }),
      });
      world.failpoint('file:written');
    },
  };
}

async function presentFile(path: string, rules: ReplaceRules, { cwd, platform }: World): Promise<PresentFile> {
  const name = await nameOfFile(path, cwd(), platform);
  if (!(await isFileThere(path, cwd()))) return { name, sha256: null, conflict: null };
  // A dry run keeps no record of its files: the next call could not tell one from a file of a person.
  if (rules.dryRun) return { name, sha256: null, conflict: { kind: rules.approves ? 'approves' : 'rehearsed' } };
  if (rules.journal === null) return { name, sha256: null, conflict: { kind: 'unknown' } };
  const written = await rules.journal.writtenFiles([name]);
  if (written.length === 0) return { name, sha256: null, conflict: { kind: 'not-ours' } };
  const sha256 = await hashFile(path, cwd()).catch(() => null);
  const same = written.filter((file) => file.sha256 === sha256);
  return { name, sha256, conflict: conflictWith(same, rules) };
}

/** @param same what calls wrote under the file's name, and nobody has changed */
function conflictWith(same: readonly WrittenFile[], { owner, mayContinueRun }: ReplaceRules): FileConflict | null {
  if (same.some((file) => isReplaceableBy(file, owner))) return null;
  const run = same.find((file) => file.run !== null)?.run ?? null;
  if (run !== null) return mayContinueRun ? null : { kind: 'other-run', run: run.name };
  const inputs = same.find((file) => file.inputs !== null)?.inputs ?? null;
  return inputs === null ? { kind: 'changed' } : { kind: 'other-input', inputs };
}

function conflictText(conflict: FileConflict): string {
  switch (conflict.kind) {
    case 'unknown':
      return 'this file exists already, and it stays as it is';
    case 'rehearsed':
      return 'this file exists already, and a dry run does not replace it';
    case 'approves':
      return 'this file exists already, and an approval does not replace it';
    case 'not-ours':
      return 'this file exists already, and gigwork has no record of writing it, so it stays as it is';
    case 'changed':
      return 'somebody has changed this file since gigwork wrote it, so it stays as it is';
    case 'other-run':
      return `run ${conflict.run} wrote this file, and this call does not continue that run, so it stays as it is`;
    case 'other-input': {
      const names = conflict.inputs.join(', ');
      return `gigwork wrote this file for ${names === '' ? 'a record without a file' : names}, and this call has another input, so it stays as it is`;
    }
  }
}

function waysOut(conflicts: readonly FileConflict[]): string {
  const isOne = conflicts.length === 1;
  const another = isOne ? 'Name another file' : 'Name other files';
  const it = isOne ? 'it' : 'them';
  if (conflicts.every(({ kind }) => kind !== 'changed')) return `${another}, or replace ${it} with --overwrite`;
  return `${another} to keep the changes. --overwrite replaces ${it}, and the changes are lost`;
}
