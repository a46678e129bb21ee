/**
 * Review: computes the plan from the records, the journal's knowledge of them and a person's decisions. PURE: it
 * changes nothing, so it can be computed again whenever the history has changed.
 */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { ClaimRules } from '../journal/plan.js';
import type { Decisions, StoredPayment, PaymentId } from '../journal/payment.js';
import {
  type Disposition,
  dispositionOf,
  type DispositionRules,
  ofDoubt,
  type Repeat,
  SEND_NEW,
} from './disposition.js';
import { ownAt, type PaymentHistory } from './history.js';
import { findRepeats, type NoticeCandidate } from './repeats.js';

export interface AssessRules {
  readonly doubt: DispositionRules;
  readonly decisions: Decisions;
  /** Empty in a dry run without one. */
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isDryRun: boolean;
}

export interface Conclusions {
  /** The disposition of a valid record; null for an invalid one. */
  readonly dispositionAt: (index: number) => Disposition | null;
  /** Dispositions of records that are neither sent first nor created by the run that continues: mostly few. */
  readonly exceptions: ReadonlyMap<number, Disposition>;
  /** Repeats without a decision, which refuse the run. */
  readonly undecided: readonly Repeat[];
  /** Records that are sent although they are similar to earlier payments: a person has decided that. */
  readonly sentSimilar: ReadonlySet<number>;
  readonly reminders: readonly NoticeCandidate[];
  /** A payment that a live call has accepted, and that this call would send or repeat; null for none. */
  readonly live: StoredPayment | null;
}

/** Most records of a run that continues: one object for all of them. */
const CREATED_IN_RUN: Disposition = { kind: 'settled', state: 'created', payment: null };

export function assess(prepared: PreparedRecords, history: PaymentHistory, rules: AssessRules): Conclusions {
  const { doubt, decisions, target, now, isDryRun } = rules;
  const { entries } = prepared;
  /** Most records need no entry: they are sent first, or were created by the run that continues. */
  const exceptions = new Map<number, Disposition>();
  for (const [index, { own, corrects, leftOutFor }] of history.records)
    if ((own ?? corrects ?? leftOutFor) !== null && entries.isValid(index) && history.created[index] !== 1)
      exceptions.set(index, dispositionOf(index, prepared, history, doubt));
  correctedOnce(exceptions, history);
  const dispositionAt = (index: number): Disposition | null =>
    entries.isValid(index)
      ? (exceptions.get(index) ?? (history.created[index] === 1 ? CREATED_IN_RUN : SEND_NEW))
      : null;
  const { repeats, reminders, live } = findRepeats({ prepared, history, dispositionAt, target, now, isDryRun });
  const { skipCreated, skipSimilar, sendSimilar } = decisions;
  const { length: similar } = repeats.filter(({ code }) => code === 'similar-record');
  const isAllowed = !skipSimilar && similar <= (sendSimilar ?? 0);
  const undecided: Repeat[] = [];
  const sentSimilar = new Set<number>();
  for (const repeat of repeats) {
    const { index, code, isTaken } = repeat;
    const isCreated = code === 'created-before' || code === 'other-batch';
    // A payment stands for one record: another one that resembles it may be a second payment.
    const isSkipped = (isCreated && skipCreated) || (code === 'similar-record' && skipSimilar && !isTaken);
    if (isSkipped) exceptions.set(index, leftOut(repeat, history, doubt));
    else if (code === 'similar-record' && isAllowed) sentSimilar.add(index);
    else {
      exceptions.set(index, repeat);
      undecided.push(repeat);
    }
  }
  return { dispositionAt, exceptions, undecided, sentSimilar, reminders, live };
}

/** A person decides that it was paid. If it is in doubt itself, it is sent again while its key protects it. */
function leftOut(
  { index, standsFor, corrects, own: row }: Repeat,
  history: PaymentHistory,
  rules: ClaimRules,
): Disposition {
  const own = ownAt(index, history);
  const isOwnDoubt = own?.id === standsFor.id && own.state === 'unknown' && !corrects;
  const again = isOwnDoubt ? ofDoubt(own, rules) : null;
  if (again?.kind === 'send') return again;
  // A similar payment does not end the doubt about this one.
  if (own?.state === 'unknown' && own.id !== standsFor.id && !corrects)
    return { kind: 'settled', state: 'unknown', payment: own.id };
  return { kind: 'left-out', payment: row, standsFor };
}

/** Only one row of an input corrects a payment. The payment is not sent as well, and no other content replaces it. */
function correctedOnce(dispositions: Map<number, Disposition>, { records }: PaymentHistory): void {
  const by = new Map<PaymentId, number>();
  for (const [index, { corrects }] of records) {
    const disposition = dispositions.get(index);
    if (corrects !== null && disposition?.kind === 'send' && disposition.replaces.includes(corrects.id))
      by.set(corrects.id, index);
  }
  if (by.size === 0) return;
  for (const [index, { own }] of records) {
    const disposition = dispositions.get(index);
    if (own === null || disposition?.kind !== 'send' || (by.get(own.id) ?? index) === index) continue;
    if (disposition.payment === own.id)
      dispositions.set(index, { kind: 'settled', state: 'rejected', payment: own.id });
    else dispositions.set(index, { kind: 'conflict', payment: own });
  }
}
