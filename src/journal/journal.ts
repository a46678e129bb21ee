/**
 * What a journal does: it holds every record and the intent to send it before the bytes leave, and every outcome before
 * it is told. It is the outbox that delivery reads from, and the history that later runs are checked against.
 */
import type { RecordType } from '../records/kind.js';

/**
 * Where a record of a run stands. No entry at all: not sent yet. `unknown` is doubt: it may have been carried out.
 * `already_created`, `left_unknown`: left out of this run, since an earlier run created it, or may have.
 */
export type StoredState =
  'created' | 'rejected' | 'unknown' | 'not_sent' | 'invalid' | 'already_created' | 'left_unknown';

/** A record as it was prepared. Afterwards, only a {@link Decision}, a {@link Placing} and `prune` change it. */
export interface PlannedRecord {
  /** Position in the run's input, from 0; invalid records count. */
  readonly index: number;
  readonly file: number;
  readonly record: number;
  readonly line: number | null;
  readonly type: RecordType;
  /** Null for an invalid record. */
  readonly key: string | null;
  /** The exact text that is sent; null for an invalid record. */
  readonly body: string | null;
  /** Empty for an invalid record. */
  readonly bodyHash: string;
  /** Hash of type and body without the key: equal for the same content under any key. */
  readonly content: Uint8Array | null;
  /** Hash of the fields that make two records look like one. */
  readonly likeness: Uint8Array | null;
  /** Decimal text; null when there is no known price, or the record is invalid. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly costCenter: string | null;
  /** Why it is invalid; else null. */
  readonly error: string | null;
}

export interface Outcome {
  readonly state: StoredState;
  readonly httpStatus: number | null;
  /** Attempts in all calls. */
  readonly attempts: number;
  /** The answer as text, if it was JSON. */
  readonly response: string | null;
  readonly error: string | null;
  /** When the first attempt that may have been carried out began, milliseconds since 1970; null without doubt. */
  readonly doubtSince: number | null;
}

export interface StoredRecord extends PlannedRecord {
  /** Row number; {@link NO_ROW}, as its index, for an invalid record of files that the run has gone on with. */
  readonly id: number;
  /** Null while nothing is known. A record under way counts as `unknown`. */
  readonly outcome: Outcome | null;
}

/** What one stored record came to. */
export interface RecordEnd extends Pick<PlannedRecord, 'type' | 'amount' | 'currency' | 'costCenter'> {
  /** Null while nothing is known. A record under way counts as `unknown`. */
  readonly state: StoredState | null;
  /** See {@link Outcome.doubtSince}. */
  readonly doubtSince: number | null;
}

export interface RunFile {
  readonly path: string;
  readonly sha256: string;
  readonly records: number;
  /** It has the column that a rejects file ends with. */
  readonly hasErrorColumn: boolean;
}

