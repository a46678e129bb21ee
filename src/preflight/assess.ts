/**
 * Preflight: from the records, what the ledger knows of them and what a person has decided, to what would be done. PURE:
 * nothing is changed, so it is computed again whenever the history has changed.
 */
import type { Prepared } from '../batch/prepare.js';
import type { ClaimRules } from '../ledger/plan.js';
import type { Decisions, KnownPayment, PaymentId, Run, RunFile } from '../ledger/payment.js';
import { type Fate, fateOf, ofDoubt, SENT_FIRST } from './fate.js';
import type { Known } from './known.js';
import { findRepeats, type Reminder, type Repeat } from './repeats.js';

export interface AssessRules {
  readonly doubt: ClaimRules;
  readonly decisions: Decisions;
  /** Empty in a dry run without one. */
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What refuses the run until a person decides. */
export interface Undecided {
  readonly repeats: readonly Repeat[];
  /** How many similar records there are, where `--send-similar` allows fewer; else null. */
  readonly similar: number | null;
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

/** Most records of a run that goes on: one object for all of them. */
const CREATED_IN_RUN: Fate = { what: 'settled', state: 'created', payment: null };

export function assess(prepared: Prepared, known: Known, { doubt, decisions, target, now }: AssessRules): Assessment {
  const { entries } = prepared;
  /** Of most records there is nothing to say: they are sent first, or were created by the run that goes on. */
  const fates = new Map<number, Fate>();
  for (const index of new Set([...known.byKey.keys(), ...known.corrected.keys(), ...known.leftOut.keys()]))
    if (entries.isValid(index) && known.created[index] !== 1) fates.set(index, fateOf(index, prepared, known, doubt));
  correctedOnce(fates, known);
  const baseAt = (index: number): Fate | null =>
    entries.isValid(index) ? (fates.get(index) ?? (known.created[index] === 1 ? CREATED_IN_RUN : SENT_FIRST)) : null;
  const conflicts = [...fates].flatMap(([index, fate]) =>
    fate.what === 'conflict' ? { index, payment: fate.payment } : [],
  );
  const { repeats, reminders, live } = findRepeats({ prepared, known, fateAt: baseAt, target, now });
  const { fates: decided, undecided } = decide(repeats, decisions, known, doubt);
  const special = new Map([...fates, ...decided]);
  const fateAt = (index: number): Fate | null => decided.get(index) ?? baseAt(index);
  return { fateAt, special, repeats, reminders, undecided, conflicts, live };
}

/** What a person has decided about repeats: the fates of records that are left out, by index, and what is still open. */
export function decide(
  repeats: readonly Repeat[],
  { skipCreated, skipSimilar, sendSimilar }: Decisions,
  known: Known,
  rules: ClaimRules,
): { readonly fates: ReadonlyMap<number, Fate>; readonly undecided: Undecided } {
  const fates = new Map<number, Fate>();
  const open: Repeat[] = [];
  const { length: similar } = repeats.filter(({ code }) => code === 'similar-record');
  const isTooMany = !skipSimilar && similar > (sendSimilar ?? 0);
  const skips = {
    'created-before': skipCreated,
    'similar-record': skipSimilar,
    'open-before': false,
    'not-rejected': false,
  };
  for (const repeat of repeats) {
    if (skips[repeat.code]) fates.set(repeat.index, leftOut(repeat, known, rules));
    else if (repeat.code !== 'similar-record' || isTooMany) open.push(repeat);
  }
  return { fates, undecided: { repeats: open, similar: isTooMany && sendSimilar !== null ? similar : null } };
}

/** It was paid already, a person says. What is in doubt under its own key is sent again while that protects it. */
function leftOut({ index, standsFor, corrects, own: row }: Repeat, known: Known, rules: ClaimRules): Fate {
  const own = known.byKey.get(index) ?? null;
  const isOwnDoubt = own?.id === standsFor.id && own.state === 'unknown' && !corrects;
  const again = isOwnDoubt ? ofDoubt(own, rules) : null;
  if (again?.what === 'send') return again;
  // What it is similar to does not end the doubt about itself.
  if (own?.state === 'unknown' && own.id !== standsFor.id && !corrects)
    return { what: 'settled', state: 'unknown', payment: own.id };
  return { what: 'left-out', payment: row, standsFor };
}

/** What is asked is only what no flag has decided. */
export function withAnswer(flags: Decisions, { skipCreated, skipSimilar, sendSimilar }: Decisions): Decisions {
  return {
    skipCreated: flags.skipCreated || skipCreated,
    skipSimilar: flags.skipSimilar || skipSimilar,
    sendSimilar: sendSimilar ?? flags.sendSimilar,
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

/** The fates of all records but those that are sent for the first time: of most inputs, few or none. In any order. */
export function* notableFates({ special, fateAt }: Assessment, { created }: Known): Iterable<[number, Fate]> {
  yield* special;
  for (let index = created.indexOf(1); index >= 0; index = created.indexOf(1, index + 1)) {
    const fate = fateAt(index);
    if (fate !== null) yield [index, fate];
  }
}

/** The valid records with their fates, in the order of the input. */
export function* fatesOf({ entries }: Prepared, { fateAt }: Assessment): Iterable<[index: number, fate: Fate]> {
  for (let index = 0; index < entries.length; index++) {
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
