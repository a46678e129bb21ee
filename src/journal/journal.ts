/**
 * The journal. It knows each payment once (target and key), and runs as lists that point at payments. When a promise is
 * fulfilled, the change is durable. All functions throw JournalError when the store cannot be used.
 */
import type { RecordType } from '../records/types.js';
import type { ApprovedRun, AuditEntry, Caller } from './audit-log.js';
import type {
  Approval,
  PaymentId,
  RecordState,
  Run,
  RunEnd,
  RunHead,
  Settlement,
  StoredOutcome,
  StoredPayment,
  StoredRecord,
  TargetName,
} from './payment.js';
import type {
  AnsweredPayment,
  ConfirmedPayment,
  Delivery,
  DraftRun,
  HomePlace,
  KeyedBody,
  LikeRun,
  LiveCall,
  PaidAmounts,
  PaymentStretch,
  Plan,
  ProfileRun,
  RecordPrint,
  RecordSum,
  RunQuery,
  SentPlaces,
  SettleDecision,
} from './plan.js';
import type { JournalStatus, LostOriginal } from './location.js';
import type { WrittenFile } from './written-file.js';

export interface OpenedJournal {
  readonly journal: Journal;
  /** Why the storage may lose its data, as a sentence; null if it keeps them. */
  readonly storage: string | null;
  /** The clock that all users of the journal share, milliseconds since 1970; left out if it is the machine's. */
  readonly now?: () => number;
}

export interface Journal extends PaymentQueries, CandidateQueries {
  /** The database's user, whom nobody else can claim to be; null if user names are only taken from the computer. */
  readonly user: string | null;

  /** Takes over from dead processes: their claims become doubt, dated from the claim; their drafts are deleted. */
  recover(): Promise<void>;
  /** Whether the journal is in use, a copy, or moved. */
  status(): Promise<JournalStatus>;
  /** The original whose history this journal has only until it was copied; null if there is none. */
  lostOriginal(): Promise<LostOriginal | null>;
  /** Whether it has never made a payment outside the sandbox and no person has made it on purpose. */
  isNew(): Promise<boolean>;
  /** Makes a journal that is still new one that a person has made on purpose. @returns whether it was new */
  init(): Promise<boolean>;
  /** When the target's newest payment was created or came into doubt, milliseconds since 1970; null for none. */
  lastPaymentAt(target: TargetName): Promise<number | null>;
  /**
   * Counts the changes of the history that plans rely on: gates, settlements, closed runs, late answers that end a doubt. Read it before the first
   * look-up: the gate refuses a plan with an old version. 0 if no run has ever passed a gate at the target: then
   * look-ups can be left out.
   */
  version(target: TargetName): Promise<number>;

  /** Begins to store a run. Nobody sees it before it has passed its gate. */
  prepare(head: RunHead): Promise<DraftRun>;
  /**
   * The gate: one durable transaction makes the plan history. Returns null, and changes nothing, when the history has
   * changed since the plan's version was read, or a payment that the plan replaces or gives up is created, in doubt,
   * under way or replaced by now, or its run was closed: then the plan must be computed again.
   */
  commit(plan: Plan): Promise<Delivery | null>;

  /** The newest run of the target with this profile, or with a file of one of these names; null for none. */
  lastRunLike(target: TargetName, files: readonly string[], profile: string | null): Promise<LikeRun | null>;
  /** The runs of the target with this profile, newest first. */
  profileRuns(target: TargetName, profile: string): Promise<ProfileRun[]>;
  /** The payments of these runs that are created or in doubt, each once, in pages. */
  paidBy(runs: readonly number[]): AsyncIterable<PaidAmounts>;
  /** Runs that have passed their gate, newest first. */
  runs(query?: RunQuery): Promise<Run[]>;
  /**
   * A page of a run's records in the order of the input, invalid ones included.
   * @param from place of the first record
   * @param count at most this many
   */
  records(run: Run, from: number, count: number): Promise<StoredRecord[]>;
  /** The same page, reduced to what sums need. */
  sums(run: Run, from: number, count: number): Promise<RecordSum[]>;
  /** The valid records of the page, with what they are compared by. */
  prints(run: Run, from: number, count: number): Promise<RecordPrint[]>;
  /** The valid records of the page, reduced to what plans need. */
  states(run: Run, from: number, count: number): Promise<RecordState[]>;
  /** Whether a call has continued the run with files of other bytes: its records may have other lines by now. */
  hasOtherFiles(run: Run): Promise<boolean>;
  /** The end of a call that sends the run. */
  end(run: Run, end: RunEnd): Promise<void>;
  /** Ends a run for good. @throws UsageError when it is finished, closed, or a live process delivers it */
  close(run: Run, note: string): Promise<void>;
  /**
   * Settles payments in doubt, all or none.
   * @throws UsageError when one of them is under way, or no longer in doubt: the person decided about an earlier state
   */
  settle(decisions: readonly SettleDecision[], note: string): Promise<void>;
  /** Settlements of a run's records, in order. */
  settlements(run: Run): Promise<Settlement[]>;

  /** What calls wrote under these names ({@link WrittenFile.path}), on any machine. A file that was replaced may be among them. */
  writtenFiles(paths: readonly string[]): Promise<WrittenFile[]>;
  /**
   * Stores a file that is about to appear, and forgets earlier ones under its name.
   * @param replaced SHA-256 of the file that is there now, and is not forgotten yet; null for none
   */
  addWrittenFile(file: WrittenFile, replaced: string | null): Promise<void>;

