/** What was sent to a target before: later runs are checked against it. */
import type { RecordType } from '../records/kind.js';
import type { Outcome, StoredState } from './record.js';

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
  /** The same as a number in the order of the journal, independent of clocks: see `StoredRun.gate`. */
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
  /** Records of this content that were created, may have been created, or may be about to be. */
  byContent(content: Uint8Array): HistoryMatch[];
  /** Such records that look alike but have other content. */
  byLikeness(likeness: Uint8Array, content: Uint8Array): HistoryMatch[];
  /** Records of a batch whose outcome is unknown. */
  unknown(batchId: string): HistoryMatch[];
  /** Whether a record was rejected under this key, and {@link byKey} gives null for it. */
  wasRejected(key: string): boolean;
  /** Rejected records of this content for whose keys {@link byKey} gives null. */
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
