/** The queries, drafts and plan that a run passes to the journal. For the plan, the run gets the right to send. */
import type { Fingerprint } from '../keys/fingerprint.js';
import type { RecordType } from '../records/types.js';
import type { Person } from '../world.js';
import type { InputCall, ServiceList } from './audit-log.js';
import type {
  Approval,
  Draft,
  InvalidRecord,
  Outcome,
  PaymentId,
  PaymentState,
  Run,
  RunFile,
  RunRecord,
  Skips,
  StoredOutcome,
  StoredRecord,
  TargetName,
} from './payment.js';

/** A run while its records are checked. */
export interface DraftRun {
  readonly number: number;
  readonly name: string;
  /** Stores payments that may become history; each gets the id {@link idOf}(number, index). */
  store(drafts: readonly Draft[]): Promise<void>;
  /** Deletes the run and its drafts. */
  readonly abandon: () => Promise<void>;
}

/** Payments that a plan stops sending. */
export interface Withdrawals {
  /** Open payments that the run had accepted but now leaves out: they are no longer payments. */
  readonly withdrawn: readonly PaymentId[];
  /** Payments that lose their key or are corrected, each with its replacement, which is mostly a draft. */
  readonly replaced: readonly { readonly payment: PaymentId; readonly by: PaymentId }[];
}

/** The decisions of the review. */
export interface Plan extends Withdrawals {
  /** The target's version before the first look-up. */
  readonly version: number;
  readonly target: TargetName;
  /** The run to continue; null for a new one, which `preparation` has begun. */
  readonly run: Run | null;
  readonly batchId: string;
  /** Null if a run is resumed from the journal alone. Drafts that no record points at are deleted. */
  readonly preparation: DraftRun | null;
  readonly digest: string;
  readonly skips: Skips;
  readonly inputCall: InputCall;
  /** The `--key-lifetime` of the call, milliseconds; null without it. Stored with each payment of the plan. */
  readonly lifetimeMs: number | null;
  /** The approval of this plan, which becomes the run's; null if none was given: the run keeps its earlier one. */
  readonly approval: Approval | null;
  /** The run's files and records from now on. Accepted records that point at drafts of `preparation` make these history. */
  readonly list: {
    readonly files: readonly RunFile[];
    readonly records: Iterable<RunRecord>;
    readonly invalid: Iterable<InvalidRecord>;
  };
  /** Known payments that are sent, and rows of records that the run left out until now. */
  readonly sends: readonly PaymentId[];
  /** Payments whose bodies were pruned and are needed again. */
  readonly bodies: readonly { readonly payment: PaymentId; readonly body: string }[];
  /** Whether this process delivers the run. If false, nothing can be claimed. */
  readonly delivers: boolean;
}

/** A payment that this process may send: its claim is durable. */
export interface Claimed {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string;
  readonly claim: number;
  /** See `lifetimeMs` of a known payment. */
  readonly lifetimeMs: number | null;
  /** Its outcome before; null if it had none. */
  readonly earlier: Outcome | null;
}

/** A wanted payment that cannot be sent. */
export type ClaimRefusal =
  /** It has an outcome by now: mostly a late answer or a person settled it as created in the meantime. */
  | { readonly id: PaymentId; readonly why: 'settled'; readonly outcome: StoredOutcome }
  /** It is open, but another payment replaced it, or its body was pruned. */
  | { readonly id: PaymentId; readonly why: 'replaced' | 'pruned' };

export interface Claims {
  readonly claimed: readonly Claimed[];
  readonly unclaimed: readonly ClaimRefusal[];
  /** When the outcomes were stored, by the journal's clock, milliseconds since 1970. */
  readonly at: number;
}

export interface NewOutcome {
  readonly id: PaymentId;
  readonly claim: number;
  readonly outcome: Outcome;
}

/** Whether a request may leave. A right to send that can expire must still be valid. */
export interface SendPermit {
  /**
   * Right now. For a payment without a key, the right must also outlast the request.
   * @param ms the longest time that the request takes, milliseconds
   */
  maySend(type: RecordType, ms: number): boolean;
  /**
   * Fulfilled when a request may leave, or the signal aborts; null if it may leave now.
   * @throws JournalError when no request may ever leave again
   */
  waitForPermit(type: RecordType, ms: number, stop: AbortSignal): Promise<void> | null;
}

/** The right to send payments of a run, from its gate until {@link leave}. */
export interface Delivery extends SendPermit {
  readonly run: Run;
  /**
   * Stores outcomes and claims all wanted payments in one durable commit. The plan decided to send them: after its
   * gate, no other process may claim them. If a claimed payment is not sent after all, settle it with its earlier
   * outcome.
   * @throws JournalError when nothing may be claimed any more: the file was replaced, a body was changed, or others
   *   have declared this process dead. The outcomes are stored nevertheless.
   */
  storeAndClaim(settled: readonly NewOutcome[], wanted: readonly PaymentId[]): Promise<Claims>;
  /** Whether any payment of this type was ever created at the run's target. */
  hasCreated(type: RecordType): Promise<boolean>;
  /** This process no longer delivers the run. */
  leave(): Promise<void>;
}

