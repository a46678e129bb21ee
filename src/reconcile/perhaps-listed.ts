/**
 * Payments whose key is not in a list, but that a row without a payment may be: its key was cut off, or changed by a
 * spreadsheet. Their absence proves nothing.
 */
import type { Journal } from '../journal/journal.js';
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { PaymentId, StoredPayment } from '../journal/payment.js';
import { formatDecimal } from '../money/decimal.js';
import { foldId, foldKey } from '../records/fold.js';
import { subjectIn } from '../records/types.js';
import type { ExportRow } from './export-rows.js';

/** @param payments of results and payouts. @param unmet rows that no payment meets. @throws JournalError */
export async function findPerhapsListed(
  payments: readonly StoredPayment[],
  unmet: readonly ExportRow[],
  journal: Journal,
): Promise<ReadonlySet<PaymentId>> {
  const found = new Set<PaymentId>();
  if (unmet.length === 0) return found;
  const keys = new Set(unmet.map(({ key }) => (key === null ? '' : foldKey(key))));
  // Next to another key, only the same payee and amount say something.
  const telling = unmet.filter(({ key, userId, amount }) => key === null || (userId !== null && amount !== null));
  const subjects = new Set(telling.map(({ userId, amount }) => subjectKey(userId, amount && formatDecimal(amount))));
  // A row that says nothing but that something was made may be any of them.
  const mayBeAny = unmet.some(({ key, userId, amount }) => key === null && userId === null && amount === null);
  for (const page of chunksOf(payments, ROWS_PER_QUERY)) {
    const bodies = await journal.bodies(page.map(({ id }) => id));
    for (const [i, { id, type, key, amount }] of page.entries()) {
      const { userId } = subjectIn(bodies[i] ?? null, type);
      // A row may lack one of the two.
      const fits = [subjectKey(userId, amount), subjectKey(userId, null), subjectKey(null, amount)];
      if (mayBeAny || keys.has(foldKey(key)) || fits.some((each) => each !== null && subjects.has(each))) found.add(id);
    }
  }
  return found;
}

/** Null if nothing is known. @param amount decimal text */
function subjectKey(userId: string | null, amount: string | null): string | null {
  return userId === null && amount === null ? null : JSON.stringify([userId === null ? null : foldId(userId), amount]);
}
