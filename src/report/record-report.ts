/**
 * A reported record, and its run. Events, report files, results and the commands on earlier runs all use this, whether
 * the records come from the entries of a call (live-records.ts) or from the journal (stored-records.ts).
 */
import type { Status } from '../prepare/record-table.js';
import { responseId } from '../delivery/http/response.js';
import type { Journal } from '../journal/journal.js';
import type {
  StoredPayment,
  PaymentState,
  SignedDecision,
  Run,
  StandsFor,
  StoredOutcome,
  StoredRecord,
} from '../journal/payment.js';
import { parseDecimal } from '../money/decimal.js';
import type { RecordPlace } from '../records/issue.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/currencies.js';
import { subjectIn } from '../records/kinds.js';

/** One record's outcome. Its members are named as in the `record` event of `--json` and in report files. */
export interface RecordReport extends RecordPlace {
  readonly file: string;
  readonly type: RecordType;
  readonly key: string | null;
  readonly status: Status;
  readonly http_status: number | null;
  readonly attempts: number;
  /** The answer as JSON text, or null. */
  readonly response: string | null;
  /** Why it is not created, if it is not. */
  readonly error: string | null;
  /** The exact body, in dry runs. */
  readonly request: string | null;
  readonly user_id: string | null;
  readonly title: string | null;
  /** Decimal text; null if not known. That of an invalid record counts in no sum. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly cost_center: string | null;
  /** `reference_id` of a payout, `gig_task_id` of a result. */
  readonly reference_id: string | null;
  /** YYYY-MM-DD. Not in events. */
  readonly date: string | null;
  /** The id that the service gave it. */
  readonly id: string | null;
  /** The service's name for the last request, for questions to the service. Not in events. */
  readonly request_id: string | null;
  /** Number of the run whose delivery caused its state; null if there is none. Not in events. */
  readonly settled_by: number | null;
  /** That is the run that lists it. Not in events. */
  readonly is_own: boolean;
  /** Time of its state, ISO 8601; null for one that was never sent. */
  readonly at: string | null;
  /** The payment that it repeats, if it was left out; null for most. */
  readonly stands_for: OtherPayment | null;
  /** Its last correction: nobody has to do anything about the record itself. Not in events. */
  readonly corrected_by: (OtherPayment & { readonly currency: string | null }) | null;
  /** The run that lists it; null if there is none. Not in events. */
  readonly run: string | null;
  /** That run was closed: its open records no longer count. Not in events. */
  readonly is_closed: boolean;
}

/** Another payment, as shown with a record. */
interface OtherPayment {
  readonly run: string;
  readonly key: string;
  readonly user_id: string | null;
  readonly title: string | null;
  readonly amount: string | null;
  readonly status: PaymentState;
}

type Stored = 'record' | 'line' | 'type' | 'key' | 'body' | 'amount' | 'currency' | 'costCenter';

/** What became of a record. */
export interface RecordFacts extends Pick<RecordReport, 'file' | 'status' | 'error' | 'request'> {
  /** The outcome of its own payment. */
  readonly outcome: StoredOutcome | null;
  /** Of the last request, also if the record shows another payment. */
  readonly requestId: string | null;
  /** Milliseconds since 1970. */
  readonly at: number | null;
  readonly standsFor: Omit<StandsFor, 'payment'> | null;
  readonly correction: Other | null;
  /** The run that lists it. */
  readonly run: Pick<Run, 'number' | 'name' | 'closed'> | null;
}

/**
 * @param record its body as it is sent, or the known part of it; null if it was pruned
 * @param idPath where an answer has its id
 */
