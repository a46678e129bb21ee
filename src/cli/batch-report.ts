/** `batch report [run]`: the report files and the task list of a run or of a whole batch, made later. */
import { UsageError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { Run } from '../journal/payment.js';
import { totalsByType } from '../report/event-reporter.js';
import { recordCounts, tallyRecords, type CountsAndTotals } from '../report/report-data.js';
import { printable } from '../report/printable.js';
import { reportFormat } from '../report/report-formats.js';
import { type ReportScope, reportedRecords } from '../report/stored-records.js';
import { TaskList } from '../report/task-list.js';
import { taskListNotes, taskListText } from '../report/task-list-text.js';
import { checkOutputs, journalFolders } from '../report/output-paths.js';
import { requireNew } from '../report/output-writer.js';
import { journalPlace } from '../config/journal-location.js';
import { sendOptions, settingsFiles } from '../config/run-options.js';
import type { SettingSources } from '../config/resolve.js';
import { responseRules } from '../config/target.js';
import { shellQuote } from '../util/shell-quote.js';
import type { World } from '../world.js';
import type { Invocation, FlagsWith } from './command.js';
import { print, writeNamed } from './document.js';
import { findRun, listCommand, noSuchRun, withOpenJournal } from './with-journal.js';

type ReportCall = Invocation<FlagsWith<'batch_id' | 'target'>>;

/** Writes the files; returns the exit code. @throws JournalError; UsageError for an unusable run, batch or file */
export async function writeReports(call: ReportCall): Promise<number> {
  const { flags, world } = call;
  const { report: paths = [], task_list: taskListPath = null } = flags;
  if (paths.length === 0 && taskListPath === null)
    throw new UsageError(
      'name the file to write with --report, such as --report month.html, or with --task-list for the tasks of gigs',
    );
  const reports = paths.map((path) => ({ path, format: reportFormat(path) }));
  const nameOfRun = namedRun(call);
  return withOpenJournal(call, 'reads', async (journal, settings) => {
    const list = listCommand(call, settings);
    const isBatch = nameOfRun === null;
    if (journal === null) throw isBatch ? noSuchBatch(call, list) : noSuchRun(nameOfRun, list);
    const runs = isBatch ? await runsOfBatch(call, journal, list) : [await findRun(journal, nameOfRun, list)];
    const reported: ReportScope = { runs, isBatch };
    const { target, batchId } = runs[0] as Run;
    const rules = responseRules(settings, target);
    const taskList = taskListPath === null ? null : new TaskList(taskListPath, rules);
    const files = { reports: paths, taskList: taskListPath, overwrite: flags.overwrite === true };
    await checkFiles(files, runs, settings, world);
    const head = {
      runs,
      target,
      batchId,
      dryRun: false,
      refusal: [],
      filtered: [],
      changes: null,
      madeAt: world.now(),
    };
    const records = () => reportedRecords(reported, journal, rules.id);
    for (const { path, format } of reports) await writeNamed('--report', path, world.cwd(), format(head, records()));
    if (taskList !== null) await writeNamed('--task-list', taskList.path, world.cwd(), taskList.pieces(records()));
    const { redactor } = await sendOptions(settings, false);
    const notes = taskList === null ? [] : taskListNotes(taskList, (text) => redactor.redact(text));
    const listed =
      taskList === null ? null : { path: taskListPath, tasks: taskList.tasks, without_id: taskList.withoutId, notes };
    const document =
      flags.json === true
        ? { ...reportDocument(reported, await tallyRecords(records())), reports: paths, task_list: listed }
        : null;
    const lines = paths.length === 0 ? [] : [`${paths.map(printable).join(', ')} written.`];
    if (taskList !== null) lines.push(`${printable(taskListText(taskList))}.`);
    return print(call, document, [...lines, ...notes.map((note) => `${printable(note)}.`)]);
  });
}

/** The named run; null for a batch. @throws UsageError for neither, or both */
function namedRun({ operands: [run], flags: { batch_id: batchId, target } }: ReportCall): string | null {
  if (run === undefined && batchId === undefined)
    throw new UsageError(
      'name a run or a batch: gigwork batch report RUN --report FILE, or gigwork batch report --batch-id NAME --report FILE; gigwork batch list shows both',
    );
  if (run !== undefined && batchId !== undefined)
    throw new UsageError(`a run and --batch-id say two things to report; leave one out`);
  if (run !== undefined && target !== undefined)
    throw new UsageError('--target is for --batch-id: a run has one target; leave it out');
  return run ?? null;
}

/** All runs of the batch at its one target, oldest first. @throws UsageError if there are none, or several targets */
async function runsOfBatch(call: ReportCall, journal: Journal, list: string): Promise<Run[]> {
  const { batch_id: batchId = '', target } = call.flags;
  const runs = await journal.runs({ batchId });
  const found = runs.filter((run) => target === undefined || run.target === target);
  const targets = [...new Set(found.map((run) => run.target))];
  if (targets.length === 0) throw noSuchBatch(call, list, runs);
  if (targets.length > 1)
    throw new UsageError(
      `batch ${JSON.stringify(batchId)} has runs at ${targets.length} targets; add one of: ${targetChoices(targets, call.world)}`,
    );
  return found.toReversed();
}

/** @param list the command that shows all names. @param others its runs at other targets */
function noSuchBatch(
  { flags: { batch_id: batchId, target }, world }: ReportCall,
  list: string,
  others: readonly Run[] = [],
): UsageError {
  const batch = `batch ${JSON.stringify(batchId)}`;
  if (others.length === 0) return new UsageError(`no run belongs to ${batch}; see the names: ${list}`);
  const targets = targetChoices([...new Set(others.map((run) => run.target))], world);
  return new UsageError(`${batch} has no run at ${JSON.stringify(target)}; it has runs at: ${targets}`);
}

function targetChoices(targets: readonly string[], { platform }: World): string {
  return targets.map((target) => `--target ${shellQuote(target, platform)}`).join(', ');
}

interface ReportFiles {
  readonly reports: readonly string[];
  readonly taskList: string | null;
  readonly overwrite: boolean;
}

/** Nothing is kept of what this command writes: it has no right to, where the journal is only read. @throws UsageError */
async function checkFiles(
  { reports, taskList, overwrite }: ReportFiles,
  runs: readonly Run[],
  settings: SettingSources,
  world: World,
): Promise<void> {
  const inputs = [...runs.flatMap(({ files }) => files.map(({ path }) => path)), ...settingsFiles(settings, [])];
  const kept = { inputs, folders: journalFolders(journalPlace(settings, world)) };
  const named = reports.map((path) => ({ flag: '--report', path }));
  if (taskList !== null) named.push({ flag: '--task-list', path: taskList });
  for (const run of runs) await checkOutputs(named, { ...kept, run }, world);
  await requireNew(named, overwrite, world);
}

/** The document of `--json`. Its sums are those of the rows in the files. */
function reportDocument({ runs, isBatch }: ReportScope, summed: CountsAndTotals): Record<string, unknown> {
  return {
    run: isBatch ? null : runs[0]?.name,
    batch_id: runs[0]?.batchId,
    target: runs[0]?.target,
    runs: runs.map(({ name }) => name),
    records: recordCounts(summed.records),
    totals: totalsByType(summed.totals),
  };
}
