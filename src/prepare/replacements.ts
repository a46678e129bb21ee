/** Payments that replace rejected ones, and the payments that replace those. CONTRACT: "Rejected, corrected". */
import type { Journal } from '../journal/journal.js';
import type { StoredPayment, PaymentId } from '../journal/payment.js';
import { paymentsOf } from './draft-store.js';

interface Replaced {
  readonly replacements: ReadonlyMap<PaymentId, StoredPayment>;
}

/** The replacements of payments, to the last one, by number. @throws JournalError */
export async function loadCorrectionChains(
  payments: readonly StoredPayment[],
  journal: Journal,
): Promise<Map<PaymentId, StoredPayment>> {
  const replacements = new Map<PaymentId, StoredPayment>();
  for (let found = [...payments]; found.length > 0;) {
    const next = found.flatMap(({ replacedBy: id }) =>
      id === null || replacements.has(id) ? [] : [[id, id] as const],
    );
    found = [];
    for await (const [id, payment] of paymentsOf(new Map(next), journal)) {
      replacements.set(id, payment);
      found.push(payment);
    }
  }
  return replacements;
}

/** The last replacement of a payment, or the payment itself if it was never replaced. */
export function newestCorrection(payment: StoredPayment, known: Replaced): StoredPayment {
  return correctionsOf(payment, known).at(-1) ?? payment;
}

/** All replacements of a payment, in order, to the last one. */
export function correctionsOf(payment: StoredPayment, { replacements }: Replaced): StoredPayment[] {
  const corrections = new Set<StoredPayment>();
  for (let next = payment.replacedBy; next !== null;) {
    const correction = replacements.get(next);
    if (correction === undefined || corrections.has(correction)) break;
    corrections.add(correction);
    next = correction.replacedBy;
  }
  return [...corrections];
}
