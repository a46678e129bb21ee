/** The files that a call writes: reports, rejects, results, task list, approval. Each whole or not at all, never over an input. */
import { dirname, resolve } from 'node:path';
import { filesOf } from '../config/input-options.js';
import { joinFiltered } from '../input/filtered-rows.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { RECORDS_PATH, STDIN } from '../input/source.js';
import { JournalError } from '../errors.js';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { Journal } from '../journal/journal.js';
import type { Run } from '../journal/payment.js';
import type { RunOptions } from '../options.js';
import { reportRemedies } from '../follow-up/remedies.js';
import { callReports, type CallRecords } from '../report/call-records.js';
import type { PayeeChanges } from '../report/payee-changes-text.js';
import type { ReportFormat, ReportHead } from '../report/report-data.js';
import { countEntries, type Remedy } from '../report/reporter.js';
import { reportFormat } from '../report/report-formats.js';
import { pluralize } from '../report/table.js';
import {
  checkRowFileFormat,
  rowFileNames,
  rowFilePaths,
  type RowFileTarget,
  writeRowFiles,
} from '../report/row-files.js';
import { REJECTS, RESULTS } from '../report/row-tables.js';
import {
  checkOutputs,
  type FileNames,
  journalFolders,
  type NamedFile,
  nameOfFile,
  stateFiles,
} from '../report/output-paths.js';
import {
  createOutputWriter,
  isAnyThere,
  type OutputWriter,
  type ReplaceRules,
  requireReplaceable,
} from '../report/output-writer.js';
import { TaskList } from '../report/task-list.js';
import { taskListNotes, taskListText } from '../report/task-list-text.js';
import type { World } from '../world.js';
import { writeApproval } from '../review/approve.js';
import { isStandardError, type LogFile, openLog } from './attempt-log.js';

export interface Outputs {
  /** @throws UsageError if the records cannot be written in the requested form */
  readonly checkRead: (prepared: PreparedRecords) => void;
  /** Before anything is read. @throws UsageError if a file is there that no call of this input may replace */
  readonly checkPresent: (journal: Journal | null) => Promise<void>;
  /** The same, before the review: only now are all files known. @param findRun finds the run that the call continues */
  readonly checkPresentFor: (
    prepared: PreparedRecords,
    journal: Journal | null,
    findRun: () => Promise<Run | null>,
  ) => Promise<void>;
  /** Gets a line for each attempt; null if there is no log. */
  readonly log: LogFile | null;
  /** Writes all requested files. */
  write(call: CallRecords, found: OutputFacts): Promise<WrittenFiles>;
}

/** The results of a call as a whole, for its files. */
export interface OutputFacts {
  /** When the files are made. Milliseconds since 1970. */
  readonly at: number;
  readonly digest: string | null;
  /** What is new since the last batch of the profile; null if there is nothing to compare with. */
  readonly changes: PayeeChanges | null;
  /** The run that a person has approved in this call; null for none. */
  readonly approved: ApprovedRun | null;
  /** Why the run was refused; empty if it was not. */
  readonly refusal: readonly string[];
  readonly journal: Journal | null;
  /** The run that the call would have continued, or has; null for none. */
  readonly continued: Run | null;
  /** The call was refused or interrupted before its gate. */
  readonly sentNothing: boolean;
}

export interface WrittenFiles {
  /** What a person is told of each file. */
  readonly written: readonly string[];
  /** What a person should know of their content, in a sentence each. */
  readonly notes: readonly string[];
  /** Why some could not be written; null if all are there. */
  readonly failure: string | null;
  /** How a report is written later instead. */
  readonly later: readonly Remedy[];
  /** Full paths of the rejects that contain records. */
  readonly rejects: readonly string[];
}

/** The files that the command line names, checked one by one. */
interface RequestedFiles {
  readonly reports: readonly { readonly path: string; readonly format: ReportFormat }[];
  readonly taskList: TaskList | null;
  readonly approval: string | null;
  readonly rowFiles: readonly RowFileTarget[];
}

