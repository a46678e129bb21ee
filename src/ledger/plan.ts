/** What the ledger is asked, and what a run hands it: its drafts, and the plan that its gate makes history. */
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import type {
  Approval,
  Draft,
  InvalidRecord,
  PaymentId,
  Run,
  RunFile,
  RunRecord,
  Skips,
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
