/** Payments that replace rejected ones, and the payments that replace those. CONTRACT: "Rejected, corrected". */
import type { Ledger } from '../ledger/ledger.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import { paymentsOf } from './ledger-rows.js';

interface Replaced {
  readonly replacements: ReadonlyMap<PaymentId, KnownPayment>;
}

/** The replacements of payments, to the last one, by number. @throws JournalError */
export async function replacementsOf(
  payments: readonly KnownPayment[],
  ledger: Ledger,
): Promise<Map<PaymentId, KnownPayment>> {
  const replacements = new Map<PaymentId, KnownPayment>();
  for (let found = [...payments]; found.length > 0;) {
    const next = found.flatMap(({ replacedBy: id }) =>
      id === null || replacements.has(id) ? [] : [[id, id] as const],
    );
    found = [];
    for await (const [id, payment] of paymentsOf(new Map(next), ledger)) {
      replacements.set(id, payment);
      found.push(payment);
    }
  }
  return replacements;
}

/** The last replacement of a payment, or the payment itself if it was never replaced. */
export function lastReplacement(payment: KnownPayment, known: Replaced): KnownPayment {
  return correctionsOf(payment, known).at(-1) ?? payment;
}

/** All replacements of a payment, in order, to the last one. */
export function correctionsOf(payment: KnownPayment, { replacements }: Replaced): KnownPayment[] {
  const corrections = new Set<KnownPayment>();
  for (let next = payment.replacedBy; next !== null;) {
    const correction = replacements.get(next);
    if (correction === undefined || corrections.has(correction)) break;
    corrections.add(correction);
    next = correction.replacedBy;
  }
  return [...corrections];
}
