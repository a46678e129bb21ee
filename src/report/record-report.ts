/**
 * A record and what became of it, as every report takes it: events, report files, results, and the commands on earlier
 * runs. It is made from the entries of a call (call-records.ts) or from the journal (stored-records.ts).
 */
import { responseId } from '../delivery/http/response.js';
import type { Journal } from '../journal/journal.js';
import type { PaymentState, StoredOutcome, StoredPayment } from '../journal/payment.js';
import { parseDecimal } from '../money/decimal.js';
import type { Status } from '../prepare/record-table.js';
import { moneyText } from '../records/currencies.js';
import type { RecordPlace } from '../records/issue.js';
import { type RecordType, subjectIn } from '../records/types.js';

/** The state of a record, as people are told it. */
export type DisplayState = Status | 'corrected' | 'given_up';

export interface RecordReport extends RecordPlace {
  readonly file: string;
  readonly type: RecordType;
  readonly key: string | null;
  /** As programs are told it. */
  readonly status: Status;
  readonly state: DisplayState;
  /** The outcome of its own payment; null if that was never sent, or if the record shows another payment. */
  readonly outcome: StoredOutcome | null;
  /** Why it is not created, if it is not. */
  readonly error: string | null;
  /** The exact body as JSON text, in dry runs. */
  readonly request: string | null;
  /** What is known of the body, as JSON text; null if it is not kept. */
  readonly body: string | null;
  readonly userId: string | null;
  readonly title: string | null;
  /** `reference_id` of a payout, `gig_task_id` of a result. */
  readonly referenceId: string | null;
  /** YYYY-MM-DD. */
  readonly date: string | null;
  /** Decimal text; null if not known. That of an invalid record counts in no sum. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  /** The id that the service gave it. */
  readonly id: string | null;
  /** The service's name for the last request, for questions to the service. Also if it shows another payment. */
  readonly requestId: string | null;
  /** Time of its state, milliseconds since 1970; null for one that was never sent. */
  readonly at: number | null;
  /** The payment that it repeats, if it was left out; null for most. */
  readonly standsFor: RelatedPayment | null;
  /** Its last correction: nobody has to do anything about the record itself. */
  readonly correction: RelatedPayment | null;
  /** The run that lists it; null if there is none. */
  readonly run: string | null;
}

/** Another payment, as shown with a record. It is only identified: its answer does not belong to the record. */
export interface RelatedPayment extends PaymentFacts {
  readonly userId: string | null;
  readonly title: string | null;
}

interface PaymentFacts {
  /** Name of the run that accepted it last. */
  readonly run: string;
  readonly key: string;
  readonly amount: string | null;
  /** Null also if not known. */
  readonly currency: string | null;
  readonly state: PaymentState;
}

/** The id in the answer to a record that is created; null for none. @param idPath where an answer has it */
export function createdId(response: string, idPath: string): string | null {
  return responseId(response, idPath);
}

/** The id in an answer. @param idPath where an answer has it */
export function serviceId(outcome: StoredOutcome | null, idPath: string): string | null {
  return outcome === null ? null : responseId(outcome.response, idPath, outcome.state === 'created');
}

const OF_CREATED = { this: 'created', earlier: 'already_created', other: 'skipped' } as const;

/**
 * The state of a record from that of its payment. CONTRACT: "Record states".
 * @param by what caused it: this run or call, an earlier one, or another payment that the left-out record repeats
 */
export function recordStatus(state: PaymentState, by: keyof typeof OF_CREATED): Status {
  return state === 'created' ? OF_CREATED[by] : state;
}

/** What decides the state of a stored record. */
export interface StoredState {
  /** The state of the payment whose outcome it shows; null for an invalid record. */
  readonly payment: PaymentState | null;
  readonly isLeftOut: boolean;
  /** The run's own delivery caused that state. */
  readonly isOwn: boolean;
  /** The state of its last correction; null if it was not corrected. */
  readonly correction: PaymentState | null;
}

export function storedStatus({ payment, isLeftOut, isOwn, correction }: StoredState): Status {
  if (payment === null) return 'invalid';
  if (correction !== null) return correction === 'created' ? 'skipped' : 'rejected';
  if (isLeftOut) return recordStatus(payment, 'other');
  return recordStatus(payment, isOwn ? 'this' : 'earlier');
}

/**
 * The state of a record for people. One that was corrected, or given up with its run, needs nobody any more.
 * @param isClosed the run that lists it was closed: its open records no longer count
 */
export function displayState(status: Status, isCorrected: boolean, isClosed: boolean): DisplayState {
  if (isCorrected) return 'corrected';
  return status === 'not_sent' && isClosed ? 'given_up' : status;
}

/** @param body null if it was pruned */
export function relatedPayment(
  { run, key, amount, currency, state }: PaymentFacts,
  body: string | null,
  type: RecordType,
): RelatedPayment {
  const { userId, title } = subjectIn(body, type);
  return { run, key, userId, title, amount, currency, state };
}

/** Payments that records name, as they are shown with those. @throws JournalError */
export async function loadRelatedPayments(
  payments: Iterable<StoredPayment>,
  journal: Journal | null,
): Promise<(payment: StoredPayment | undefined) => RelatedPayment | null> {
  const ids = [...new Set([...payments].map(({ id }) => id))];
  const bodies = journal === null || ids.length === 0 ? [] : await journal.bodies(ids);
  const bodyOf = new Map(ids.map((id, i) => [id, bodies[i] ?? null]));
  return (payment) =>
    payment === undefined
      ? null
      : relatedPayment({ ...payment, run: payment.run.name }, bodyOf.get(payment.id) ?? null, payment.type);
}

export interface RecordMoney {
  readonly type: RecordType;
  readonly amount: string | null;
  readonly currency: string | null;
}

/** `1,200.00 EUR`, or for a result `6,750 EUR cents`; empty if there is no amount. */
export function recordMoneyText({ type, amount, currency }: RecordMoney): string {
  return amount === null ? '' : moneyText(parseDecimal(amount), currency, type);
}
