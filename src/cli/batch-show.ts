/** `batch show <run>`: one run, its totals, and the records that did not go through. */
import { EXIT } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import type { Run, Settlement } from '../journal/payment.js';
import { printable } from '../report/printable.js';
import { collectReportData, type LimitedList } from '../report/report-data.js';
import { recordMoneyText, type RecordReport } from '../report/record-report.js';
import { recordEvent, runDocument } from '../report/event-reporter.js';
import { isLeftElsewhere, settleTexts } from '../report/in-doubt-text.js';
import { laterPaymentsText } from '../report/history-text.js';
import { commonStatusText, openRecordsText, reasonText, statusText } from '../report/status-text.js';
import { pluralize, personText, decisionText, type TableColumn, tableLines, widthOf } from '../report/table.js';
import { totalsLines } from '../report/totals-table.js';
import {
  findLaterPayments,
  isOpen,
  reportedRecords,
  type RunTally,
  storedReport,
  tallyRun,
} from '../report/stored-records.js';
import { toShell, toWords, withoutFlags, type CommandLine } from '../follow-up/command-line.js';
import { type CommandSources, journalCommandText, resumeStoredCommand } from '../follow-up/commands.js';
import { responseRules } from '../config/target.js';
import { localTime } from '../util/local-time.js';
import type { Invocation } from './command.js';
import { writeLines, writeList } from './document.js';
import { withRun } from './with-journal.js';

/** The most records that people see; a report has them all. */
const MOST_IN_TABLE = 200;

/** Prints the run and returns the exit code. @throws JournalError; UsageError when there is no such run, or several */
export async function showRun(call: Invocation): Promise<number> {
  const { flags, world, commandLine } = call;
  return withRun(call, 'reads', async (run, journal, settings) => {
    const summed = await tallyRun(run, journal);
    const sources = { commandLine, settings, platform: world.platform };
    const next = isOpen(run, summed) ? resumeStoredCommand(run, sources) : null;
    const said = await saidOf(run, journal);
    if (flags.json === true) {
      const settled = said.map(({ file, record, settled: { at, state, by, note } }) => {
        return { at: new Date(at).toISOString(), file, record, status: state, note, by };
      });
      const told = runRecordReports(run, journal, responseRules(settings, run.target).id);
      // As text: parsing and printing an event again would round numbers in the service's answer.
      const event = (report: RecordReport): string => recordEvent(report);
      await writeList(
        { ...runDocument(run, summed, next === null ? null : toWords(next)), settled },
        'outcomes',
        told,
        event,
        world,
      );
      return EXIT.ok;
    }
    const width = widthOf(world.stdout);
    const later = next === null ? null : await findLaterPayments(run, journal);
    const lines = [
      ...factLines(run),
      '',
      ...totalsLines(summed.shown.totals, width),
      ...(await attentionLines(run, journal, width)),
      ...saidLines('Settled by hand (batch settle)', ({ isByList }) => !isByList, said, width),
      ...saidLines('Settled by an export of the service (batch reconcile)', ({ isByList }) => isByList, said, width),
      ...(later === null ? [] : [`\n${laterPaymentsText(later, run.name, run.batchId)}`]),
      ...nextLines(run, summed, next, sources),
    ];
    await writeLines(lines, world);
    return EXIT.ok;
  });
}

/** A person's decision about a record in doubt. */
interface Said extends RecordReport {
  readonly settled: Settlement;
}

async function saidOf(run: Run, journal: Journal): Promise<Said[]> {
  const said: Said[] = [];
  for (const settled of await journal.settlements(run)) {
    const stored = await storedReport(settled.index, run, journal, '');
    if (stored !== null) said.push({ ...stored.report, settled });
  }
  return said;
}

function saidLines(
  title: string,
  isOf: (settled: Settlement) => boolean,
  all: readonly Said[],
  width: number,
): string[] {
  const said = all.filter(({ settled }) => isOf(settled));
  return said.length === 0 ? [] : ['', `${title}:`, ...tableLines(SETTLED, said, width)];
}