/** Checks before sending whether the files can be written. @throws UsageError */
export async function openOutputs(options: RunOptions, world: World): Promise<Outputs> {
  const { report: reports, rejects, results, taskList, logFile } = options.output;
  const requested: RequestedFiles = {
    reports: reports.map((path) => ({ path, format: reportFormat(path) })),
    taskList: taskList === null ? null : new TaskList(taskList, options.response),
    approval: options.safety.approve?.file ?? null,
    rowFiles: [
      ...(rejects === null ? [] : [{ kind: REJECTS, path: rejects }]),
      ...(results === null ? [] : [{ kind: RESULTS, path: results }]),
    ],
  };
  const { approval, rowFiles } = requested;
  const named: NamedFile[] = reports.map((path) => ({ flag: '--report', path }));
  if (taskList !== null) named.push({ flag: '--task-list', path: taskList });
  if (approval !== null) named.push({ flag: '--approve', path: approval });
  if (logFile !== null && !isStandardError(logFile)) named.push({ flag: '--log-file', path: logFile, kind: 'log' });
  for (const target of rowFiles) named.push(...(await rowFileNames(target, options, world.cwd())));
  const kept = { inputs: inputNames(options, world), folders: stateFolders(options), run: options.resume };
  await checkOutputs(named, kept, world);
  const untouched = logFile === null ? [] : [...kept.inputs, ...(await stateFiles(kept.folders))];
  // Which of the possible files in a folder are written is known once the inputs are read.
  const certain = named.filter(({ kind }) => kind !== 'member');
  return {
    log: logFile === null ? null : await openLog(logFile, untouched, world),
    checkRead: ({ readings }) => {
      for (const target of rowFiles) checkRowFileFormat(target, readings);
    },
    checkPresent: async (journal) =>
      requireReplaceable(certain, await replaceRules(options, journal, options.resume, world), world),
    checkPresentFor: async ({ readings }, journal, findRun) => {
      const files = [...certain];
      for (const target of options.input.files.length > 1 ? rowFiles : [])
        for (const path of rowFilePaths(target, options.input.files, readings))
          if (path !== null) files.push({ flag: target.kind.flag, path });
      if (options.output.overwrite || !(await isAnyThere(files, world.cwd()))) return;
      const rules = await replaceRules(options, journal, await findRun(), world);
      await requireReplaceable(files, { ...rules, mayContinueRun: false }, world);
    },
    write: async (call, found) => {
      const rules = await replaceRules(options, found.journal, call.run ?? found.continued, world);
      return writeOutputs(requested, call, found, createOutputWriter(rules, found.sentNothing, world), world);
    },
  };
}

/** @param run that the call continues; null if that is not known, or it continues none */
async function replaceRules(
  options: RunOptions,
  journal: Journal | null,
  run: Run | null,
  world: World,
): Promise<ReplaceRules> {
  const { dryRun } = options.safety;
  const inputs = options.resume === null ? options.input.files : filesOf(options.resume, world.cwd());
  const nameOf = async (path: string): Promise<string> =>
    path === STDIN || path === RECORDS_PATH ? path : nameOfFile(path, world.cwd(), world.platform);
  return {
    overwrite: options.output.overwrite,
    journal,
    // A dry run continues no run: it would leave a rehearsal where the run wrote what was paid.
    owner: { run: dryRun ? null : run, inputs: await Promise.all(inputs.map(nameOf)) },
    mayContinueRun: !dryRun && options.resume === null,
    dryRun,
    approves: options.safety.approve !== null,
  };
}

