/** Which payments of the history the input itself stands for: these are no repeats of it. PURE. */
import type { Prepared } from '../batch/prepare.js';
import { RecordKey } from '../keys/record-key.js';
import type { KnownPayment, PaymentId } from '../ledger/payment.js';
import type { Fate } from './fate.js';
import type { Known } from './known.js';

/**
 * A payment under the key of a valid record, and one of its content that a record of the run is sent as, is left out for,
 * or repeats. An invalid record stands for the payment of its key only where that has its content, as in a row that says
 * that it was paid: of any other payment, nobody looks after it in this run.
 */
export function ownPayments(
  { entries, index: keys }: Prepared,
  fates: readonly (Fate | null)[],
  { similar }: Known,
): (payment: KnownPayment) => boolean {
  if (similar.size === 0) return () => false;
  const contents = new Map<PaymentId, bigint>();
  for (const payments of similar.values()) for (const { id, content } of payments) contents.set(id, content);
  const stoodFor = new Set<PaymentId>();
  for (const [index, fate] of fates.entries()) {
    const payment = fate === null ? null : paymentOf(fate, entries.payment(index));
    if (payment !== null && contents.get(payment) === entries.content(index)) stoodFor.add(payment);
  }
  return ({ id, key, content }) => {
    if (stoodFor.has(id)) return true;
    const entry = keys.find(RecordKey.of(key));
    return entry !== null && (entries.isValid(entry) || entries.content(entry) === content);
  };
}

/** @param pointed the payment that the entry points at */
function paymentOf(fate: Fate, pointed: PaymentId): PaymentId | null {
  if (fate.what === 'conflict') return null;
  if (fate.what === 'repeat') return fate.payment.id;
  return fate.payment ?? (fate.what === 'send' ? null : pointed);
}
