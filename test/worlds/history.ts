/** What the oracle knows: payments and runs at one target, by the words of the CONTRACT. */
import type { Row } from './rows.js';

export type State = 'open' | 'created' | 'rejected' | 'unknown';

/** One record at the target under one key. */
export interface Payment {
  readonly key: string;
  readonly row: Row;
  /** The business row: type and canonical fields. */
  readonly content: string;
  /** As it is sent. */
  readonly body: string;
  readonly batch: string;
  /** Name of the run that brought it. */
  readonly home: string;
  state: State;
  /** Since when it may have been carried out. */
  doubtSince: number | null;
  /** When its state became so. */
  changedAt: number;
  /** Counts events: since when it is created or in doubt, without a break; 0 where it is neither. */
  knownSince: number;
  /** The run whose call brought its state about. */
  settledBy: string | null;
  replacedBy: Payment | null;
  /** Its body was removed. */
  pruned: boolean;
  /** How often it may be carried out: once, and once more for each time that a person took the risk. */
  allowed: number;
}

/** A record of a run. */
export interface Listed {
  readonly file: string;
  /** From 1. */
  readonly record: number;
  readonly row: Row;
  /** Null for an invalid one. */
  readonly payment: Payment | null;
  readonly leftOut: 'same' | 'similar' | null;
}

export interface Decisions {
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  readonly sendSimilar: number | null;
}

export interface Run {
  readonly name: string;
  readonly batch: string;
  readonly digest: string;
  readonly decisions: Decisions;
  readonly startedAt: number;
  /** The count of events at its gate. */
  readonly gate: number;
  list: readonly Listed[];
  exitCode: number | null;
  closed: boolean;
}

export interface History {
  /** Its name is part of the digest. */
  readonly target: string;
  readonly payments: Payment[];
  /** The payment that stands for a key. */
  readonly byKey: Map<string, Payment>;
  /** The newest first. */
  readonly runs: Run[];
  /** Counts gates, and what becomes of payments. */
  events: number;
}

export function newHistory(target: string): History {
  return { target, payments: [], byKey: new Map(), runs: [], events: 0 };
}

/** The texts that make two records similar, as they read. */
export function similarity({ type, fields }: Row): string {
  const fold = (text: unknown): string => String(text).replaceAll(' ', '').toLowerCase();
  return JSON.stringify([type, type === 'gig' ? fields['start_at'] : fold(fields['user_id']), fold(fields['title'])]);
}

/** Whether two similar records are told apart: by a reference (a result's is its task) or a date that both have, and that differ. */
export function areToldApart(one: Row, other: Row): boolean {
  const differ = (name: string): boolean =>
    one.fields[name] !== undefined && other.fields[name] !== undefined && one.fields[name] !== other.fields[name];
  return differ('reference_id') || differ('gig_task_id') || differ('billing_date') || differ('delivery_date');
}

/** What stands in the place of a payment today. */
export function lastReplacement(payment: Payment): Payment {
  let last = payment;
  while (last.replacedBy !== null) last = last.replacedBy;
  return last;
}

/** The run that has it to send, if it may still do so: neither closed, nor left out there. */
export function unfinishedRunOf(payment: Payment, { runs }: History): Run | undefined {
  return runs.find(
    ({ closed, list }) => !closed && list.some((each) => each.payment === payment && each.leftOut === null),
  );
}
