/** What the ledger keeps: payments, what became of them, the runs that list them, and the claims to send them. */
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import type { ApprovedFlags, ApprovedRun, Caller, InputCall } from './event.js';

/**
 * Number of a payment: its home run's number × 2^31 + its place there. A payment is one row, whichever runs list it.
 */
export type PaymentId = number;

const PLACES = 2 ** 31;

/** The id of the payment that a run's record brings along. */
export function idOf(run: number, index: number): PaymentId {
  return run * PLACES + index;
}

/** The number of a payment's home run. */
export function homeOf(payment: PaymentId): number {
  return Math.floor(payment / PLACES);
}

/** What became of a payment. One without an outcome is `not_sent`: it is open, and so is one that was put back. */
export type PaymentState = 'created' | 'rejected' | 'unknown' | 'not_sent';

export interface Outcome {
  readonly state: PaymentState;
  readonly httpStatus: number | null;
  /** All attempts of all calls. */
  readonly attempts: number;
  /** The answer as JSON text, or null. */
  readonly response: string | null;
  readonly error: string | null;
  /** What the service, or what stands before it, calls the last attempt; null where no answer named it. */
  readonly requestId: string | null;
  /** Since when it may have been carried out, milliseconds since 1970; null where it is not in doubt. */
  readonly doubtSince: number | null;
}

/** Begins the error of a payment that a person settled as not created: that word can be corrected until it is sent again. */
export const NOT_CREATED = 'settled as not created: ';

/** An outcome as it is stored. */
export interface StoredOutcome extends Outcome {
  /** Number of the run whose delivery brought it about. */
  readonly run: number;
  /** When it became so, milliseconds since 1970. */
  readonly at: number;
}

