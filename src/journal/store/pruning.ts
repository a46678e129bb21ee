/** Removes stored bodies and answers, which are personal data, once nothing needs them any more. */
import { CREATED, REJECTED } from './common-schema.js';
import type { Driver } from './driver.js';
import { addEvent } from './audit-queries.js';
import { ACCEPTED_BY, lockExclusively, IS_ENDED, writeAsProcess } from './transactions.js';

/** SQL: those of the payments in $1 whose bodies are gone. */
export const PRUNED = 'SELECT id FROM payment WHERE id = ANY ($1) AND body IS NULL';

const IS_DELIVERED = 'EXISTS (SELECT 1 FROM delivery WHERE delivery.run = run.number)';

/** SQL: a run that may still send it lists the payment `o.payment`. */
const IS_AWAITED = `EXISTS (SELECT 1 FROM run WHERE run.passed AND NOT ${IS_ENDED} AND o.payment < (
    SELECT s.payment + s.count FROM span s WHERE s.run = run.number AND s.stands_for IS NULL AND s.payment <= o.payment
    ORDER BY s.payment DESC LIMIT 1))`;

/** Keeps rejected payments of an open run: it sends them again and needs their bodies. */
const FINISHED_PAYMENTS = `SELECT o.payment FROM outcome o JOIN payment p ON p.id = o.payment JOIN run ON run.number = ${ACCEPTED_BY}
  WHERE greatest(o.at, coalesce(run.finished_at, run.started_at)) < $1 AND NOT ${IS_DELIVERED}
    AND (o.state = ${CREATED} OR (o.state = ${REJECTED} AND ${IS_ENDED} AND NOT ${IS_AWAITED}))`;

/** Records that were left out are not payments: once their run has ended, nobody sends them. */
const LEFT_OUT_RECORDS = `SELECT p.id FROM run JOIN span s ON s.run = run.number AND s.stands_for IS NOT NULL
  JOIN payments_in(s.payment, s.payment + s.count - 1) p
  WHERE run.passed AND coalesce(run.finished_at, run.started_at) < $1 AND NOT ${IS_DELIVERED} AND ${IS_ENDED} AND p.run = 0`;

const FINISHED_RUNS = `SELECT number FROM run
  WHERE passed AND coalesce(finished_at, started_at) < $1 AND NOT ${IS_DELIVERED}`;

/** {@link Journal.prune} */
export async function prune(driver: Driver, before: number): Promise<number> {
  const pruned = await writeAsProcess(driver, async (tx) => {
    await lockExclusively(driver, tx);
    const removing = 'UPDATE payment SET body = NULL WHERE body IS NOT NULL AND id IN';
    const count = await tx.change(`${removing} (${FINISHED_PAYMENTS})`, before);
    await tx.change(`${removing} (${LEFT_OUT_RECORDS})`, before);
    await tx.change(
      `UPDATE outcome SET response = NULL, error = NULL
       WHERE (response IS NOT NULL OR error IS NOT NULL) AND payment IN (${FINISHED_PAYMENTS})`,
      before,
    );
    await tx.change(
      `UPDATE invalid_record SET error = NULL, body = NULL
       WHERE (error IS NOT NULL OR body IS NOT NULL) AND run IN (${FINISHED_RUNS})`,
      before,
    );
    await driver.pruneResponses(tx, FINISHED_PAYMENTS, before);
    await addEvent(driver, tx, { kind: 'pruned', before, count }, {});
    return count;
  });
  await driver.purgeFreeSpace();
  return pruned;
}
