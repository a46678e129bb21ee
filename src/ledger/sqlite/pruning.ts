/** Removes stored bodies and answers, which are personal data, once nothing needs them any more. */
import { type Db, transaction } from '../../util/sqlite.js';
import { CREATED, REJECTED } from '../codes.js';
import type { Context } from './context.js';
import { addEvent } from './events.js';
import { IS_ENDED } from './runs.js';

const IS_DELIVERED = 'EXISTS (SELECT 1 FROM delivery WHERE delivery.run = run.number)';

/** SQL: a run that may still send it lists the payment `o.payment`. */
const IS_AWAITED = `EXISTS (SELECT 1 FROM run WHERE run.passed = 1 AND NOT ${IS_ENDED} AND o.payment < (
    SELECT s.payment + s.count FROM span s WHERE s.run = run.number AND s.stands_for IS NULL AND s.payment <= o.payment
    ORDER BY s.payment DESC LIMIT 1))`;

/** A rejected payment is sent again while a run that lists it is open, and needs its body for that. */
const FINISHED = `SELECT o.payment FROM outcome o JOIN payment p ON p.id = o.payment
  JOIN run ON run.number = coalesce(p.run, p.id >> 31)
  WHERE max(o.at, coalesce(run.finished_at, run.started_at)) < ?1 AND NOT ${IS_DELIVERED}
    AND (o.state = ${CREATED} OR (o.state = ${REJECTED} AND ${IS_ENDED} AND NOT ${IS_AWAITED}))`;

/** Records that were left out are no payments, and nothing is sent of them where their run is done. */
const LEFT_OUT = `SELECT p.id FROM run CROSS JOIN span s ON s.run = run.number AND s.stands_for IS NOT NULL
  CROSS JOIN payment p ON p.id >= s.payment AND p.id < s.payment + s.count
  WHERE run.passed = 1 AND coalesce(run.finished_at, run.started_at) < ?1 AND NOT ${IS_DELIVERED} AND ${IS_ENDED}
    AND p.run = 0`;

const FINISHED_RUNS = `SELECT number FROM run
  WHERE passed = 1 AND coalesce(finished_at, started_at) < ?1 AND NOT ${IS_DELIVERED}`;

/**
 * {@link Ledger.prune}. Keys, hashes, states and dates stay: they protect from paying twice.
 * @param before milliseconds since 1970 @returns how many bodies
 */
export function prune(context: Context, before: number): number {
  const { db, sql } = context;
  const pruned = transaction(db, () => {
    const bodies = sql(`UPDATE payment SET body = NULL WHERE body IS NOT NULL AND id IN (${FINISHED})`).run(before);
    sql(`UPDATE outcome SET response = NULL, error = NULL WHERE payment IN (${FINISHED})`).run(before);
    sql(`UPDATE payment SET body = NULL WHERE body IS NOT NULL AND id IN (${LEFT_OUT})`).run(before);
    sql(`UPDATE invalid_record SET error = NULL WHERE run IN (${FINISHED_RUNS})`).run(before);
    addEvent(context, { what: 'pruned', before, count: bodies.changes }, {});
    return bodies.changes;
  });
  rewrite(db);
  return pruned;
}

/**
 * Writes the file anew, so that nothing that was removed is left in its bytes or in its log. Otherwise the contents of
 * rows stay in free pages, and as copies in split pages, which `secure_delete` does not reach either.
 */
function rewrite(db: Db): void {
  // In memory, the new file would take as much memory as the journal is long.
  db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)');
}
