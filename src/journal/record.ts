/** One record as a journal holds it: what was planned, and what became of it. */
import type { RecordType } from '../records/kind.js';

/**
 * Where a record of a run stands. No outcome at all: not sent yet. `unknown` is doubt: it may have been carried out.
 * `already_created`, `left_unknown`: not sent by this run, because another run created it, or may have.
 */
export type StoredState =
  'created' | 'rejected' | 'unknown' | 'not_sent' | 'invalid' | 'already_created' | 'left_unknown';

/** A record as it was prepared. Afterwards, only a `Decision`, a `Placing` and `batch prune` change it. */
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
  /** Hash of the fields by which two records are similar. */
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
  /** The answer as text, if it was a JSON object. */
  readonly response: string | null;
  readonly error: string | null;
  /** When the first attempt that may have been carried out began, milliseconds since 1970; null without doubt. */
  readonly doubtSince: number | null;
}

export interface StoredRecord extends PlannedRecord {
  /** Row number. Both it and the index are {@link NO_ROW} for an invalid record of files that the run went on with. */
  readonly id: number;
  /** Null while nothing is known. A record under way counts as `unknown`. */
  readonly outcome: Outcome | null;
}

/** State and amount of one stored record. */
export interface RecordEnd extends Pick<PlannedRecord, 'type' | 'amount' | 'currency' | 'costCenter'> {
  /** Null while nothing is known. A record under way counts as `unknown`. */
  readonly state: StoredState | null;
  /** See {@link Outcome.doubtSince}. */
  readonly doubtSince: number | null;
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

/** An invalid record as a run tells it. */
export type InvalidRecord = Pick<PlannedRecord, 'file' | 'record' | 'line' | 'type' | 'error'>;

/** Stands for a row number or an index: the record has no row among the records of its run. */
export const NO_ROW = -1;

/** The fields that are empty in an invalid record. */
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

/** By this, a record is compared with a stored one. Null and empty for an invalid record. */
export interface RecordPlan {
  readonly key: string | null;
  readonly bodyHash: string;
}

/** Bytes of each of the two hashes that history is searched by: content and likeness. */
export const SHORT_HASH = 24;
