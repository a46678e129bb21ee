/**
 * Preflight: from the records, what the ledger knows of them and what a person has decided, to what would be done. PURE:
 * nothing is changed, so it is computed again whenever the history has changed.
 */
import { bodyHashOf } from '../batch/bodies.js';
import type { Prepared } from '../batch/prepare.js';
import { startDigest } from '../keys/key.js';
import type { Decisions, KnownPayment, PaymentId, Run, RunFile } from '../ledger/payment.js';
import { decide, type Undecided } from './decide.js';
import { type Fate, fateOf, type FateRules, SENT_FIRST } from './fate.js';
import type { Known } from './known.js';
import { findRepeats, isPaid, type Reminder, type Repeat } from './repeats.js';

export interface AssessRules extends FateRules {
  readonly decisions: Decisions;
  /** Empty in a dry run without one. */
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Assessment {
  /** The fate of a valid record; null for an invalid one. */
  readonly fateAt: (index: number) => Fate | null;
  /** Of the records that are neither sent for the first time nor were created by the run that goes on: mostly few. */
  readonly special: ReadonlyMap<number, Fate>;
  readonly repeats: readonly Repeat[];
  readonly reminders: readonly Reminder[];
  readonly undecided: Undecided;
  /** Records that the history makes invalid: their keys belong to the content of these payments. */
  readonly conflicts: readonly { readonly index: number; readonly payment: KnownPayment }[];
  /** A payment that a live call has accepted, and that this call would send or repeat; null for none. */
  readonly live: KnownPayment | null;
}

export function assess(prepared: Prepared, known: Known, rules: AssessRules): Assessment {
  const { entries } = prepared;
  /** Of most records there is nothing to say: they are sent first, or were created by the run that goes on. */
  const fates = new Map<number, Fate>();
  for (const index of new Set([...known.byKey.keys(), ...known.corrected.keys()]))
    if (entries.isValid(index) && known.created[index] !== 1)
      fates.set(index, fateOf(askedOf(prepared, index, known), known, rules));
  // A run that is resumed brings the rows of the records that it has left out, or that were given up since.
  for (let index = 0; !rules.bringsBodies && index < entries.length; index++) {
    if (!entries.isValid(index) || known.created[index] === 1) continue;
    const fate = ofLeftOut(index, fates.get(index) ?? leftOutFate(index, prepared, known), known);
    const hasNone = fate.what === 'send' && fate.payment === null;
    fates.set(index, hasNone ? ofOwnRow(index, fate, prepared, known) : fate);
  }
  correctedOnce(fates, known);
  const baseAt = (index: number): Fate | null =>
    entries.isValid(index) ? (fates.get(index) ?? (known.created[index] === 1 ? CREATED_IN_RUN : SENT_FIRST)) : null;
  const conflicts = [...fates].flatMap(([index, fate]) =>
    fate.what === 'conflict' ? { index, payment: fate.payment } : [],
  );
  const { target, now } = rules;
  const { repeats, reminders, live } = findRepeats({ prepared, known, fateAt: baseAt, target, now });
  const { fates: decided, undecided } = decide(repeats, rules.decisions, known, rules);
  const special = decided.size === 0 ? fates : new Map([...fates, ...decided]);
  const fateAt = (index: number): Fate | null => decided.get(index) ?? baseAt(index);
  return { fateAt, special, repeats, reminders, undecided, conflicts, live };
}

/** Most records of a run that goes on: one object for all of them. */
const CREATED_IN_RUN: Fate = { what: 'settled', state: 'created', payment: null };

/** A record that the run has left out: the journal does not say whether as a correction, so what was paid stays paid. */
function leftOutFate(index: number, { entries }: Prepared, { leftOut, run }: Known): Fate {
  const payment = leftOut.get(index);
  const isSimilar = run?.skips.skipSimilar === true && payment?.similarity === entries.similarity(index);
  if (payment === undefined || isSimilar || !isPaid(payment)) return SENT_FIRST;
  return { what: 'repeat', code: 'created-before', payment, corrects: false };
}

/** It is sent from the row that the run has of it, unless the body of that was removed: then it stays left out. */
function ofOwnRow(index: number, fate: Fate & { what: 'send' }, { entries, pruned }: Prepared, known: Known): Fate {
  const standsFor = known.leftOut.get(index);
  if (standsFor === undefined || !pruned.has(index)) return { ...fate, payment: entries.payment(index) };
  return { what: 'left-out', payment: null, standsFor, isPruned: true };
}

/** A record that was left out for a payment which has its key, or has taken the place of its own payment. */
function ofLeftOut(index: number, fate: Fate, { leftOut }: Known): Fate {
  const standsFor = leftOut.get(index);
  if (fate.what === 'settled' && standsFor !== undefined && fate.correction?.id === standsFor.id)
    return { what: 'left-out', payment: null, standsFor };
  // Only a row that corrects a payment has the key of other content.
  if (fate.what !== 'conflict' || standsFor?.id !== fate.payment.id) return fate;
  return { what: 'repeat', code: 'created-before', payment: fate.payment, corrects: true };
}

function askedOf(prepared: Prepared, index: number, { accepted }: Known): Parameters<typeof fateOf>[0] {
  return {
    index,
    source: prepared.entries.keySource(index),
    bodyHash: () => bodyHashOf(prepared, index),
    isAccepted: (accepted[index] ?? 0) !== 0,
  };
}

/** A payment is corrected by one row of an input: it is not sent beside that row, and no other content takes its place. */
function correctedOnce(fates: Map<number, Fate>, { byKey, corrected }: Known): void {
  const by = new Map<PaymentId, number>();
  for (const [index, { id }] of corrected) {
    const fate = fates.get(index);
    if (fate?.what === 'send' && fate.replaces.includes(id)) by.set(id, index);
  }
  for (const [index, payment] of by.size === 0 ? [] : byKey) {
    const fate = fates.get(index);
    if (fate?.what !== 'send' || (by.get(payment.id) ?? index) === index) continue;
    if (fate.payment === payment.id) fates.set(index, { what: 'settled', state: 'rejected', payment: payment.id });
    else fates.set(index, { what: 'conflict', payment });
  }
}

/** The digest that a person signs, over the valid records in the order of the input. */
export function digestOf(target: string, prepared: Prepared): string {
  const { entries } = prepared;
  const digest = startDigest(target);
  for (let index = 0; index < entries.length; index++) {
    const key = entries.key(index);
    if (key !== null) digest.add(key, bodyHashOf(prepared, index));
  }
  return digest.finish();
}

/** The valid records with their fates, in the order of the input. */
export function* fatesOf({ entries }: Prepared, { fateAt }: Assessment): Iterable<[index: number, fate: Fate]> {
  for (let index = 0; index < entries.length; index++) {
    const fate = fateAt(index);
    if (fate !== null) yield [index, fate];
  }
}

/** The fates of all records but those that are sent for the first time: of most inputs, few or none. In any order. */
export function* notableFates({ special, fateAt }: Assessment, { created }: Known): Iterable<[number, Fate]> {
  yield* special;
  for (let index = created.indexOf(1); index >= 0; index = created.indexOf(1, index + 1)) {
    const fate = fateAt(index);
    if (fate !== null) yield [index, fate];
  }
}

/** The payment that a record is: the one that the run which goes on accepted, or the one that its key identifies. */
export function paymentOf(fate: Fate | null, accepted: PaymentId | undefined): PaymentId | null {
  const known = fate?.what === 'send' || fate?.what === 'settled' ? fate.payment : null;
  return known ?? (accepted || null);
}

/** Whether a run's records stand in other files now. What a person is told of them must be found there when it is settled. */
export function hasMoved(run: Run | null, files: readonly RunFile[]): boolean {
  if (run === null) return false;
  const isAsBefore = (file: RunFile, i: number): boolean =>
    file.path === run.files[i]?.path && file.sha256 === run.files[i].sha256;
  return files.length !== run.files.length || !files.every(isAsBefore);
}
