/** Each stored run as a whole: its sums in their present state, and its document. */
import { pagesOf, PAGE } from '../batch/ledger-rows.js';
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId, PersonsWord, Run } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import { type DoubtsOfRun, startDoubts } from './doubt-words.js';
import { totalsByType } from './event-reporter.js';
import { recordCounts, startSums, type Summed } from './page-content.js';
import { shownState } from './state-words.js';
import { correctionsOf, statusFor } from './stored-records.js';
import type { RecordCounts } from './summary.js';

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The same in the states that people are told. */
  readonly shown: Summed;
  /** By the run that accepted the payment last: for a record that was left out, that is another one. */
  readonly doubts: readonly DoubtsOfRun[];
}

/** Sums of the records as `storedReports` shows them, without reading their contents. @throws JournalError */
export async function tally(run: Run, ledger: Ledger): Promise<RunTally> {
  const [sums, shown] = [startSums(), startSums()];
  const doubts = startDoubts();
  for await (const page of pagesOf((from) => ledger.sums(run, from, PAGE))) {
    const corrections = await correctionsOf(page, run, ledger);
    const inDoubt = page.flatMap(({ payment, state }) => (payment !== null && state === 'unknown' ? payment : []));
    const known = inDoubt.length === 0 ? [] : await ledger.byId(inDoubt);
    const homes = new Map<PaymentId | null, KnownPayment>(known.map((each) => [each.id, each]));
    for (const { payment, isLeftOut, state, settledBy, doubtSince, costCenter, ...record } of page) {
      const money = { ...record, cost_center: costCenter };
      const correction = corrections.get(payment) ?? null;
      const status = payment === null ? 'invalid' : statusFor(state, isLeftOut, settledBy === run.number, correction);
      sums.add(money, status);
      shown.add(money, shownState({ status, corrected_by: correction, is_closed: run.closed !== null, is_own: false }));
      const home = homes.get(payment);
      if (state === 'unknown' && home !== undefined) doubts.add(home.run.name, doubtSince ?? run.startedAt, home);
    }
  }
  const told = sums.told();
  return { records: recordCounts(told), totals: told.totals, shown: shown.told(), doubts: doubts.told() };
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

function wordDocument(word: PersonsWord | null): object | null {
  return word === null ? null : { at: new Date(word.at).toISOString(), by: word.by, note: word.note };
}
