/**
 * Payments that a row without a payment may be, although its key, or a gig's start, is another one: a spreadsheet may
 * have changed it. Their absence proves nothing.
 */
import type { Journal } from '../journal/journal.js';
import { chunksOf, ROWS_PER_QUERY } from '../journal/pages.js';
import type { PaymentId, StoredPayment } from '../journal/payment.js';
import { formatDecimal } from '../money/decimal.js';
import { foldId, foldKey, foldText } from '../records/fold.js';
import { subjectIn } from '../records/types.js';
import type { ExportRow } from './export-rows.js';

/** @param unmet rows that no payment meets. @throws JournalError */
export async function findPerhapsListed(
  payments: readonly StoredPayment[],
  unmet: readonly ExportRow[],
  journal: Journal,
): Promise<ReadonlySet<PaymentId>> {
  const found = new Set<PaymentId>();
  if (unmet.length === 0) return found;
  const keys = new Set(unmet.map(({ key }) => key && foldKey(key)));
  const titles = new Set(unmet.map(({ title }) => title && foldText(title)));
  // Next to another key, only the same payee and amount say something.
  const telling = unmet.filter(({ key, userId, amount }) => key === null || (userId !== null && amount !== null));
  const subjects = new Set(telling.map(({ userId, amount }) => subjectKey(userId, amount && formatDecimal(amount))));
  // A row that says nothing but that something was made may be any of them.
  const mayBeAny = unmet.some((row) => [row.key, row.title, row.userId, row.amount].every((value) => value === null));
  for (const page of chunksOf(payments, ROWS_PER_QUERY)) {
    const bodies = await journal.bodies(page.map(({ id }) => id));
    for (const [i, { id, type, key, amount }] of page.entries()) {
      const { userId, title } = subjectIn(bodies[i] ?? null, type);
      // A row may lack one of the two.
      const fits = [subjectKey(userId, amount), subjectKey(userId, null), subjectKey(null, amount)];
      const isAlike =
        type === 'gig'
          ? title !== null && titles.has(foldText(title))
          : keys.has(foldKey(key)) || fits.some((each) => each !== null && subjects.has(each));
      if (mayBeAny || isAlike) found.add(id);
    }
  }
  return found;
}

/** Null if nothing is known. @param amount decimal text */
function subjectKey(userId: string | null, amount: string | null): string | null {
  return userId === null && amount === null ? null : JSON.stringify([userId === null ? null : foldId(userId), amount]);
}
