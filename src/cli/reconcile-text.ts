/** What people are told of a comparison with an export of the service. */
import type { Run } from '../journal/payment.js';
import { formatDecimal, parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { ExportRow, ServiceExport } from '../reconcile/export-rows.js';
import type { DescribedVerdict, Reconciliation } from '../reconcile/reconciliation.js';
import { type Verdict, type VerdictKind, type VerdictReason, VERDICTS } from '../reconcile/verdict.js';
import { positionText } from '../records/issue.js';
import { printable } from '../report/printable.js';
import { recordMoneyText } from '../report/record-report.js';
import { type Wording, wordingFor } from '../report/status-text.js';
import { capitalize, formatCount, pluralize, type TableColumn, tableLines } from '../report/table.js';
import { amountText, sumText } from '../report/totals-table.js';
import { localTime } from '../util/local-time.js';
import type { ComparedRuns } from './reconcile-runs.js';

/** Payments and rows of each kind that are named on a terminal; a report names all. */
const MOST_VERDICTS = 10;

/** In the order in which people see them. @param isDone it is recorded, and not only shown */
const KIND_TEXT: Readonly<Record<VerdictKind, (paid: string, isDone: boolean) => string>> = {
  matched: () => 'the same in gigwork and in the export',
  created: (paid, isDone) => `${isDone ? 'now recorded' : 'to be recorded'} as ${paid}`,
  not_created: (paid, isDone) => `${isDone ? 'now recorded' : 'to be recorded'} as not ${paid}`,
  in_doubt: (paid) => `not confirmed: may have been ${paid}`,
  differs: () => 'different there',
  missing_there: (paid) => `${paid} here; absent there, or in another status`,
  unknown_here: () => 'there, but not here',
};

interface ComparedSum extends TotalRow {
  readonly run: string | null;
}

/** Counts and sums by run. @param width columns of the terminal */
export function comparedLines(found: Reconciliation, isDone: boolean, width: number): string[] {
  const rows: ComparedSum[] = [];
  for (const [run, totals] of found.totalsByRun)
    for (const kind of VERDICTS)
      rows.push(...totals.filter(({ status }) => status === kind).map((row) => ({ ...row, run })));
  if (rows.length === 0)
    return ['Nothing to compare: no row of the export is about these payments, and none of them is in doubt.'];
  const columns: TableColumn<ComparedSum>[] = [
    { title: 'run', cell: ({ run }) => run ?? 'none' },
    {
      title: 'what',
      cell: ({ status, type }) => KIND_TEXT[status as VerdictKind](wordingFor([{ type }]).paid, isDone),
    },
    { title: 'records', align: 'right', cell: ({ count }) => formatCount(count) },
    { title: 'amount', align: 'point', cell: sumCell },
  ];
  return tableLines(columns, rows, width);
}

function sumCell(row: ComparedSum): string {
  if (row.count === row.unpriced) return '';
  return amountText({ ...row, type: row.type === '' ? 'payout' : row.type });
}

/** `Compared with export.csv, made on 2026-11-28 18:00: 212 rows.` */
export function listText({ files, rows }: ServiceExport, asOf: number, target: string): string {
  const names = files.map(({ path }) => printable(path)).join(', ');
  return `Compared with ${names}: ${pluralize(rows.length, 'row')}, made ${localTime(asOf)}, at ${printable(target)}`;
}

/** The question before anything is recorded. */
export function reconcileQuestion({ counts, totals }: Reconciliation): string {
  const { noun, paid } = wordingFor(totals);
  const created = counts.created === 0 ? [] : [`${pluralize(counts.created, noun)} as ${paid} (this cannot be undone)`];
  const not = counts.not_created === 0 ? [] : [`${formatCount(counts.not_created)} as not ${paid}`];
  return `Record ${[...created, ...not].join(', and ')}? ${paid === 'paid' ? 'No money' : 'Nothing'} is sent now.`;
}

/** What is wrong with the first of each kind, and how many more there are. */
export function reasonLines(described: Iterable<DescribedVerdict>, { counts }: Reconciliation): string[] {
  const lines: string[] = [];
  const named = new Map<VerdictKind, number>();
  for (const verdict of described) {
    const { kind } = verdict;
    if (kind === 'created' || kind === 'not_created') continue;
    const count = (named.get(kind) ?? 0) + 1;
    named.set(kind, count);
    if (count <= MOST_VERDICTS)
      lines.push(printable(`${whatText(verdict)}: ${REASONS[verdict.why as VerdictReason](verdict)}.`));
    else if (count === MOST_VERDICTS + 1)
      lines.push(
        `${formatCount(counts[kind] - MOST_VERDICTS)} more are ${KIND_TEXT[kind](wordingFor([{ type: verdict.type ?? '' }]).paid, true)}: --report FILE names all.`,
      );
  }
  return lines;
}

/** Which verdicts {@link reasonLines} shows. */
export function shownVerdicts({ verdicts }: Reconciliation): Reconciliation['verdicts'] {
  const named = new Map<VerdictKind, number>();
  return verdicts.filter(({ kind }) => {
    const count = (named.get(kind) ?? 0) + 1;
    named.set(kind, count);
    return kind !== 'created' && kind !== 'not_created' && count <= MOST_VERDICTS + 1;
  });
}

/** `Line 4 of p.csv in run 20261120-a1b2c3 (usr_7, 12.00 EUR)` */
function whatText(verdict: DescribedVerdict): string {
  const { run, file, record, line, userId, title, payment, row, type } = verdict;
  const amount = payment === null ? formatted(row) : payment.amount;
  const currency = payment === null ? (row?.currency ?? null) : payment.currency;
  const money = recordMoneyText({ type: type ?? 'payout', amount, currency });
  const what = [userId ?? title ?? '', money].filter((text) => text !== '').join(', ');
  const place = capitalize(positionText({ record: record ?? 0, line }));
  return `${place} of ${file}${run === null ? '' : ` in run ${run}`}${what === '' ? '' : ` (${what})`}`;
}

function formatted(row: ExportRow | null): string | null {
  return row === null || row.amount === null ? null : formatDecimal(row.amount);
}

/** `on line 7 of the export` */
function rowText({ row }: DescribedVerdict): string {
  return row === null ? '' : ` (${positionText(row)} of the export)`;
}

function againWord({ type }: DescribedVerdict): string {
  return type === 'gig' ? 'create' : 'pay';
}

const REASONS: Readonly<Record<VerdictReason, (verdict: DescribedVerdict) => string>> = {
  listed: () => 'the service has it',
  status: ({ row }) => `the status there is "${row?.status ?? ''}"`,
  live: () => 'a call that is running now has it. Compare again when that call has ended',
  'other-status': (verdict) =>
    `the status there is "${verdict.row?.status ?? ''}"${rowText(verdict)}, and neither --status-created nor --status-not-created names it`,
  'too-late': (verdict) =>
    verdict.row === null
      ? 'it is not in the export, but it was sent too shortly before. Make a new export'
      : `the status there${rowText(verdict)} may be older than the last attempt. Make a new export`,
  absent: ({ kind }) =>
    kind === 'missing_there'
      ? 'it is not in the export'
      : 'it is not in the export. If the export has everything, say --absent not-created',
  'no-keys': ({ type }) =>
    `it is not in the export, but the export has no ${type === 'gig' ? 'title and start_at' : 'idempotency_key'} that could show it`,
  'list-not-whole': () =>
    'it is not in the export, but neither are others that were made before: the export is not whole',
  'perhaps-listed': () =>
    'it is not in the export, but a row that no batch has may be it: the same payee and amount, nearly the same key, or the same title. Look it up in the service',
  'none-listed': ({ type }) => `it is not in the export, but no other ${type ?? 'payment'} of its runs is there either`,
  'several-fit': () => 'its title and start fit several gigs or rows, so nobody can tell which one is meant',
  'no-key-there': (verdict) =>
    `the export has it by its id, but without its key${rowText(verdict)}, so the export is not whole`,
  'several-rows': (verdict) =>
    `several rows of the export speak of it, the first${rowText(verdict)}. Was it made twice?`,
  'other-payee': (verdict) => `the export has the payee ${verdict.row?.userId ?? ''}${rowText(verdict)}`,
  'other-amount': (verdict) => `the export has the amount ${formatted(verdict.row) ?? ''}${rowText(verdict)}`,
  'other-currency': (verdict) => `the export has the currency ${verdict.row?.currency ?? ''}${rowText(verdict)}`,
  'id-of-another': (verdict) => `its id there, ${verdict.row?.id ?? ''}${rowText(verdict)}, is that of another`,
  'rejected-here': (verdict) =>
    `the service refused it here, but the export has it${rowText(verdict)}. Sending it or a correction of it may ${againWord(verdict)} it twice`,
  'open-here': (verdict) =>
    `it counts as not sent here, but the export has it${rowText(verdict)}. Sending it may ${againWord(verdict)} it twice`,
  'not-here': () => 'no batch at this target has it',
};

/** Statuses that decide nothing, the most frequent first. */
function statusesText(statuses: ReadonlyMap<string, number>): string {
  const sorted = [...statuses].toSorted(([, one], [, other]) => other - one);
  const shown = sorted.slice(0, MOST_VERDICTS).map(([status, count]) => `"${printable(status)}" ${formatCount(count)}`);
  const more = sorted.length > MOST_VERDICTS ? ` and ${sorted.length - MOST_VERDICTS} more` : '';
  return `Statuses that neither --status-created nor --status-not-created names: ${shown.join(', ')}${more}.`;
}

/** After a restore, what was paid since the backup is in the list, and no repeat to any later import. */
function notKnownText({ noun, paid }: Wording): string {
  const later = noun === 'payment' ? ' Later payments to the same people stay in.' : '';
  return `What no batch has was ${paid} in another way, or by a journal that is lost. gigwork cannot see that a new file repeats it. Leave these ${noun}s out of your files, or they may be ${noun === 'payment' ? 'made' : 'created'} twice.${later}`;
}

/** What people are told at the end. @param passing see {@link ComparedRuns.passing} */
export function endLines(
  { counts, otherStatuses, totals }: Reconciliation,
  { passing }: ComparedRuns,
  isDryRun: boolean,
): string[] {
  const { created, not_created: notCreated, unknown_here: unknown } = counts;
  const lines = otherStatuses.size === 0 ? [] : [statusesText(otherStatuses)];
  if (isDryRun)
    lines.push(
      `Dry run: nothing was recorded.${created + notCreated === 0 ? '' : ' To record this, run the same command without --dry-run.'}`,
    );
  else if (created + notCreated === 0) lines.push('Nothing was recorded: nothing has changed.');
  const left = counts.in_doubt + counts.differs + counts.missing_there + unknown - passing.size;
  // Nothing shows the type of some rows that no payment meets.
  if (unknown > 0) lines.push(notKnownText(wordingFor(totals.filter(({ type }) => type !== ''))));
  if (left > 0) lines.push(`Check ${pluralize(left, 'record')} yourself: the lines above say which, and why.`);
  return lines;
}

/** The runs that must not continue, or do not. @param closing the command that gives up what a run has open */
export function stoppedRunLines(
  { doubled, closed }: ComparedRuns,
  isDone: boolean,
  closing: (run: Run) => string,
): string[] {
  return [
    ...doubled.flatMap(({ run, verdicts }) => [
      `Do not resume run ${run.name}: the export has ${sumsOf(verdicts)} that the run would send. That may ${wordingIn(verdicts).pay} them twice.`,
      `To give up what run ${run.name} has not sent: ${closing(run)}. Then import the rest: leave out the rows that the export shows as ${wordingIn(verdicts).paid}.`,
    ]),
    ...closed.map(
      ({ run, verdicts }) =>
        `Run ${run.name} is closed and will not send what is ${isDone ? 'now' : 'to be'} recorded as not ${wordingIn(verdicts).paid}: ${sumsOf(verdicts)}. Only a new import ${wordingIn(verdicts).pay}s them.`,
    ),
  ];
}

/** `4 payouts, 3,385.18 EUR` */
function sumsOf(verdicts: readonly Verdict[]): string {
  const totals = startTotals();
  for (const { payment } of verdicts)
    if (payment !== null) {
      const { type, currency, amount } = payment;
      totals.add({ type, currency, costCenter: null }, '', amount === null ? null : parseDecimal(amount));
    }
  return totals.rows().map(sumText).join(', ');
}

function wordingIn(verdicts: readonly Verdict[]): Wording {
  return wordingFor(verdicts.map(({ payment }) => ({ type: payment?.type ?? '' })));
}