  /** Records an approval by the person who has opened the journal. Only if `user` proves who that is. */
  approve(run: ApprovedRun, caller: Caller): Promise<void>;
  /** Approvals that were given in the journal itself for runs with this digest, newest first. */
  approvals(digest: string): Promise<Approval[]>;
  /**
   * Removes bodies, answers and errors of payments finished before a time. Keys, hashes, states and dates stay: they
   * protect from paying twice.
   * @param before milliseconds since 1970
   * @returns the number of removed bodies
   */
  prune(before: number): Promise<number>;
  /**
   * A page of the log, in the order of the actions. Gates, ends, settlements, closings and prunings add their events
   * themselves, for the person who has opened the journal.
   * @param since milliseconds since 1970: leaves earlier events out
   * @param after number of the last known event; 0 for none
   */
  events(since: number, after: number, count: number): Promise<AuditEntry[]>;
  /** Releases the store. */
  detach(): Promise<void>;
}

/**
 * Looks payments up. Lists of keys or payments have some thousand entries at a time. A question without such a list reads
 * all payments of the target, or uses an index: its comment in the store says which.
 */
export interface PaymentQueries {
  /**
   * The payments with these keys and these exact bodies, in the order of the request; 0 for none, and if the body was
   * pruned. Takes some thousand records at a time, in the order of the input, from one process: it remembers the end of
   * the last stretch. A wrong 0 is safe: this only saves storing a record twice. If the first records are not payments,
   * all may be returned as 0.
   */
  stored(target: TargetName, records: readonly KeyedBody[]): Promise<PaymentId[]>;
  /**
   * The payments that these keys lead to now; in any order, none for an unknown key. A payment that was replaced by one
   * with another key is still found by its key, with `replacedBy`.
   */
  find(target: TargetName, keys: readonly string[]): Promise<StoredPayment[]>;
  /** Payments by their numbers; none for an unknown one. */
  byId(payments: readonly PaymentId[]): Promise<StoredPayment[]>;
  /** Payments at the target that are in doubt, or rejected and not replaced. */
  unsettled(target: TargetName): Promise<StoredPayment[]>;
  /** Payments under these keys at other targets, except sandboxes. */
  elsewhere(target: TargetName, keys: readonly string[]): Promise<StoredPayment[]>;
  /** Whether any run ever passed a gate at another target, except sandboxes: if not, there is nothing to find. */
  hasElsewhere(target: TargetName): Promise<boolean>;
  /** The batches of all runs at the target. */
  batches(target: TargetName): Promise<string[]>;
  /** The calls that send at this moment, each between its gate and its end. */
  liveCalls(): Promise<LiveCall[]>;
  /** The outcomes of payments, in the order of the request; null for none. A payment under way is `unknown`. */
  outcomes(payments: readonly PaymentId[]): Promise<(StoredOutcome | null)[]>;
  /** Bodies of stored payments, drafts or history, in the order of the request; null if the body is gone. */
  bodies(payments: readonly PaymentId[]): Promise<(string | null)[]>;
  /** Payments of a type at the target that are created with an answer that may contain this text. */
  createdWith(target: TargetName, type: RecordType, text: string): Promise<ConfirmedPayment[]>;
  /**
   * A page of the target's payments that have an answer, in the order of their numbers. It reads all of them, one page
   * after the other.
   * @param after number of the last known payment; 0 for none
   */
  answers(target: TargetName, after: PaymentId, count: number): Promise<AnsweredPayment[]>;
  /** The gigs at the target with one of these titles, by their hashes. It reads all payments of the target. */
  gigsTitled(target: TargetName, titles: readonly number[]): Promise<StoredPayment[]>;
  /** The payments of a type that the target's runs have accepted, as stretches of their numbers; some may overlap. */
  stretches(target: TargetName, type: RecordType): Promise<PaymentStretch[]>;
  /** The answers of the created payments in these stretches; pruned ones are left out. */
  answersIn(stretches: readonly PaymentStretch[]): Promise<ConfirmedPayment[]>;
  /** Those of the payments whose bodies are gone. */
  pruned(payments: readonly PaymentId[]): Promise<PaymentId[]>;
  /** The places of payments in the runs that accepted them last, in the order of the request. */
  places(payments: readonly PaymentId[]): Promise<(HomePlace | null)[]>;
}

/** Finds payments that the records of a call may repeat. They take some thousand payees at a time. */
export interface CandidateQueries {
  /**
   * The payments to these payees in a batch, at this target and at others on the same host, also those that have lost
   * their key to another payment.
   */
  byPayee(target: TargetName, batchId: string, payees: readonly number[]): Promise<StoredPayment[]>;
  /** The payments to these payees for these purposes in other batches: pairs of `payee` and `title`. */
  byPurpose(
    target: TargetName,
    batchId: string,
    purposes: readonly (readonly [number, number])[],
  ): Promise<StoredPayment[]>;
  /** Payments in other batches that were replaced, and whose replacements may be younger than a time. */
  replacedSince(target: TargetName, batchId: string, since: number): Promise<StoredPayment[]>;
  /** The open payments of a batch whose runs were not closed. */
  open(target: TargetName, batchId: string): Promise<StoredPayment[]>;
  /** Where runs have sent records of their files. */
  sentBy(runs: readonly number[]): Promise<SentPlaces[]>;
  /** Where a batch has sent records of files with these bytes, at this target and at others on the same host. */
  inSameFiles(target: TargetName, batchId: string, hashes: readonly string[]): Promise<SentPlaces[]>;
  /** Whether any run ever passed a gate at the target or at another one on its host. */
  hasHistory(target: TargetName): Promise<boolean>;
  /** The bodies of the target's payments to these payees, by the hash of the payee; pruned ones are left out. */
  bodiesOfPayees(target: TargetName, payees: readonly number[]): Promise<string[]>;
}
