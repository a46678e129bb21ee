/**
 * The disposition of a record: one table, by the state of the payment under its key and by whether the key identifies
 * that payment. PURE. CONTRACT: "Keys and repeats".
 */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { correctionsOf } from '../prepare/corrections.js';
import { isComputedKey } from '../keys/key.js';
import type { ClaimRules, DoubtRules } from '../journal/plan.js';
import { isPaid, type StoredPayment, type PaymentId } from '../journal/payment.js';
import { add, formatDecimal, parseDecimal, ZERO } from '../money/decimal.js';
import { RECORD_INFO } from '../records/types.js';
import { historyAt, type PaymentHistory } from './history.js';
import { hasSamePayee, type Likeness } from './resemblance.js';

export type Disposition =
  | {
      readonly kind: 'send';
      /** A known payment; null for the record's row: its draft, or its row in the run that is resumed. */
      readonly payment: PaymentId | null;
      /** Its state after an earlier attempt. */
      readonly again: 'unknown' | 'rejected' | null;
      readonly replaces: readonly PaymentId[];
    }
  /** Nothing is sent: its payment stays as it is. */
  | {
      readonly kind: 'settled';
      readonly state: 'created' | 'rejected' | 'unknown';
      /** Null if it is the payment that the continued run accepted: see {@link PaymentHistory.accepted}. */
      readonly payment: PaymentId | null;
      /** Its last correction, which is not created. */
      readonly correction?: StoredPayment;
      /** `--retry-rejected` asks for it, but its stored body was removed. */
      readonly isPruned?: boolean;
    }
  /** Nothing is sent, because another payment paid it, or may have. */
  | {
      readonly kind: 'left-out';
      readonly payment: PaymentId | null;
      readonly standsFor: StoredPayment;
      /** Its run had left it out, and its stored body was removed: nobody is asked about it again. */
      readonly isPruned?: boolean;
    }
  | Repeat
  /** Its key belongs to other content. */
  | { readonly kind: 'conflict'; readonly payment: StoredPayment };

export type RepeatCode = 'created-before' | 'other-batch' | 'open-before' | 'not-rejected' | 'similar-record';

/** It may have been paid already: a person has to decide first. */
export interface Repeat {
  readonly kind: 'repeat';
  readonly index: number;
  readonly code: RepeatCode;
  /** The newest payment that it repeats; shown to a person. */
  readonly newest: StoredPayment;
  /** The number of runs that paid it, or may have. */
  readonly times: number;
  /** The sum of those payments, decimal text; null if not known. */
  readonly total: string | null;
  /** The payment that it repeats for sure or most likely: stored with the record if a person leaves it out. */
  readonly standsFor: StoredPayment;
  /** The record's payment, or its row in the run that continues; null for its draft. */
  readonly own: PaymentId | null;
  /** Its row corrects a payment that is not rejected, or no longer rejected. */
  readonly corrects: boolean;
  /** Why it may repeat the newest one. */
  readonly why: Why;
  /** Every payment that it may repeat stands for another record of the input. */
  readonly isTaken: boolean;
}

/** `left-out`: an earlier call has left the record out for it. */
export type Why = Likeness | 'correction' | 'host' | 'batch' | 'left-out';

/** Most records: one object for all of them. */
export const SEND_NEW: Disposition & { kind: 'send' } = { kind: 'send', payment: null, again: null, replaces: [] };

export interface DispositionRules extends ClaimRules {
  /** The batch that the call names; null for none. */
  readonly namedBatch: string | null;
}

/** What decides about a record, beside its payments. */
interface RowFacts {
  readonly index: number;
  readonly source: string;
  /** The run that continues has accepted it. */
  readonly isAccepted: boolean;
  /** Its row names the payment under its key as the one that it corrects: if that is rejected, it is sent again. */
  readonly isNamed: boolean;
  /** Its body was removed from the journal, and no input contains it. */
  readonly isPruned: boolean;
  readonly hasBodyOf: (payment: StoredPayment) => boolean;
  readonly hasPayeeOf: (payment: StoredPayment) => boolean;
  readonly hasContentOf: (payment: StoredPayment) => boolean;
}

