/** `batch show <run>`: one run, its totals, and the records that did not go through. */
import { EXIT } from '../errors.js';
import type { Ledger } from '../ledger/ledger.js';
import type { PersonsWord, Run, Settlement, StoredRecord } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import { isLeftElsewhere, settleLines } from '../report/doubt-words.js';
import { printable } from '../report/printable.js';
import { moneyIn } from '../report/record-report.js';
import { recordEvent } from '../report/report-formats.js';
import { commonFate, fateWords, needsPerson, reasonWords, shownState } from '../report/state-words.js';
import { counted, personWords, type TableColumn, tableLines, widthOf } from '../report/table.js';
import { totalsLines } from '../report/totals-table.js';
import {
  isOpen,
  reportsOf,
  runDocument,
  type RunTally,
  type StoredReport,
  storedReports,
  tally,
} from '../report/stored-records.js';
import { onwardOf, placeWords } from '../config/onward.js';
import type { Settings } from '../config/sources.js';
import { responseRules } from '../config/target.js';
import { localTime } from '../util/local-time.js';
import { commandText, furtherWords } from '../util/shell-word.js';
import type { World } from '../world.js';
import type { Call } from './command.js';
import { writeLines, writeList } from './document.js';
import { withRun } from './open-journal.js';

/** The most records that people see; a report has them all. */
const MOST_SHOWN = 200;

/** Prints the run and returns the exit code. @throws JournalError; UsageError when there is no such run, or several */
export async function showRun(call: Call): Promise<number> {
  const { flags, world } = call;
  return withRun(call, 'reads', async (run, ledger, settings) => {
    const summed = await tally(run, ledger);
    const next = isOpen(run, summed) ? onwardOf(run, settings, world) : null;
    const said = await saidOf(run, ledger);
    if (flags.json === true) {
      const settled = said.map(({ at, state, by, note, report: { file, record } }) => {
        return { at: new Date(at).toISOString(), file, record, status: state, note, by };
      });
      const told = storedReports(run, ledger, responseRules(settings, run.target).id);
      // As text: parsing and printing an event again would round numbers in the service's answer.
      const event = ({ report }: StoredReport): string => recordEvent(report);
      await writeList({ ...runDocument(run, summed, next), settled }, 'outcomes', told, event, world);
      return EXIT.ok;
    }
    const width = widthOf(world.stdout);
    const lines = [
      ...factLines(run),
      '',
      ...totalsLines(summed.shown.totals, width),
      ...(await unpaidLines(run, ledger, summed.totals, width)),
      ...(said.length === 0 ? [] : ['', 'Settled by hand (batch settle):', ...tableLines(SETTLED, said, width)]),
      ...onwardLines(run, summed, next, settings, world),
    ];
    await writeLines(lines, world);
    return EXIT.ok;
  });
}

/** A person's decision about a record in doubt. */
interface Said extends Settlement, StoredReport {}

async function saidOf(run: Run, ledger: Ledger): Promise<Said[]> {
  const said: Said[] = [];
  for (const settlement of await ledger.settlements(run))
    for (const told of await reportsOf(await ledger.records(run, settlement.index, 1), run, ledger, ''))
      said.push({ ...settlement, ...told });
  return said;
}

function factLines(run: Run): string[] {
  return [
    `run     ${run.name}`,
    `command ${printable(run.command)}`,
    `started ${localTime(run.startedAt)}`,
    `by      ${printable(personWords(run.by))}, with gigwork ${printable(run.version)}`,
    ...(run.approvedBy === null ? [] : [`        approved ${printable(wordText(run.approvedBy))}`]),
    `call    ${printable(run.commandLine)}`,
    `ended   ${run.end === null ? 'not yet, or cut off' : `${localTime(run.end.finishedAt)}, exit code ${run.end.exitCode}`}`,
    `target  ${printable(run.target)}`,
    `batch   ${printable(run.batchId)}`,
    ...(run.closed === null ? [] : [`closed  ${printable(wordText(run.closed))}`]),
    `digest  ${run.digest}`,
    ...run.files.map(
      ({ path, sha256, records }) => `file    ${printable(path)} (${counted(records, 'record')}, SHA-256 ${sha256})`,
    ),
  ];
}

