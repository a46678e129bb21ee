/** The records of stored runs and batches in their present state. */
import { PAGE, pagesOf } from '../prepare/stored-run.js';
import { newestCorrection, loadCorrectionChains } from '../prepare/corrections.js';
import type { Status } from '../prepare/record-table.js';
import type { Journal } from '../journal/journal.js';
import {
  homeOf,
  type StoredPayment,
  type PaymentId,
  type PaymentState,
  type Run,
  type StoredRecord,
} from '../journal/payment.js';
import {
  type RecordFacts,
  LEFT_OUT,
  loadRelatedPayments,
  type RecordReport,
  recordReport,
  replacedWords,
  recordStatus,
} from './record-report.js';

export interface StoredReport {
  readonly record: StoredRecord;
  readonly report: RecordReport;
}

/** A page of a run's records, or those of them that are wanted. */
type Choice = (page: readonly StoredRecord[]) => readonly StoredRecord[] | Promise<readonly StoredRecord[]>;

/** A stored run's records in the order of the input. @param idPath where an answer has its id. @throws JournalError */
export async function* storedReports(
  run: Run,
  journal: Journal,
  idPath: string,
  wantedOf: Choice = (page) => page,
): AsyncGenerator<StoredReport, void> {
  for await (const page of pagesOf((from) => journal.records(run, from, PAGE)))
    yield* await reportsOf(await wantedOf(page), run, journal, idPath);
}

/** The record at a place of the run's list. @throws JournalError */
export async function storedReport(index: number, run: Run, journal: Journal, idPath: string): Promise<StoredReport[]> {
  return [...(await reportsOf(await journal.records(run, index, 1), run, journal, idPath))];
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
    const once: Choice = (page) => (isBatch ? dedupeByPayment(page, run, journal, leftOut) : page);
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
  const asked = new Set(page.flatMap(({ payment, standsFor }) => standsFor?.payment ?? payment ?? []));
  const known = new Map((await journal.byId([...asked])).map((payment) => [payment.id, payment]));
  const keys = page.flatMap(({ key, standsFor }) => (standsFor === null ? [] : (key ?? [])));
  const isOfBatch = (payment: StoredPayment): boolean =>
    payment.batchId === run.batchId && payment.run.target === run.target;
  const sent = new Set((keys.length === 0 ? [] : await journal.find(run, keys)).filter(isOfBatch).map(typeAndKey));
  return page.filter((record) => {
    const { payment, standsFor } = record;
    const told = known.get(standsFor?.payment ?? payment ?? 0);
    if (payment === null || told === undefined) return true;
    if (standsFor !== null) {
      const name = typeAndKey(record);
      if (isOfBatch(told) || sent.has(name) || leftOut.has(name)) return false;
      leftOut.add(name);
      return true;
    }
    if (!isOfBatch(told)) return false;
    return run.number === (told.run.batchId === run.batchId ? told.run.number : homeOf(told.id));
  });
}

function typeAndKey({ type, key }: Pick<StoredRecord, 'type' | 'key'>): string {
  return `${type} ${key}`;
}

async function reportsOf(
  page: readonly StoredRecord[],
  run: Run,
  journal: Journal,
  idPath: string,
): Promise<Iterable<StoredReport>> {
  const corrections = await loadCorrections(page.map(displayedPayment), run, journal);
  const otherOf = await loadRelatedPayments(corrections.values(), journal);
  return (function* () {
    for (const record of page) {
      const correction = corrections.get(displayedPayment(record).payment);
      const known = knownOf(record, run, correction, otherOf(correction));
      yield { record, report: recordReport(record, known, idPath) };
    }
  })();
}

/** The payment whose outcome a record shows: the one that it repeats if left out, else its own; null if invalid. */
export interface DisplayedPayment {
  readonly payment: PaymentId | null;
  readonly state: PaymentState;
}

function displayedPayment({ payment, standsFor, isClaimed, outcome }: StoredRecord): DisplayedPayment {
  // A claimed payment may go through at any moment.
  const state = isClaimed ? 'unknown' : (outcome?.state ?? 'not_sent');
  return { payment: standsFor?.payment ?? payment, state };
}

/** By payment: its last correction, if it was corrected. CONTRACT: "Which payment a record is". */
export async function loadCorrections(
  standings: readonly DisplayedPayment[],
  run: Run,
  journal: Journal,
): Promise<ReadonlyMap<PaymentId | null, StoredPayment>> {
  // Open records of a closed run no longer count, so they can be corrected too.
  const mayBe = (state: PaymentState): boolean => state === 'rejected' || (state === 'not_sent' && run.closed !== null);
  const ids = standings.flatMap(({ payment, state }) => (payment !== null && mayBe(state) ? payment : []));
  const found = ids.length === 0 ? [] : await journal.byId([...new Set(ids)]);
  const replacements = await loadCorrectionChains(found, journal);
  const corrected = found.filter(({ replacedBy }) => replacedBy !== null);
  return new Map(corrected.map((payment) => [payment.id, newestCorrection(payment, { replacements })]));
}

/** @param isOwn the run's own delivery caused the state */
export function statusOfStored(
  state: PaymentState,
  isLeftOut: boolean,
  isOwn: boolean,
  correction: StoredPayment | null,
): Status {
  if (correction !== null) return correction.state === 'created' ? 'skipped' : 'rejected';
  return recordStatus(state, isLeftOut ? 'other' : isOwn ? 'this' : 'earlier');
}

/** @param other the correction, as it is told */
function knownOf(
  record: StoredRecord,
  run: Run,
  correction: StoredPayment | undefined,
  other: RecordFacts['correction'],
): RecordFacts {
  const { payment, standsFor, outcome } = record;
  const isOther = standsFor !== null && standsFor.payment !== payment;
  const isPaid = correction?.state === 'created';
  const isOwn = outcome?.run === run.number;
  const status = statusOfStored(displayedPayment(record).state, standsFor !== null, isOwn, correction ?? null);
  return {
    file: run.files[record.file]?.path ?? '',
    status: payment === null ? 'invalid' : status,
    error: errorOf(record, status, correction),
    request: null,
    outcome: isOther || isPaid ? null : outcome,
    requestId: outcome?.requestId ?? null,
    at: (isPaid ? correction : outcome)?.at ?? null,
    standsFor: isPaid ? other : standsFor,
    correction: other,
    run,
  };
}

function errorOf(
  { standsFor, outcome, error }: StoredRecord,
  status: Status,
  correction: StoredPayment | undefined,
): string | null {
  const own = standsFor === null ? (outcome?.error ?? error) : null;
  if (correction !== undefined) return replacedWords(own, correction.run.name);
  return standsFor !== null && status === 'unknown' ? LEFT_OUT : own;
}
