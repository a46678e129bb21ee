/** The data of the journal: payments with their outcomes, the runs that list them, and the claims to send them. */
import type { RecordType } from '../records/types.js';
import type { Fingerprint } from '../keys/fingerprint.js';
import type { Person } from '../world.js';
import type { ApprovedFlags, ApprovedRun, Caller, InputCall } from './audit-log.js';

/** A payment's number: its home run's number × 2^31 + its place there. It is one row, whichever runs list it. */
export type PaymentId = number;

const PLACES_PER_RUN = 2 ** 31;

/** The id of the draft for a record of a run. */
export function idOf(run: number, index: number): PaymentId {
  return run * PLACES_PER_RUN + index;
}

export function homeOf(payment: PaymentId): number {
  return Math.floor(payment / PLACES_PER_RUN);
}

/** A payment without an outcome is `not_sent`: it is open, like one that a person put back. */
export type PaymentState = 'created' | 'rejected' | 'unknown' | 'not_sent';

export interface Outcome {
  readonly state: PaymentState;
  readonly httpStatus: number | null;
  /** All attempts of all calls. */
  readonly attempts: number;
  /** The answer as JSON text, or null. */
  readonly response: string | null;
  readonly error: string | null;
  /** The ID that the service, or a proxy in front of it, gave the last attempt; null if the answer named none. */
  readonly requestId: string | null;
  /** Since when it may have been paid, milliseconds since 1970; null if it is not in doubt. */
  readonly doubtSince: number | null;
}

/** Starts the error of a payment settled as not created, which can be corrected until the payment is sent again. */
export const NOT_CREATED = 'settled as not created: ';

export interface StoredOutcome extends Outcome {
  /** Number of the run whose delivery caused it. */
  readonly run: number;
  /** Time of the outcome, milliseconds since 1970. */
  readonly at: number;
}

/**
 * Amounts of different types have different units: a payout's is as its file has it, a result's is in cents, a gig's in
 * cents for each seat. So they are never added or compared across types or currencies.
 */