/** The disposition of a record before the search for repeats of its content. */
export function dispositionOf(
  index: number,
  prepared: PreparedRecords,
  history: PaymentHistory,
  rules: DispositionRules,
): Disposition {
  const { own, corrects, leftOutFor } = historyAt(index, history);
  const { entries } = prepared;
  const record: RowFacts = {
    index,
    source: entries.keySource(index),
    isAccepted: (history.accepted[index] ?? 0) !== 0,
    isNamed: own !== null && own.id === corrects?.id,
    isPruned: prepared.pruned.has(index),
    hasBodyOf: ({ bodyHash }) => bodyHash === entries.bodyHash(index),
    hasPayeeOf: (payment) => hasSamePayee(payment, entries.fingerprint(index)),
    hasContentOf: ({ content }) => content === entries.fingerprint(index).content,
  };
  const disposition =
    corrects === null || record.isAccepted
      ? ofRow(own, record, history, rules)
      : ofCorrection(corrects, own, record, history, rules);
  if (leftOutFor === null) return disposition;
  const isSimilar = wasSimilar(leftOutFor, index, prepared, history);
  return ofLeftOut(leftOutFor, disposition, own, record, isSimilar);
}

/** A plain row: the table, by the state of the payment under its key. @param own that payment; null for none */
function ofRow(
  own: StoredPayment | null,
  record: RowFacts,
  history: PaymentHistory,
  rules: DispositionRules,
): Disposition {
  if (own === null) return SEND_NEW;
  if (own.replacedBy !== null) return ofReplaced(own, record, history);
  const { id, state, run } = own;
  const { index, isAccepted } = record;
  const isSame = record.hasBodyOf(own);
  const identifies = isAccepted || record.source !== 'content';
  const repeat = { index, standsFor: own, own: id, corrects: false };
  switch (state) {
    case 'created':
    case 'unknown':
      // "Over another one it is key-conflict."
      if (!isSame) return { kind: 'conflict', payment: own };
      if (!identifies) return repeatOf({ ...repeat, code: 'created-before' });
      // "Sent again while the key protects it, else stays unknown."
      if (state === 'unknown') return ofDoubt(own, rules);
      // The call names a batch, but this key paid it in another one: nobody would be paid for this batch.
      if (!isAccepted && rules.namedBatch !== null && rules.namedBatch !== own.batchId)
        return repeatOf({ ...repeat, code: 'other-batch' });
      return { kind: 'settled', state: 'created', payment: id };
    case 'rejected':
      // A record that has passed a run's gate does not replace a payment again.
      if (!isSame && isAccepted) return { kind: 'settled', state: 'rejected', payment: null };
      // "Other content takes the place of a rejected payment of the same user." For another payee, the rejects file is
      // the way: the refused one would be forgotten.
      if (!isSame) return record.hasPayeeOf(own) ? { ...SEND_NEW, replaces: [id] } : { kind: 'conflict', payment: own };
      // "Stays rejected; --retry-rejected sends it again."
      return rules.retryRejected || record.isNamed
        ? retried(id, record)
        : { kind: 'settled', state: 'rejected', payment: id };
    case 'not_sent':
      // An open payment of a closed run does not count.
      if (!isSame) return run.isClosed ? { ...SEND_NEW, replaces: [id] } : { kind: 'conflict', payment: own };
      if (!identifies && !run.isClosed) return repeatOf({ ...repeat, code: 'open-before' });
      // Pruned while it was sent again: nothing can send it, and it was refused.
      return record.isPruned ? retried(id, record) : { ...SEND_NEW, payment: id };
  }
}

