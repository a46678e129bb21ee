/**
 * What a ledger does. It knows each payment once (target and key), and runs as lists that point at payments. What is
 * stored is durable when a promise is fulfilled. All of its functions throw JournalError when the store cannot be used.
 */
import type { RecordType } from '../records/kind.js';
import type { Person } from '../world.js';
import type { ApprovedRun, Caller, LedgerEvent } from './event.js';
import type { Standing } from './standing.js';
import type {
  Approval,
  Draft,
  InvalidRecord,
  KnownPayment,
  ListedRecord,
  Outcome,
  PaymentId,
  RecordState,
  Run,
  RunEnd,
  RunFile,
  RunHead,
  RunRecord,
  Settlement,
  Skips,
  StoredOutcome,
  StoredRecord,
} from './payment.js';

/** A target as the ledger tells it apart. */
export type TargetName = Pick<RunHead, 'target' | 'scope'>;

export interface Ledger {
  /** The database's user, whom nobody else can claim to be; null where persons are what their machines say. */
  readonly user: string | null;
  /** Takes over what dead processes left: their claims become doubt, dated from the claim; their drafts are deleted. */
  recover(): Promise<void>;

  /**
   * Counts what changes the history that plans rely on: gates that were passed, persons' words, closed runs. To be read
   * before the first look-up; {@link commit} refuses a plan whose version is not the present one. 0 where nothing ever
   * passed a gate at the target: then look-ups can be left out.
   */
  version(target: TargetName): Promise<number>;
  /** Whether it is the journal in use. */
  standing(): Promise<Standing>;
  /**
   * The payments that stand for these keys with these very bodies, in the order asked for; 0 for none, and where the body
   * was pruned. Some thousand at a time, in the order of the input: a file that was run before is found in one stretch.
   * It only saves storing a record twice: where the first of them are no payments, all may be given as none.
   */
  stored(target: TargetName, records: readonly Keyed[]): Promise<PaymentId[]>;
  /**
   * The payments that now stand for these keys, some thousand at a time; in any order, none for an unknown key. One that
   * was replaced by a payment with another key still stands for its own, with `replacedBy`.
   */
  find(target: TargetName, keys: readonly string[]): Promise<KnownPayment[]>;
  /**
   * The payments of these similarities, also those that no longer stand for their key. Equal content implies equal
   * similarity, so this finds equal content too.
   */
  bySimilarity(target: TargetName, similarities: readonly bigint[]): Promise<KnownPayment[]>;
  /** Payments at the target that are in doubt, or rejected and not replaced. */
  unsettled(target: TargetName): Promise<KnownPayment[]>;
  /** Whether anything ever passed a gate at another target, sandboxes aside: else there is nothing to be found there. */
  hasElsewhere(target: TargetName): Promise<boolean>;
  /** Payments under these keys that are created or in doubt at other targets, sandboxes aside. */
  elsewhere(target: TargetName, keys: readonly string[]): Promise<KnownPayment[]>;
  /** The batches of all runs at the target. */
  batches(target: TargetName): Promise<string[]>;
  /** The calls that send at this moment, each between its gate and its end. */
  liveCalls(): Promise<LiveCall[]>;
  /** Payments by their numbers; none for an unknown one. */
  byId(payments: readonly PaymentId[]): Promise<KnownPayment[]>;
  /** What became of payments, in the order asked for; null where nothing did. One that is under way is `unknown`. */
  outcomes(payments: readonly PaymentId[]): Promise<(StoredOutcome | null)[]>;
  /** Bodies of stored payments, drafts or history, in the order asked for; null where there is none any more. */
  bodies(payments: readonly PaymentId[]): Promise<(string | null)[]>;
  /** Where payments stand in their home runs, in the order asked for. */
  places(payments: readonly PaymentId[]): Promise<(HomePlace | null)[]>;

  /** Begins to store a run. Nobody sees it before it has passed its gate. */
  prepare(head: RunHead): Promise<Preparation>;
  /**
   * The gate: one durable transaction makes the plan history. Gives null, and changes nothing, when the history has
   * changed since the plan's version was read, or a payment that the plan replaces or gives up is created, in doubt, under way or
   * replaced by now: then the plan has to be computed again.
   */
  commit(plan: Plan): Promise<Delivery | null>;

