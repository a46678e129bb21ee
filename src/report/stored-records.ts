/** The records of stored runs and batches in their present state, and the sums of each run. */
import { ROWS_PER_QUERY, pagesOf } from '../journal/pages.js';
import { newestCorrection, loadCorrectionChains } from '../prepare/corrections.js';
import type { Journal } from '../journal/journal.js';
import {
  homeOf,
  type StoredPayment,
  type PaymentId,
  type PaymentState,
  type Run,
  type StoredRecord,
} from '../journal/payment.js';
import type { TotalRow } from '../money/totals.js';
import { subjectIn } from '../records/types.js';
import type { LaterPayments } from './history-text.js';
import type { RecordCounts } from './reporter.js';
import { recordCounts, Tally, type CountsAndTotals } from './report-data.js';
import {
  displayState,
  loadRelatedPayments,
  type RecordReport,
  type RelatedPayment,
  relatedPayment,
  serviceId,
  storedStatus,
} from './record-report.js';
import { type InDoubtSummary, InDoubtTally } from './in-doubt-text.js';
import { leftOutReason, replacedText } from './status-text.js';

export interface StoredReport {
  readonly record: StoredRecord;
  readonly report: RecordReport;
}

/** A page of a run's records, or those of them that are wanted. */
type SelectRecords = (page: readonly StoredRecord[]) => readonly StoredRecord[] | Promise<readonly StoredRecord[]>;

/** A stored run's records in the order of the input. @param idPath where an answer has its id. @throws JournalError */
export async function* storedReports(
  run: Run,
  journal: Journal,
  idPath: string,
  select: SelectRecords = (page) => page,
): AsyncGenerator<StoredReport, void> {
  for await (const page of pagesOf((from) => journal.records(run, from, ROWS_PER_QUERY)))
    yield* await reportPage(await select(page), run, journal, idPath);
}

/** The record at a place of the run's list; null if there is none. @throws JournalError */
export async function storedReport(
  index: number,
  run: Run,
  journal: Journal,
  idPath: string,
): Promise<StoredReport | null> {
  const [report = null] = await reportPage(await journal.records(run, index, 1), run, journal, idPath);
  return report;
}

/** One run, or all runs of a batch at one target, oldest first. */
export interface ReportScope {
  readonly runs: readonly Run[];
  readonly isBatch: boolean;
}

/** In the order of the runs and their inputs; of a batch, each payment once. @throws JournalError */
export async function* reportedRecords(
  { runs, isBatch }: ReportScope,
  journal: Journal,
  idPath: string,
): AsyncGenerator<RecordReport, void> {
  const leftOut = new Set<string>();
  for (const run of runs) {
    const once: SelectRecords = (page) => (isBatch ? dedupeByPayment(page, run, journal, leftOut) : page);
    for await (const { report } of storedReports(run, journal, idPath, once)) yield report;
  }
}

/**
 * A payment belongs to the batch of the run that first accepted it, and appears in the run that accepted it last. If a
 * record was left out because of a payment of another batch, the record appears once, unless it is a payment by now;
 * otherwise only that payment does.
 * @param leftOut the names of such records so far
 */
async function dedupeByPayment(
  page: readonly StoredRecord[],
  run: Run,
  journal: Journal,
  leftOut: Set<string>,
): Promise<StoredRecord[]> {
  const nameOf = ({ type, key }: { readonly type: string; readonly key: string | null }): string => `${type} ${key}`;
  const isOfBatch = (payment: StoredPayment): boolean =>
    payment.batchId === run.batchId && payment.run.target === run.target;
  const ids = page.map(({ payment, standsFor }) => standsFor?.payment ?? payment).filter((id) => id !== null);
  const shown = new Map((await journal.byId([...new Set(ids)])).map((payment) => [payment.id, payment]));
  const keys = page.map(({ key, standsFor }) => (standsFor === null ? null : key)).filter((key) => key !== null);
  const sent = new Set((keys.length === 0 ? [] : await journal.find(run, keys)).filter(isOfBatch).map(nameOf));
  return page.filter((record) => {
    const { payment, standsFor } = record;
    const of = shown.get(standsFor?.payment ?? payment ?? 0);
    if (payment === null || of === undefined) return true;
    if (standsFor !== null) {
      const name = nameOf(record);
      if (isOfBatch(of) || sent.has(name) || leftOut.has(name)) return false;
      leftOut.add(name);
      return true;
    }
    if (!isOfBatch(of)) return false;
    return run.number === (of.run.batchId === run.batchId ? of.run.number : homeOf(of.id));
  });
}

async function reportPage(
  page: readonly StoredRecord[],
  run: Run,
  journal: Journal,
  idPath: string,
): Promise<Iterable<StoredReport>> {
  const corrections = await loadCorrections(page.map(displayedPayment), run, journal);
  const relatedTo = await loadRelatedPayments(corrections.values(), journal);
  return (function* () {
    for (const record of page) {
      const correction = corrections.get(displayedPayment(record).payment);
      yield { record, report: describeRecord(record, run, idPath, correction, relatedTo(correction)) };
    }
  })();
}

/** The payment whose outcome a record shows: the one that it repeats if left out, else its own; null if invalid. */
interface DisplayedPayment {
  readonly payment: PaymentId | null;
  readonly state: PaymentState;
}

function displayedPayment({ payment, standsFor, isClaimed, outcome }: StoredRecord): DisplayedPayment {
  // A claimed payment may go through at any moment.
  const state = isClaimed ? 'unknown' : (outcome?.state ?? 'not_sent');
  return { payment: standsFor?.payment ?? payment, state };
}

