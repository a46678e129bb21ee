/** The ledger's log: who did what. It is only ever added to, in the transaction of what it tells. */
import type { Person } from '../world.js';
import type { ApprovedFlags } from './approval.js';

/** Who calls the program, and how. */
export interface Caller {
  readonly by: Person;
  /** Of the program. */
  readonly version: string;
  /** As it was typed, without secrets. */
  readonly commandLine: string;
}

/** What was done. */
export type Deed =
  /** A call passed the gate: it began the run, or goes on with it. */
  | { readonly what: 'run'; readonly goesOn: boolean }
  /** A call with the run came to its end. */
  | { readonly what: 'ended'; readonly exitCode: number; readonly stopReason: string | null }
  /** A person approved the run before it was sent. Written down at the gate that it opened, with its own time and person. */
  | { readonly what: 'approved'; readonly digest: string; readonly count: number; readonly flags: ApprovedFlags }
  /** A person's word about a record in doubt, and where the record stood in the run's files at that time. */
  | {
      readonly what: 'settled';
      readonly status: 'created' | 'not_sent';
      readonly file: string;
      readonly record: number;
      readonly line: number | null;
      readonly key: string;
    }
  /** A person ended the run for good. */
  | { readonly what: 'closed' }
  /** Bodies and answers of what was finished before a time, milliseconds since 1970, were removed: so many bodies. */
  | { readonly what: 'pruned'; readonly before: number; readonly count: number };

export interface LedgerEvent extends Caller {
  /** From 1, in the order in which it was done. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Name of the run that it is about, or null. */
  readonly run: string | null;
  /** What the person said about it, or null. */
  readonly note: string | null;
  readonly deed: Deed;
}
