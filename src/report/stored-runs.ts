/** Each stored run as a whole: its sums in their present state, and its document. */
import { pagesOf, PAGE } from '../prepare/stored-run.js';
import type { Journal } from '../journal/journal.js';
import type { StoredPayment, PaymentId, SignedDecision, Run } from '../journal/payment.js';
import type { TotalRow } from '../money/totals.js';
import { type InDoubtSummary, createInDoubtTally } from './in-doubt-text.js';
import { totalsByType } from './event-reporter.js';
import { recordCounts, createTally, type CountsAndTotals } from './report-data.js';
import { localDay } from '../util/local-time.js';
import { displayStatus } from './status-text.js';
import { pluralize } from './table.js';
import { loadCorrections, statusOfStored } from './stored-records.js';
import type { RecordCounts } from './summary.js';

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The same in the states that people are told. */
  readonly shown: CountsAndTotals;
  /** By the run that accepted the payment last: for a record that was left out, that is another one. */
  readonly doubts: readonly InDoubtSummary[];
}

/** Sums of the records as `storedReports` shows them, without reading their contents. @throws JournalError */
export async function tally(run: Run, journal: Journal): Promise<RunTally> {
  const sums = createTally();
  const shown = createTally();
  const doubts = createInDoubtTally();
  for await (const page of pagesOf((from) => journal.sums(run, from, PAGE))) {
    const corrections = await loadCorrections(page, run, journal);
    const inDoubt = page.flatMap(({ payment, state }) => (payment !== null && state === 'unknown' ? payment : []));
    const known = inDoubt.length === 0 ? [] : await journal.byId(inDoubt);
    const homes = new Map<PaymentId | null, StoredPayment>(known.map((each) => [each.id, each]));
    for (const { payment, isLeftOut, state, settledBy, doubtSince, costCenter, ...record } of page) {
      const money = { ...record, cost_center: costCenter };
      const correction = corrections.get(payment) ?? null;
      const status =
        payment === null ? 'invalid' : statusOfStored(state, isLeftOut, settledBy === run.number, correction);
      sums.add(money, status);
      shown.add(
        money,
        displayStatus({ status, corrected_by: correction, is_closed: run.closed !== null, is_own: false }),
      );
      const home = homes.get(payment);
      if (state === 'unknown' && home !== undefined) doubts.add(home.run.name, doubtSince ?? run.startedAt, home);
    }
  }
  const told = sums.told();
  return { records: recordCounts(told), totals: told.totals, shown: shown.told(), doubts: doubts.told() };
}

/**
 * What later runs have paid in the batch of a run that is unfinished: its open rows may be among that. Empty if nothing.
 * @throws JournalError
 */
export async function laterWords(run: Run, journal: Journal): Promise<string[]> {
  const { target, scope, batchId, number } = run;
  const later: { readonly name: string; readonly startedAt: number; readonly created: number }[] = [];
  for (const other of await journal.runs({ target: { target, scope }, batchId })) {
    if (other.number <= number) continue;
    const { created } = (await tally(other, journal)).records;
    if (created > 0) later.push({ ...other, created });
  }
  const [newest] = later;
  if (newest === undefined) return [];
  const paid = pluralize(
    later.reduce((sum, { created }) => sum + created, 0),
    'record',
  );
  const runs = later.length === 1 ? '1 later run has' : `${later.length} later runs have`;
  return [
    `Careful: ${runs} paid ${paid} in batch ${batchId}, most recently run ${newest.name} on ${localDay(newest.startedAt)}. Check that the open records of run ${run.name} are not among them.`,
  ];
}

/** Whether the run may still be continued: it has records that are open or in doubt. */
export function isOpen({ closed }: Run, { records }: RunTally): boolean {
  return closed === null && records.not_sent + records.unknown > 0;
}

/** One run of `batch list --json`. Times are ISO 8601 in UTC. @param next words of the command to continue, or null */
export function runDocument(
  run: Run,
  { records, totals }: RunTally,
  next: readonly string[] | null,
): Record<string, unknown> {
  return {
    run: run.name,
    started_at: new Date(run.startedAt).toISOString(),
    finished_at: run.end === null ? null : new Date(run.end.finishedAt).toISOString(),
    command: run.command,
    target: run.target,
    batch_id: run.batchId,
    digest: run.digest,
    files: run.files.map(({ path, sha256, records: count }) => ({ path, sha256, records: count })),
    exit_code: run.end?.exitCode ?? null,
    stop_reason: run.end?.stopReason ?? null,
    records,
    totals: totalsByType(totals),
    by: run.by,
    version: run.version,
    approved_by: wordDocument(run.approvedBy),
    closed: wordDocument(run.closed),
    next,
  };
}

function wordDocument(word: SignedDecision | null): object | null {
  return word === null ? null : { at: new Date(word.at).toISOString(), by: word.by, note: word.note };
}
