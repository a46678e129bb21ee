/** The files that a call writes: reports, rejects, results, task list, approval. Each whole or not at all, never over an input. */
import { dirname, resolve } from 'node:path';
import { filesOf } from '../config/input-options.js';
import { joinFiltered } from '../input/filtered-rows.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { STDIN } from '../input/source.js';
import { JournalError } from '../errors.js';
import type { ApprovedRun } from '../journal/audit-log.js';
import type { RunOptions } from '../options.js';
import { reportRemedies } from '../follow-up/remedies.js';
import { callReports, type CallRecords } from '../report/call-records.js';
import type { ReportHead } from '../report/report-data.js';
import { countEntries, type Remedy } from '../report/reporter.js';
import { reportFormat } from '../report/report-formats.js';
import { pluralize } from '../report/table.js';
import { checkRowFileFormat, rowFileNames, writeRowFiles } from '../report/row-files.js';
import { REJECTS, RESULTS } from '../report/row-tables.js';
import { checkOutputs, type FileNames, journalFolders, type NamedFile, stateFiles } from '../report/output-paths.js';
import { createTaskList } from '../report/task-list.js';
import { taskListNotes, taskListText } from '../report/task-list-text.js';
import { writeFileAtomically } from '../util/atomic-file.js';
import type { World } from '../world.js';
import { writeApproval } from '../review/approve.js';
import { isStandardError, type LogFile, openLog } from './attempt-log.js';

export interface Outputs {
  /** @throws UsageError if the records cannot be written in the requested form */
  readonly checkRead: (prepared: PreparedRecords) => void;
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
  /** The run that a person has approved in this call; null for none. */
  readonly approved: ApprovedRun | null;
  /** Why the run was refused; empty if it was not. */
  readonly refusal: readonly string[];
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

/** Checks before sending whether the files can be written. @throws UsageError */
export async function openOutputs(options: RunOptions, world: World): Promise<Outputs> {
  const { report: reports, rejects, results, taskList: taskListPath, logFile } = options.output;
  const approval = options.safety.approve?.file ?? null;
  const formats = reports.map((path) => ({ path, format: reportFormat(path) }));
  const taskList = taskListPath === null ? null : taskListFile(taskListPath, options, world);
  const typed = [
    ...(rejects === null ? [] : [{ kind: REJECTS, path: rejects }]),
    ...(results === null ? [] : [{ kind: RESULTS, path: results }]),
  ];
  const named: NamedFile[] = reports.map((path) => ({ flag: '--report', path }));
  if (taskList !== null) named.push({ flag: '--task-list', path: taskList.path });
  if (approval !== null) named.push({ flag: '--approve', path: approval });
  if (logFile !== null && !isStandardError(logFile)) named.push({ flag: '--log-file', path: logFile, kind: 'log' });
  for (const target of typed) named.push(...(await rowFileNames(target, options, world.cwd())));
  const kept = { inputs: inputNames(options, world), folders: stateFolders(options), run: options.resume };
  await checkOutputs(named, kept, world);
  const untouched = logFile === null ? [] : [...kept.inputs, ...(await stateFiles(kept.folders))];
  return {
    log: logFile === null ? null : await openLog(logFile, untouched, world),
    checkRead: ({ readings }) => {
      for (const target of typed) checkRowFileFormat(target, readings);
    },
    write: async (call, found) => {
      const written: string[] = [];
      const notes: string[] = [];
      const withRecords: string[] = [];
      const { failures, attempt } = startAttempts();
      for (const { path, format } of formats) {
        const write = async (): Promise<void> => {
          const pieces = format(headOf(call, found), callReports(call));
          await writeFileAtomically(path, world.cwd(), marked(pieces, world));
          written.push(`Report written: ${path}`);
        };
        await attempt(path, write);
      }
      if (taskList !== null)
        await attempt(taskList.path, async () => {
          const { text, notes: lacking } = await taskList.write(call);
          written.push(text);
          notes.push(...lacking);
        });
      const { approved } = found;
      if (approval !== null && approved !== null)
        await attempt(approval, async () => {
          written.push(...(await writeApproval(approval, approved, found.at, call.options, world)));
        });
      for (const target of typed) {
        const isRejects = target.kind === REJECTS;
        const others = isRejects ? unsentText(call, found.refusal.length > 0) : '';
        const tell = (path: string, count: number, filtered: number): void => {
          if (isRejects && count > 0) withRecords.push(resolve(world.cwd(), path));
          written.push(
            `${target.kind.title} written: ${path}, ${count === 0 ? 'no records' : pluralize(count, 'record')}${filtered === 0 ? '' : ` and ${pluralize(filtered, 'filtered row')}`}${others}`,
          );
        };
        await attempt(target.path, () => writeRowFiles(target, call, world.cwd(), tell));
      }
      const failed = [...failures.values()].flat();
      const later = call.run === null ? [] : reportRemedies(call.run.name, failed, call.options);
      return { written, notes, failure: failureText(failures), later, rejects: withRecords };
    },
  };
}

/** @throws UsageError if it cannot be written under this name */
function taskListFile(path: string, { response, redactor }: RunOptions, world: World) {
  const list = createTaskList(path, response);
  return {
    path,
    async write(call: CallRecords): Promise<{ readonly text: string; readonly notes: readonly string[] }> {
      await writeFileAtomically(path, world.cwd(), marked(list.pieces(callReports(call)), world));
      const facts = list.facts();
      return { text: taskListText(path, facts), notes: taskListNotes(facts, (text) => redactor.redact(text)) };
    },
  };
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
      const message = cause instanceof JournalError ? 'the journal cannot be read' : (cause as Error).message;
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
  const { at: madeAt, digest, refusal, approved } = found;
  return {
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
