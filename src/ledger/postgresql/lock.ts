/** The lock of the whole journal, for the length of a transaction. */
import type { Transaction } from '../store/driver.js';

/** What changes outcomes and claims one by one shares the lock. What builds on all of them has it alone: {@link haveAlone}. */
export const LOCK = "6777191, 'journal'::regclass::oid::int";

/** To be the opening of a transaction: a statement of its own, so that those after it see what was done under the lock. */
export const SHARE = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;

/** From here on, it sees either all of a change of outcomes and claims, or nothing of it. */
export async function haveAlone(tx: Transaction): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${LOCK})`);
}
