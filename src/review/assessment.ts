/** The journal's knowledge of a call's records, and the conclusions from it. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { startDigest } from '../keys/key.js';
import type { Decisions, PaymentId } from '../journal/payment.js';
import type { TotalRow } from '../money/totals.js';
import type { RecordCounts } from '../report/reporter.js';
import type { Conclusions } from './assess.js';
import type { Disposition } from './disposition.js';
import type { PaymentHistory } from './history.js';
import type { PaymentOrigins } from './origins.js';

/** A call's records after a look at the history. Everything after it reads this, and changes nothing. */
export interface Assessment extends Conclusions {
  readonly prepared: PreparedRecords;
  readonly history: PaymentHistory;
  /** Decisions about repeats, by flag or in the review. */
  readonly decisions: Decisions;
  /** When the history was read. Milliseconds since 1970. */
  readonly now: number;
  /** Null in a dry run without a target. */
  readonly digest: string | null;
  /** Counts before any decision. */
  readonly records: RecordCounts;
  readonly totals: readonly TotalRow[];
  /** The places of the payments that messages name. */
  readonly placeOf: PaymentOrigins;
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function runDigest(target: string, { entries }: PreparedRecords): string {
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, entries.bodyHash(index));
  }
  return digest.finish();
}

/** The dispositions of all records but those sent for the first time: in most inputs, few or none. In any order. */
export function* exceptionalDispositions({
  exceptions,
  dispositionAt,
  history: { created },
}: Assessment): Iterable<[number, Disposition]> {
  yield* exceptions;
  for (let index = created.indexOf(1); index >= 0; index = created.indexOf(1, index + 1)) {
    const disposition = dispositionAt(index);
    if (disposition !== null) yield [index, disposition];
  }
}

/** The valid records with their dispositions, in the order of the input. */
export function dispositionsOf(assessment: Assessment): Iterable<[index: number, disposition: Disposition]> {
  return dispositionsIn(assessment.prepared, assessment);
}

export function* dispositionsIn(
  { entries }: PreparedRecords,
  { dispositionAt }: Conclusions,
): Iterable<[index: number, disposition: Disposition]> {
  for (let index = 0; index < entries.length; index++) {
    const disposition = dispositionAt(index);
    if (disposition !== null) yield [index, disposition];
  }
}

/** The payment of a record: the one that its key identifies, or that the continued run accepted; null for none. */
export function paymentOf(
  index: number,
  { dispositionAt }: Conclusions,
  { accepted }: PaymentHistory,
): PaymentId | null {
  const disposition = dispositionAt(index);
  const payment = disposition?.kind === 'send' || disposition?.kind === 'settled' ? disposition.payment : null;
  return payment ?? (accepted[index] || null);
}
