/**
 * The disposition of a record: one table, by the state of the payment under its key and by whether the key identifies
 * that payment. PURE. CONTRACT: "Keys and repeats".
 */
import type { PreparedRecords } from '../prepare/prepare.js';
import { correctionsOf } from '../prepare/corrections.js';
import { isComputedKey } from '../keys/key.js';
import type { ClaimRules, DoubtRules } from '../journal/plan.js';
import { isPaid, type StoredPayment, type PaymentId } from '../journal/payment.js';
import { add, formatDecimal, parseDecimal, ZERO } from '../money/decimal.js';
import { KINDS } from '../records/kinds.js';
import type { PaymentHistory } from './history.js';
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

export interface FateRules extends ClaimRules {
  /** The batch that the call names; null for none. */
  readonly namedBatch: string | null;
}

/** A record, with the known facts and the rules for it. */
interface Asked {
  readonly index: number;
  readonly known: PaymentHistory;
  readonly rules: FateRules;
  readonly hasPayeeOf: (payment: StoredPayment) => boolean;
  readonly hasContentOf: (payment: StoredPayment) => boolean;
  /** The payment under its key. */
  readonly own: StoredPayment | null;
  readonly isSame: (payment: StoredPayment) => boolean;
  readonly source: string;
  /** The run that continues has accepted it. */
  readonly isAccepted: boolean;
  /** Its row names the payment under its key as the one that it corrects: if that is rejected, it is sent again. */
  readonly isNamed: boolean;
  /** Its body was removed from the journal, and no input contains it. */
  readonly isPruned: boolean;
}