/** Which payments in doubt may be sent again. */
export interface DoubtRules {
  /** Whether its key protects it, regardless of a person's decisions. */
  readonly isProtected: (payment: DoubtfulPayment) => boolean;
  /** Whether its key protects it or a person allows it. */
  readonly mayResend: (payment: DoubtfulPayment) => boolean;
}

export interface DoubtfulPayment {
  readonly type: RecordType;
  /** Milliseconds since 1970. */
  readonly doubtSince: number;
  /** See `lifetimeMs` of a known payment. */
  readonly lifetimeMs: number | null;
}

export interface ClaimRules extends DoubtRules {
  readonly retryRejected: boolean;
}

/** A record's key, and the SHA-256 of its body, 64 lower-case hex digits. */
export interface KeyedBody {
  readonly key: string;
  readonly bodyHash: string;
}

export interface LiveCall {
  /** Number and name of its run. */
  readonly run: number;
  readonly name: string;
  readonly by: Person;
  /** When it passed the gate, milliseconds since 1970. */
  readonly since: number;
}

/** A payment's place in the run that accepted it last. */
export interface HomePlace {
  /** Place of its record in the run, from 0. */
  readonly index: number;
  readonly file: string;
  readonly record: number;
  readonly line: number | null;
}

/** Records that follow each other in a file, and whose payments do too. */
export interface SentPlaces {
  readonly run: number;
  /** Of the file. */
  readonly sha256: string;
  readonly sheet: string | null;
  /** The first payment, and how many there are. */
  readonly payment: PaymentId;
  readonly count: number;
  /** The place of the first one; a line only where the file has lines. */
  readonly record: number;
  readonly line: number | null;
}

export interface RunQuery {
  readonly target?: TargetName;
  readonly digest?: string;
  readonly batchId?: string;
  readonly name?: string;
  /** The beginning of the name. */
  readonly beginning?: string;
}

/** A run that was like a call. */
export interface LikeRun {
  readonly name: string;
  readonly batchId: string;
  /** It has the call's profile; else it has a file of the same name. */
  readonly isOfProfile: boolean;
}

/** Payments whose numbers follow each other. */
export interface PaymentStretch {
  readonly first: PaymentId;
  readonly last: PaymentId;
}

/** A payment that is created, and the answer that said so. */
export interface ConfirmedPayment {
  readonly id: PaymentId;
  /** JSON text. */
  readonly response: string;
}

/** A payment, and the last answer to it, whether that confirmed it or not. */
export interface AnsweredPayment extends ConfirmedPayment {
  readonly type: RecordType;
  readonly isCreated: boolean;
  /** Null if a person has settled the payment. */
  readonly httpStatus: number | null;
}

/** What a person says of a payment in doubt. */
export interface SettleDecision {
  /** The run for which it is said. */
  readonly run: Run;
  readonly record: StoredRecord;
  readonly outcome: Outcome;
  /** How long the service may still be at a request, milliseconds. */
  readonly requestMs: number;
  /** The service's list that shows it. No live call may have accepted the payment then. Null for a person's own word. */
  readonly list: ServiceList | null;
}

/** A record of a stored run, reduced to what sums need. */
export interface RecordSum {
  readonly index: number;
  readonly type: RecordType;
  /**
   * The payment whose outcome it shows: the one that came with it, or for a left-out record the earlier one that it
   * repeats. Null for an invalid record.
   */
  readonly payment: PaymentId | null;
  readonly isLeftOut: boolean;
  /** The state of that payment; `unknown` while it is claimed. */
  readonly state: PaymentState;
  /** Number of the run whose delivery caused the state. */
  readonly settledBy: number | null;
  /** Since when it is in doubt, if it is and the time is known, milliseconds since 1970. */
  readonly doubtSince: number | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

/** What a valid record of a run is compared by. */
export interface RecordPrint extends Fingerprint {
  readonly index: number;
  /** As it is sent; null if the body was pruned, and for a gig. */
  readonly payeeId: string | null;
}

/** A run of a profile, to be compared with a later call. */
export interface ProfileRun {
  readonly number: number;
  readonly name: string;
  readonly batchId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Its last call has ended, and it has no open payment, or a person has closed it. */
  readonly isFinished: boolean;
}

/** Payments that were made, or may have been: a list for each fact, because there may be millions. */
export interface PaidAmounts {
  readonly ids: readonly PaymentId[];
  readonly types: readonly RecordType[];
  /** See {@link Fingerprint}. */
  readonly payees: readonly number[];
  readonly amounts: readonly (string | null)[];
  readonly currencies: readonly (string | null)[];
  /** As they were sent; null if the body was pruned, and for a gig. */
  readonly payeeIds: readonly (string | null)[];
}
