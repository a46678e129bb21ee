/** `batch show <run>`: one run, its totals, and the records that did not go through. */
import { EXIT } from '../errors.js';
import type { Journal, StoredRun } from '../journal/journal.js';
import { subjectOf } from '../records/subject.js';
import { recordEvent } from '../report/events.js';
import { escapeControls, printable } from '../report/printable.js';
import { stateLabel } from '../report/states.js';
import { counted, tableLines, widthOf } from '../report/table.js';
import { totalsLines } from '../report/totals-table.js';
import { moneyIn, runDocument, storedReport, tally } from '../outcome/archive.js';
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import type { World } from '../world.js';
import { withRun } from './journal.js';

/** At most so many records are shown to people; a report has them all. */
const MOST_SHOWN = 200;

/** Prints the run and gives the exit code. @throws JournalError; UsageError when there is no such run, or several */
export async function showRun(name: string, flags: OutputFlags & TargetFlags, world: World): Promise<number> {
  return withRun(name, flags, true, world, (run, journal) => {
    if (flags.json === true) for (const piece of documentOf(run, journal)) world.stdout.write(escapeControls(piece));
    else for (const line of showLines(run, journal, widthOf(world.stdout))) world.stdout.write(`${line}\n`);
    return EXIT.ok;
  });
}

/** Each record event is inserted as text: parsing and printing it again would round numbers in the service's answer. */
function* documentOf(run: StoredRun, journal: Journal): Iterable<string> {
  const head = { ...runDocument(run, tally(run, journal)), settled: settledDocuments(run, journal) };
  yield JSON.stringify(head, null, 2).replace(/\n\}$/, ',\n  "outcomes": [');
  let comma = '';
  for (const record of journal.records(run)) {
    yield `${comma}\n    ${recordEvent(storedReport(run, record))}`;
    comma = ',';
  }
  yield '\n  ]\n}\n';
}

function showLines(run: StoredRun, journal: Journal, width: number): string[] {
  const summed = tally(run, journal);
  const facts = [
    `run     ${run.run}`,
    `command ${printable(run.command)}`,
    `started ${new Date(run.startedAt).toISOString()}`,
    `ended   ${run.end === null ? 'not yet, or cut off' : `${new Date(run.end.finishedAt).toISOString()}, exit code ${run.end.exitCode}`}`,
    `target  ${printable(run.target)}`,
    `batch   ${printable(run.batchId)}`,
    `digest  ${run.digest}`,
    ...run.files.map(
      ({ path, sha256, records }) => `file    ${printable(path)} (${counted(records, 'record')}, SHA-256 ${sha256})`,
    ),
  ];
  return [
    ...facts,
    '',
    ...totalsLines(summed.totals, width),
    ...failedLines(run, journal, width),
    ...settledLines(run, journal, width),
  ];
}

/** What persons have said of records in doubt; only the last word on a record counts. */
function settledDocuments(run: StoredRun, journal: Journal): Record<string, unknown>[] {
  return journal.decided(run).map(({ at, index, state, note }) => {
    const record = journal.recordAt(run, index);
    const { file = '', record: number = null } = record === null ? {} : storedReport(run, record);
    return { at: new Date(at).toISOString(), file, record: number, status: state, note };
  });
}

function settledLines(run: StoredRun, journal: Journal, width: number): string[] {
  const rows = journal.decided(run).flatMap(({ at, index, state, note }): string[][] => {
    const record = journal.recordAt(run, index);
    if (record === null) return [];
    const { file } = storedReport(run, record);
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    const said = state === 'not_sent' ? 'not created' : stateLabel(state);
    const what = [file, String(record.record), subjectOf(record.body), moneyIn(record), said, note];
    return [[when, ...what].map(printable)];
  });
  if (rows.length === 0) return [];
  const columns = [
    { title: 'when (UTC)' },
    { title: 'file' },
    { title: 'record', align: 'right' as const },
    { title: 'user or title' },
    { title: 'amount', align: 'right' as const },
    { title: 'said' },
    { title: 'note' },
  ];
  return ['', "Settled by a person's word (batch settle):", ...tableLines(columns, rows, width)];
}

function failedLines(run: StoredRun, journal: Journal, width: number): string[] {
  const rows: string[][] = [];
  let hidden = 0;
  for (const record of journal.records(run)) {
    const { file, record: number, line, status, error } = storedReport(run, record);
    if (status === 'created' || status === 'already_created') continue;
    if (rows.length >= MOST_SHOWN) hidden++;
    else {
      const cells = [
        file,
        String(number),
        String(line ?? ''),
        subjectOf(record.body),
        moneyIn(record),
        stateLabel(status),
      ];
      rows.push([...cells, error ?? ''].map(printable));
    }
  }
  if (rows.length === 0) return ['', 'Every record is created.'];
  const columns = [
    { title: 'file' },
    { title: 'record', align: 'right' as const },
    { title: 'line', align: 'right' as const },
    { title: 'user or title' },
    { title: 'amount', align: 'right' as const },
    { title: 'state' },
    { title: 'reason' },
  ];
  const rest =
    hidden === 0 ? [] : [`… and ${hidden} more; all of them with: gigwork batch report ${run.run} --report run.csv`];
  return ['', 'Records that are not created:', ...tableLines(columns, rows, width), ...rest];
}
