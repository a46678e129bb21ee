/** Open payments that nobody sends any more. */
import { NOT_SENT } from '../codes.js';
import type { PaymentId } from '../payment.js';
import type { Context } from './context.js';

/** What a run had accepted and leaves out is the row of a record, and no payment. To be called within a transaction. */
export function giveUp(context: Context, payments: readonly PaymentId[]): void {
  const { sql } = context;
  for (const payment of payments) {
    giveBack(context, 'p.id = ?1', payment);
    sql(
      'DELETE FROM by_key WHERE payment = ?1 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = ?1)',
    ).run(payment);
    sql(
      'DELETE FROM by_similarity WHERE payment = ?1 AND similarity = (SELECT similarity FROM payment WHERE id = ?1)',
    ).run(payment);
    sql('UPDATE payment SET run = 0 WHERE id = ?').run(payment);
  }
}

/**
 * What was to be corrected by payments that are given up is rejected again. To be called within a transaction.
 * @param which SQL: condition on such a payment `p`; those that are not open do not count
 */
export function giveBack({ sql }: Context, which: string, value: number): void {
  const pairs = sql(`SELECT p.id, r.id FROM payment r JOIN payment p ON p.id = r.replaced_by
    LEFT JOIN outcome o ON o.payment = p.id
    WHERE r.replaced_by IS NOT NULL AND ${which} AND (o.state IS NULL OR o.state = ${NOT_SENT})`);
  for (const [correction, rejected] of pairs.all(value) as [PaymentId, PaymentId][]) {
    sql('UPDATE payment SET replaced_by = NULL WHERE id = ?').run(rejected);
    // Where both have one key, it stands for the rejected one again.
    sql(
      'UPDATE by_key SET payment = ?1 WHERE payment = ?2 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = ?1)',
    ).run(rejected, correction);
  }
}
