/** Records of other runs with the same key. One key is one payment: whoever has it under way, sends it. */
import type { Outcome } from './journal.js';
import type { OutboxContext } from './outbox.js';
import { liveRuns, rangeOf } from './past.js';
import { type OutcomeRow, OUTCOME_COLUMNS, outcomeOf, runOf } from './rows.js';

interface RivalRow extends OutcomeRow {
  mine: number;
  other: number;
  intent: number | null;
  my_doubt: number | null;
}

const RIVALS = `SELECT a.id AS mine, b.id AS other, o.intent, oa.doubt_since AS my_doubt, ${OUTCOME_COLUMNS}
  FROM record a
  JOIN record b ON b.key = a.key AND (b.id < ?1 OR b.id > ?2)
  JOIN run rb ON rb.number = b.id / 2147483648 AND rb.passed = 1
    AND rb.target = (SELECT target FROM run WHERE number = ?3)
  LEFT JOIN outcome o ON o.record = b.id
  LEFT JOIN outcome oa ON oa.record = a.id
  WHERE a.id BETWEEN ?1 AND ?2 AND coalesce(oa.state, '') NOT IN ('created', 'already_created', 'invalid', 'left_unknown')`;

/**
 * Finds out, as a run begins to be delivered, what other runs at the target know about its keys.
 * - created there since the check for repeats: it is taken as already created
 * - in doubt there: the doubt is this record's too, from the same moment
 * - about to be sent by a live process: it is waited for
 * Later deliverers give way to earlier ones and never the other way round, so nobody waits in a circle.
 * @returns row numbers of this run's records → those of the records that are waited for
 */
export function rivalsOf({ db, isAlive, now }: OutboxContext, run: number): Map<number, number> {
  const [first, last] = rangeOf(run);
  const alone = db.prepare('SELECT 1 FROM run WHERE passed = 1 AND number <> ? LIMIT 1').get(run) === undefined;
  const awaited = new Map<number, number>();
  if (alone) return awaited;
  const rows = db.prepare(RIVALS).all(first, last, run) as unknown as RivalRow[];
  if (rows.length === 0) return awaited;
  const live = liveRuns(db, isAlive);
  const intents = db.prepare('SELECT id, first, last FROM intent').all() as unknown as { id: number; first: number; last: number }[];
  const write = db.prepare('INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)');
  const put = (id: number, { state, httpStatus, attempts, response, error, doubtSince }: Outcome): void =>
    void write.run(id, state, httpStatus, attempts, response, error, doubtSince, now());
  const created = new Set<number>();
  for (const row of rows) {
    const outcome = outcomeOf(row);
    if (outcome?.state === 'created') {
      created.add(row.mine);
      put(row.mine, { ...outcome, state: 'already_created' });
    } else if (isPending(row, outcome, intents, live)) awaited.set(row.mine, row.other);
    else if (outcome?.state === 'unknown' && !created.has(row.mine)) {
      const doubtSince = Math.min(outcome.doubtSince ?? 0, row.my_doubt ?? Number.MAX_SAFE_INTEGER);
      put(row.mine, { ...outcome, doubtSince });
    }
  }
  for (const id of created) awaited.delete(id);
  return awaited;
}

/** Under way in another process, or in the run of a live one that has not come to it yet. */
function isPending(
  row: RivalRow,
  outcome: Outcome | null,
  intents: readonly { id: number; first: number; last: number }[],
  live: ReadonlySet<number>,
): boolean {
  if (outcome !== null && ['already_created', 'invalid', 'left_unknown'].includes(outcome.state)) return false;
  if (intents.some(({ id, first, last }) => row.other >= first && row.other <= last && (row.intent ?? 0) < id)) return true;
  return outcome === null && live.has(runOf(row.other));
}
