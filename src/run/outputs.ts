/** The files that a run writes for people: reports and rejects. Whole or not at all, and never over an input. */
import { basename, dirname, join } from 'node:path';
import type { Journal, Outcome } from '../journal/journal.js';
import { UsageError } from '../exit.js';
import { formatDecimal } from '../money/decimal.js';
import { JsonSyntaxError, parseJson } from '../read/json-text.js';
import { STDIN } from '../read/source.js';
import { type ReportHead, type ReportRow, reportFormat, REPORTS } from '../report/formats.js';
import { checkWritable, type FileNames, nameOfFile, writeWhole } from '../report/whole-file.js';
import type { World } from '../world.js';
import type { RunOptions } from './options.js';
import type { Prepared } from './prepare.js';
import { checkRejects, writeRejects } from './rejects.js';
import type { Standing } from './standing.js';
import { countEntries } from './summary.js';

export interface OutputContext {
  readonly prepared: Prepared;
  readonly standing: Standing;
  /** With `run`: where ids and answers are. */
  readonly journal: Journal | null;
  readonly run: string | null;
}

export interface Outputs {
  /** Writes every file that was asked for. Gives the reason when one could not be written, else null. */
  write(context: OutputContext): Promise<string | null>;
}

/** Finds out before anything is sent whether the files can be written. @throws UsageError */
export async function openOutputs(options: RunOptions, world: World): Promise<Outputs> {
  const { reports, rejects } = options.output;
  const inputs = inputNames(options, world);
  const outputs = [...reports, ...(rejects === null ? [] : [rejects])];
  await refuseSameTwice(outputs, world);
  await refuseStateFiles(outputs, stateFolders(options), world);
  for (const path of reports) {
    if (reportFormat(path) === null) {
      throw new UsageError(
        `--report ${path}: the extension says the format; known are ${[...REPORTS.keys()].join(', ')}`,
      );
    }
    await checkWritable(path, '--report', inputs, world.cwd());
  }
  if (rejects !== null) await checkRejects(rejects, options, inputs, world);
  return {
    write: async (context) => {
      const failures: string[] = [];
      // One file that cannot be written is no reason against the others.
      const attempt = async (path: string, write: () => Promise<void>): Promise<void> => {
        await write().catch((cause: unknown) =>
          failures.push(`${path} could not be written: ${(cause as Error).message}`),
        );
      };
      for (const path of reports) {
        const format = reportFormat(path);
        if (format === null) continue;
        await attempt(path, () =>
          writeWhole(
            path,
            world.cwd(),
            marked(
              format(headOf(options, context, world), () => rowsOf(context)),
              world,
            ),
          ),
        );
      }
      if (rejects !== null) await attempt(rejects, () => writeRejects(rejects, options, context.prepared, world));
      return failures.length === 0 ? null : failures.join('; ');
    },
  };
}

/** The same pieces; a crash between any two must be harmless. */
function* marked(pieces: Iterable<string>, world: World): Iterable<string> {
  for (const piece of pieces) {
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

/** @throws UsageError */
async function refuseSameTwice(outputs: readonly string[], { cwd, platform }: World): Promise<void> {
  const full = await Promise.all(outputs.map((path) => nameOfFile(path, cwd(), platform)));
  const again = full.findIndex((path, i) => full.indexOf(path) !== i);
  if (again >= 0) throw new UsageError(`${outputs[again]} is named for two output files; each needs a name of its own`);
}

/** What the program keeps in its state directory, and what SQLite puts beside it. */
const STATE_FILE = /^(journal|sandbox)\.db|^alive-/i;

function stateFolders({ journalDir, target }: RunOptions): string[] {
  return target?.kind === 'sandbox' ? [journalDir, dirname(target.file)] : [journalDir];
}

/** A journal that is written over protects nobody from being paid twice. @param folders of the state. @throws UsageError */
export async function refuseStateFiles(
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

function headOf(options: RunOptions, { prepared, standing, journal, run }: OutputContext, world: World): ReportHead {
  const { records, totals } = countEntries(prepared.entries);
  return {
    command: options.command,
    run,
    target: options.target?.name ?? null,
    batchId: options.safety.batchId,
    digest: standing.digest,
    dryRun: options.safety.dryRun,
    files: prepared.files,
    records: { ...records },
    totals,
    startedAt: run === null ? null : (journal?.findRuns(run)[0]?.startedAt ?? null),
    madeAt: world.now(),
  };
}

/** The run's records in input order, with what the journal knows of each. */
function* rowsOf({ prepared, standing, journal, run }: OutputContext): Iterable<ReportRow> {
  const { entries } = prepared;
  const stored = journal === null || run === null ? undefined : journal.findRuns(run)[0];
  const unsettled = (at: number): ReportRow => rowOf(at, standing.earlier(at), prepared);
  let index = 0;
  if (stored !== undefined && journal !== null) {
    for (const { index: place, outcome } of journal.outcomes(stored)) {
      const entry = standing.continued === null ? place : standing.continued.entryIndex(place);
      if (entry === null || entry < index) continue;
      while (index < entry) yield unsettled(index++);
      yield rowOf(index++, outcome, prepared);
    }
  }
  while (index < entries.length) yield unsettled(index++);
}

function rowOf(index: number, outcome: Outcome | null, { entries, files }: Prepared): ReportRow {
  const { file, record, line } = entries.placeOf(index);
  const { type, currency, costCenter } = entries.groupOf(index);
  const valid = entries.isValid(index);
  const amount = valid ? entries.amount(index) : null;
  const known = valid ? outcome : null;
  return {
    file: files[file]?.path ?? '',
    record,
    line,
    type,
    key: entries.key(index),
    status: entries.status(index),
    httpStatus: known?.httpStatus ?? null,
    id: idIn(known?.response ?? null),
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    costCenter,
    error: known?.error ?? entries.error(index),
  };
}

/** The answer's `id`, if it has one that is a text or a number; a number with the digits that the service sent. */
export function idIn(response: string | null): string | null {
  if (response === null) return null;
  const { id } = JSON.parse(response) as { id?: unknown };
  if (typeof id === 'string') return id;
  return typeof id === 'number' ? typedNumber(response, 'id', id) : null;
}

function typedNumber(json: string, path: string, value: number): string {
  try {
    const typed = parseJson(json).typed?.get(path);
    // Of a member that is given twice, the last one counts.
    if (typed !== undefined && Number(typed) === value) return typed;
  } catch (cause) {
    // Nested deeper than is read.
    if (!(cause instanceof JsonSyntaxError)) throw cause;
  }
  return String(value);
}
