/** A journal as rows, the same from either store: for bringing all of one into another. */
import { CREATED, UNKNOWN } from '../codes.js';
import type { Deed } from '../event.js';
import type { Standing } from '../standing.js';

/** Texts, as each store gives them of a value; null for none. */
export type Row = readonly (string | null)[];

/** One kind of rows. */
export interface Kind {
  /** The table. */
  readonly name: KindName;
  /** How many of the first columns tell rows apart; rows are read in their order. All of them are whole numbers. */
  readonly keys: number;
  readonly columns: readonly string[];
}

export type KindName = 'target' | 'run' | 'file' | 'payment' | 'span' | 'invalid_record' | 'outcome' | 'event';

/** The history. What processes have under way is no part of it, nor are records of runs that never passed their gate. */
export const KINDS: readonly Kind[] = [
  { name: 'target', keys: 1, columns: ['id', 'name', 'scope', 'gates'] },
  {
    ...{ name: 'run', keys: 1 },
    columns: [
      ...['number', 'name', 'target', 'command', 'batch', 'digest', 'skip_created', 'skip_similar', 'headers'],
      ...['passed', 'moment', 'started_at', 'finished_at', 'exit_code', 'stop_reason', 'begun', 'closed'],
    ],
  },
  { name: 'file', keys: 2, columns: ['run', 'position', 'path', 'sha256', 'records'] },
  {
    ...{ name: 'payment', keys: 1 },
    // The last one: whether it stands for its key.
    columns: [
      ...['id', 'target', 'type', 'content', 'similarity', 'reference', 'date', 'measure', 'run'],
      ...['replaced_by', 'lifetime', 'amount', 'currency', 'cost_center', 'key', 'body_hash', 'body', 'stands'],
    ],
  },
  { name: 'span', keys: 2, columns: ['run', 'idx', 'count', 'payment', 'file', 'record', 'line', 'stands_for'] },
  { name: 'invalid_record', keys: 2, columns: ['run', 'idx', 'file', 'record', 'line', 'type', 'error'] },
  {
    ...{ name: 'outcome', keys: 1 },
    columns: [
      ...['payment', 'state', 'run', 'moment', 'stamp', 'attempts', 'at', 'http_status', 'doubt_since', 'response'],
      ...['error', 'request_id'],
    ],
  },
  {
    ...{ name: 'event', keys: 1 },
    columns: [
      ...['id', 'at', 'what', 'run', 'payment', 'idx', 'note', 'facts', 'user', 'host', 'version', 'command_line'],
    ],
  },
];

/** An open journal, and one transaction on it at a time. */
export interface Archive {
  /** @param alone nobody else may change the journal meanwhile; otherwise what they change is not seen */
  begin(alone: boolean): Promise<void>;
  commit(): Promise<void>;
  /** Undoes what was done since {@link begin}, and lets go of the journal. */
  leave(): Promise<void>;
  /** Whether nothing was ever stored there. */
  isEmpty(): Promise<boolean>;
  /** Whether a process sends at this moment, or has left something under way. */
  isBusy(): Promise<boolean>;
  /** Rows after the one with these keys, or the first ones. */
  page(kind: Kind, after: Row | null, count: number): Promise<Row[]>;
  write(kind: Kind, rows: readonly Row[]): Promise<void>;
  /** Number of the last claim: stamps of outcomes are such numbers. */
  lastClaim(): Promise<number>;
  setLastClaim(claim: number): Promise<void>;
  /** Adds to the log. */
  tell(deed: Deed): Promise<void>;
  /** How many runs are not at their end, and not closed. */
  unfinished(): Promise<number>;
  /** When the newest payment was created or came into doubt, milliseconds since 1970; null where there is none. */
  lastPaymentAt(): Promise<number | null>;
  standing(): Promise<Standing>;
  setStanding(standing: Standing): Promise<void>;
  /** By the journal's own clock, milliseconds since 1970. */
  now(): Promise<number>;
}

/** SQL: {@link Archive.lastPaymentAt} */
export const LAST_PAYMENT = `SELECT max(at) FROM outcome WHERE state = ${CREATED} OR state >= ${UNKNOWN}`;

/** SQL: those of its rows that are history: of payments all but drafts, whose run is first named at a gate. */
export function historyIn({ name }: Kind): string {
  if (name === 'run') return 'r.passed = TRUE';
  if (name !== 'payment') return 'TRUE';
  return '(r.run IS NOT NULL OR EXISTS (SELECT 1 FROM run h WHERE h.number = r.id >> 31 AND h.passed = TRUE))';
}