function factLines(run: Run): string[] {
  return [
    `run     ${run.name}`,
    `command ${printable(run.command)}`,
    `started ${localTime(run.startedAt)}`,
    `by      ${printable(personText(run.by))}, with gigwork ${printable(run.version)}`,
    ...(run.approvedBy === null ? [] : [`        approved ${printable(decisionText(run.approvedBy))}`]),
    `call    ${printable(run.commandLine)}`,
    `ended   ${run.end === null ? 'not yet, or cut off' : `${localTime(run.end.finishedAt)}, exit code ${run.end.exitCode}`}`,
    `target  ${printable(run.target)}`,
    `batch   ${printable(run.batchId)}`,
    ...(run.closed === null ? [] : [`closed  ${printable(decisionText(run.closed))}`]),
    `digest  ${run.digest}`,
    ...run.files.map(
      ({ path, sha256, records }) => `file    ${printable(path)} (${pluralize(records, 'record')}, SHA-256 ${sha256})`,
    ),
  ];
}

/** The command that continues, if there are open records, and how to settle doubts. */
function nextLines(
  run: Run,
  { doubts, records }: RunTally,
  next: CommandLine | null,
  sources: CommandSources,
): string[] {
  const isLeft = next !== null && !isLeftElsewhere(run.name, records, doubts);
  const isForPerson = !isLeft || run.end?.exitCode === EXIT.person;
  const command = journalCommandText(sources);
  const settle = settleTexts(doubts, run.name, command, !isForPerson);
  const isLater = isForPerson && settle.length > 0;
  const resume: string[] = [];
  if (isLeft) {
    // A person is asked and shown, also where the run was begun by a job.
    const line = toShell(withoutFlags(next, ['--yes', '--json']), sources.platform);
    resume.push(`${isLater ? 'Then' : 'To'} continue: ${line}`);
  }
  if (isLeft && records.not_sent > 0) resume.push(openRecordsText(run.name, command));
  const lines = isLater ? [...settle, ...resume] : [...resume, ...settle];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Payee, place and amount of a record. One number names it: its line, or without lines, its record number. */
const RECORD_COLUMNS: readonly TableColumn<RecordReport>[] = [
  { title: 'file', cell: ({ file }) => printable(file) },
  { title: 'line', align: 'right', cell: ({ record, line }) => `${line ?? `record ${record}`}` },
  { title: 'payee or title', cell: ({ userId, title }) => printable(userId ?? title ?? '') },
  { title: 'amount', align: 'point', cell: (report) => printable(recordMoneyText(report)) },
];

const SETTLED: readonly TableColumn<Said>[] = [
  { title: 'when', cell: ({ settled: { at } }) => localTime(at) },
  { title: 'who', cell: ({ settled: { by } }) => printable(personText(by)) },
  ...RECORD_COLUMNS,
  {
    title: 'said',
    cell: ({ settled: { state }, type }) => `${state === 'not_sent' ? 'not ' : ''}${statusText('created', type)}`,
  },
  { title: 'note', cell: ({ settled: { note } }) => printable(note) },
];

const NOT_PAID: readonly TableColumn<RecordReport>[] = [
  ...RECORD_COLUMNS,
  { title: 'state', cell: (report) => statusText(report.state, report.type) },
  { title: 'reason', cell: (report) => `${reasonText(report)}${requestText(report)}` },
];

function requestText({ requestId }: RecordReport): string {
  return requestId === null ? '' : printable(` (request ${requestId})`);
}

/** The records that need a person, those that were given up, and those that were corrected since. */
export async function attentionLines(run: Run, journal: Journal, width: number): Promise<string[]> {
  const { needed, givenUp, corrected, records, totals } = await collectReportData(runRecordReports(run, journal, ''));
  let hidden = 0;
  const tableOf = (title: string, { rows, count }: LimitedList): string[] => {
    hidden += Math.max(0, count - MOST_IN_TABLE);
    return count === 0 ? [] : ['', `${title}:`, ...tableLines(NOT_PAID, rows.slice(0, MOST_IN_TABLE), width)];
  };
  const tables = [
    ...tableOf('Records that need attention', needed),
    ...tableOf('Records that were given up', givenUp),
    ...tableOf('Records that were corrected since', corrected),
  ];
  const others = [
    ...(corrected.count > 0 ? ['was corrected since'] : []),
    ...(records['skipped'] === undefined ? [] : ['was left out as decided']),
  ];
  const paid = commonStatusText('created', totals);
  const all = needed.count + givenUp.count > 0 ? [] : ['', `Every record is ${[paid, ...others].join(', or ')}.`];
  const rest =
    hidden === 0 ? [] : [`… and ${hidden} more; all of them with: gigwork batch report ${run.name} --report run.csv`];
  return [...tables, ...all, ...rest];
}

function runRecordReports(run: Run, journal: Journal, idPath: string): AsyncIterable<RecordReport> {
  return reportedRecords({ runs: [run], isBatch: false }, journal, idPath);
}
