/** The records of a call, from its entries, the input and the journal. */
import { keptBody } from '../prepare/bodies.js';
import { chunksOf } from '../journal/pages.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { JournalError } from '../errors.js';
import type { Journal } from '../journal/journal.js';
import { idOf, type StoredPayment, type PaymentId, type Run, type StoredOutcome } from '../journal/payment.js';
import { formatDecimal } from '../money/decimal.js';
import type { RunOptions } from '../options.js';
import { type RecordType, subjectIn } from '../records/types.js';
import { displayState, loadRelatedPayments, type RecordReport, serviceId } from './record-report.js';

export interface CallRecords {
  readonly options: RunOptions;
  readonly prepared: PreparedRecords;
  /** Null if there is none yet. */
  readonly journal: Journal | null;
  /** The run that it sends or continues; null if none begins. */
  readonly run: Run | null;
  /** Numbers of the earlier runs of this input: what they have created, it has created. */
  readonly earlier: ReadonlySet<number>;
  /** By entry: the payment that a left-out record repeats. */
  readonly standsFor: ReadonlyMap<number, StoredPayment>;
  /** By entry: the last correction of a rejected payment. */
  readonly corrected: ReadonlyMap<number, StoredPayment>;
}

/** An entry and its outcome; null if it was never sent. */
export interface IndexedOutcome {
  readonly index: number;
  readonly outcome: StoredOutcome | null;
}

/** Records that are looked up and reported at once: few, because their bodies may be long. */
const LOOKED_UP_AT_ONCE = 250;

/** The entries with the journal's facts, page by page. @param journal null if it has failed. @throws JournalError */
export async function* loadOutcomes(
  indexes: Iterable<number>,
  { prepared: { entries }, run }: CallRecords,
  journal: Journal | null,
): AsyncGenerator<IndexedOutcome[], void> {
  // An invalid record has no answer, even if its key belongs to a payment. If no run began, refused and planned records
  // have none either; records that earlier runs settled have theirs.
  const isAsked = (index: number): boolean =>
    journal !== null &&
    entries.payment(index) !== 0 &&
    entries.isValid(index) &&
    (run !== null || !['not_sent', 'planned'].includes(entries.status(index)));
  for (const page of chunksOf(indexes, LOOKED_UP_AT_ONCE)) {
    const asked = page.filter(isAsked);
    const found = asked.length === 0 ? [] : ((await journal?.outcomes(asked.map((i) => entries.payment(i)))) ?? []);
    let next = 0;
    yield page.map((index) => ({ index, outcome: index === asked[next] ? (found[next++] ?? null) : null }));
  }
}

/** The call's entries from `first` up to `end`, as files show them. @throws JournalError */
export async function* callReports(
  call: CallRecords,
  first = 0,
  end = call.prepared.entries.length,
): AsyncGenerator<RecordReport, void> {
  const indexes = (function* () {
    for (let index = first; index < end; index++) yield index;
  })();
  for await (const page of loadOutcomes(indexes, call, call.journal)) yield* await reportOutcomes(page, call);
}

export async function reportOutcomes(page: readonly IndexedOutcome[], call: CallRecords): Promise<RecordReport[]> {
  const { prepared, standsFor, corrected, journal, options, run } = call;
  const { entries, files } = prepared;
  const indexes = page.map(({ index }) => index);
  const bodies = await bodiesAt(indexes, call);
  const related = [standsFor, corrected].flatMap((payments) => indexes.map((index) => payments.get(index)));
  const relatedTo = await loadRelatedPayments(
    related.filter((payment) => payment !== undefined),
    journal,
  );
  return page.map(({ index, outcome }, i) => {
    const { file, record, line, row } = entries.placeOf(index);
    const { type, currency, costCenter } = entries.groupOf(index);
    const amount = entries.amount(index);
    const body = bodies[i] ?? null;
    const other = standsFor.get(index);
    const own = other === undefined || other.id === entries.payment(index) ? outcome : null;
    const status = entries.status(index);
    const correction = relatedTo(corrected.get(index));
    // What an earlier call of the same run has sent was sent by that run.
    const isOfRun = status === 'already_created' && run !== null && own?.run === run.number;
    const { userId, title, referenceId, date } = subjectIn(body, type as RecordType);
    // Member by member: spreading objects costs more than everything else here, and there may be millions.
    return {
      file: files[file]?.path ?? '',
      record,
      line,
      row,
      type: type as RecordType,
      key: entries.key(index),
      userId,
      title,
      referenceId,
      date,
      currency,
      costCenter,
      amount: amount === null ? null : formatDecimal(amount),
      status,
      state: displayState(isOfRun ? 'created' : status, correction !== null, (run?.closed ?? null) !== null),
      error: entries.error(index) ?? own?.error ?? null,
      request: entries.isValid(index) && options.safety.dryRun ? body : null,
      body,
      outcome: own,
      id: serviceId(own, options.response.id),
      requestId: outcome?.requestId ?? null,
      at: (other ?? outcome)?.at ?? null,
      standsFor: relatedTo(other),
      correction,
      run: run?.name ?? null,
    };
  });
}

/** Whether nobody is paid for a record of the call: it is invalid or refused, and was not corrected since. */
export function isUnpaid({ prepared: { entries }, corrected }: CallRecords, index: number): boolean {
  return ['invalid', 'rejected'].includes(entries.status(index)) && !corrected.has(index);
}

/** The first of these records, and the number of all. */
export interface UnpaidRecords {
  readonly first: readonly RecordReport[];
  readonly count: number;
  /** The input is one file. */
  readonly isOneFile: boolean;
}

const MOST_UNPAID_NAMED = 3;

/** Null if there are none. */
export async function findUnpaid(call: CallRecords): Promise<UnpaidRecords | null> {
  const { entries, files } = call.prepared;
  if (entries.countOf('invalid') + entries.countOf('rejected') === 0) return null;
  const named: IndexedOutcome[] = [];
  let count = 0;
  for (let index = 0; index < entries.length; index++)
    if (isUnpaid(call, index) && count++ < MOST_UNPAID_NAMED) named.push({ index, outcome: null });
  return count === 0 ? null : { first: await reportOutcomes(named, call), count, isOneFile: files.length === 1 };
}

/** The body of each: from the input, or else from the journal, of the payment or of the draft. */
async function bodiesAt(indexes: readonly number[], { prepared, journal }: CallRecords): Promise<(string | null)[]> {
  const { drafts } = prepared;
  const kept = indexes.map((index) => keptBody(prepared, index));
  const missing = indexes.filter((_, i) => kept[i] === null);
  if (journal === null || missing.length === 0) return kept;
  try {
    const draftOf = (index: number): PaymentId => (drafts === null ? 0 : idOf(drafts.number, index));
    const stored = await journal.bodies(missing.map((index) => prepared.entries.payment(index) || draftOf(index)));
    // The body of a payment may have been pruned: then the draft from the input has it.
    const brought = stored.some((body) => body === null) ? await journal.bodies(missing.map(draftOf)) : [];
    const fetched = stored.map((body, i) => body ?? brought[i] ?? null);
    let next = 0;
    return kept.map((body) => body ?? fetched[next++] ?? null);
  } catch (cause) {
    // The failure of the journal is reported elsewhere: here, everything else is reported.
    if (!(cause instanceof JournalError)) throw cause;
    return kept;
  }
}
