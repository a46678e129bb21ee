/** Payments whose process ended while their request was under way. */
import { CREATED, CUT_OFF, UNKNOWN } from './common-schema.js';
import { forgetRun } from './drafts.js';
import type { Driver, Transaction } from './driver.js';
import { CUT_OFF_ERROR } from './outcomes.js';
import { lockExclusively, lastClaim } from './transactions.js';

/**
 * A claim covers exactly the payments that were about to be sent. Without an outcome of this claim, a payment may have
 * gone through, so it is in doubt since the claim, or since an earlier doubt. The stamp is the present one: for a
 * process that delivers the same payment, this doubt is a change.
 */
const DOUBT = `INSERT INTO outcome (payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error,
    request_id)
  SELECT c.payment, ${CUT_OFF}, c.run, $1, $1, coalesce(o.attempts, 0) + 1, c.at, NULL, coalesce(o.doubt_since, c.at), NULL, $2,
    NULL
  FROM claimed c LEFT JOIN outcome o ON o.payment = c.payment
  WHERE c.process = $3 AND coalesce(o.state, 0) <> ${CREATED}
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, run = excluded.run,
    moment = CASE WHEN outcome.state >= ${UNKNOWN} THEN outcome.moment ELSE excluded.moment END, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = NULL, doubt_since = excluded.doubt_since, response = NULL,
    error = excluded.error, request_id = NULL`;

/** {@link Journal.recover} */
export async function recoverDeadProcesses(driver: Driver): Promise<void> {
  const { session } = driver;
  // Mostly there are none, and nobody has to wait.
  const found = await session.read((tx) => driver.deadProcesses(tx, false));
  if (found.length > 0)
    await session.write(async (tx) => {
      await lockExclusively(driver, tx);
      await takeOver(driver, tx);
    });
  await driver.tidyUp();
}

/** To be called within a transaction that has the journal alone. */
export async function takeOver(driver: Driver, tx: Transaction): Promise<void> {
  for (const process of await driver.deadProcesses(tx, true)) await takeOverOne(tx, process);
}

/** Deletes the process: after this transaction, it can neither claim nor settle. */
async function takeOverOne(tx: Transaction, process: number): Promise<void> {
  await tx.change(DOUBT, await lastClaim(tx), CUT_OFF_ERROR, process);
  await tx.change('DELETE FROM claim WHERE process = $1', process);
  await tx.change('DELETE FROM delivery WHERE process = $1', process);
  const drafts = await tx.rows<[number]>('SELECT number FROM run WHERE process = $1 AND NOT passed', process);
  for (const [run] of drafts) await forgetRun(tx, run);
  await tx.change('DELETE FROM process WHERE id = $1', process);
}

/** SQL: the process has left something to recovery: an unsettled claim or a preparation. */
const IS_OPEN = `EXISTS (SELECT 1 FROM claim WHERE process = $1)
  OR EXISTS (SELECT 1 FROM run WHERE process = $1 AND NOT passed)`;

/** This process leaves the journal. @returns whether it has left nothing open */
export async function deregister(tx: Transaction, self: number): Promise<boolean> {
  await tx.change(`DELETE FROM delivery WHERE process = $1 AND NOT (${IS_OPEN})`, self);
  return (await tx.change(`DELETE FROM process WHERE id = $1 AND NOT (${IS_OPEN})`, self)) > 0;
}
