/** Stored runs in their present state: their reported records, their sums, and each run as a whole. */
import { PAGE, pagesOf } from '../batch/ledger-rows.js';
import type { Status } from '../batch/entries.js';
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId, PaymentState, PersonsWord, Run, StoredRecord } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import { type DoubtsOfRun, startDoubts } from './doubt-words.js';
import { totalsByType } from './event-reporter.js';
import { recordCounts, startSums, type Summed } from './page-content.js';
import {
  bodiesOf,
  type KnownRecord,
  LEFT_OUT,
  type RecordReport,
  recordReport,
  replacedWords,
  statusOf,
} from './record-report.js';
import { shownState } from './state-words.js';
import type { RecordCounts } from './summary.js';
import { localDay } from '../util/local-time.js';

export interface StoredReport {
  readonly record: StoredRecord;
  readonly report: RecordReport;
}

/** A stored run's records in the order of the input. @param idPath where an answer has its id. @throws JournalError */
export async function* storedReports(
  run: Run,
  ledger: Ledger,
  idPath: string,
  isWanted: (record: StoredRecord) => boolean = () => true,
): AsyncGenerator<StoredReport, void> {
  const pages = pagesOf((from) => ledger.records(run, from, PAGE));
  for await (const page of pages) yield* await reportsOf(page.filter(isWanted), run, ledger, idPath);
}

/** Some records of a run. @throws JournalError */
export async function reportsOf(
  page: readonly StoredRecord[],
  run: Run,
  ledger: Ledger,
  idPath: string,
): Promise<Iterable<StoredReport>> {
  const corrections = await correctionsOf(page.map(standingOf), run, ledger);
  const bodyOf = await bodiesOf(
    [...corrections.values()].map(({ id }) => id),
    ledger,
  );
  return (function* () {
    for (const record of page) {
      const known = knownOf(record, corrections.get(standingOf(record).payment), bodyOf, run);
      yield { record, report: recordReport(known, idPath) };
    }
  })();
}

/** The payment whose outcome a record shows: the one that it repeats if left out, else its own; null if invalid. */
interface Standing {
  readonly payment: PaymentId | null;
  readonly state: PaymentState;
}

function standingOf({ payment, standsFor, isClaimed, outcome }: StoredRecord): Standing {
  // A claimed payment may go through at any moment.
  const state = isClaimed ? 'unknown' : (outcome?.state ?? 'not_sent');
  return { payment: standsFor?.payment ?? payment, state };
}

/** By payment: its last correction, if it was corrected. CONTRACT: "Which payment a record is". */
async function correctionsOf(
  standings: readonly Standing[],
  run: Run,
  ledger: Ledger,
): Promise<ReadonlyMap<PaymentId | null, KnownPayment>> {
  // Open records of a closed run no longer count, so they can be corrected too.
  const mayBe = (state: PaymentState): boolean => state === 'rejected' || (state === 'not_sent' && run.closed !== null);
  const ids = standings.flatMap(({ payment, state }) => (payment !== null && mayBe(state) ? payment : []));
  const known = new Map<PaymentId, KnownPayment>();
  for (let asked = [...new Set(ids)]; asked.length > 0;) {
    const found = await ledger.byId(asked);
    for (const payment of found) known.set(payment.id, payment);
    asked = [...new Set(found.flatMap(({ replacedBy }) => replacedBy ?? []))].filter((id) => !known.has(id));
  }
  const lastOf = (payment: KnownPayment | undefined): KnownPayment | undefined => {
    const next = known.get(payment?.replacedBy ?? 0);
    return next === undefined ? payment : lastOf(next);
  };
  const corrected = ids.filter((id) => (known.get(id)?.replacedBy ?? null) !== null);
  return new Map(corrected.map((id) => [id, lastOf(known.get(id)) as KnownPayment]));
}