function wordText({ at, by, note }: PersonsWord): string {
  return `${localTime(at)} by ${personWords(by)}${note === '' ? '' : `: ${note}`}`;
}

/** The command that continues, if there are open records, and how to settle doubts. */
function onwardLines(
  run: Run,
  { doubts, records }: RunTally,
  next: readonly string[] | null,
  settings: Settings,
  { platform, program }: World,
): string[] {
  const isForPerson = next === null || run.end?.exitCode === EXIT.person;
  const place = furtherWords(placeWords(settings), platform);
  const settle = settleLines(doubts, run.name, program(), place, !isForPerson);
  const isLater = isForPerson && settle.length > 0;
  const isNone = next === null || isLeftElsewhere(run.name, records, doubts);
  const resume = isNone ? [] : [`${isLater ? 'Then' : 'To'} continue: ${commandText(next, platform)}`];
  const lines = isLater ? [...settle, ...resume] : [...resume, ...settle];
  return lines.length === 0 ? [] : ['', ...lines];
}

/** Payee, place and amount of a record. One number names it: its line, or without lines, its record number. */
const RECORD_COLUMNS: readonly TableColumn<StoredReport>[] = [
  { title: 'file', cell: ({ report }) => printable(report.file) },
  { title: 'line', align: 'right', cell: ({ report: { record, line } }) => `${line ?? `record ${record}`}` },
  { title: 'payee or title', cell: ({ report }) => printable(report.user_id ?? report.title ?? '') },
  { title: 'amount', align: 'point', cell: ({ report }) => printable(moneyIn(report)) },
];

const SETTLED: readonly TableColumn<Said>[] = [
  { title: 'when', cell: ({ at }) => localTime(at) },
  { title: 'who', cell: ({ by }) => printable(personWords(by)) },
  ...RECORD_COLUMNS,
  {
    title: 'said',
    cell: ({ state, report }) => `${state === 'not_sent' ? 'not ' : ''}${fateWords('created', report.type)}`,
  },
  { title: 'note', cell: ({ note }) => printable(note) },
];

const NOT_PAID: readonly TableColumn<StoredReport>[] = [
  ...RECORD_COLUMNS,
  { title: 'state', cell: ({ report }) => fateWords(shownState(report), report.type) },
  { title: 'reason', cell: ({ report, record }) => `${reasonWords(report)}${requestWords(record)}` },
];

/** The name that the service gave the request, for questions to the service. */
function requestWords({ outcome }: StoredRecord): string {
  const request = outcome?.requestId ?? null;
  return request === null ? '' : printable(` (request ${request})`);
}

/** The records that need a person, and those that were corrected since. */
export async function unpaidLines(
  run: Run,
  ledger: Ledger,
  totals: readonly TotalRow[],
  width: number,
): Promise<string[]> {
  const found = { needed: [] as StoredReport[], corrected: [] as StoredReport[], skipped: [] as StoredReport[] };
  let hidden = 0;
  for await (const told of storedReports(run, ledger, '')) {
    const state = shownState(told.report);
    const rows = needsPerson(state) || state === 'given_up' ? found.needed : found[state as keyof typeof found];
    if (rows === undefined) continue;
    if (rows.length < MOST_SHOWN) rows.push(told);
    else if (state !== 'skipped') hidden++;
  }
  const { needed, corrected, skipped } = found;
  const paid = commonFate('created', totals);
  const tables = [
    needed.length === 0 ? [] : ['', 'Records that need attention:', ...tableLines(NOT_PAID, needed, width)],
    corrected.length === 0 ? [] : ['', 'Records that were corrected since:', ...tableLines(NOT_PAID, corrected, width)],
  ].flat();
  const others = [
    ...(corrected.length > 0 ? ['was corrected since'] : []),
    ...(skipped.length > 0 ? ['was left out as decided'] : []),
  ];
  const all = needed.length > 0 ? [] : ['', `Every record is ${[paid, ...others].join(', or ')}.`];
  const rest =
    hidden === 0 ? [] : [`… and ${hidden} more; all of them with: gigwork batch report ${run.name} --report run.csv`];
  return [...tables, ...all, ...rest];
}