async function writeOutputs(
  { reports, taskList, approval, rowFiles }: RequestedFiles,
  call: CallRecords,
  found: OutputFacts,
  writer: OutputWriter,
  world: World,
): Promise<WrittenFiles> {
  const written: string[] = [];
  const notes: string[] = [];
  const withRecords: string[] = [];
  const { failures, attempt } = startAttempts();
  for (const { path, format } of reports)
    await attempt(path, async () => {
      await writer.write(path, marked(format(headOf(call, found), callReports(call)), world));
      written.push(`Report written: ${path}`);
    });
  if (taskList !== null)
    await attempt(taskList.path, async () => {
      await writer.write(taskList.path, marked(taskList.pieces(callReports(call)), world));
      written.push(taskListText(taskList));
      notes.push(...taskListNotes(taskList, (text) => call.options.redactor.redact(text)));
    });
  const { approved } = found;
  if (approval !== null && approved !== null)
    await attempt(approval, async () => {
      written.push(...(await writeApproval(approval, approved, found.at, call.options, writer)));
    });
  for (const target of rowFiles) {
    const isRejects = target.kind === REJECTS;
    const others = isRejects ? unsentText(call, found.refusal.length > 0) : '';
    const tell = (path: string, count: number, filtered: number): void => {
      if (isRejects && count > 0) withRecords.push(resolve(writer.cwd, path));
      written.push(
        `${target.kind.title} written: ${path}, ${count === 0 ? 'no records' : pluralize(count, 'record')}${filtered === 0 ? '' : ` and ${pluralize(filtered, 'filtered row')}`}${others}`,
      );
    };
    await attempt(target.path, () => writeRowFiles(target, call, writer, tell));
  }
  const failed = [...failures.values()].flat();
  const later = call.run === null ? [] : reportRemedies(call.run.name, failed, call.options);
  return { written, notes, failure: failureText(failures), later, rejects: withRecords };
}

/** If one file cannot be written, the others still are. */
function startAttempts() {
  /** The files that could not be written, by the reason. */
  const failures = new Map<string, string[]>();
  const attempt = async (path: string, write: () => Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (cause) {
      // If the journal has stopped the run, its reason has been told.
      const message = cause instanceof JournalError ? 'the journal cannot be used' : (cause as Error).message;
      failures.set(message, [...(failures.get(message) ?? []), path]);
    }
  };
  return { failures, attempt };
}

/** A person who corrects only the rejects must know which records they leave out. */
function unsentText({ options, prepared }: CallRecords, isRefused: boolean): string {
  const unsent = options.safety.dryRun ? 0 : countEntries(prepared.entries).records.not_sent;
  if (unsent === 0) return '';
  return isRefused
    ? `. ${pluralize(unsent, 'valid record was', 'valid records were')} not sent either`
    : `; ${pluralize(unsent, 'other record')} not sent`;
}

function failureText(failures: ReadonlyMap<string, readonly string[]>): string | null {
  if (failures.size === 0) return null;
  return [...failures].map(([reason, paths]) => `${paths.join(' and ')} could not be written: ${reason}`).join('; ');
}

/** The same pieces; a crash between any two must be harmless. */
async function* marked<Piece>(pieces: AsyncIterable<Piece>, world: World): AsyncIterable<Piece> {
  for await (const piece of pieces) {
    world.failpoint('report:writing');
    yield piece;
  }
}

function headOf({ options, prepared, run }: CallRecords, found: OutputFacts): ReportHead {
  const { command, target, safety, caller } = options;
  const { at: madeAt, digest, refusal, changes, approved } = found;
  return {
    changes,
    refusal,
    madeAt,
    target: target?.name ?? null,
    batchId: prepared.batchId,
    dryRun: safety.dryRun,
    filtered: joinFiltered(prepared.files),
    runs: [
      {
        command,
        digest,
        files: prepared.files,
        name: run?.name ?? null,
        startedAt: run?.startedAt ?? null,
        by: (run ?? caller).by,
        approvedBy:
          run?.approvedBy ??
          (approved === null
            ? null
            : {
                at: madeAt,
                by: caller.by,
                note: '',
              }),
        closed: run?.closed ?? null,
        version: (run ?? caller).version,
      },
    ],
  };
}

/** All files that are read, or were read for a run that continues, so that no output is written over them. */
function inputNames({ input, resume, settingsFiles }: RunOptions, world: World): FileNames {
  const earlier = resume === null ? [] : filesOf(resume, world.cwd());
  const paths = [...input.files, ...earlier, ...(input.prices === null ? [] : [input.prices]), ...settingsFiles];
  // Standard input may be a file that the shell has opened.
  const { fd } = world.stdin as { readonly fd?: unknown };
  const names = paths.map((path) => (path === STDIN ? fd : path));
  return names.filter((name) => typeof name === 'string' || typeof name === 'number');
}

function stateFolders({ journal, target }: RunOptions): string[] {
  const file = target?.kind === 'sandbox' ? target.file : null;
  return [...journalFolders(journal.place), ...(file === null ? [] : [dirname(file)])];
}
