/** The files that a run writes: reports, rejects and results. Whole or not at all, and never over an input. */
import { furtherWords } from '../util/shell-word.js';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../errors.js';
import type { Run } from '../ledger/payment.js';
import { sha256 } from '../keys/key.js';
import { hashFile, STDIN } from '../input/source.js';
import { reportFormat } from '../report/formats.js';
import { counted } from '../report/table.js';
import type { LogFile } from '../report/log-file.js';
import { checkWritable, type FileNames, nameOfFile, writeWhole } from '../report/whole-file.js';
import type { World } from '../world.js';
import type { RunOptions } from '../options.js';
import { openLog } from './attempt-log.js';
import { writeApproval } from './approve.js';
import { headOf, type OutputContext, rowsOf } from './report-rows.js';
import { countEntries } from './summary.js';
import { checkTyped, type TypedTarget, writeTyped } from './typed-files.js';
import { REJECTS, RESULTS } from './typed-outputs.js';

export interface Outputs {
  /** Gets a line for each attempt; null where none was asked for. */
  readonly log: LogFile | null;
  /** Writes every file that was asked for. Gives the reason when one could not be written, else null. */
  write(context: OutputContext): Promise<string | null>;
}

/** Finds out before anything is sent whether the files can be written. @param wrote told of each file. @throws UsageError */
export async function openOutputs(options: RunOptions, world: World, wrote: (text: string) => void): Promise<Outputs> {
  const { reports, rejects, results, logFile } = options.output;
  const { approve } = options.safety;
  const inputs = inputNames(options, world);
  const outputs = [...reports, ...[rejects, results, logFile, approve].filter((path) => path !== null)];
  const folders = stateFolders(options);
  await refuseOutputs(outputs, folders, world);
  const formats = reports.map((path) => ({ path, format: reportFormat(path) }));
  for (const path of reports) await checkWritable(path, '--report', inputs, world.cwd());
  if (approve !== null) await checkWritable(approve, '--approve', inputs, world.cwd());
  const typed = typedTargets(options);
  await checkTyped(typed, options, inputs, world);
  if (options.resume !== null) await refuseInputsOf(options.resume, outputs, world);
  const kept = logFile === null ? [] : [...inputs, ...(await stateFiles(folders))];
  return {
    log: logFile === null ? null : await openLog(logFile, kept, world),
    write: async (context) => {
      const failures: string[] = [];
      // One file that cannot be written is no reason against the others.
      const attempt = async (path: string, write: () => Promise<void>, remedy = ''): Promise<void> => {
        try {
          await write();
        } catch (cause) {
          failures.push(`${path} could not be written: ${(cause as Error).message}${remedy}`);
        }
      };
      for (const { path, format } of formats) {
        const pieces = (): AsyncIterable<string> =>
          format(headOf(context, { madeAt: world.now(), utcOffset: world.utcOffset }), () => rowsOf(context));
        await attempt(
          path,
          async () => {
            await writeWhole(path, world.cwd(), marked(pieces(), world));
            wrote(`Report written: ${path}`);
          },
          laterWords(context, 'it'),
        );
      }
      const { approved } = context;
      if (approve !== null && approved !== null)
        await attempt(approve, () => writeApproval(approve, approved, options, world, wrote));
      for (const target of typed) {
        const others = target.output === REJECTS ? unsentWords(context) : '';
        const tell = (path: string, count: number): void =>
          wrote(
            `${target.output.title} written: ${path}, ${count === 0 ? 'no records' : counted(count, 'record')}${others}`,
          );
        const remedy = target.output === REJECTS ? '' : laterWords(context, 'what became of each record');
        await attempt(target.path, () => writeTyped(target, context, world, tell), remedy);
      }
      return failures.length === 0 ? null : failures.join('; ');
    },
  };
}

function typedTargets({ output: { rejects, results } }: RunOptions): TypedTarget[] {
  return [
    ...(rejects === null ? [] : [{ output: REJECTS, path: rejects }]),
    ...(results === null ? [] : [{ output: RESULTS, path: results }]),
  ];
}

/** A person who corrects only the rejects must know what they leave out. */
function unsentWords({ options, prepared }: OutputContext): string {
  const unsent = options.safety.dryRun ? 0 : countEntries(prepared.entries).records.not_sent;
  return unsent === 0 ? '' : `; ${counted(unsent, 'other record')} not sent`;
}

/** What was sent is in the journal, so a report can be made of it at any time. */
function laterWords({ run, options }: OutputContext, what: string): string {
  return run === null
    ? ''
    : `; to write ${what} later: gigwork batch report ${run.name}${furtherWords(options.place, options.platform)} --report FILE`;
}

/** The same pieces; a crash between any two must be harmless. */
async function* marked(pieces: AsyncIterable<string>, world: World): AsyncIterable<string> {
  for await (const piece of pieces) {
    world.reached('report:writing');
    yield piece;
  }
}

/** Everything that is read, or was read for a run that goes on, so that nothing of it is written over. */
function inputNames({ input, resume, settingsFiles }: RunOptions, world: World): FileNames {
  const earlier = resume === null ? [] : resume.files.map(({ path }) => path);
  const paths = [...input.files, ...earlier, ...(input.prices === null ? [] : [input.prices]), ...settingsFiles];
  // Standard input may be a file that the shell has opened.
  const { fd } = world.stdin as { readonly fd?: unknown };
  const names = paths.map((path) => (path === STDIN ? fd : path));
  return names.filter((name) => typeof name === 'string' || typeof name === 'number');
}

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
async function stateFiles(folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return names.flatMap((each, i) =>
    each.filter((name) => STATE_FILE.test(name)).map((name) => join(folders[i] as string, name)),
  );
}

function stateFolders({ journal, target }: RunOptions): string[] {
  const file = target?.kind === 'sandbox' ? target.file : null;
  return [journal.folder, file === null ? null : dirname(file)].filter((folder) => folder !== null);
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
