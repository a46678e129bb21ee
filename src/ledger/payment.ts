/** What the ledger keeps: payments, what became of them, the runs that list them, and the claims to send them. */
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import type { ApprovedFlags, ApprovedRun } from './approval.js';
import type { Caller } from './event.js';

/**
 * Number of a payment: its home run's number × 2^31 + its place there. A payment is one row, whichever runs list it.
 */
export type PaymentId = number;

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

/**
 * Why a record of a run is not sent itself: a person said that it was paid already. It stands for the payment that it
 * lists: one of the same content, or one that is only similar.
 */
export type LeftOut = 'same' | 'similar';

/** A valid record of a run: a pointer at a payment. */
export interface RunRecord extends RecordPlace {
  readonly payment: PaymentId;
  readonly leftOut: LeftOut | null;
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
  readonly amount: string | null;
  readonly currency: string | null;
  /** Under way in a process that has died: `unknown`, whether that was taken over yet or not. */
  readonly state: PaymentState;
  readonly doubtSince: number | null;
  /** A live process has it under way, or delivers a run that lists it and will still come to it. */
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
  /**
   * Its home run; where a run that goes on has taken it from a later preparation, that run: `homeOf` names the
   * preparation then. Where its home run has ended, and an unfinished one has tried it again and put it back, that one.
   */
  readonly run: RunFacts;
}

/** What look-ups tell of a payment's home run. */
export interface RunFacts {
  readonly number: number;
  readonly name: string;
  readonly batchId: string;
  readonly target: string;
  readonly startedAt: number;
  /** It sends nothing more: closed by a person, or everything in it is created or definitely rejected. */
  readonly isEnded: boolean;
}

export interface RunFile {
  readonly path: string;
  readonly sha256: string;
  readonly records: number;
}

/** How a person decided about repeats. Two calls with other decisions are two runs. */
export interface Decisions {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  /** N of `--send-similar`, or null. */
  readonly sendSimilar: number | null;
}

export interface RunHead {
  readonly command: string;
  readonly target: string;
  /** Tells one sandbox data file from another; empty for a real target. */
  readonly scope: string;
  readonly batchId: string;
  readonly startedAt: number;
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
  readonly decisions: Decisions;
  readonly files: readonly RunFile[];
  /** Number of the last claim before its gate: what has a later one has happened since. */
  readonly moment: number;
  /** How its last call ended; null while it goes on, and where that call was cut off. */
  readonly end: RunEnd | null;
  /** Who approved it last, under which flags; null where nobody did. */
  readonly approvedBy: (PersonsWord & { readonly flags: ApprovedFlags }) | null;
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

/** A person's approval of a run, and the call that gave it. */
export interface Approval extends ApprovedRun, Caller {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Where it is written, and what that is worth as a proof. */
  readonly note: string;
}

/** A record of a stored run, with what became of its payment. */
export interface StoredRecord extends RecordPlace {
  readonly type: RecordType;
  /** Null for an invalid record, as are all of the following. */
  readonly payment: PaymentId | null;
  readonly leftOut: LeftOut | null;
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

/** How a record of a stored run stands, as far as plans need it. */
export interface RecordState {
  readonly index: number;
  /** Null for an invalid record. */
  readonly payment: PaymentId | null;
  readonly leftOut: LeftOut | null;
  /** A payment that is under way counts as `unknown`. */
  readonly state: PaymentState;
  /** A live process has it under way: its outcome is to be waited for. */
  readonly isUnderWay: boolean;
  readonly doubtSince: number | null;
  readonly isReplaced: boolean;
  /** Its body is still stored. Not looked at where it is created: it is not sent again. */
  readonly hasBody: boolean;
}

/** The same with what sums need, and what it is. */
export interface ListedRecord extends RecordState {
  readonly type: RecordType;
  /** Number of the run whose delivery brought its state about; null without an outcome. */
  readonly settledBy: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

/** A person's word about a payment in doubt. */
export interface Settlement {
  readonly at: number;
  readonly index: number;
  readonly state: 'created' | 'not_sent';
  readonly by: Person;
  readonly note: string;
}