/** By payment: its last correction, if it was corrected. CONTRACT: "Which payment a record is". */
async function loadCorrections(
  displayed: readonly DisplayedPayment[],
  run: Run,
  journal: Journal,
): Promise<ReadonlyMap<PaymentId | null, StoredPayment>> {
  const ids = new Set<PaymentId>();
  for (const { payment, state } of displayed) {
    // Open records of a closed run no longer count, so they can be corrected too.
    const mayBeCorrected = state === 'rejected' || (state === 'not_sent' && run.closed !== null);
    if (payment !== null && mayBeCorrected) ids.add(payment);
  }
  const found = ids.size === 0 ? [] : await journal.byId([...ids]);
  const replacements = await loadCorrectionChains(found, journal);
  const corrected = found.filter(({ replacedBy }) => replacedBy !== null);
  return new Map(corrected.map((payment) => [payment.id, newestCorrection(payment, { replacements })]));
}

/** @param related the correction, as it is shown */
function describeRecord(
  record: StoredRecord,
  run: Run,
  idPath: string,
  correction: StoredPayment | undefined,
  related: RelatedPayment | null,
): RecordReport {
  const { type, payment, standsFor, outcome } = record;
  const { state } = displayedPayment(record);
  const isOther = standsFor !== null && standsFor.payment !== payment;
  const isPaid = correction?.state === 'created';
  const own = isOther || isPaid ? null : outcome;
  const isOwn = outcome?.run === run.number;
  const status = storedStatus({
    payment: payment === null ? null : state,
    isLeftOut: standsFor !== null,
    isOwn,
    correction: correction?.state ?? null,
  });
  const { userId, title, referenceId, date } = subjectIn(record.body, type);
  const earlier = standsFor === null ? null : relatedPayment({ ...standsFor, currency: null }, standsFor.body, type);
  return {
    file: run.files[record.file]?.path ?? '',
    record: record.record,
    line: record.line,
    type,
    key: record.key,
    userId,
    title,
    referenceId,
    date,
    amount: record.amount,
    currency: record.currency,
    costCenter: record.costCenter,
    status,
    state: displayState(status, correction !== undefined, run.closed !== null),
    error: storedError(record, state, correction),
    request: null,
    body: record.body,
    outcome: own,
    id: serviceId(own, idPath),
    requestId: outcome?.requestId ?? null,
    at: (isPaid ? correction : outcome)?.at ?? null,
    standsFor: isPaid ? related : earlier,
    correction: related,
    run: run.name,
  };
}

function storedError(
  { type, standsFor, outcome, error }: StoredRecord,
  state: PaymentState,
  correction: StoredPayment | undefined,
): string | null {
  const own = standsFor === null ? (outcome?.error ?? error) : null;
  if (correction !== undefined) return replacedText(own, correction.run.name);
  return standsFor !== null && state === 'unknown' ? leftOutReason(type) : own;
}

export interface RunTally {
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The same in the states that people are told. */
  readonly shown: CountsAndTotals;
  /** By the run that accepted the payment last: for a record that was left out, that is another one. */
  readonly doubts: readonly InDoubtSummary[];
}

/** Sums of the records as `storedReports` shows them, without reading their contents. @throws JournalError */
export async function tallyRun(run: Run, journal: Journal): Promise<RunTally> {
  const sums = new Tally();
  const shown = new Tally();
  const doubts = new InDoubtTally();
  const isClosed = run.closed !== null;
  for await (const page of pagesOf((from) => journal.sums(run, from, ROWS_PER_QUERY))) {
    const corrections = await loadCorrections(page, run, journal);
    const inDoubt = page.filter(({ state }) => state === 'unknown').map(({ payment }) => payment);
    const ids = inDoubt.filter((id) => id !== null);
    const found = ids.length === 0 ? [] : await journal.byId(ids);
    const inDoubtById = new Map<PaymentId | null, StoredPayment>(found.map((payment) => [payment.id, payment]));
    for (const record of page) {
      const { payment, isLeftOut, settledBy, doubtSince } = record;
      const correction = corrections.get(payment);
      const status = storedStatus({
        payment: payment === null ? null : record.state,
        isLeftOut,
        isOwn: settledBy === run.number,
        correction: correction?.state ?? null,
      });
      sums.add(record, status);
      shown.add(record, displayState(status, correction !== undefined, isClosed));
      const doubt = inDoubtById.get(payment);
      if (doubt !== undefined) doubts.add(doubt, doubtSince ?? run.startedAt);
    }
  }
  const { records, totals } = sums.snapshot();
  return { records: recordCounts(records), totals, shown: shown.snapshot(), doubts: await doubts.summaries(journal) };
}

/** Whether the run may still be continued: it has records that are open or in doubt. */
export function isOpen({ closed }: Run, { records }: RunTally): boolean {
  return closed === null && records.not_sent + records.unknown > 0;
}

/** What later runs have paid, in the batch of a run, of the types that it has open; null for nothing. @throws JournalError */
export async function findLaterPayments(run: Run, journal: Journal): Promise<LaterPayments | null> {
  const { target, scope, batchId, number } = run;
  const isOpenRow = ({ status }: TotalRow): boolean => status === 'not_sent' || status === 'unknown';
  const openTypes = new Set((await tallyRun(run, journal)).totals.filter(isOpenRow).map(({ type }) => type));
  const paid: Run[] = [];
  const totals: TotalRow[] = [];
  // Newest first.
  for (const other of await journal.runs({ target: { target, scope }, batchId })) {
    if (other.number <= number) continue;
    const created = (await tallyRun(other, journal)).totals.filter(
      ({ status, type }) => status === 'created' && openTypes.has(type),
    );
    if (created.length > 0) paid.push(other);
    totals.push(...created);
  }
  const [newest] = paid;
  return newest === undefined ? null : { runs: paid.length, totals, newest };
}