interface StoredMoney {
  /** As `formatDecimal` writes it: no exponent, no needless zeros; it may be negative. Null if not known. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

/** A payment of a run that has not passed its gate yet. */
export interface Draft extends StoredMoney, Fingerprint {
  /** Place of its record in the input, from 0. */
  readonly index: number;
  readonly type: RecordType;
  readonly key: string;
  /** The exact body that is sent: canonical JSON. */
  readonly body: string;
  /** SHA-256 of the body, 64 lower-case hex digits. */
  readonly bodyHash: string;
}

/** A record's place in the run's files. */
export interface StoredPlace {
  /** Place of the record in the input, invalid records included, from 0. */
  readonly index: number;
  /** Position among the run's files. */
  readonly file: number;
  /** From 1 in each file. */
  readonly record: number;
  readonly line: number | null;
}

export interface RunRecord extends StoredPlace {
  /** The row that came with this record. If the record is left out, the row is not a payment: no key leads to it. */
  readonly payment: PaymentId;
  /** The earlier payment that this left-out record repeats: created or in doubt then. Null if accepted. */
  readonly standsFor: PaymentId | null;
}

/** A record to send, and its payment. */
export interface ToSend {
  readonly index: number;
  readonly payment: PaymentId;
  readonly type: RecordType;
}

/** With the parts of it that could be read. */
export interface InvalidRecord extends StoredPlace, StoredMoney {
  readonly type: RecordType;
  readonly error: string | null;
  /** JSON of the fields by which a person recognises it; null if it was pruned. */
  readonly body: string | null;
}

/** A payment of the history, as look-ups return it. */
export interface StoredPayment extends Fingerprint {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly bodyHash: string;
  /** See {@link StoredMoney}. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** `unknown` also if its process died while it was under way, even before another process takes it over. */
  readonly state: PaymentState;
  readonly doubtSince: number | null;
  /** A live call has accepted it, and it is not created yet. */
  readonly isLive: boolean;
  /**
   * Number of the last claim when its state last changed, or when it first came into doubt; 0 for one that was never
   * claimed. Claims are numbered in the order of time, so this shows what changed since a run passed its gate ({@link
   * Run.claimWatermark}).
   */
  readonly claimWatermark: number;
  /** Time of its state, or the start of its run if it has no outcome yet; milliseconds since 1970. */
  readonly at: number;
  /** The payment that replaced it or took its key: this one is never sent again. */
  readonly replacedBy: PaymentId | null;
  /** Its body is still stored. */
  readonly hasBody: boolean;
  /** The shortest `--key-lifetime` of all calls that named it, milliseconds; null if none had the flag. */
  readonly lifetimeMs: number | null;
  /** The batch of the run that first accepted it. */
  readonly batchId: string;
  /** The run that accepted it last. */
  readonly run: RunFacts;
}

/** The facts about a payment's run that look-ups return. */
export interface RunFacts {
  readonly number: number;
  readonly name: string;
  readonly batchId: string;
  readonly target: string;
  readonly startedAt: number;
  /** A person ended it for good: its open payments no longer count. */
  readonly isClosed: boolean;
  /** References that all rows of one of its files share: hashes. They say nothing about a single row. */
  readonly shared: ReadonlySet<number>;
}

/**
 * Used for the row of a record that was left out, instead of a run. The row may have come with a call that continued
 * another run. It is not a payment, so no run accepted it.
 */
export const NO_RUN: RunFacts = {
  number: 0,
  name: '',
  batchId: '',
  target: '',
  startedAt: 0,
  isClosed: true,
  shared: new Set(),
};

export interface RunFile {
  readonly path: string;
  readonly sha256: string;
  readonly records: number;
  /** Name of the sheet of a workbook; else null. */
  readonly sheetName: string | null;
  /** Hash of the reference that all its rows, three or more, share; else null. */
  readonly reference: number | null;
}

/** The repeats that a call leaves out. */
export interface Skips {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
}

/** A person's decisions about repeats. */
export interface Decisions extends Skips {
  /** N of `--send-similar`, or null. */
  readonly sendSimilar: number | null;
}

/** The identity of a target in the journal. */
export interface TargetName {
  readonly target: string;
  /** Distinguishes sandbox data files; empty for a real target. */
  readonly scope: string;
}

export interface RunHead extends TargetName {
  readonly command: string;
  readonly batchId: string;
  readonly startedAt: number;
  /** Names of the headers of its first call: a later call of the run needs them too. */
  readonly headers: readonly string[];
}

export interface RunEnd {
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly stopReason: string | null;
}

/** A run that has passed its gate, and who began it. */
export interface Run extends RunHead, Caller {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
  /** The repeats that its first call left out: a call that continues the run asks about these records again. */
  readonly skips: Skips;
  readonly files: readonly RunFile[];
  readonly inputCall: InputCall;
  /** Number of the last claim before its gate: anything with a later number happened after it. */
  readonly claimWatermark: number;
  /** The end of its last call; null while that call is running, and if it was cut off. */
  readonly end: RunEnd | null;
  /** Who approved it last, under which flags; null if nobody did. */
  readonly approvedBy: RunApproval | null;
  /** A person ended it for good. */
  readonly closed: SignedDecision | null;
}

/** A person's decision about a run. */
export interface SignedDecision {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: Person;
  readonly note: string;
}

export interface RunApproval extends SignedDecision {
  readonly flags: ApprovedFlags;
  /** The shared journal itself proves who gave it. */
  readonly isProof: boolean;
}

/** A person's approval of a run, and the call that gave it. */
export interface Approval extends ApprovedRun, Caller {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Where it is recorded, and whether that is a proof. */
  readonly note: string;
  /** Number of the event in the shared journal, which proves who gave it; null for an approval in a file. */
  readonly event: number | null;
}

/** A record of a stored run, with the outcome of its payment. */
export interface StoredRecord extends StoredPlace, StoredMoney {
  readonly type: RecordType;
  /** Null for an invalid record, of which only a part of the body, the money and the error are known. */
  readonly payment: PaymentId | null;
  readonly standsFor: StandsFor | null;
  readonly key: string | null;
  readonly bodyHash: string | null;
  /** Null if it was pruned, too. */
  readonly body: string | null;
  readonly outcome: StoredOutcome | null;
  /** A process is sending it: it may have been paid. */
  readonly isClaimed: boolean;
  /** Why an invalid record is invalid. */
  readonly error: string | null;
}

/** The earlier payment that a left-out record repeats. */
export interface StandsFor {
  readonly payment: PaymentId;
  /** Name of the run that accepted it last. */
  readonly run: string;
  readonly key: string;
  /** Null if it was pruned. */
  readonly body: string | null;
  readonly amount: string | null;
  readonly state: PaymentState;
}

/** A valid record of a stored run, reduced to what plans need. */
export interface RecordState {
  readonly index: number;
  /** As of a {@link RunRecord}. */
  readonly payment: PaymentId;
  readonly standsFor: PaymentId | null;
  /** Its payment is created; meaningless for a record that was left out. */
  readonly isCreated: boolean;
}

/** A person's decision about a payment in doubt. */
export interface Settlement {
  readonly at: number;
  readonly index: number;
  readonly state: 'created' | 'not_sent';
  readonly by: Person;
  readonly note: string;
  /** By an export of the service; otherwise a person has looked it up. */
  readonly isByList: boolean;
}

/** Empty for the sandbox. */
export function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : '';
}

/** Created, or may have been. */
export function isPaid({ state }: StoredPayment): boolean {
  return state === 'created' || state === 'unknown';
}

/** Paid, or about to be paid by a live call. */
export function mayBePaid(payment: StoredPayment): boolean {
  return isPaid(payment) || (payment.isLive && payment.state !== 'rejected');
}
