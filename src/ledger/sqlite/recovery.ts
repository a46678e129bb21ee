/** Takes over what a dead process left behind: its claims become doubt, its preparations are forgotten. */
import { transaction } from '../../util/sqlite.js';
import { CREATED, CUT_OFF, UNKNOWN } from '../codes.js';
import { CUT_OFF_ERROR } from '../cut-off.js';
import { type Context, lastClaim } from './context.js';
import { forgetRun } from './preparation.js';
import { allProcesses } from './processes.js';

/**
 * A claim covers exactly the payments that were about to be sent. One without an outcome of this claim may have been
 * carried out, so it is in doubt since the claim; or since it first was. Stamped now: for a process that delivers the same
 * payment, this doubt is news.
 */
const DOUBT = `INSERT INTO outcome (payment, state, run, moment, stamp, attempts, at, http_status, doubt_since, response, error,
    request_id)
  SELECT p.id, ${CUT_OFF}, c.run, ?1, ?1, coalesce(o.attempts, 0) + 1, c.at, NULL, coalesce(o.doubt_since, c.at), NULL, ?2, NULL
  FROM claim c JOIN payment p ON p.id BETWEEN c.first AND c.last LEFT JOIN outcome o ON o.payment = p.id
  WHERE c.process = ?3 AND coalesce(o.stamp, 0) < c.id AND coalesce(o.state, 0) <> ${CREATED}
  ON CONFLICT (payment) DO UPDATE SET state = excluded.state, run = excluded.run,
    moment = CASE WHEN state >= ${UNKNOWN} THEN moment ELSE excluded.moment END, stamp = excluded.stamp,
    attempts = excluded.attempts, at = excluded.at, http_status = NULL, doubt_since = excluded.doubt_since, response = NULL,
    error = excluded.error, request_id = NULL`;

/** Takes over what dead processes left, in one transaction for each. */
export function recover(context: Context): void {
  for (const { id, name } of allProcesses(context)) {
    if (id === context.self || context.isAlive(name)) continue;
    transaction(context.db, () => takeOver(context, id));
    context.forgetLock(name);
  }
}

/** To be called within a transaction. @param process row number of a dead process */
export function takeOver(context: Context, process: number): void {
  const { sql } = context;
  sql(DOUBT).run(lastClaim(context), CUT_OFF_ERROR, process);
  sql('DELETE FROM claim WHERE process = ?').run(process);
  sql('DELETE FROM delivery WHERE process = ?').run(process);
  const drafts = sql('SELECT number FROM run WHERE process = ? AND passed = 0');
  for (const [run] of drafts.all(process) as [number][]) forgetRun(context, run);
  sql('DELETE FROM process WHERE id = ?').run(process);
}
