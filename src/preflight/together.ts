/** What the records of a run mean for each other's payments: each is sent for one record, and none beside its correction. PURE. */
import type { Prepared } from '../batch/prepare.js';
import type { PaymentId } from '../ledger/payment.js';
import type { Fate } from './fate.js';
import type { Known } from './known.js';

/** A rejected payment that is never sent again, since a record that corrects it is this payment. */
export interface Closed {
  readonly payment: PaymentId;
  readonly by: PaymentId;
}

/**
 * A payment is corrected by one record. Where one row names it as the payment that it corrects, and another one has its
 * key with other content, nobody can tell which is meant: the key is refused to the second.
 */
export function refuseSecondCorrection(fates: (Fate | null)[], { byKey, corrected }: Known): void {
  const named = new Set<PaymentId>();
  for (const [index, { id }] of corrected) if ((fates[index] ?? null) !== null) named.add(id);
  if (named.size === 0) return;
  for (const [index, payment] of byKey) {
    if (!named.has(payment.id) || corrected.get(index)?.id === payment.id) continue;
    const fate = fates[index];
    if (fate?.what === 'send' && fate.replaced.includes(payment.id)) fates[index] = { what: 'conflict', payment };
  }
}

/**
 * Rejected payments that rows of the input correct, where the row is no new payment: it was one before, or it is left out
 * beside one. Those that new payments replace are in the fates. CONTRACT: "Rejected, mended".
 */
export function closedBy({ entries }: Prepared, fates: readonly (Fate | null)[], { corrected }: Known): Closed[] {
  const closed: Closed[] = [];
  for (const [index, { id: payment, state, replacedBy, isLive }] of corrected) {
    const by = standing(fates[index] ?? null, entries.payment(index));
    if (by === null || by === payment || state !== 'rejected' || replacedBy !== null || isLive) continue;
    closed.push({ payment, by });
  }
  return closed;
}

/** The payment that a record is or stands for, unless it is a new one. @param pointed the one that its entry points at */
function standing(fate: Fate | null, pointed: PaymentId): PaymentId | null {
  if (fate?.what === 'send') return fate.payment;
  return fate?.what === 'created' || fate?.what === 'unknown' ? (fate.payment ?? pointed) : null;
}

/**
 * Changes the fates of records that would be sent as a payment which another record is sent as, or which another one
 * takes the place of: a gig that is sent twice is paid twice.
 */
export function sendOnce(fates: (Fate | null)[], { byKey }: Known, closed: readonly Closed[]): void {
  const replaced = new Set(closed.map(({ payment }) => payment));
  /** Sends of payments that are not those of the records' own keys. */
  const strangers = new Map<number, PaymentId>();
  fates.forEach((fate, index) => {
    if (fate?.what !== 'send') return;
    for (const payment of fate.replaced) replaced.add(payment);
    if (fate.payment !== null && byKey.get(index)?.id !== fate.payment) strangers.set(index, fate.payment);
  });
  if (replaced.size + strangers.size === 0) return;
  const sent = new Set<PaymentId>();
  const wanted = new Set(strangers.values());
  for (const [index, fate] of fates.entries()) {
    if (fate?.what !== 'send' || fate.payment === null) continue;
    if (replaced.has(fate.payment)) fates[index] = notSent(fate.payment, fate.again);
    else if (!strangers.has(index) && wanted.has(fate.payment)) sent.add(fate.payment);
  }
  for (const [index, payment] of strangers) {
    if (fates[index]?.what !== 'send') continue;
    if (sent.has(payment)) fates[index] = notSent(payment, null);
    sent.add(payment);
  }
}

/** A payment stays rejected; one that was open, is so only here. */
function notSent(payment: PaymentId, again: (Fate & { what: 'send' })['again']): Fate {
  if (again === 'rejected') return { what: 'rejected', payment, leftOut: null };
  return { what: 'not_sent', payment, leftOut: 'similar' };
}