/** "Replaced": a payment that was rejected and corrected. Its correction may have been made in the file itself, too. */
function ofReplaced(own: StoredPayment, record: RowFacts, history: PaymentHistory): Disposition {
  const corrections = correctionsOf(own, history);
  const last = corrections.at(-1) ?? own;
  const isSame = record.hasBodyOf(own);
  // Another payment: if it were left out for this one, nobody would be paid, and nobody would know.
  if (!isSame && !record.isAccepted && !corrections.some(record.hasContentOf))
    return { kind: 'conflict', payment: last };
  // "Skipped where its last correction is created, else rejected; nothing sends it again."
  if (last.state === 'created') return { kind: 'left-out', payment: isSame ? own.id : null, standsFor: last };
  if (!isSame) return { kind: 'left-out', payment: null, standsFor: own };
  return { kind: 'settled', state: 'rejected', payment: own.id, correction: last };
}

/** A row that says which payment it corrects. @param corrects that payment */
function ofCorrection(
  corrects: StoredPayment,
  own: StoredPayment | null,
  record: RowFacts,
  history: PaymentHistory,
  rules: DispositionRules,
): Disposition {
  const { index, isNamed } = record;
  const corrections = correctionsOf(corrects, history);
  // This same row has corrected it before: the payment under its key decides.
  if (own !== null && corrections.some(({ id }) => id === own.id)) return ofRow(own, record, history, rules);
  const last = corrections.at(-1) ?? corrects;
  // An open payment of a closed run does not count.
  const isGivenUp = last.state === 'not_sent' && last.run.isClosed;
  const isRejected = corrects.state === 'rejected' && corrects.replacedBy === null && !corrects.isLive;
  if (!isRejected && !isGivenUp) {
    if (isNamed && record.source === 'own' && record.hasBodyOf(corrects)) return ofRow(own, record, history, rules);
    // "It or its last correction created: created-before; else not-rejected."
    const code = last.state === 'created' ? 'created-before' : 'not-rejected';
    return repeatOf({ index, code, standsFor: last, own: null, corrects: true });
  }
  // "A row that was not changed is that payment and is sent again."
  if (isNamed && record.hasBodyOf(corrects)) return ofRow(own, record, history, rules);
  // It may have a payment already: a closed run gave it up, or it was imported without its gigwork_key.
  const disposition = isNamed ? SEND_NEW : ofRow(own, record, history, rules);
  return disposition.kind === 'send' ? { ...disposition, replaces: [...disposition.replaces, last.id] } : disposition;
}

/**
 * A record that the resumed run has left out. The journal does not say whether it was a correction, so a paid one stays
 * paid. If it is sent after all, it needs the body that the run has of it.
 * @param isSimilar whether it was left out as similar: then a person is asked about it as similar again
 */
function ofLeftOut(
  standsFor: StoredPayment,
  disposition: Disposition,
  own: StoredPayment | null,
  { index, isPruned }: RowFacts,
  isSimilar: boolean,
): Disposition {
  if (disposition.kind === 'settled' && disposition.correction?.id === standsFor.id)
    return { kind: 'left-out', payment: null, standsFor };
  // Only a row that corrects a payment has the key of other content.
  const corrects = disposition.kind === 'conflict' && standsFor.id === disposition.payment.id;
  if (corrects || (own === null && isPaid(standsFor) && !isSimilar))
    return repeatOf({ index, code: 'created-before', standsFor, own: null, corrects });
  if (disposition.kind !== 'send' || disposition.payment !== null || !isPruned) return disposition;
  return { kind: 'left-out', payment: null, standsFor, isPruned: true };
}

/** Whether a resumed run had left a record out because it was similar. It stored the flags, but not which one it was. */
function wasSimilar(
  standsFor: StoredPayment,
  index: number,
  { entries, batchId }: PreparedRecords,
  { run }: PaymentHistory,
): boolean {
  const { skipCreated, skipSimilar } = run?.skips ?? { skipCreated: false, skipSimilar: false };
  const isSameContent =
    standsFor.batchId === batchId &&
    standsFor.run.target === run?.target &&
    standsFor.content === entries.fingerprint(index).content &&
    [standsFor.key, entries.keyText(index)].every(isComputedKey);
  return skipSimilar && !(skipCreated && isSameContent);
}

