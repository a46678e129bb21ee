/** Replaces payments, and gives up open ones that nobody will send. All functions run within a transaction. */
import type { PaymentId } from '../payment.js';
import type { Withdrawals } from '../plan.js';
import { CREATED, NOT_SENT, UNKNOWN } from './common-schema.js';
import type { Transaction, SqlValue } from './driver.js';
import { WITH_OUTCOME } from './outcomes.js';

/** Ends a transaction that must not change anything. */
export class HistoryChanged extends Error {}

/** A payment of the same key takes the key over. @throws HistoryChanged if another one has replaced it already */
export async function replace(tx: Transaction, payment: number, by: number): Promise<void> {
  const known = await tx.rows('SELECT 1 FROM payment WHERE id = $1', payment);
  if (known.length === 0) throw new Error(`payment ${payment} is not known`);
  if ((await tx.change('UPDATE payment SET replaced_by = $1 WHERE id = $2 AND replaced_by IS NULL', by, payment)) === 0)
    throw new HistoryChanged();
  await tx.change(
    'DELETE FROM by_key WHERE payment = $1 AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $2)',
    payment,
    by,
  );
}

/**
 * Outcomes do not count as changes of the history: otherwise no plan would pass while another run is sent. So this
 * checks those that the plan builds on: a payment that is replaced or given up must not be created, in doubt or under
 * way.
 */
export async function requireUnchanged(tx: Transaction, { replaced, withdrawn }: Withdrawals): Promise<void> {
  const payments = [...replaced.map(({ payment }) => payment), ...withdrawn];
  if (payments.length === 0) return;
  const news = await tx.rows(
    `SELECT 1 FROM payment p ${WITH_OUTCOME} WHERE p.id = ANY ($1)
     AND (o.state = ${CREATED} OR o.state >= ${UNKNOWN} OR c.at IS NOT NULL) LIMIT 1`,
    payments,
  );
  if (news.length > 0) throw new HistoryChanged();
  const replacedMeanwhile = 'SELECT 1 FROM payment WHERE id = ANY ($1) AND replaced_by IS NOT NULL LIMIT 1';
  if ((await tx.rows(replacedMeanwhile, withdrawn)).length > 0) throw new HistoryChanged();
}

/** Open payments that a run had accepted and now leaves out become mere rows of records. */
export async function releasePayments(tx: Transaction, payments: readonly PaymentId[]): Promise<void> {
  if (payments.length === 0) return;
  await restoreRejected(tx, 'p.id = ANY ($1)', payments);
  await tx.change(
    `DELETE FROM by_key WHERE (target, key, type) IN (SELECT target, key, type FROM payment WHERE id = ANY ($1))
     AND payment = ANY ($1)`,
    payments,
  );
  await tx.change(
    `DELETE FROM by_payee WHERE (payee, title, payment) IN (SELECT payee, title, id FROM payment WHERE id = ANY ($1))`,
    payments,
  );
  await tx.change('UPDATE payment SET run = 0 WHERE id = ANY ($1)', payments);
}

/**
 * Rejected payments whose corrections are given up count as rejected again.
 * @param which SQL: condition on such a correction `p`; only open ones count
 */
export async function restoreRejected(tx: Transaction, which: string, value: SqlValue): Promise<void> {
  const pairs = await tx.rows<[PaymentId, PaymentId]>(
    `SELECT p.id, r.id FROM payment r JOIN payment p ON p.id = r.replaced_by
     LEFT JOIN outcome o ON o.payment = p.id
     WHERE r.replaced_by IS NOT NULL AND ${which} AND (o.state IS NULL OR o.state = ${NOT_SENT})`,
    value,
  );
  for (const [correction, rejected] of pairs) {
    await tx.change('UPDATE payment SET replaced_by = NULL WHERE id = $1', rejected);
    // If both have the same key, it leads to the rejected one again.
    await tx.change(
      `UPDATE by_key SET payment = $1 WHERE payment = $2
       AND (target, key, type) = (SELECT target, key, type FROM payment WHERE id = $1)`,
      rejected,
      correction,
    );
  }
}
