/** How the records of a run are claimed, sent and settled: the journal as an outbox. */
import type { RecordType } from '../records/kind.js';
import type { Outcome } from './record.js';

/** A record that this process has claimed; its intent is durable. */
export interface ClaimedRecord {
  readonly id: number;
  readonly index: number;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string;
  /** What was known of it before this claim; null when nothing was. */
  readonly earlier: Outcome | null;
  /** The number of the claim that covers it. */
  readonly intent: number;
}

/** A record that was looked at and not claimed, with the reason. */
export type Unclaimed =
  /** Settled by an earlier call or another process. */
  | { readonly id: number; readonly index: number; readonly why: 'settled'; readonly outcome: Outcome }
  /** In doubt, and not to be sent again. */
  | { readonly id: number; readonly index: number; readonly why: 'doubt'; readonly outcome: Outcome }
  /** Under way in another live process, or about to be. */
  | { readonly id: number; readonly index: number; readonly why: 'elsewhere' };

export interface Claim {
  readonly claimed: readonly ClaimedRecord[];
  readonly unclaimed: readonly Unclaimed[];
  /** Every record of the run has been looked at. */
  readonly end: boolean;
}

/** A record that may have been carried out. */
export interface InDoubt {
  readonly type: RecordType;
  /** See {@link Outcome.doubtSince}. */
  readonly doubtSince: number;
}

/** Which records in doubt may be sent again. */
export interface DoubtRules {
  /** Its key protects it, whatever a person has allowed. */
  readonly isProtected: (record: InDoubt) => boolean;
  /** Its key protects it, or a person has said so. */
  readonly mayResend: (record: InDoubt) => boolean;
}

export interface ClaimOptions {
  /** How many records can be sent at once. */
  readonly free: number;
  /** How many keyed records beyond that may be claimed ahead. Unkeyed ones never are: a crash would put them in doubt. */
  readonly ahead: number;
  /** Which records in doubt are claimed. */
  readonly rules: DoubtRules;
}

export interface SettledRecord {
  readonly id: number;
  readonly index: number;
  readonly intent: number;
  readonly outcome: Outcome;
  /** It was in doubt and is created now: where other runs have the same key in doubt, this settles it there too. */
  readonly twins: boolean;
}

/** The records of one run, as a process delivers them. */
export interface Outbox {
  /**
   * Stores outcomes, then claims the next records: one durable commit for both. A claimed record that is not sent after
   * all is settled like any other.
   */
  exchange(settled: readonly SettledRecord[], claim: ClaimOptions | null): Claim;
  /** Looks again at records that were elsewhere. Claims them when nobody holds them any more. */
  revisit(ids: readonly number[], claim: ClaimOptions): Claim;
  /** This process no longer delivers the run. */
  leave(): void;
}
