/** Takes over what a dead process left behind: its claims become doubt, its preparations are forgotten. */
import { type Db, transaction } from './db.js';
import { sqlNotFinal } from './under-way.js';
import { forgetRun } from './preparing.js';
import { stamper } from './rows.js';

/** The error of a record whose request was under way when its process ended. */
export const CUT_OFF = 'the process ended while the request was under way: it may have been carried out';

/**
 * A claim covers exactly the records that were about to be sent. A record without an outcome of this claim may have
 * been carried out, so it is `unknown` from the moment of the claim.
 */
const DOUBT = `INSERT INTO outcome
  SELECT r.id, 'unknown', NULL, coalesce(o.attempts, 0) + 1, NULL, ?, coalesce(o.doubt_since, i.at), ?, i.at, 1
  FROM intent i JOIN record r ON r.id BETWEEN i.first AND i.last LEFT JOIN outcome o ON o.record = r.id
  WHERE i.process = ? AND r.key IS NOT NULL AND coalesce(o.intent, 0) < i.id
    AND ${sqlNotFinal('o.state')}
  ON CONFLICT (record) DO UPDATE SET state = excluded.state, http_status = NULL, attempts = excluded.attempts, response = NULL,
    error = excluded.error, doubt_since = excluded.doubt_since, intent = excluded.intent, at = excluded.at, cut_off = 1`;

/** Takes over what dead processes left, in one transaction for each. @param forgetLock removes a process's lock file */
export function recover(db: Db, isAlive: (process: string) => boolean, forgetLock: (process: string) => void): void {
  const processes = db.prepare('SELECT id FROM process').all() as { id: string }[];
  for (const { id } of processes) {
    if (isAlive(id)) continue;
    transaction(db, () => takeOver(db, id));
    forgetLock(id);
  }
}

function takeOver(db: Db, process: string): void {
  // Dated now: for a process that delivers the same run, this doubt is news.
  db.prepare(DOUBT).run(CUT_OFF, stamper(db)(), process);
  db.prepare('DELETE FROM intent WHERE process = ?').run(process);
  db.prepare('DELETE FROM delivery WHERE process = ?').run(process);
  const runs = db.prepare('SELECT number FROM run WHERE process = ? AND passed = 0').all(process) as {
    number: number;
  }[];
  for (const { number } of runs) forgetRun(db, number);
  db.prepare('DELETE FROM process WHERE id = ?').run(process);
}
