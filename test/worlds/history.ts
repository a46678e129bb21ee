/** What the oracle knows: payments and runs, by the words of the CONTRACT. */
import type { Row } from './rows.js';
import type { Source } from './sheet.js';

export type State = 'open' | 'created' | 'rejected' | 'unknown';

/** What a key was computed from. */
export type KeyKind = 'own' | 'columns' | 'replaces' | 'content';

/** One record at a target under one key. */
export interface Payment {
  readonly target: string;
  readonly key: string;
  readonly kind: KeyKind;
  readonly row: Row;
  /** The business row: type and canonical fields. */
  readonly content: string;
  /** As it is sent. */
  readonly body: string;
  /** Where it stood in files, the first import first. */
  readonly sources: Source[];
  /** That of the run that first accepted it. */
  readonly batch: string;
  /** The rejected payment whose place it takes. */
  readonly corrects: Payment | null;
  state: State;
  /** Since when it may have been carried out. */
  doubtSince: number | null;
  /** Its last attempt ended without an answer, or with one that says nothing. */
  wasCutOff: boolean;
  /** Until then its last attempt may arrive. */
  arrivesUntil: number;
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
  /** The shortest --key-lifetime that was said of it, in hours: by calls that did something, and by others. */
  lifetime: number | null;
  idleLifetime: number | null;
}

/** What is known of a record of an input. */
export interface Entry {
  /** As the command line names it. */
  readonly file: string;
  /** From 1. */
  readonly record: number;
  readonly row: Row;
  readonly source: Source;
  readonly content: string;
  /** Null for one that is invalid. */
  readonly key: string | null;
  /** The key of one that is invalid because other content, or another record, has it: the error tells of that. */
  readonly known?: string | null;
  readonly kind: KeyKind;
  readonly body: string;
  /** What its cell `gigwork_key` names. */
  readonly corrects: Payment | null;
}

/** A record of a run. */
export interface Listed {
  readonly entry: Entry;
  /** What the run accepted; null for an invalid record, and for one that was left out. */
  readonly payment: Payment | null;
  /** What it was left out for. */
  readonly standsFor: Payment | null;
}

export interface Run {
  readonly name: string;
  readonly target: string;
  readonly batch: string;
  readonly digest: string;
  /** Their names. */
  readonly headers: readonly string[];
  readonly startedAt: number;
  /** The count of events at its gate. */
  readonly gate: number;
  list: readonly Listed[];
  /** When its last call ended; when it began, if that was killed. */
  endedAt: number;
  exitCode: number | null;
  closed: boolean;
}

/** Of all targets: no payment of one is another one's. */
export interface History {
  readonly payments: Payment[];
  /** The payment that stands for a target, type and key. */
  readonly byKey: Map<string, Payment>;
  /** The newest first. */
  readonly runs: Run[];
  /** Counts gates, and what becomes of payments. */
  events: number;
  /** Bodies of records of finished runs before that time may be gone. */
  prunedBefore: number;
}

export function newHistory(): History {
  return { payments: [], byKey: new Map(), runs: [], events: 0, prunedBefore: 0 };
}

/** Under which a payment is found. */
export function nameOf(target: string, { type }: Row, key: string | null): string {
  return `${target} ${type} ${key}`;
}

export function paymentUnder({ byKey }: History, target: string, row: Row, key: string | null): Payment | null {
  return byKey.get(nameOf(target, row, key)) ?? null;
}

/** The payment that its key stands for: no other content has taken its place. */
export function isCurrent(payment: Payment, { byKey }: History): boolean {
  return byKey.get(nameOf(payment.target, payment.row, payment.key)) === payment;
}

/** The runs that accepted it, the newest first. */
export function runsOf(payment: Payment, { runs }: History): Run[] {
  return runs.filter(({ list }) => list.some((each) => each.payment === payment));
}

/** CONTRACT: "Open, live, unfinished". */
export function isOpen(payment: Payment, history: History): boolean {
  return payment.state === 'open' && runsOf(payment, history).some(({ closed }) => !closed);
}

/** What closed runs leave open counts as none. */
export function isNone(payment: Payment, history: History): boolean {
  return payment.state === 'open' && !isOpen(payment, history);
}

/** A correction that a closed run left open replaces nothing. */
export function isReplaced({ state, replacedBy }: Payment, history: History): boolean {
  return state === 'rejected' && replacedBy !== null && !isNone(replacedBy, history);
}

/** What stands in the place of a payment today. */
export function lastCorrection(payment: Payment, history: History): Payment {
  let last = payment;
  while (isReplaced(last, history)) last = last.replacedBy as Payment;
  return last;
}

export function isKnown({ state }: Payment): boolean {
  return state === 'created' || state === 'unknown';
}
