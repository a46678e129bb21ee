/** Removes stored bodies and answers, which are personal data, once nothing needs them any more. */
import type { Db } from './db.js';
import { sqlRunOf } from './rows.js';

/** Exit codes of a run that did all it could: every record created or definitely refused. */
export const FINISHED = '(0, 4)';

const NOT_DELIVERED = 'NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.run = run.number)';

/** A rejected record is sent again while its run is open, and needs its body for that. */
const FINISHED_RECORDS = `SELECT o.record FROM outcome o JOIN run ON run.number = ${sqlRunOf('o.record')} AND run.passed > 0
  WHERE max(o.at, coalesce(run.finished_at, run.started_at)) < ?
    AND ${NOT_DELIVERED}
    AND (o.state IN ('created', 'already_created', 'invalid') OR (o.state = 'rejected' AND run.exit_code IN ${FINISHED}))`;

const FINISHED_RUNS = `SELECT number FROM run WHERE passed > 0 AND coalesce(finished_at, started_at) < ? AND ${NOT_DELIVERED}`;

/**
 * Removes bodies and answers of records that were finished before a time (milliseconds since 1970). Keys, hashes,
 * states and dates stay: they protect from paying twice.
 * @returns how many bodies
 */
export function prune(db: Db, before: number): number {
  const { changes } = db
    .prepare(`UPDATE record SET body = NULL WHERE body IS NOT NULL AND id IN (${FINISHED_RECORDS})`)
    .run(before);
  db.prepare(`UPDATE record SET error = NULL WHERE error IS NOT NULL AND id IN (${FINISHED_RECORDS})`).run(before);
  db.prepare(`UPDATE invalid_record SET error = NULL WHERE ${sqlRunOf('id')} IN (${FINISHED_RUNS})`).run(before);
  db.prepare(`UPDATE outcome SET response = NULL, error = NULL WHERE record IN (${FINISHED_RECORDS})`).run(before);
  return changes;
}

/**
 * Writes the file anew, so that nothing that was removed is left in its bytes or in its log. Otherwise the contents of
 * rows stay in free pages, and as copies in split pages, which `secure_delete` does not reach either.
 * Not within a transaction.
 */
export function rewrite(db: Db): void {
  // In memory, the new file would take as much memory as the journal is long.
  db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)');
}
