/**
 * The amount of a payment is fixed at the gate: other prices later change nothing. CONTRACT: "What is remembered". Only
 * the amounts of some types depend on more than the record's own content.
 */
import type { Ledger } from '../ledger/ledger.js';
import type { PaymentId } from '../ledger/payment.js';
import { parseDecimal } from '../money/decimal.js';
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import type { Entries } from './entries.js';

/** Payments that are asked for at once. */
const PAGE = 2000;

/** @param paymentOf the payment that a record is, accepted by whichever run; null for none. @throws JournalError */
export async function keepGateAmounts(
  entries: Entries,
  paymentOf: (index: number) => PaymentId | null,
  ledger: Ledger,
): Promise<void> {
  const priced: [index: number, payment: PaymentId][] = [];
  for (let index = 0; index < entries.length; index++) {
    if (!entries.isValid(index) || KINDS[entries.groupOf(index).type as RecordType].price === null) continue;
    const payment = paymentOf(index);
    if (payment !== null) priced.push([index, payment]);
  }
  for (let from = 0; from < priced.length; from += PAGE) {
    const page = priced.slice(from, from + PAGE);
    const found = await ledger.byId(page.map(([, payment]) => payment));
    const amounts = new Map(found.map(({ id, amount }) => [id, amount]));
    for (const [index, payment] of page) {
      const amount = amounts.get(payment);
      if (amount !== undefined) entries.setAmount(index, amount === null ? null : parseDecimal(amount));
    }
  }
}
