/** `batch show <run>`: one run, its totals, and the records that did not go through. */
import { EXIT } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PersonsWord, Run, Settlement, StoredRecord } from '../ledger/payment.js';
import { subjectOf } from '../records/subject.js';
import { recordEvent } from '../report/event-reporter.js';
import { printable } from '../report/printable.js';
import { moneyIn } from '../report/record-report.js';
import { FAILED_STATES, stateLabel } from '../report/state-words.js';
import { counted, minuteText, personWords, tableLines, widthOf } from '../report/table.js';
import { totalsLines } from '../report/totals-table.js';
import { type RunTally, storedReports, tally } from '../report/stored-records.js';
import { inDoubtSince, isOpen, runDocument } from '../report/stored-runs.js';
import { onwardOf, placeWords } from '../config/onward.js';
import type { RunFlags, Settings } from '../config/sources.js';
import { responseRules } from '../config/target.js';
import { commandText, furtherWords } from '../util/shell-word.js';
import type { World } from '../world.js';
import { writeList } from './document.js';
import { withRun } from './ledger.js';

/** At most so many records are shown to people; a report has them all. */
const MOST_SHOWN = 200;

/** Prints the run and gives the exit code. @throws JournalError; UsageError when there is no such run, or several */
export async function showRun(name: string, flags: RunFlags, world: World): Promise<number> {
  return withRun(name, flags, null, world, async (run, ledger, settings) => {
    if (flags.json === true) await writeShown(run, ledger, settings, world);
    else
      for (const line of await showLines(run, ledger, settings, world)) {
        world.stdout.write(`${line}\n`);
        await world.stdout.ready();
      }
    return EXIT.ok;
  });
}

async function writeShown(run: Run, ledger: Ledger, settings: Settings, world: World): Promise<void> {
  const said = await saidOf(run, ledger);
  const settled = said.map(({ at, state, by, note, record, file }) => {
    return { at: new Date(at).toISOString(), file, record, status: state, note, by };
  });
  const summed = await tally(run, ledger);
  const next = isOpen(run, summed) ? onwardOf(run, settings, world) : null;
  const events = eventsOf(run, ledger, responseRules(settings, run.target).id);
  await writeList({ ...runDocument(run, summed, next), settled }, 'outcomes', events, world);
}

/** As text: parsing and printing an event again would round numbers in the service's answer. */
async function* eventsOf(run: Run, ledger: Ledger, idPath: string): AsyncGenerator<string, void> {
  for await (const { report } of storedReports(run, ledger, idPath)) yield recordEvent(report);
}

/** What a person said of a record in doubt. */
interface Said extends Settlement {
  readonly file: string;
  readonly record: number | null;
  readonly line: number | null;
  readonly subject: string;
  readonly money: string;
}

async function saidOf(run: Run, ledger: Ledger): Promise<Said[]> {
  const said: Said[] = [];
  for (const settlement of await ledger.settlements(run)) {
    const [record] = await ledger.records(run, settlement.index, 1);
    if (record === undefined) continue;
    said.push({
      ...settlement,
      ...{
        file: run.files[record.file]?.path ?? '',
        ...{ record: record.record, line: record.line },
        subject: subjectOf(record.body),
        money: moneyIn(record),
      },
    });
  }
  return said;
}

async function showLines(run: Run, ledger: Ledger, settings: Settings, world: World): Promise<string[]> {
  const width = widthOf(world.stdout);
  const summed = await tally(run, ledger);
  const facts = [
    `run     ${run.name}`,
    `command ${printable(run.command)}`,
    `started ${minuteText(run.startedAt)} UTC`,
    `by      ${printable(personWords(run.by))}, with gigwork ${printable(run.version)}`,
    ...(run.approvedBy === null ? [] : [`        approved ${printable(wordText(run.approvedBy))}`]),
    `call    ${printable(run.commandLine)}`,
    `ended   ${run.end === null ? 'not yet, or cut off' : `${minuteText(run.end.finishedAt)} UTC, exit code ${run.end.exitCode}`}`,
    `target  ${printable(run.target)}`,
    `batch   ${printable(run.batchId)}`,
    ...(run.closed === null ? [] : [`closed  ${printable(wordText(run.closed))}`]),
    `digest  ${run.digest}`,
    ...run.files.map(
      ({ path, sha256, records }) => `file    ${printable(path)} (${counted(records, 'record')}, SHA-256 ${sha256})`,
    ),
  ];
  return [
    ...facts,
    '',
    ...totalsLines(summed.totals, width),
    ...(await failedLines(run, ledger, width)),
    ...settledLines(await saidOf(run, ledger), width),
    ...(await onwardLines(run, summed, ledger, settings, world)),
  ];
}

