/**
 * Whether a record and a payment may be the same payment under two names. All rules for repeats are cases of this.
 * PURE. CONTRACT: "Repeats", `similar-record`; docs/batches-and-repeats.md has the same table for people.
 */
import type { RecordTable } from '../prepare/record-table.js';
import type { Fingerprint } from '../keys/fingerprint.js';
import { isComputedKey } from '../keys/key.js';
import type { StoredPayment } from '../journal/payment.js';
import { formatDecimal } from '../money/decimal.js';
import { isSameDay } from '../records/calendar.js';
import { foldKey } from '../records/fold.js';
import type { RecordType } from '../records/types.js';

/** What is compared of a record or a payment. */
export interface Compared extends Fingerprint {
  readonly type: RecordType;
  /** Decimal text; null if not known. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Null for a computed key. */
  readonly ownKey: string | null;
  /** Its reference says something about it: not all rows of its file share it. */
  readonly isReferenceItsOwn: boolean;
}

/** Why two records are alike: (a) to (d) of the contract, or equal content, or own keys that a spreadsheet changed. */
export type Likeness = 'title' | 'reference' | 'place' | 'mended' | 'content' | 'own-key';

/** What the records themselves do not show. */
export interface Circumstances {
  /** The same place in a file with the same bytes. */
  readonly isSamePlace: boolean;
  /** The input repeats other payments of the payment's run: its file was probably mended. */
  readonly isMended: boolean;
  /** The same line in the two files. */
  readonly isSameLine: boolean;
}

export function comparedRecord(entries: RecordTable, index: number, shared: number | null): Compared {
  const { type, currency } = entries.groupOf(index);
  const fingerprint = entries.fingerprint(index);
  const amount = entries.amount(index);
  return {
    ...fingerprint,
    type: type as RecordType,
    amount: amount === null ? null : formatDecimal(amount),
    currency,
    ownKey: ownKeyOf(entries.keyText(index)),
    isReferenceItsOwn: fingerprint.reference !== null && fingerprint.reference !== shared,
  };
}

export function comparedPayment(payment: StoredPayment): Compared {
  const { reference, run, key } = payment;
  const isReferenceItsOwn = reference !== null && !run.shared.has(reference);
  return { ...payment, ownKey: ownKeyOf(key), isReferenceItsOwn };
}

function ownKeyOf(key: string): string | null {
  return isComputedKey(key) ? null : key;
}

/** In one batch, at one target. Null for two that are not alike. */
export function likenessOf(one: Compared, other: Compared, around: Circumstances): Likeness | null {
  if (around.isSamePlace) return 'place';
  if (areBothOwn(one, other)) return likenessOfOwnKeys(one, other);
  if (one.payee !== other.payee || !isSameDateOrNone(one, other)) return null;
  if (one.title === other.title && !differ(one.reference, other.reference)) return 'title';
  if (isSameWork(one, other)) return 'reference';
  const isMended = around.isMended && one.type !== 'gig';
  return isMended && (around.isSameLine || isSameAmount(one, other)) ? 'mended' : null;
}

/** In one batch, at another target on the same host: the same service, perhaps under another account. */
export function likenessAtHost(one: Compared, other: Compared, { isSamePlace }: Circumstances): Likeness | null {
  if (isSamePlace) return 'place';
  if (one.content === other.content) return 'content';
  const isComparable = !areBothOwn(one, other) && one.payee === other.payee && isSameDateOrNone(one, other);
  return isComparable && isSameWork(one, other) ? 'reference' : null;
}

/** In two batches: payee, purpose and amount are the same, and neither reference nor date tells them apart. */
export function isAlikeElsewhere(one: Compared, other: Compared): boolean {
  return (
    one.payee === other.payee &&
    one.title === other.title &&
    !differ(one.reference, other.reference) &&
    isSameDateOrNone(one, other) &&
    isSameSum(one, other)
  );
}

/** The same payee and amount, in one batch; of results the same task and quantity. Gigs have no amount to compare. */
export function isSameAmount(one: Compared, other: Compared): boolean {
  if (one.type === 'result') return !differ(one.reference, other.reference) && one.measure === other.measure;
  return one.amount !== null && one.amount === other.amount && one.currency === other.currency;
}

/** The same, without regard to currencies, and where an amount that is not known fits any. */
export function isSameSum(one: Compared, other: Compared): boolean {
  if (one.type === 'gig') return true;
  if (one.type === 'result') return one.reference === other.reference && !differ(one.measure, other.measure);
  return !differ(one.amount, other.amount);
}

/** Both have a date from their files, and it is the same. */
export function hasSameDate(one: Compared, other: Compared): boolean {
  return one.date !== null && other.date !== null && isSameDay(one.date, other.date);
}

/** Both have a reference from their files, and it is the same. */
export function hasSameReference(one: Compared, other: Compared): boolean {
  return one.reference !== null && one.reference === other.reference;
}

/** A gig has no payee: there, the same title. */
export function hasSamePayee(one: Pick<Compared, 'type' | 'title' | 'payee'>, other: Fingerprint): boolean {
  return one.type === 'gig' ? one.title === other.title : one.payee === other.payee;
}

function areBothOwn(one: Compared, other: Compared): boolean {
  return one.ownKey !== null && other.ownKey !== null;
}

/** A person has given each payment a key, so only a key that a program has changed is doubtful, or one content twice. */
function likenessOfOwnKeys(one: Compared, other: Compared): Likeness | null {
  if (one.content === other.content) return 'content';
  const isToldApart = differ(one.reference, other.reference) || !isSameDateOrNone(one, other);
  if (one.payee !== other.payee || isToldApart) return null;
  return foldKey(one.ownKey ?? '') === foldKey(other.ownKey ?? '') ? 'own-key' : null;
}

/** The same work under another title: all that says so comes from both files. */
function isSameWork(one: Compared, other: Compared): boolean {
  if (one.type === 'gig' || !one.isOfFile || !other.isOfFile || !hasSameReference(one, other)) return false;
  if (one.type === 'result') return one.measure === other.measure && hasSameDate(one, other);
  return one.isReferenceItsOwn && other.isReferenceItsOwn && isSameAmount(one, other);
}

function isSameDateOrNone(one: Compared, other: Compared): boolean {
  return one.date === null || other.date === null || isSameDay(one.date, other.date);
}

/** References tell two records apart only if both have one and they differ. */
function differ<T>(one: T | null, other: T | null): boolean {
  return one !== null && other !== null && one !== other;
}
