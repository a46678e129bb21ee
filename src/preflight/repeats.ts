/** Which records of an input may have been paid already. PURE. CONTRACT: "Repeats". */
import type { Prepared } from '../batch/prepare.js';
import { lastReplacement } from '../batch/replacements.js';
import { DEFAULT_BATCH, isComputedKey } from '../keys/key.js';
import { homeOf, hostOf, isPaid, type KnownPayment, mayBePaid, type PaymentId } from '../ledger/payment.js';
import { compare, parseDecimal } from '../money/decimal.js';
import { type Fate, newestOf, type Repeat, repeatOf } from './fate.js';
import { entryOf, type Known } from './known.js';

/** Earlier payments that need no decision, but that a person sees. */
export interface Reminder {
  readonly index: number;
  readonly code: 'paid-in-batch' | 'other-date';
  readonly newest: KnownPayment;
}

export interface FoundRepeats {
  readonly repeats: readonly Repeat[];
  readonly reminders: readonly Reminder[];
  /** A payment that a live call has accepted, and that would be a repeat, or the record itself; null for none. */
  readonly live: KnownPayment | null;
}

export interface RepeatRules {
  readonly prepared: Prepared;
  readonly known: Known;
  /** By the table alone. */
  readonly fateAt: (index: number) => Fate | null;
  readonly target: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** In other batches, payments of the last few days may be the same ones under another name. Milliseconds. */
const RECENT = 6 * 24 * 3_600_000;

/** A record that would be sent, with the values for comparing it. */
interface Sent {
  readonly index: number;
  readonly print: Pick<KnownPayment, 'content' | 'similarity' | 'reference' | 'date' | 'measure'>;
  readonly fate: Fate & { what: 'send' };
  readonly isComputed: boolean;
  readonly isAccepted: boolean;
  /** Numbers of the runs whose rejected payment it corrects; empty for none. */
  readonly corrects: ReadonlySet<number>;
}

export function findRepeats(rules: RepeatRules): FoundRepeats {
  const { known, prepared, fateAt } = rules;
  const { entries } = prepared;
  const repeats: Repeat[] = [];
  const sent: Sent[] = [];
  let live: KnownPayment | null = null;
  /** Payments of the input's records: these repeat nothing. */
  const own = new Set<PaymentId>();
  const isCompared = known.similar.size + known.elsewhere.size > 0;
  if (!isCompared && known.byKey.size + known.corrected.size === 0) return { repeats, reminders: [], live };
  for (let index = 0; index < entries.length; index++) {
    const fate = fateAt(index);
    if (fate === null) continue;
    const payment = known.byKey.get(index);
    if (payment?.isLive === true && (payment.state !== 'rejected' || fate.what === 'send')) live ??= payment;
    if (fate.what === 'repeat') {
      if (fate.standsFor.isLive) live ??= fate.standsFor;
      repeats.push(fate);
    }
    if (fate.what === 'repeat' || fate.what === 'left-out') own.add(fate.standsFor.id);
    else if (fate.what === 'send' && isCompared) sent.push(sentOf(index, fate, rules));
  }
  const isOwn = (payment: KnownPayment): boolean => {
    const entry = entryOf(payment, prepared);
    return own.has(payment.id) || (entry !== null && entries.isValid(entry));
  };
  const candidatesOf = (record: Sent): KnownPayment[] =>
    (known.similar.get(record.print.similarity) ?? []).filter((payment) => {
      const last = lastReplacement(payment, known);
      return (
        !isOwn(payment) &&
        !isOwn(last) &&
        isNews(last, record, known) &&
        !runsOf(payment).some((run) => record.corrects.has(run))
      );
    });
  // First by content: each payment equals one record, and then no other record resembles it.
  const rest: Sent[] = [];
  for (const record of sent) {
    const equal = candidatesOf(record).filter((payment) => isEqual(payment, record, prepared.batchId));
    live ??= equal.find(({ isLive }) => isLive) ?? null;
    const paid = equal.filter(isPaid).sort(byCertainty);
    const [standsFor] = paid;
    if (standsFor === undefined) rest.push(record);
    else {
      own.add(standsFor.id);
      repeats.push(ofContent('created-before', record, standsFor, paid));
    }
  }
  const reminders: Reminder[] = [];
  for (const record of rest) {
    const sides = sameHost(record, rules).filter((payment) => isNews(payment, record, known));
    const like = [...candidatesOf(record), ...sides];
    const found = like.flatMap((payment) => resembled(payment, record, rules) ?? []);
    const left = known.leftOut.get(record.index);
    if (left !== undefined && !found.some(({ id }) => id === left.id)) found.push(left);
    live ??= found.find(({ isLive }) => isLive) ?? null;
    const paid = found.filter(isPaid);
    if (paid.length > 0) repeats.push(ofContent('similar-record', record, newestOf(paid), paid));
    else if (record.fate.again === null && !record.isAccepted) reminders.push(...reminderOf(record, like, rules));
  }
  return { repeats: repeats.sort((one, other) => one.index - other.index), reminders, live };
}

function ofContent(
  code: Repeat['code'],
  { index, fate }: Sent,
  standsFor: KnownPayment,
  found: readonly KnownPayment[],
): Repeat {
  return repeatOf({ index, code, standsFor, own: fate.payment, corrects: false }, found);
}

function sentOf(index: number, fate: Sent['fate'], { known, prepared: { entries } }: RepeatRules): Sent {
  return {
    ...{ index, fate, print: entries.fingerprint(index) },
    isComputed: isComputedKey(entries.keyText(index)),
    isAccepted: (known.accepted[index] ?? 0) !== 0,
    corrects: new Set(runsOf(known.corrected.get(index))),
  };
}
/** Numbers of the runs that accepted a payment: the first and the last of them. */
function runsOf(payment: KnownPayment | undefined): number[] {
  return payment === undefined ? [] : [homeOf(payment.id), payment.run.number];
}

/** Decisions before a run's gate stay valid: for its records, only later changes count. */
function isNews({ moment, isLive }: KnownPayment, { isAccepted }: Sent, { run }: Known): boolean {
  return !isAccepted || isLive || run === null || moment > run.moment;
}

/** The batch has the same content under another computed key. */
function isEqual(payment: KnownPayment, { print, isComputed }: Sent, batchId: string): boolean {
  const isComparable = isComputed && isComputedKey(payment.key) && payment.batchId === batchId;
  return isComparable && payment.content === print.content && mayBePaid(payment);
}

/** The payment that the record may repeat, or null: the payment itself, or its correction. */
function resembled(payment: KnownPayment, record: Sent, rules: RepeatRules): KnownPayment | null {
  const { batchId } = rules.prepared;
  const { print, isComputed } = record;
  const isHere = payment.batchId === batchId;
  const isSameContent = payment.content === print.content;
  if (payment.replacedBy !== null) {
    const last = lastReplacement(payment, rules.known);
    const isLately = isHere || isRecent(last, rules);
    return isSameContent && isLately && mayBePaid(last) ? last : null;
  }
  if (!mayBePaid(payment)) return null;
  if (payment.run.target !== rules.target) return isSameContent ? payment : null;
  if (isHere && !isComputed && !isComputedKey(payment.key)) return isSameContent ? payment : null;
  if (differ(payment.reference, print.reference) || differ(payment.date, print.date)) return null;
  if (isHere) return payment;
  const isLately = payment.state !== 'created' || batchId === DEFAULT_BATCH || isRecent(payment, rules);
  return isLately && hasSameAmount(payment, record, rules) ? payment : null;
}

/** In the last few days; for a run that continues, also since it began. */
function isRecent({ at, moment }: KnownPayment, { known: { run }, now }: RepeatRules): boolean {
  return now - at < RECENT || (run !== null && moment > run.moment);
}

/** Reference and date distinguish two records only if both have one and they differ. */
function differ<T>(one: T | null, other: T | null): boolean {
  return one !== null && other !== null && one !== other;
}

/** For results, task and quantity are compared. Gigs have no amount to compare. */
function hasSameAmount(payment: KnownPayment, { index, print }: Sent, { prepared: { entries } }: RepeatRules): boolean {
  if (payment.type === 'gig') return true;
  if (payment.type === 'result')
    return payment.reference === print.reference && !differ(payment.measure, print.measure);
  const amount = entries.amount(index);
  return amount === null || payment.amount === null || compare(amount, parseDecimal(payment.amount)) === 0;
}

/** Payments of the same key at other targets on the same host. */
function sameHost({ index }: Sent, { known, target }: RepeatRules): KnownPayment[] {
  return (known.elsewhere.get(index) ?? []).filter(({ run }) => hostOf(run.target) === hostOf(target));
}

/** Payments from long ago in another batch, or here for another day. */
function reminderOf(record: Sent, like: readonly KnownPayment[], rules: RepeatRules): Reminder[] {
  const { print, index } = record;
  const { batchId } = rules.prepared;
  const paid = like.filter((payment) => payment.state === 'created' && hasSameAmount(payment, record, rules));
  const elsewhere = paid.filter(
    (each) => each.batchId !== batchId && !differ(each.reference, print.reference) && !differ(each.date, print.date),
  );
  if (elsewhere.length > 0) return [{ index, code: 'paid-in-batch', newest: newestOf(elsewhere) }];
  const otherDate = paid.filter(
    (each) => each.batchId === batchId && each.reference === print.reference && differ(each.date, print.date),
  );
  return otherDate.length === 0 ? [] : [{ index, code: 'other-date', newest: newestOf(otherDate) }];
}

/** Created ones first: a record that is left out names one of these, if there is one. */
function byCertainty(one: KnownPayment, other: KnownPayment): number {
  const rank = ({ state }: KnownPayment): number => (state === 'created' ? 0 : 1);
  return rank(one) - rank(other) || one.id - other.id;
}