export interface RunHead {
  readonly command: string;
  /** Base URL with account, or `sandbox`. */
  readonly target: string;
  /** Tells one sandbox data file from another; empty for a real target. */
  readonly scope: string;
  readonly batchId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What a run ended with, as the last call on it saw it. */
export interface RunEnd {
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly stopReason: string | null;
}

export interface StoredRun extends RunHead {
  readonly number: number;
  /** The name by which people call it. */
  readonly run: string;
  readonly digest: string;
  /** N of `--pay-again`, or null. */
  readonly payAgain: number | null;
  readonly files: readonly RunFile[];
  readonly end: RunEnd | null;
  /**
   * When its repeats were decided about, in the order of the journal: claims and outcomes with a higher number are later.
   */
  readonly gate: number;
}

/** A record of the target's history that a prepared record may repeat. */
export interface HistoryMatch {
  readonly run: string;
  readonly type: RecordType;
  readonly batchId: string;
  readonly file: string;
  /** How many files its run has. */
  readonly files: number;
  readonly record: number;
  readonly line: number | null;
  /** When it was sent, or prepared, milliseconds since 1970. */
  readonly at: number;
  /** The same in the order of the journal, which no clock disturbs: see {@link StoredRun.gate}. */
  readonly moment: number;
  readonly key: string;
  readonly bodyHash: string;
  /** Decimal text; null when the price is not known. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly state: StoredState | 'under_way' | 'waiting';
  readonly outcome: Outcome | null;
}

/** The records of all runs at one target, or of all but one. */
export interface History {
  /** Whether there is nothing to be compared with. */
  readonly isEmpty: boolean;
  /** Changes whenever a run passes its gate or is joined, and whenever a person settles a record. */
  readonly version: number;
  byKey(key: string): HistoryMatch | null;
  /** Created or possibly created records of this content. */
  byContent(content: Uint8Array): HistoryMatch[];
  /** Created or possibly created records that look alike but have other content. */
  byLikeness(likeness: Uint8Array, content: Uint8Array): HistoryMatch[];
  /** Records of a batch whose outcome is unknown. */
  unknown(batchId: string): HistoryMatch[];
  /** Whether a record was rejected under this key, where {@link byKey} knows nothing that counts more. */
  wasRejected(key: string): boolean;
  /** Records of this content that were rejected. What was created since under the key of one is not counted as such. */
  rejected(content: Uint8Array): HistoryMatch[];
}

/** The history of a target that nothing was ever sent to. */
export const EMPTY_HISTORY: History = {
  isEmpty: true,
  version: 0,
  byKey: () => null,
  byContent: () => [],
  byLikeness: () => [],
  unknown: () => [],
  wasRejected: () => false,
  rejected: () => [],
};

/**
 * What became of a stored record before the gate. A record that is under way or may have been carried out keeps its key
 * and its doubt all the same: left out or invalid, it is not sent by this delivery; paid again, it is sent as it was.
 */
export type Decision =
  /** It repeats an earlier record and is left out; the outcome is the earlier one's. */
  | { readonly index: number; readonly what: 'left-out'; readonly outcome: Outcome }
  /** It repeats an earlier record and is paid all the same, under another key where its own is taken. */
  | {
      readonly index: number;
      readonly what: 'paid-again';
      readonly key: string;
      readonly body: string;
      readonly bodyHash: string;
    }
  /** `batch prune` took its body away, and it is to be sent after all. */
  | { readonly index: number; readonly what: 'restored'; readonly body: string }
  /** It was left out in doubt, and what it stood for was found not to be created: it is to be sent after all. */
  | { readonly index: number; readonly what: 'released' }
  /** It is told as invalid by this call, whatever the run says of it: this delivery must not send it. */
  | { readonly index: number; readonly what: 'withheld' }
  /** It turned out to be invalid after it was stored. */
  | { readonly index: number; readonly what: 'invalid'; readonly error: string };

/** A run whose records are being stored. It is not history before it passes its gate. */
export interface PreparingRun {
  readonly run: string;
  store(records: readonly PlannedRecord[]): void;
  /** The body that was stored at this place. */
  bodyAt(index: number): string;
  /** Forgets it. */
  abandon(): void;
  /**
   * Makes it history, and this process one of its deliverers; durable when it returns.
   * Null when the history has changed since `version`: the check for repeats must be made again.
   */
  pass(gate: Gate): Outbox | null;
}

export interface Gate {
  readonly digest: string;
  readonly payAgain: number | null;
  readonly files: readonly RunFile[];
  /** {@link History.version} when the records were checked for repeats. */
  readonly version: number;
  readonly decisions: readonly Decision[];
}

/** A record that this process has claimed; its intent is durable. */
export interface ClaimedRecord {
  readonly id: number;
  readonly index: number;
  readonly type: RecordType;
  readonly key: string;
  readonly body: string;
  /** What was known of it before this claim; null for one that was never tried. */
  readonly earlier: Outcome | null;
  /** The claim that it is under. */
  readonly intent: number;
}

/** What claiming finds at a record that is not simply there to be sent. */
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
  /** It was in doubt before: the same key may be in doubt in other runs, and this outcome settles it there too. */
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
  /** This process delivers the run no longer. */
  leave(): void;
}

export interface Journal {
  /** Takes over what processes that died have left behind. Not for read-only use. */
  recover(): void;
  prepare(head: RunHead): PreparingRun;
  /** The newest run that a run with this digest at this target goes on with. */
  continuable(query: ContinueQuery): StoredRun | null;
  /** What was sent to a target, under a scope ({@link RunHead}). @param exceptRun number of a run to leave out; null for none */
  history(target: string, scope: string, exceptRun: number | null): History;
  /**
   * Joins the delivery of a run that has passed its gate. Null when the history has changed since the version that was
   * compared with.
   */
  join(run: StoredRun, joining: Joining): Outbox | null;
  /** Writes down where the records of a run stand now, and what they come to, where nothing of it is to be sent. */
  place(run: StoredRun, placing: Placing): void;
  runs(): StoredRun[];
  /** Runs whose name begins so, the newest first. */
  findRuns(beginning: string): StoredRun[];
  /** The run of this very name. */
  runNamed(name: string): StoredRun | null;
  /** Of the files that were read last, in input order. */
  records(run: StoredRun): Iterable<StoredRecord>;
  /** What {@link records} come to: enough for counts and sums, without bodies and answers. */
  ends(run: StoredRun): Iterable<RecordEnd>;
  /** What is known of a run's records, in input order, without their bodies. */
  outcomes(run: StoredRun): Iterable<{ readonly index: number; readonly outcome: Outcome }>;
  /** Places of a run's records that were created, in input order. */
  created(run: StoredRun): Iterable<number>;
  /** Places and keys of a run's valid records, in input order. */
  keys(run: StoredRun): Iterable<{ readonly index: number; readonly key: string }>;
  /** Where the valid records of a run stand, in input order. */
  places(run: StoredRun): Iterable<StoredPlace>;
  /** Places of the records of a run that were left out when it went on, and not at its gate. */
  leftOutSince(run: StoredRun): ReadonlySet<number>;
  /** Whether a run left records out, at its gate or since. */
  leavesOut(run: StoredRun): boolean;
  /** Up to `count` records of a run from a place on, invalid ones included. */
  plan(run: StoredRun, from: number, count: number): RecordPlan[];
  /**
   * The hashes of the records of a run from a place on, content and likeness in turn, when the records are these and have
   * their bodies still; else null. Those of an invalid record are zeros.
   */
  hashesOf(run: StoredRun, from: number, records: readonly RecordPlan[]): Buffer | null;
  /** Their bodies; null where there is none, or none any more. */
  bodies(run: StoredRun, from: number, count: number): (string | null)[];
  /** Places of a run's valid records whose bodies were pruned. */
  bodiless(run: StoredRun): number[];
  /** The newest run at the target that has this very record at this place. */
  beginningWith(
    at: Pick<RunHead, 'target' | 'scope'>,
    record: Pick<PlannedRecord, 'index' | 'key' | 'bodyHash'>,
  ): StoredRun | null;
  recordAt(run: StoredRun, index: number): StoredRecord | null;
  /** Writes down what a run's last call ended with. */
  end(runNumber: number, end: RunEnd): void;
  /**
   * Settles records in doubt by a person's word, which is written down; also where other runs hold the same keys in
   * doubt. All of them or none.
   * @param outcome but for the attempts, which stay what they were
   * @param at milliseconds since 1970
   * @throws UsageError when one is under way, or not in doubt any more
   */
  settle(records: readonly StoredRecord[], outcome: Outcome, note: string, at: number): void;
  /** What persons have decided about a run's records, the first decision first. */
  decided(run: StoredRun): PersonsWord[];
  /** Writes down that records in doubt were sent again by a person's decision. @param at milliseconds since 1970 */
  noteResend(run: number, count: number, at: number): void;
  /** Removes bodies and answers of records that were finished before a time (milliseconds since 1970). Returns how many bodies. */
  prune(before: number): number;
  close(): void;
}

/** A person's word on a record in doubt. */
export interface PersonsWord {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Of the record. */
  readonly index: number;
  readonly state: StoredState;
  /** How it was found out; empty where nothing was said. */
  readonly note: string;
}

/** Where a stored record stands in the files of its run. */
export interface StoredPlace {
  readonly index: number;
  readonly file: number;
  readonly record: number;
  readonly line: number | null;
  /** Decimal text; null when the price is not known. */
  readonly amount: string | null;
}

export interface Joining extends Pick<Gate, 'version' | 'decisions'> {
  /** Where its records stand and what they come to, if not as they did; null where all of it is as it was. */
  readonly placing: Placing | null;
}

export interface Placing {
  readonly files: readonly RunFile[];
  /** Of all its valid records; walked once. */
  readonly places: Iterable<StoredPlace>;
  /** The invalid records of these files, in input order: they take the place of those that the run had. */
  readonly invalid: Iterable<InvalidRecord>;
}

/** An invalid record as a run tells it. */
export type InvalidRecord = Pick<PlannedRecord, 'file' | 'record' | 'line' | 'type' | 'error'>;

/** In place of a row number and of an index: the record has no row of its own among those of its run. */
export const NO_ROW = -1;

/** What an invalid record has none of. */
export const NO_CONTENT = {
  key: null,
  body: null,
  bodyHash: '',
  content: null,
  likeness: null,
  amount: null,
  currency: null,
  costCenter: null,
} as const;

/** What a record is compared by with one that is stored; null and empty for an invalid one. */
export interface RecordPlan {
  readonly key: string | null;
  readonly bodyHash: string;
}

/** Bytes of each of the hashes that history is searched by: of the content, and of what makes a record look like another. */
export const SHORT_HASH = 16;

export interface ContinueQuery {
  readonly target: string;
  readonly scope: string;
  readonly digest: string;
  readonly batchId: string;
  /** A run that finished is continued only if it began after this time (milliseconds since 1970). */
  readonly since: number;
  /** Only runs with `--pay-again`, whatever their age; and none that left records out, unless this one does. */
  readonly payAgain: boolean;
  /** Without `--pay-again`, no run with it: what it pays again must not be left out. */
  readonly skipCreated: boolean;
}
