/** `batch reconcile <file...>`: settles what is in doubt by the service's own list. Nothing is sent. */
import { loadSettings } from '../config/config-file.js';
import { inputOptions } from '../config/input-options.js';
import { journalPlace } from '../config/journal-location.js';
import { settingsFiles } from '../config/run-options.js';
import type { SettingSources } from '../config/resolve.js';
import { EXIT, UsageError } from '../errors.js';
import { toShell, toWords } from '../follow-up/command-line.js';
import { batchCommand, flag, resumeStoredCommand } from '../follow-up/commands.js';
import { openInputs } from '../prepare/inputs.js';
import { checkExportInput, readExports, type ServiceExport } from '../reconcile/export-rows.js';
import {
  describeVerdicts,
  type DescribedVerdict,
  reconcile,
  type ReconcileScope,
} from '../reconcile/reconciliation.js';
import { type Issue, positionText } from '../records/issue.js';
import { confirmFacts, isAttended } from '../report/dialog.js';
import { checkOutputs, journalFolders } from '../report/output-paths.js';
import { requireNew } from '../report/output-writer.js';
import { escapeControls, printable } from '../report/printable.js';
import { widthOf } from '../report/table.js';
import type { World } from '../world.js';
import type { Invocation } from './command.js';
import { writeLines, writeNamed } from './document.js';
import { type ComparedList, decisionsOf } from './reconcile-decisions.js';
import {
  NOTHING_COMPARED,
  reconciledEvent,
  type ReconcileReport,
  reconcileReport,
  reconcileSummary,
} from './reconcile-output.js';
import { compareRuns } from './reconcile-runs.js';
import {
  type ReconcileFlags,
  reconcileRules,
  reconcileScope,
  type ReconcileWords,
  reconcileWords,
  requireColumns,
} from './reconcile-scope.js';
import {
  comparedLines,
  endLines,
  listText,
  reasonLines,
  reconcileQuestion,
  shownVerdicts,
  stoppedRunLines,
} from './reconcile-text.js';
import { withOpenJournal } from './with-journal.js';

type ReconcileCall = Invocation<ReconcileFlags>;

/** Returns the exit code. @throws JournalError, UsageError */
export async function reconcileLists(call: ReconcileCall): Promise<number> {
  const { flags, world } = call;
  const words = reconcileWords(flags, await loadSettings(flags, world), world);
  const reports = (flags.report ?? []).map((path) => reconcileReport(path));
  const isDryRun = flags.dry_run === true;
  return withOpenJournal(call, isDryRun ? 'reads' : 'changes', async (journal, settings) => {
    if (journal === null)
      throw new UsageError(
        'there is no journal here, so nothing was sent from here. Name its place with --state-dir or --journal',
      );
    await checkReports(call, settings);
    const list = await readServiceList(call, settings);
    if (list === null) return tellFaults(call);
    requireColumns(list, words);
    const scope = await reconcileScope(flags, settings, journal, world);
    const compared = await compareAndSettle(call, list, scope, words, settings);
    const areWritten = await writeComparison(reports, compared, world);
    return tellEnd(call, compared, { words, settings, areWritten });
  });
}

async function checkReports({ flags, operands, world }: ReconcileCall, settings: SettingSources): Promise<void> {
  const inputs = [...operands, ...settingsFiles(settings, [])];
  const named = (flags.report ?? []).map((path) => ({ flag: '--report', path }));
  await checkOutputs(named, { inputs, folders: journalFolders(journalPlace(settings, world)), run: null }, world);
  await requireNew(named, flags.overwrite === true, world);
}

/**
 * Flags alone say how an export is read: a profile is about the files that are sent.
 * @returns null if a part of it cannot be read, which is told
 */
async function readServiceList(
  { flags, operands: files, world }: ReconcileCall,
  settings: SettingSources,
): Promise<ServiceExport | null> {
  const { batch_id: _batch, type: _type, ...ofExport } = flags;
  const input = inputOptions({
    files,
    type: null,
    settings: { ...settings, flags: ofExport, env: {}, layers: [] },
    fields: {},
  });
  await checkExportInput(input, world.cwd());
  const note = (text: string): void => world.stderr.write(`${printable(text)}\n`);
  const { readOptions } = openInputs(input, world, note, new AbortController().signal, false, () => '');
  const issues: Issue[] = [];
  const list = await readExports(input, readOptions, world.now(), (issue) => void issues.push(issue));
  if (issues.length === 0 && list.rows.length === 0 && !input.allowEmpty) issues.push(noRows(files));
  for (const issue of issues.slice(0, MOST_ISSUES)) note(issueText(issue));
  if (issues.length > MOST_ISSUES) note(`${issues.length - MOST_ISSUES} more faults in the export`);
  return issues.length === 0 ? list : null;
}

const MOST_ISSUES = 20;

function noRows(files: readonly string[]): Issue {
  const message = 'There is not a single row. If the service has nothing, say --allow-empty';
  return {
    severity: 'error',
    code: 'no-records',
    file: files.join(', '),
    record: null,
    line: null,
    field: null,
    message,
    value: null,
  };
}

function issueText({ file, line, record, message }: Issue): string {
  const place = record === null && line === null ? '' : `, ${positionText({ record: record ?? 0, line })}`;
  return `${file}${place}: ${message}`;
}

