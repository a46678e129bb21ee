/** Open payments that nobody sends any more. */
import { NOT_SENT } from '../codes.js';
import type { PaymentId } from '../payment.js';
import type { Transaction, Value } from './driver.js';

/** What a run had accepted and leaves out is the row of a record, and no payment. To be called within a transaction. */
export async function giveUp(tx: Transaction, payments: readonly PaymentId[]): Promise<void> {
  if (payments.length === 0) return;
  await giveBack(tx, 'p.id = ANY ($1)', payments);
  await tx.change(
    `DELETE FROM by_key WHERE (target, key, type) IN (SELECT target, key, type FROM payment WHERE id = ANY ($1))
     AND payment = ANY ($1)`,
    payments,
  );
  await tx.change(
    `DELETE FROM by_similarity WHERE (similarity, payment) IN (SELECT similarity, id FROM payment WHERE id = ANY ($1))`,
    payments,
  );
  await tx.change('UPDATE payment SET run = 0 WHERE id = ANY ($1)', payments);
}

/**
 * What was to be corrected by payments that are given up is rejected again. To be called within a transaction.
 * @param which SQL: condition on such a payment `p`; those that are not open do not count
 */
export async function giveBack(tx: Transaction, which: string, value: Value): Promise<void> {
  const pairs = await tx.rows<[PaymentId, PaymentId]>(
    `SELECT p.id, r.id FROM payment r JOIN payment p ON p.id = r.replaced_by
     LEFT JOIN outcome o ON o.payment = p.id
     WHERE r.replaced_by IS NOT NULL AND ${which} AND (o.state IS NULL OR o.state = ${NOT_SENT})`,
    value,
  );
  for (const [correction, rejected] of pairs) {
    await tx.change('UPDATE payment SET replaced_by = NULL WHERE id = $1', rejected);
    // Where both have one key, it stands for the rejected one again.
    await tx.change(
      `UPDATE by_key SET payment = $1 WHERE payment = $2
       AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $1)`,
      ...[rejected, correction],
    );
  }
}