/** The disposition of a record before the search for repeats of its content. */
export function dispositionOf(
  index: number,
  prepared: PreparedRecords,
  known: PaymentHistory,
  rules: FateRules,
): Disposition {
  const own = known.byKey.get(index) ?? null;
  const corrected = known.corrected.get(index);
  const asked: Asked = {
    index,
    known,
    rules,
    own,
    isNamed: own !== null && own.id === corrected?.id,
    source: prepared.entries.keySource(index),
    isPruned: prepared.pruned.has(index),
    isSame: ({ bodyHash }) => bodyHash === prepared.entries.bodyHash(index),
    hasPayeeOf: (payment) => hasSamePayee(payment, prepared.entries.fingerprint(index)),
    hasContentOf: ({ content }) => content === prepared.entries.fingerprint(index).content,
    isAccepted: (known.accepted[index] ?? 0) !== 0,
  };
  const disposition = corrected === undefined || asked.isAccepted ? byKey(asked) : ofCorrection(corrected, asked);
  const standsFor = known.leftOut.get(index);
  if (standsFor === undefined) return disposition;
  return ofLeftOut(disposition, standsFor, wasSimilar(standsFor, index, prepared, known), asked);
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

/** A row that says which payment it corrects. */
function ofCorrection(corrected: StoredPayment, asked: Asked): Disposition {
  const { own, index, isNamed } = asked;
  const corrections = correctionsOf(corrected, asked.known);
  // This same row has corrected it before: the payment under its key decides.
  if (own !== null && corrections.some(({ id }) => id === own.id)) return byKey(asked);
  const last = corrections.at(-1) ?? corrected;
  // An open payment of a closed run does not count.
  const isGivenUp = last.state === 'not_sent' && last.run.isClosed;
  const isRejected = corrected.state === 'rejected' && corrected.replacedBy === null && !corrected.isLive;
  if (!isRejected && !isGivenUp) {
    if (isNamed && asked.source === 'own' && asked.isSame(corrected)) return byKey(asked);
    // It corrects a payment that is not rejected, or no longer rejected.
    const code = last.state === 'created' ? 'created-before' : 'not-rejected';
    return repeatOf({ index, code, standsFor: last, own: null, corrects: true });
  }
  if (isNamed && asked.isSame(corrected)) return byKey(asked);
  // It may have a payment already: a closed run gave it up, or it was imported without its gigwork_key.
  const disposition = isNamed ? SEND_NEW : byKey(asked);
  return disposition.kind === 'send' ? { ...disposition, replaces: [...disposition.replaces, last.id] } : disposition;
}

function byKey(asked: Asked): Disposition {
  const { index, own: payment, isAccepted, rules } = asked;
  if (payment === null) return SEND_NEW;
  const { id, state } = payment;
  const isSame = asked.isSame(payment);
  if (payment.replacedBy !== null) return ofReplaced(payment, isSame, asked);
  const identifies = isAccepted || asked.source !== 'content';
  const repeat = { index, standsFor: payment, own: id, corrects: false };
  switch (state) {
    case 'created':
    case 'unknown':
      if (!isSame) return { kind: 'conflict', payment };
      if (!identifies) return repeatOf({ ...repeat, code: 'created-before' });
      if (state === 'unknown') return ofDoubt(payment, rules);
      return isOfOtherBatch(payment, asked) ? repeatOf({ ...repeat, code: 'other-batch' }) : unchanged('created', id);
    case 'rejected':
      // A record that has passed a run's gate does not replace a payment again.
      if (!isSame && isAccepted) return { kind: 'settled', state: 'rejected', payment: null };
      // The rejects file is the way for another payee: the refused one would be forgotten.
      if (!isSame) return asked.hasPayeeOf(payment) ? { ...SEND_NEW, replaces: [id] } : { kind: 'conflict', payment };
      return rules.retryRejected || asked.isNamed ? rejectedAgain(payment, asked) : unchanged('rejected', id);
    case 'not_sent':
      // An open payment of a closed run does not count.
      if (!isSame) return payment.run.isClosed ? { ...SEND_NEW, replaces: [id] } : { kind: 'conflict', payment };
      if (!identifies && !payment.run.isClosed) return repeatOf({ ...repeat, code: 'open-before' });
      // Pruned while it was sent again: nothing can send it, and it was refused.
      return asked.isPruned ? rejectedAgain(payment, asked) : { ...SEND_NEW, payment: id };
  }
}

/** The call names a batch for it, but its key paid it in another one: nobody would be paid for this batch. */
function isOfOtherBatch({ batchId }: StoredPayment, { isAccepted, rules: { namedBatch } }: Asked): boolean {
  return !isAccepted && namedBatch !== null && namedBatch !== batchId;
}

/** A payment that was rejected and corrected. Its correction may have been made in the file itself, too. */
function ofReplaced(payment: StoredPayment, isSame: boolean, { known, isAccepted, hasContentOf }: Asked): Disposition {
  const corrections = correctionsOf(payment, known);
  const last = corrections.at(-1) ?? payment;
  // Another payment: if it were left out for this one, nobody would be paid, and nobody would know.
  if (!isSame && !isAccepted && !corrections.some(hasContentOf)) return { kind: 'conflict', payment: last };
  if (last.state === 'created') return { kind: 'left-out', payment: isSame ? payment.id : null, standsFor: last };
  if (!isSame) return { kind: 'left-out', payment: null, standsFor: payment };
  return { kind: 'settled', state: 'rejected', payment: payment.id, correction: last };
}

/**
 * A record that the resumed run has left out. The journal does not say whether it was a correction, so a paid one stays
 * paid. If it is sent after all, it needs the body that the run has of it.
 * @param isSimilar whether it was left out as similar: then a person is asked about it as similar again
 */
function ofLeftOut(
  disposition: Disposition,
  standsFor: StoredPayment,
  isSimilar: boolean,
  { index, own, isPruned }: Asked,
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

/** A payment in doubt is sent again under its key while that protects it, or if the person takes the risk. */
export function ofDoubt({ id, type, doubtSince, at, lifetimeMs }: StoredPayment, rules: ClaimRules): Disposition {
  const resends = rules.mayResend({ type, doubtSince: doubtSince ?? at, lifetimeMs });
  return resends ? { kind: 'send', payment: id, again: 'unknown', replaces: [] } : unchanged('unknown', id);
}

function rejectedAgain({ id }: StoredPayment, { isPruned }: Asked): Disposition {
  if (isPruned) return { kind: 'settled', state: 'rejected', payment: id, isPruned };
  return { kind: 'send', payment: id, again: 'rejected', replaces: [] };
}

function unchanged(state: 'created' | 'rejected' | 'unknown', payment: PaymentId): Disposition {
  return { kind: 'settled', state, payment };
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
    return KINDS[type].keyed && Math.max(age, 0) < protectionMs(saidMs, timeoutMs, lifetimeMs) && age > -CLOCK_SLACK;
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
