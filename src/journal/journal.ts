/**
 * What a journal does: it holds every record and the intent to send it before the bytes leave, and every outcome before
 * it is told. It is the outbox that delivery reads from, and the history that later runs are checked against.
 */
import type {
  InvalidRecord,
  Outcome,
  PlannedRecord,
  RecordEnd,
  RecordPlan,
  StoredPlace,
  StoredRecord,
  StoredState,
} from './record.js';
import type { History } from './history.js';
import type { Outbox } from './delivery.js';

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

/** How a run ended, as the last call on it saw it. */
export interface RunEnd {
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
  readonly exitCode: number;
  readonly stopReason: string | null;
}

export interface StoredRun extends RunHead {
  readonly number: number;
  /** Its name for people. */
  readonly run: string;
  readonly digest: string;
  /** N of `--pay-again`, or null. */
  readonly payAgain: number | null;
  readonly files: readonly RunFile[];
  readonly end: RunEnd | null;
  /**
   * The moment at which its repeats were decided, as a number in the order of the journal: claims and outcomes with a
   * higher number are later.
   */
  readonly gate: number;
}

/**
 * What is decided about a stored record before its run is delivered. A record that is under way or may have been
 * carried out keeps its key and its doubt, whatever is decided. If it is left out or invalid, this delivery does not
 * send it. If it is paid again, it is sent as it was.
 */
export type Decision =
  /** It repeats an earlier record and is left out; the outcome is that of the earlier record. */
  | { readonly index: number; readonly what: 'left-out'; readonly outcome: Outcome }
  /** It repeats an earlier record and is paid all the same, under another key if its own is taken. */
  | {
      readonly index: number;
      readonly what: 'paid-again';
      readonly key: string;
      readonly body: string;
      readonly bodyHash: string;
    }
  /** `batch prune` removed its body, and it is to be sent after all. */
  | { readonly index: number; readonly what: 'restored'; readonly body: string }
  /** It was left out for an earlier record in doubt. That one was not created, so this one is to be sent after all. */
  | { readonly index: number; readonly what: 'released' }
  /** This call tells it as invalid, whatever the stored run says of it: this delivery must not send it. */
  | { readonly index: number; readonly what: 'withheld' }
  /** It turned out to be invalid after it was stored. */
  | { readonly index: number; readonly what: 'invalid'; readonly error: string };

/** A run whose records are being stored. It is not history before it passes its gate. */
export interface PreparingRun {
  readonly run: string;
  store(records: readonly PlannedRecord[]): void;
  /** The body that was stored at this place. */
  bodyAt(index: number): string;
  /** Forgets the run. */
  abandon(): void;
  /**
   * Makes the run history, and this process one of its deliverers; durable on return.
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

export interface Journal {
  /** Takes over what dead processes left behind. Not for read-only use. */
  recover(): void;
  prepare(head: RunHead): PreparingRun;
  /** The newest run that a call with this digest at this target goes on with. */
  continuable(query: ContinueQuery): StoredRun | null;
  /** What was sent to a target, under a scope ({@link RunHead}). @param exceptRun number of a run to leave out; null for none */
  history(target: string, scope: string, exceptRun: number | null): History;
  /** Joins the delivery of a run that has passed its gate. Null when the history has changed since its `version`. */
  join(run: StoredRun, joining: Joining): Outbox | null;
  /** Writes down where the records of a run stand now, and their amounts, when nothing of the run is to be sent. */
  place(run: StoredRun, placing: Placing): void;
  runs(): StoredRun[];
  /** Runs whose names have this beginning, the newest first. */
  findRuns(beginning: string): StoredRun[];
  /** The run with exactly this name. */
  runNamed(name: string): StoredRun | null;
  /** The records of the files that the run read last, in input order. */
  records(run: StoredRun): Iterable<StoredRecord>;
  /** State and amount of the same records: enough for counts and sums, without bodies and answers. */
  ends(run: StoredRun): Iterable<RecordEnd>;
  /** What is known of a run's records, in input order, without their bodies. */
  outcomes(run: StoredRun): Iterable<{ readonly index: number; readonly outcome: Outcome }>;
  /** Places of a run's records that were created, in input order. */
  created(run: StoredRun): Iterable<number>;
  /** Places and keys of a run's valid records, in input order. */
  keys(run: StoredRun): Iterable<{ readonly index: number; readonly key: string }>;
  /** Where the valid records of a run stand, in input order. */
  places(run: StoredRun): Iterable<StoredPlace>;
  /** Places of a run's records that were left out when the run went on, and not at its gate. */
  leftOutSince(run: StoredRun): ReadonlySet<number>;
  /** Whether a run left records out, at its gate or since. */
  leavesOut(run: StoredRun): boolean;
  /** Up to `count` records of a run from a place on, invalid ones included. */
  plan(run: StoredRun, from: number, count: number): RecordPlan[];
  /**
   * The hashes of a run's records from a place on, content and likeness in turn. Null unless the run has exactly these
   * records there, and still has their bodies. The hashes of an invalid record are zeros.
   */
  hashesOf(run: StoredRun, from: number, records: readonly RecordPlan[]): Buffer | null;
  /** The bodies of up to `count` records of a run from a place on; null where there is none, or none any more. */
  bodies(run: StoredRun, from: number, count: number): (string | null)[];
  /** Places of a run's valid records whose bodies were pruned. */
  bodiless(run: StoredRun): number[];
  /** The newest run at the target that has exactly this record at the same place. */
  beginningWith(
    at: Pick<RunHead, 'target' | 'scope'>,
    record: Pick<PlannedRecord, 'index' | 'key' | 'bodyHash'>,
  ): StoredRun | null;
  recordAt(run: StoredRun, index: number): StoredRecord | null;
  /** Writes down how a run's last call ended. */
  end(runNumber: number, end: RunEnd): void;
  /**
   * Settles records in doubt by a person's word, and writes the word down. Records of other runs with the same keys in
   * doubt are settled too. All are settled or none.
   * @param outcome all but the attempts, which stay as they were
   * @param at milliseconds since 1970
   * @throws UsageError when one is under way, or not in doubt any more
   */
  settle(records: readonly StoredRecord[], outcome: Outcome, note: string, at: number): void;
  /** What persons have decided about a run's records, the first decision first. */
  decided(run: StoredRun): PersonsWord[];
  /** Writes down that records in doubt are sent again by a person's decision. @param at milliseconds since 1970 */
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

export interface Joining extends Pick<Gate, 'version' | 'decisions'> {
  /** Where the run's records stand now, and their amounts; null when nothing of it has changed. */
  readonly placing: Placing | null;
}

export interface Placing {
  readonly files: readonly RunFile[];
  /** The places of all the run's valid records; walked once. */
  readonly places: Iterable<StoredPlace>;
  /** The invalid records of these files, in input order: they replace those that the run had. */
  readonly invalid: Iterable<InvalidRecord>;
}

export interface ContinueQuery {
  readonly target: string;
  readonly scope: string;
  readonly digest: string;
  readonly batchId: string;
  /** A run that finished is continued only if it began after this time (milliseconds since 1970). */
  readonly since: number;
  /** Only runs with `--pay-again`, whatever their age; those that left records out only with `skipCreated`. */
  readonly payAgain: boolean;
  /** Without `payAgain`, no run with `--pay-again`: the records that it pays again must not be left out. */
  readonly skipCreated: boolean;
}