/** A payment in doubt is sent again under its key while that protects it, or if the person takes the risk. */
export function ofDoubt({ id, type, doubtSince, at, lifetimeMs }: StoredPayment, rules: ClaimRules): Disposition {
  const resends = rules.mayResend({ type, doubtSince: doubtSince ?? at, lifetimeMs });
  return resends
    ? { kind: 'send', payment: id, again: 'unknown', replaces: [] }
    : { kind: 'settled', state: 'unknown', payment: id };
}

/** A rejected payment is sent again, unless its stored body was removed. */
function retried(payment: PaymentId, { isPruned }: RowFacts): Disposition {
  return isPruned
    ? { kind: 'settled', state: 'rejected', payment, isPruned }
    : { kind: 'send', payment, again: 'rejected', replaces: [] };
}

/** @param found payments that the record repeats */
export function repeatOf(
  record: Pick<Repeat, 'index' | 'code' | 'standsFor' | 'own' | 'corrects'>,
  found: readonly StoredPayment[] = [record.standsFor],
): Repeat {
  const amounts = found.flatMap(({ amount }) => amount ?? []);
  const isOneSum = amounts.length === found.length && new Set(found.map(({ currency }) => currency)).size === 1;
  const sum = amounts.reduce((all, amount) => add(all, parseDecimal(amount)), ZERO);
  return {
    kind: 'repeat',
    ...record,
    newest: newestOf(found),
    why: 'content',
    isTaken: false,
    times: new Set(found.map(({ run }) => run.number)).size,
    total: isOneSum ? formatDecimal(sum) : null,
  };
}

export function newestOf(payments: readonly StoredPayment[]): StoredPayment {
  return payments.reduce((last, payment) => (payment.at > last.at ? payment : last));
}

/** How long the service is trusted to remember a key without a stated lifetime. Milliseconds. */
export const DEFAULT_LIFETIME_MS = 24 * 3_600_000;
/** Clocks differ by this much, and requests take time on their way: the end of a key's life is that uncertain. Milliseconds. */
const CLOCK_SLACK = 5 * 60_000;

/**
 * A keyed payment is sent again while its first attempt is younger than its key's protection, and any payment if the
 * person takes the risk with `--resend-unknown`. The shortest of all stated lifetimes counts.
 * @param saidMs `--key-lifetime` of this call; null without the flag
 * @param timeoutMs the longest time that a request of this call takes
 * @param now milliseconds since 1970
 */
export function doubtRules(
  saidMs: number | null,
  timeoutMs: number,
  resendUnknown: boolean,
  now: () => number,
): DoubtRules {
  const isProtected: DoubtRules['isProtected'] = ({ type, doubtSince, lifetimeMs }) => {
    const age = now() - doubtSince;
    // If the clock was set back by more than the slack, age is unknown, and the key counts as forgotten.
    return (
      RECORD_INFO[type].keyed && Math.max(age, 0) < protectionMs(saidMs, timeoutMs, lifetimeMs) && age > -CLOCK_SLACK
    );
  };
  return { isProtected, mayResend: (payment) => resendUnknown || isProtected(payment) };
}

/**
 * How long a key protects a payment from its first attempt on, milliseconds; zero or less: not at all. A request that
 * leaves at the last moment must still arrive while the service remembers the key.
 * @param lifetimeMs what earlier calls have said of the payment; null if none has
 */
export function protectionMs(saidMs: number | null, timeoutMs: number, lifetimeMs: number | null = null): number {
  const said = [saidMs, lifetimeMs].filter((each) => each !== null);
  const lifetime = said.length === 0 ? DEFAULT_LIFETIME_MS : Math.min(...said);
  return lifetime - timeoutMs - CLOCK_SLACK;
}
