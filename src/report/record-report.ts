/**
 * A record as it is told. Events, report files, results and the commands on earlier runs all have it from here, whether
 * it comes from the entries of a call (live-records.ts) or from the journal (stored-records.ts).
 */
import type { Status } from '../batch/entries.js';
import { idIn } from '../delivery/http/answer.js';
import type { Outcome, PaymentState, StandsFor } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import type { RecordPlace } from '../records/issue.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import { type Subject, subjectIn } from '../records/subject.js';

/** One record's outcome. Shape of the `record` event of `--json`. */
export interface RecordReport extends RecordPlace, Subject {
  readonly file: string;
  readonly type: RecordType;
  readonly key: string | null;
  readonly status: Status;
  readonly httpStatus: number | null;
  readonly attempts: number;
  /** The answer as JSON text, or null. */
  readonly response: string | null;
  /** Why it is not created, if it is not. */
  readonly error: string | null;
  /** The exact body, in dry runs. */
  readonly request: string | null;
  /** Decimal text; null where it is not known, and for an invalid record. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  /** The id that the service gave it. */
  readonly id: string | null;
  /** When its state became so, milliseconds since 1970; null for one that was never sent. */
  readonly at: number | null;
  /** The payment that it was left out for; null for most. */
  readonly standsFor: {
    readonly run: string;
    readonly key: string;
    readonly userId: string | null;
    readonly title: string | null;
    readonly amount: string | null;
    readonly status: PaymentState;
  } | null;
}

type Known = 'type' | 'key' | 'status' | 'error' | 'request' | 'amount' | 'currency' | 'costCenter' | 'at' | 'file';

/** What is known of a record. */
export interface KnownRecord extends RecordPlace, Pick<RecordReport, Known> {
  /** As it is sent, or as much as is known of it; null where that was pruned. */
  readonly body: string | null;
  /** What became of its own payment. */
  readonly outcome: Outcome | null;
  readonly standsFor: Omit<StandsFor, 'payment'> | null;
}

/** @param idPath where an answer has its id */
export function recordReport(known: KnownRecord, idPath: string): RecordReport {
  const { type, outcome, standsFor } = known;
  const { userId, title, referenceId, date } = subjectIn(known.body, type);
  // Member by member: taking an object apart and putting it together again costs more than all else here, and there may
  // be millions.
  return {
    file: known.file,
    record: known.record,
    line: known.line,
    row: known.row,
    type,
    key: known.key,
    status: known.status,
    error: known.error,
    request: known.request,
    userId,
    title,
    referenceId,
    date,
    amount: known.amount,
    currency: known.currency,
    costCenter: known.costCenter,
    at: known.at,
    httpStatus: outcome?.httpStatus ?? null,
    attempts: outcome?.attempts ?? 0,
    response: outcome?.response ?? null,
    id: idIn(outcome?.response ?? null, idPath),
    standsFor: standsFor === null ? null : told(standsFor, type),
  };
}

/** Of another payment, only what names it is told: its answer is not the record's. */
function told(
  { run, key, amount, state, body }: Omit<StandsFor, 'payment'>,
  type: RecordType,
): RecordReport['standsFor'] {
  const { userId, title } = subjectIn(body, type);
  return { run, key, userId, title, amount, status: state };
}

const OF_CREATED = { this: 'created', earlier: 'already_created', other: 'skipped' } as const satisfies Record<
  string,
  Status
>;

/**
 * The state of a record by that of its payment. CONTRACT: "Record states".
 * @param by who brought it about: this run or call, an earlier one, or it is another payment, which the record was left out for
 */
export function statusOf(state: PaymentState, by: keyof typeof OF_CREATED): Status {
  return state === 'created' ? OF_CREATED[by] : state;
}

/** `1,200.00 EUR`, or for a result `6,750 EUR cents`; empty where there is no amount. */
export function moneyIn({ amount, currency, type }: Pick<RecordReport, 'amount' | 'currency' | 'type'>): string {
  return amount === null ? '' : moneyText(parseDecimal(amount), currency, type);
}

/** Why a record that was left out is of unknown outcome. */
export const LEFT_OUT = 'left out for an earlier payment that may have been made';

/** Why a rejected record is not sent again. @param error of its payment @param run the run of its last correction */
export function replacedWords(error: string | null, run: string): string {
  const words = `replaced by a corrected record in run ${run}, so it is never sent again`;
  return error === null ? words : `${error}; ${words}`;
}