function wordText({ at, by, note }: PersonsWord): string {
  return `${minuteText(at)} UTC by ${personWords(by)}${note === '' ? '' : `: ${note}`}`;
}

/** The command that continues, where something is open, and how doubts are settled. */
async function onwardLines(
  run: Run,
  summed: RunTally,
  ledger: Ledger,
  settings: Settings,
  world: World,
): Promise<string[]> {
  const since = summed.records.unknown === 0 ? null : await inDoubtSince(run, ledger);
  const place = furtherWords(placeWords(settings), world.platform);
  const lines = [
    ...(isOpen(run, summed) ? [`To continue: ${commandText(onwardOf(run, settings, world), world.platform)}`] : []),
    ...(since === null
      ? []
      : [
          `${isOpen(run, summed) ? 'If a record is still in doubt after that' : 'A record is in doubt'} (since ${since}), look it up in the service, then record the result: gigwork batch settle ${run.name}${place} --line N --created --note TEXT, or --not-created --note TEXT`,
        ]),
  ];
  return lines.length === 0 ? [] : ['', ...lines];
}

function settledLines(said: readonly Said[], width: number): string[] {
  const rows = said.map(({ at, state, by, note, file, record, line, subject, money }) => {
    const when = minuteText(at);
    const word = state === 'not_sent' ? 'not created' : stateLabel(state);
    return [when, personWords(by), file, numberText(record, line), subject, money, word, note].map(printable);
  });
  if (rows.length === 0) return [];
  const columns = [
    { title: 'when (UTC)' },
    { title: 'who' },
    { title: 'file' },
    { title: 'line', align: 'right' as const },
    { title: 'user or title' },
    { title: 'amount', align: 'point' as const },
    { title: 'said' },
    { title: 'note' },
  ];
  return ['', 'Settled by hand (batch settle):', ...tableLines(columns, rows, width)];
}

/** One number names a record for people: its line, and only where it has none its number. */
function numberText(record: number | null, line: number | null): string {
  return line === null ? `record ${record ?? '?'}` : String(line);
}

/** With the name that the service gave the request, for whoever asks there. */
function reasonOf(error: string | null, { outcome }: StoredRecord): string {
  const request = outcome?.requestId ?? null;
  return [error ?? '', ...(request === null ? [] : [`(request ${request})`])].join(' ').trim();
}

async function failedLines(run: Run, ledger: Ledger, width: number): Promise<string[]> {
  const rows: string[][] = [];
  let hidden = 0;
  let leftOut = 0;
  for await (const { record, report } of storedReports(run, ledger, '')) {
    const { file, record: number, line, status, error } = report;
    if (status === 'skipped') leftOut++;
    if (!FAILED_STATES.includes(status)) continue;
    if (rows.length >= MOST_SHOWN) hidden++;
    else {
      const cells = [file, numberText(number, line), subjectOf(record.body), moneyIn(record), stateLabel(status)];
      rows.push([...cells, reasonOf(error, record)].map(printable));
    }
  }
  if (rows.length === 0)
    return ['', leftOut === 0 ? 'Every record is created.' : 'Every record is created, or was left out as decided.'];
  const columns = [
    { title: 'file' },
    { title: 'line', align: 'right' as const },
    { title: 'user or title' },
    { title: 'amount', align: 'point' as const },
    { title: 'state' },
    { title: 'reason' },
  ];
  const rest =
    hidden === 0 ? [] : [`… and ${hidden} more; all of them with: gigwork batch report ${run.name} --report run.csv`];
  return ['', 'Records that are not created:', ...tableLines(columns, rows, width), ...rest];
}