export function recordReport(
  record: Pick<StoredRecord, Stored> & RecordPlace,
  known: RecordFacts,
  idPath: string,
): RecordReport {
  const { type } = record;
  const { outcome, at, standsFor, correction, run } = known;
  const { userId, title, referenceId, date } = subjectIn(record.body, type);
  // Member by member: spreading objects costs more than everything else here, and there may be millions.
  return {
    file: known.file,
    record: record.record,
    line: record.line,
    row: record.row,
    type,
    key: record.key,
    status: known.status,
    error: known.error,
    request: known.request,
    user_id: userId,
    title,
    reference_id: referenceId,
    date,
    amount: record.amount,
    currency: record.currency,
    cost_center: record.costCenter,
    http_status: outcome?.httpStatus ?? null,
    attempts: outcome?.attempts ?? 0,
    response: outcome?.response ?? null,
    id: responseId(outcome?.response ?? null, idPath, outcome?.state === 'created'),
    request_id: known.requestId,
    settled_by: outcome?.run ?? null,
    is_own: outcome !== null && outcome.run === run?.number,
    at: at === null ? null : new Date(at).toISOString(),
    stands_for: standsFor === null ? null : told(standsFor, type),
    corrected_by: correction === null ? null : { ...told(correction, type), currency: correction.currency },
    run: run?.name ?? null,
    is_closed: (run?.closed ?? null) !== null,
  };
}

/** Another payment is only identified: its answer does not belong to the record. */
function told({ run, key, amount, state, body }: Omit<StandsFor, 'payment'>, type: RecordType): OtherPayment {
  const { userId, title } = subjectIn(body, type);
  return { run, key, user_id: userId, title, amount, status: state };
}

type Other = Omit<StandsFor, 'payment'> & { readonly currency: string | null };

/** Payments that records name, with their bodies. @throws JournalError */
export async function loadRelatedPayments(
  payments: Iterable<StoredPayment>,
  journal: Journal | null,
): Promise<(payment: StoredPayment | undefined) => Other | null> {
  const ids = [...new Set([...payments].map(({ id }) => id))];
  const bodies = journal === null || ids.length === 0 ? [] : await journal.bodies(ids);
  const bodyOf = new Map(ids.map((id, i) => [id, bodies[i] ?? null]));
  return (payment) =>
    payment === undefined ? null : { ...payment, run: payment.run.name, body: bodyOf.get(payment.id) ?? null };
}

/** The facts about a run that a page shows; for one that is not in the journal, of the present call. */
export interface ReportedRun extends Pick<Run, 'command' | 'files' | 'by' | 'version' | 'closed'> {
  /** Null if nobody did before it was sent. */
  readonly approvedBy: SignedDecision | null;
  readonly name: string | null;
  readonly digest: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
}

/** The facts about a run, or all runs of a batch, in a report file. */
export interface ReportHead {
  /** Oldest first; at least one. */
  readonly runs: readonly ReportedRun[];
  readonly target: string | null;
  readonly batchId: string;
  readonly dryRun: boolean;
  /** Why the run was refused; empty if it was not. */
  readonly refusal: readonly string[];
  /** When the report was made, milliseconds since 1970. */
  readonly madeAt: number;
}

/** Pieces of the file's text. */
export type ReportFormat = (head: ReportHead, rows: AsyncIterable<RecordReport>) => AsyncIterable<string>;

const OF_CREATED = { this: 'created', earlier: 'already_created', other: 'skipped' } as const;

/**
 * The state of a record from that of its payment. CONTRACT: "Record states".
 * @param by what caused it: this run or call, an earlier one, or another payment that the left-out record repeats
 */
export function recordStatus(state: PaymentState, by: keyof typeof OF_CREATED): Status {
  return state === 'created' ? OF_CREATED[by] : state;
}

/** `1,200.00 EUR`, or for a result `6,750 EUR cents`; empty if there is no amount. */
export function moneyIn({ amount, currency, type }: Pick<RecordReport, 'amount' | 'currency' | 'type'>): string {
  return amount === null ? '' : moneyText(parseDecimal(amount), currency, type);
}

/** Why a record that was left out is not confirmed. */
export const LEFT_OUT = 'left out for an earlier payment that may have been made';

/**
 * Why a rejected record is not sent again.
 * @param error of its payment
 * @param run the run of its last correction
 */
export function replacedWords(error: string | null, run: string): string {
  const words = `replaced by a corrected record in run ${run}, so it is never sent again`;
  return error === null ? words : `${error}; ${words}`;
}