  /** Runs that have passed their gate, the newest first. */
  runs(query?: RunQuery): Promise<Run[]>;
  /**
   * A page of a run's records in the order of the input, invalid ones included.
   * @param from place of the first one that is wanted, @param count at most so many
   */
  records(run: Run, from: number, count: number): Promise<StoredRecord[]>;
  /** The same with what plans need alone. */
  states(run: Run, from: number, count: number): Promise<RecordState[]>;
  /** The same with what sums need, too: no bodies, answers and places. */
  listed(run: Run, from: number, count: number): Promise<ListedRecord[]>;
  end(run: Run, end: RunEnd): Promise<void>;
  /** Ends a run for good. @throws UsageError when it is finished, closed, or a live process delivers it */
  close(run: Run, note: string): Promise<void>;
  /**
   * A person's word about payments in doubt, all or none.
   * @throws UsageError when one of them is under way, or no longer in doubt: the word was about an earlier state
   */
  settle(run: Run, records: readonly StoredRecord[], outcome: Outcome, note: string): Promise<void>;
  /** Writes an approval down, as given by whoever has opened the ledger. Only where {@link user} proves who that is. */
  approve(run: ApprovedRun, caller: Caller): Promise<void>;
  /** The approvals of runs of this digest that were given in the ledger itself, the newest first. */
  approvals(digest: string): Promise<Approval[]>;
  /** What persons said about records of a run, in order. */
  settlements(run: Run): Promise<Settlement[]>;
  /**
   * Removes bodies, answers and reasons of what was finished before a time, milliseconds since 1970. Keys, hashes,
   * states and dates stay. @returns how many bodies
   */
  prune(before: number): Promise<number>;
  /**
   * A page of the log of who did what, in the order in which it was done. Gates, ends, settlements, closings and prunings
   * add to it by themselves, as done by whoever has opened the ledger.
   * @param since milliseconds since 1970: what was done before is left out
   * @param after number of the last event that is known already; 0 for none
   */
  events(since: number, after: number, count: number): Promise<LedgerEvent[]>;
  /** Lets go of the store. */
  leave(): Promise<void>;
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

/** A record's key, and the SHA-256 of its body, 64 lower-case hex digits. */
export interface Keyed {
  readonly key: string;
  readonly bodyHash: string;
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

/** A run while its records are checked. */
export interface Preparation {
  readonly number: number;
  readonly name: string;
  /** Stores payments that may become history; each gets the id {@link idOf}(number, index). */
  store(drafts: readonly Draft[]): Promise<void>;
  /** Forgets the run and its drafts. */
  abandon(): Promise<void>;
}

/** What preflight decided. */
export interface Plan {
  /** {@link Ledger.version} before the first look-up. */
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
  /** Open payments that the run had accepted, and leaves out from now on: they are none any more. */
  readonly givenUp: readonly PaymentId[];
  /** Payments that leave their key or are corrected, each with the one that stands in for it from now on: mostly a draft. */
  readonly replaced: readonly { readonly payment: PaymentId; readonly by: PaymentId }[];
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
  /** See {@link KnownPayment.lifetimeMs}; left out where the rules know it already. */
  readonly lifetimeMs?: number | null;
}

/** A payment that this process may send: its claim is durable. */
export interface Claimed {
  readonly id: PaymentId;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string;
  /** Number of the claim. */
  readonly claim: number;
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
}

export interface Settled {
  readonly id: PaymentId;
  readonly claim: number;
  readonly outcome: Outcome;
}

/** The right to send payments of a run, from its gate until {@link leave}. */
export interface Delivery {
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
  /**
   * Whether a request may leave at this very moment: where the right to send can run out, it must not have run out, and
   * for a payment without a key not before the request is over.
   * @param ms the longest time that the request takes, milliseconds
   */
  maySend(type: RecordType, ms: number): boolean;
  /**
   * Fulfilled when a request may leave, or the signal aborts; null where it may now.
   * @throws JournalError when it may not any more
   */
  untilMaySend(type: RecordType, ms: number, stop: AbortSignal): Promise<void> | null;
  /** This process no longer delivers the run. */
  leave(): Promise<void>;
}

export interface ClaimRules extends DoubtRules {
  readonly retryRejected: boolean;
}

const PLACES = 2 ** 31;

/** The id of the payment that a run's record brings along. */
export function idOf(run: number, index: number): PaymentId {
  return run * PLACES + index;
}

/** The number of a payment's home run. */
export function homeOf(payment: PaymentId): number {
  return Math.floor(payment / PLACES);
}
