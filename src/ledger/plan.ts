/**
 * What the ledger is asked, and what a run hands it: its drafts, and the plan that its gate makes history. For the plan it
 * gets the right to send.
 */
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import type { InputCall } from './event.js';
import type {
  Approval,
  Draft,
  InvalidRecord,
  Outcome,
  PaymentId,
  Run,
  RunFile,
  RunRecord,
  Skips,
  StoredOutcome,
  TargetName,
} from './payment.js';

/** A run while its records are checked. */
export interface Preparation {
  readonly number: number;
  readonly name: string;
  /** Stores payments that may become history; each gets the id {@link idOf}(number, index). */
  store(drafts: readonly Draft[]): Promise<void>;
  /** Forgets the run and its drafts. */
  abandon(): Promise<void>;
}

/** What of a plan stops being sent. */
export interface Leaving {
  /** Open payments that the run had accepted, and leaves out from now on: they are none any more. */
  readonly givenUp: readonly PaymentId[];
  /** Payments that leave their key or are corrected, each with the one that stands in for it from now on: mostly a draft. */
  readonly replaced: readonly { readonly payment: PaymentId; readonly by: PaymentId }[];
}

/** What preflight decided. */
export interface Plan extends Leaving {
  /** Of the target, before the first look-up. */
  readonly version: number;
  readonly target: TargetName;
  /** The run that goes on; null for a new one, which `preparation` has begun. */
  readonly run: Run | null;
  readonly batchId: string;
  /** Null where a run is resumed from the ledger alone. Its drafts that no record points at are deleted. */
  readonly preparation: Preparation | null;
  readonly digest: string;
  readonly skips: Skips;
  readonly inputCall: InputCall;
  /** The `--key-lifetime` of the call, milliseconds; null where none was said. It is kept with each payment that it names. */
  readonly lifetimeMs: number | null;
  /** What allows it to be sent, from now on the run's own; null where none was given: the run keeps the one that it has. */
  readonly approval: Approval | null;
  /**
   * The files and records of the run as this input has them; null where the run's own stay as they are. Accepted records
   * that point at drafts of `preparation` make these history.
   */
  readonly list: {
    readonly files: readonly RunFile[];
    readonly records: Iterable<RunRecord>;
    readonly invalid: Iterable<InvalidRecord>;
  } | null;
  /** What the ledger had before and is sent: payments, and rows of records that the run left out until now. */
  readonly sends: readonly PaymentId[];
  /** Payments whose bodies were pruned and are needed again. */
  readonly bodies: readonly { readonly payment: PaymentId; readonly body: string }[];
  /** This process delivers the run from now on; false where nothing is to be sent: then nothing can be claimed. */
  readonly delivers: boolean;
}

/** A payment that this process may send: its claim is durable. */
export interface Claimed {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string;
  /** Number of the claim. */
  readonly claim: number;
  /** See `lifetimeMs` of a known payment. */
  readonly lifetimeMs: number | null;
  /** What was known of it before; null when nothing was. */
  readonly earlier: Outcome | null;
}

/** A wanted payment that cannot be sent. */
export type Unclaimed =
  /** It has an outcome that nothing changes now: mostly it was created meanwhile, as a late answer or a person said. */
  | { readonly id: PaymentId; readonly why: 'settled'; readonly outcome: StoredOutcome }
  /** It is open, but another payment replaced it, or its body is gone. */
  | { readonly id: PaymentId; readonly why: 'unsendable'; readonly reason: string };

export interface Claims {
  readonly claimed: readonly Claimed[];
  readonly unclaimed: readonly Unclaimed[];
  /** When the outcomes were stored, by the journal's clock, milliseconds since 1970. */
  readonly at: number;
}

export interface Settled {
  readonly id: PaymentId;
  readonly claim: number;
  readonly outcome: Outcome;
}

/** Whether a request may leave. Where the right to send can run out, it must not have run out. */
export interface Right {
  /**
   * At this very moment; for a payment without a key, the right must not run out before the request is over.
   * @param ms the longest time that the request takes, milliseconds
   */
  maySend(type: RecordType, ms: number): boolean;
  /**
   * Fulfilled when a request may leave, or the signal aborts; null where it may now.
   * @throws JournalError when it may not any more
   */
  untilMaySend(type: RecordType, ms: number, stop: AbortSignal): Promise<void> | null;
}

/** The right to send payments of a run, from its gate until {@link leave}. */
export interface Delivery extends Right {
  readonly run: Run;
  /**
   * Stores outcomes and claims all wanted payments in one durable commit. The plan decided that they are sent: from its
   * gate on, no other process may claim them. A claimed payment that is not sent after all is settled like any other,
   * with its earlier outcome.
   * @throws JournalError when nothing may be claimed any more: the file was replaced, a body was changed, or others have
   *   taken this process for dead. The outcomes are stored all the same.
   */
  exchange(settled: readonly Settled[], wanted: readonly PaymentId[]): Promise<Claims>;
  /** Whether any payment of this type was ever created at the run's target. */
  hasCreated(type: RecordType): Promise<boolean>;
  /** This process no longer delivers the run. */
  leave(): Promise<void>;
}

/** Which payments in doubt may be sent again. */
export interface DoubtRules {
  /** Its key protects it, whatever a person has allowed. */
  readonly isProtected: (payment: DoubtfulPayment) => boolean;
  /** Its key protects it, or a person has said so. */
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
export interface Keyed {
  readonly key: string;
  readonly bodyHash: string;
}

/** A call that sends. */
export interface LiveCall {
  /** Number and name of its run. */
  readonly run: number;
  readonly name: string;
  readonly by: Person;
  /** When it passed the gate, milliseconds since 1970. */
  readonly since: number;
}

/** Where a payment stands in its home run. */
export interface HomePlace {
  readonly file: string;
  readonly record: number;
  readonly line: number | null;
}

export interface RunQuery {
  readonly target?: TargetName;
  readonly digest?: string;
  readonly batchId?: string;
  /** The whole name. */
  readonly name?: string;
  /** The beginning of the name. */
  readonly beginning?: string;
}