/** A payment of a run that has not passed its gate yet. */
export interface Draft {
  /** Place of its record in the input, from 0. */
  readonly index: number;
  readonly type: RecordType;
  readonly key: string;
  /** The exact body as it is sent: canonical JSON. */
  readonly body: string;
  /** SHA-256 of the body, 64 lower-case hex digits. */
  readonly bodyHash: string;
  readonly content: bigint;
  readonly similarity: bigint;
  readonly reference: bigint | null;
  readonly date: number | null;
  readonly measure: bigint | null;
  /** Decimal text; null where it is not known. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

/** Where a record of a run stands in the run's files. */
export interface RecordPlace {
  /** Place of the record in the input, invalid records included, from 0. */
  readonly index: number;
  /** Position among the run's files. */
  readonly file: number;
  /** From 1 in each file. */
  readonly record: number;
  readonly line: number | null;
}

/** A valid record of a run. */
export interface RunRecord extends RecordPlace {
  /** Its own row. The row of a record that is left out is no payment: nobody finds it by its key. */
  readonly payment: PaymentId;
  /** The payment that it was left out for: created or in doubt at that time. Null for a record that the run accepted. */
  readonly standsFor: PaymentId | null;
}

/** A record that is to be sent, and the payment that is sent for it. */
export interface ToSend {
  readonly index: number;
  readonly payment: PaymentId;
  readonly type: RecordType;
}

export interface InvalidRecord extends RecordPlace {
  readonly type: RecordType;
  readonly error: string | null;
}

/** A payment that is history, as look-ups give it. */
export interface KnownPayment {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly bodyHash: string;
  readonly content: bigint;
  readonly similarity: bigint;
  readonly reference: bigint | null;
  readonly date: number | null;
  readonly measure: bigint | null;
  readonly amount: string | null;
  readonly currency: string | null;
  /** Under way in a process that has died: `unknown`, whether that was taken over yet or not. */
  readonly state: PaymentState;
  readonly doubtSince: number | null;
  /** A live call has accepted it, and it is not created yet. */
  readonly isLive: boolean;
  /**
   * Number of the last claim when it became what it is, or when it was first in doubt; 0 for one that was never claimed.
   * Claims are numbered in the order of time, so this tells what is news since a run passed its gate ({@link Run.moment}).
   */
  readonly moment: number;
  /** When its state became so, or when its run began where nothing became of it yet; milliseconds since 1970. */
  readonly at: number;
  /** The payment that was made in its place, or that took its key over: it is never sent again. */
  readonly replacedBy: PaymentId | null;
  /** Its body is still stored. */
  readonly hasBody: boolean;
  /** The shortest `--key-lifetime` that was ever said in a call that names it, milliseconds; null where none was said. */
  readonly lifetimeMs: number | null;
  /** The batch of the run that first accepted it. */
  readonly batchId: string;
  /** The run that accepted it last. */
  readonly run: RunFacts;
}

/** What look-ups tell of a payment's run. */
export interface RunFacts {
  readonly number: number;
  readonly name: string;
  readonly batchId: string;
  readonly target: string;
  readonly startedAt: number;
  /** A person ended it for good: what it leaves open counts as none. */
  readonly isClosed: boolean;
}

/**
 * In the place of the run of a record that was left out: its row may have come with a call that went on with another run.
 * It is no payment, so no run accepted it.
 */
export const NO_RUN: RunFacts = { number: 0, name: '', batchId: '', target: '', startedAt: 0, isClosed: true };

export interface RunFile {
  readonly path: string;
  readonly sha256: string;
  readonly records: number;
}

/** How a person decided about repeats. */
export interface Decisions {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  /** N of `--send-similar`, or null. */
  readonly sendSimilar: number | null;
}

export type Skips = Pick<Decisions, 'skipCreated' | 'skipSimilar'>;

/** A target as the ledger tells it apart. */
export interface TargetName {
  readonly target: string;
  /** Tells one sandbox data file from another; empty for a real target. */
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
  /** What its first call left out: a call that goes on is asked about these records again. */
  readonly skips: Skips;
  readonly files: readonly RunFile[];
  readonly inputCall: InputCall;
  /** Number of the last claim before its gate: what has a later one has happened since. */
  readonly moment: number;
  /** How its last call ended; null while it goes on, and where that call was cut off. */
  readonly end: RunEnd | null;
  /** Who approved it last, under which flags; null where nobody did. */
  readonly approvedBy: RunApproval | null;
  /** A person ended it for good. */
  readonly closed: PersonsWord | null;
}

/** What a person decided about a run. */
export interface PersonsWord {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly by: Person;
  readonly note: string;
}

/** Who approved a run. */
export interface RunApproval extends PersonsWord {
  readonly flags: ApprovedFlags;
  /** A shared journal has written down by itself who gave it. */
  readonly isProof: boolean;
}

/** A person's approval of a run, and the call that gave it. */
export interface Approval extends ApprovedRun, Caller {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Where it is written, and what that is worth as a proof. */
  readonly note: string;
  /** Its number in the log of the shared journal, which has written down by itself who gave it; null for one in a file. */
  readonly event: number | null;
}

/** A record of a stored run, with what became of its payment. */
export interface StoredRecord extends RecordPlace {
  readonly type: RecordType;
  /** Null for an invalid record, as are all of the following. */
  readonly payment: PaymentId | null;
  readonly standsFor: StandsFor | null;
  readonly key: string | null;
  readonly bodyHash: string | null;
  /** Null where it was pruned, too. */
  readonly body: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  readonly outcome: StoredOutcome | null;
  /** A process has it under way: it may have been carried out. */
  readonly isClaimed: boolean;
  /** Name of the run and key of what replaced it; null for most. */
  readonly replacedBy: { readonly run: string; readonly key: string } | null;
  /** Why an invalid record is invalid. */
  readonly error: string | null;
}

/** The payment that a record was left out for. */
export interface StandsFor {
  readonly payment: PaymentId;
  /** Name of the run that accepted it last. */
  readonly run: string;
  readonly key: string;
  /** Null where it was pruned. */
  readonly body: string | null;
  readonly amount: string | null;
  readonly state: PaymentState;
}

/** A valid record of a stored run, as far as plans need it. */
export interface RecordState extends Pick<RunRecord, 'index' | 'payment' | 'standsFor'> {
  /** Its payment is created; of one that is left out, it does not matter. */
  readonly isCreated: boolean;
}

/** A person's word about a payment in doubt. */
export interface Settlement {
  readonly at: number;
  readonly index: number;
  readonly state: 'created' | 'not_sent';
  readonly by: Person;
  readonly note: string;
}

/** Of a target's name; empty for the sandbox. */
export function hostOf(target: string): string {
  return URL.canParse(target) ? new URL(target).host : '';
}

/** It is created, or may be. */
export function isPaid({ state }: KnownPayment): boolean {
  return state === 'created' || state === 'unknown';
}

/** It is paid, or a live call is about to pay it. */
export function mayBePaid(payment: KnownPayment): boolean {
  return isPaid(payment) || (payment.isLive && payment.state !== 'rejected');
}