/** @param isOwn the run's own delivery caused the state */
function statusFor(state: PaymentState, isLeftOut: boolean, isOwn: boolean, correction: KnownPayment | null): Status {
  if (correction !== null) return correction.state === 'created' ? 'skipped' : 'rejected';
  return statusOf(state, isLeftOut ? 'other' : isOwn ? 'this' : 'earlier');
}

function knownOf(
  record: StoredRecord,
  correction: KnownPayment | undefined,
  bodies: ReadonlyMap<PaymentId, string | null>,
  run: Run,
): KnownRecord {
  const { payment, standsFor, outcome } = record;
  const isOther = standsFor !== null && standsFor.payment !== payment;
  const corrected =
    correction === undefined
      ? null
      : { ...correction, run: correction.run.name, body: bodies.get(correction.id) ?? null };
  const paid = corrected?.state === 'created' ? corrected : null;
  const isOwn = outcome?.run === run.number;
  const status = statusFor(standingOf(record).state, standsFor !== null, isOwn, correction ?? null);
  return {
    record: record.record,
    line: record.line,
    type: record.type,
    key: record.key,
    body: record.body,
    amount: record.amount,
    currency: record.currency,
    costCenter: record.costCenter,
    file: run.files[record.file]?.path ?? '',
    status: payment === null ? 'invalid' : status,
    error: errorOf(record, status, correction),
    request: null,
    outcome: isOther || paid !== null ? null : outcome,
    at: (paid ?? outcome)?.at ?? null,
    standsFor: paid ?? standsFor,
    correction: corrected,
    run: run.name,
    isClosed: run.closed !== null,
  };
}

function errorOf(
  { standsFor, outcome, error }: StoredRecord,
  status: Status,
  correction: KnownPayment | undefined,
): string | null {
  const own = standsFor === null ? (outcome?.error ?? error) : null;
  if (correction !== undefined) return replacedWords(own, correction.run.name);
  return standsFor !== null && status === 'unknown' ? LEFT_OUT : own;
}

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The same in the states that people are told. */
  readonly shown: Summed;
  /** By the run that has the payment: for a record that was left out, that is another one. */
  readonly doubts: readonly DoubtsOfRun[];
}

/** Sums of the records as {@link storedReports} shows them, without reading their contents. @throws JournalError */
export async function tally(run: Run, ledger: Ledger): Promise<RunTally> {
  const [sums, shown] = [startSums(), startSums()];
  const doubts = startDoubts();
  for await (const page of pagesOf((from) => ledger.sums(run, from, PAGE))) {
    const corrections = await correctionsOf(page, run, ledger);
    const inOthers = page.flatMap(({ payment, isLeftOut, state }) =>
      payment !== null && isLeftOut && state === 'unknown' ? payment : [],
    );
    const others = new Map((await ledger.byId(inOthers)).map(({ id, run: { name } }) => [id, name]));
    for (const { payment, isLeftOut, state, settledBy, doubtSince, costCenter, ...record } of page) {
      const money = { ...record, cost_center: costCenter };
      const correction = corrections.get(payment) ?? null;
      const status = payment === null ? 'invalid' : statusFor(state, isLeftOut, settledBy === run.number, correction);
      sums.add(money, status);
      shown.add(money, shownState({ status, corrected_by: correction, is_closed: run.closed !== null }));
      const home = isLeftOut ? others.get(payment ?? 0) : run.name;
      if (state === 'unknown') doubts.add(home ?? run.name, doubtSince ?? run.startedAt, record.type);
    }
  }
  const told = sums.told();
  return { records: recordCounts(told), totals: told.totals, shown: shown.told(), doubts: doubts.told() };
}

/** Whether the run may still be continued: it has records that are open or in doubt. */
export function isOpen({ closed }: Run, { records }: RunTally): boolean {
  return closed === null && records.not_sent + records.unknown > 0;
}

/** The day when a record of the run came into doubt, YYYY-MM-DD. */
export function doubtDay(
  outcome: { readonly doubtSince: number | null; readonly at: number | null } | null,
  run: Run,
): string {
  return localDay(outcome?.doubtSince ?? outcome?.at ?? run.startedAt);
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