function tellFaults({ flags, world }: ReconcileCall): number {
  world.stderr.write('Nothing was recorded: the export cannot be read as a whole.\n');
  if (flags.json === true) writeEvent(reconcileSummary(EXIT.refused, NOTHING_COMPARED, []), world);
  return EXIT.refused;
}

/** Another call may settle or send the same payments in the meantime: then everything is compared again. */
const MOST_COMPARISONS = 5;

async function compareAndSettle(
  call: ReconcileCall,
  list: ServiceExport,
  scope: ReconcileScope,
  words: ReconcileWords,
  settings: SettingSources,
): Promise<ComparedList> {
  const { flags, world } = call;
  for (let comparison = 1; ; comparison++) {
    const rules = reconcileRules(words, settings, world.now());
    const found = await reconcile(list, scope, rules);
    const compared = { list, scope, found };
    if (found.counts.created + found.counts.not_created === 0 || flags.dry_run === true) return compared;
    await requireConfirmation(call, compared, words);
    try {
      await scope.journal.settle(await decisionsOf(compared, rules, words.note), words.note);
      return compared;
    } catch (cause) {
      if (!(cause instanceof UsageError) || comparison === MOST_COMPARISONS) throw cause;
      world.stderr.write('The history has changed in the meantime. Comparing again.\n');
    }
  }
}

/** @throws UsageError if a person says no, or nobody is there to ask */
async function requireConfirmation(
  { flags, world }: ReconcileCall,
  { list, scope, found }: ComparedList,
  words: ReconcileWords,
): Promise<void> {
  if (flags.yes === true) return;
  const { target } = scope.target;
  if (!isAttended(world.stdin, world.stderr)) {
    if (target === 'sandbox') return;
    throw new UsageError(
      'nobody is there to be asked, and nothing was recorded: add --yes, or call it at a terminal. --dry-run shows what would be recorded',
    );
  }
  const facts = [
    `${listText(list, words.asOf, target)}.`,
    ...comparedLines(found, false, widthOf(world.stderr)),
    ...reasonLines(await shownDescriptions({ list, scope, found }), found),
  ];
  if (!(await confirmFacts(facts, reconcileQuestion(found), world)))
    throw new UsageError('not confirmed: nothing was recorded');
}

async function shownDescriptions({ list, scope, found }: ComparedList): Promise<DescribedVerdict[]> {
  const described: DescribedVerdict[] = [];
  for await (const verdict of describeVerdicts(shownVerdicts(found), list, scope)) described.push(verdict);
  return described;
}

/**
 * What is recorded stays so if a file cannot be written, which is told.
 * @returns whether all files are there
 */
async function writeComparison(
  reports: readonly ReconcileReport[],
  { list, scope, found }: ComparedList,
  world: World,
): Promise<boolean> {
  let areWritten = true;
  for (const { path, write } of reports)
    try {
      const pieces = write(describeVerdicts(found.verdicts, list, scope));
      await writeNamed('--report', path, world.cwd(), pieces);
    } catch (cause) {
      if (!(cause instanceof UsageError)) throw cause;
      areWritten = false;
      world.stderr.write(`${printable(cause.message)}. What is said below holds all the same.\n`);
    }
  return areWritten;
}

/** What the end of a call needs beside what was found. */
interface ReconcileEnd {
  readonly words: ReconcileWords;
  readonly settings: SettingSources;
  /** The report files. */
  readonly areWritten: boolean;
}

async function tellEnd(
  call: ReconcileCall,
  compared: ComparedList,
  { words, settings, areWritten }: ReconcileEnd,
): Promise<number> {
  const { flags, world, commandLine } = call;
  const { list, scope, found } = compared;
  const { in_doubt: inDoubt, differs, missing_there: missing, unknown_here: unknown } = found.counts;
  const isDryRun = flags.dry_run === true;
  const done = areWritten ? EXIT.ok : EXIT.internal;
  const code = inDoubt + differs + missing + unknown === 0 ? done : EXIT.person;
  const sources = { commandLine, settings, platform: world.platform };
  const runs = await compareRuns(compared, settings, world.now());
  const next = isDryRun ? [] : runs.resumable.map((run) => resumeStoredCommand(run, sources));
  const stopped = stoppedRunLines(runs, !isDryRun, (run) =>
    toShell(batchCommand('close', run.name, sources, [flag('--note', 'TEXT')]), world.platform),
  );
  if (flags.json === true) {
    for (const line of stopped) world.stderr.write(`${printable(line)}\n`);
    for await (const verdict of describeVerdicts(found.verdicts, list, scope)) {
      writeEvent(reconciledEvent(verdict), world);
      await world.stdout.ready();
    }
    writeEvent(reconcileSummary(code, found, next.map(toWords)), world);
    return code;
  }
  const lines = [
    `${listText(list, words.asOf, scope.target.target)}.`,
    ...comparedLines(found, !isDryRun, widthOf(world.stdout)),
    ...reasonLines(await shownDescriptions(compared), found),
    ...endLines(found, runs, isDryRun),
    ...stopped,
    ...next.map((line) => `To continue: ${toShell(line, world.platform)}`),
  ];
  await writeLines(lines, world);
  return code;
}

function writeEvent(event: object, { stdout }: World): void {
  stdout.write(escapeControls(`${JSON.stringify(event)}\n`));
}
