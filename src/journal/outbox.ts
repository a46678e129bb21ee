/** Delivering a run from the journal: claims with durable intents, and outcomes. Several processes may deliver one run. */
import type { RecordType } from '../records/kind.js';
import { type Db, transaction } from './db.js';
import type { Claim, ClaimedRecord, ClaimOptions, Outbox, Outcome, Passed, SettledRecord } from './journal.js';
import { liveRuns, rangeOf } from './past.js';
import { rivalsOf } from './rivals.js';
import { indexOf, type OutcomeRow, OUTCOME_COLUMNS, outcomeOf, runOf } from './rows.js';

/** Rows looked at in one claim: keeps the transaction short where most of a run is settled already. */
const ROWS_PER_CLAIM = 1000;

interface CandidateRow extends OutcomeRow {
  id: number;
  type: RecordType;
  key: string | null;
  body: string | null;
  intent: number | null;
}

interface OpenIntent {
  readonly id: number;
  readonly first: number;
  readonly last: number;
}

const CANDIDATES = `SELECT r.id, r.type, r.key, r.body, o.intent, ${OUTCOME_COLUMNS}
  FROM record r LEFT JOIN outcome o ON o.record = r.id`;

export interface OutboxContext {
  readonly db: Db;
  readonly self: string;
  readonly isAlive: (process: string) => boolean;
  /** Types that the service takes a key for. */
  readonly isKeyed: (type: RecordType) => boolean;
  readonly now: () => number;
  readonly recover: () => void;
}

/** To be called within the transaction that lets the run through its gate, or joins it. */
export function openOutbox(context: OutboxContext, run: number): Outbox {
  const { db, self, now } = context;
  db.prepare('INSERT OR IGNORE INTO delivery VALUES (?, ?)').run(run, self);
  const rivals = rivalsOf(context, run);
  const [first, last] = rangeOf(run);
  // Outcomes under a later intent than this were settled by another process while this one delivered.
  const joined = (db.prepare("SELECT coalesce(max(seq), 0) AS id FROM sqlite_sequence WHERE name = 'intent'").get() as { id: number }).id;
  const candidates = db.prepare(`${CANDIDATES} WHERE r.id > ? AND r.id <= ? ORDER BY r.id LIMIT ${ROWS_PER_CLAIM}`);
  const candidate = db.prepare(`${CANDIDATES} WHERE r.id = ?`);
  const others = db.prepare('SELECT id, first, last FROM intent WHERE run = ? AND process <> ?');
  const insertIntent = db.prepare('INSERT INTO intent (run, first, last, process, at) VALUES (?, ?, ?, ?, ?)');
  const deleteIntent = db.prepare('DELETE FROM intent WHERE id = ?');
  const writeOutcome = db.prepare('INSERT OR REPLACE INTO outcome VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const settleTwins = db.prepare(TWINS);
  /** How many records of each of our intents have no outcome yet. */
  const open = new Map<number, number>();
  let cursor = first - 1;

  const write = (id: number, outcome: Outcome, intent: number): void => {
    const { state, httpStatus, attempts, response, error, doubtSince } = outcome;
    writeOutcome.run(id, state, httpStatus, attempts, response, error, doubtSince, intent, now());
  };

  const settle = ({ id, intent, outcome, twins }: SettledRecord): void => {
    write(id, outcome, intent);
    if (twins) settleTwins.run(outcome.httpStatus, outcome.response, id, id, id);
    const left = (open.get(intent) ?? 1) - 1;
    open.set(intent, left);
    if (left > 0) return;
    open.delete(intent);
    deleteIntent.run(intent);
  };

  /** Claims the rows that can be sent, in order, until no more may be claimed. */
  const claimRows = (rows: readonly CandidateRow[], options: ClaimOptions): Claim & { seen: number } => {
    const foreign = others.all(run, self) as unknown as OpenIntent[];
    const taken: CandidateRow[] = [];
    const passed: Passed[] = [];
    let seen = 0;
    for (const row of rows) {
      const found = rivals.has(row.id) ? elsewhere(row) : lookAt(row, foreign, joined, options);
      if (found === 'send') {
        const room = context.isKeyed(row.type) ? options.free + options.ahead : options.free;
        if (taken.length >= room) break;
        taken.push(row);
      } else if (found !== 'skip') passed.push(found);
      seen++;
    }
    return { claimed: intend(taken), passed, end: false, seen };
  };

  /** Writes an intent for each unbroken range of rows: a claim covers nothing but what is about to be sent. */
  const intend = (rows: readonly CandidateRow[]): ClaimedRecord[] => {
    const claimed: ClaimedRecord[] = [];
    for (let i = 0; i < rows.length; ) {
      let next = i + 1;
      while (next < rows.length && (rows[next] as CandidateRow).id === (rows[next - 1] as CandidateRow).id + 1) next++;
      const range = rows.slice(i, next);
      const [from, to] = [range[0] as CandidateRow, range[range.length - 1] as CandidateRow];
      const intent = Number(insertIntent.run(run, from.id, to.id, self, now()).lastInsertRowid);
      open.set(intent, range.length);
      for (const row of range) {
        const { id, type, key, body } = row;
        claimed.push({ id, index: indexOf(id), type, key: key as string, body: body as string, earlier: outcomeOf(row), intent });
      }
      i = next;
    }
    return claimed;
  };

  /** What has become of records that another process was to send. */
  const resolveRivals = (ids: readonly number[]): void => {
    const live = liveRuns(db, context.isAlive);
    for (const id of ids) {
      const rival = rivals.get(id);
      if (rival === undefined) continue;
      const row = candidate.get(rival) as unknown as CandidateRow;
      const outcome = outcomeOf(row);
      if (outcome === null || outcome.state === 'not_sent') {
        if (!live.has(runOf(rival))) rivals.delete(id);
        continue;
      }
      rivals.delete(id);
      const state = outcome.state === 'created' ? 'already_created' : outcome.state;
      // Under an intent of its own, so that it counts as settled since this process joined.
      write(id, { ...outcome, state }, joined + 1);
    }
  };

  return {
    exchange: (settled, claim) =>
      transaction(db, () => {
        settled.forEach(settle);
        if (claim === null) return { claimed: [], passed: [], end: false };
        const rows = candidates.all(cursor, last) as unknown as CandidateRow[];
        const { claimed, passed, seen } = claimRows(rows, claim);
        cursor = seen === 0 ? cursor : (rows[seen - 1] as CandidateRow).id;
        return { claimed, passed, end: seen === rows.length && rows.length < ROWS_PER_CLAIM };
      }),
    revisit: (ids, claim) => {
      context.recover();
      return transaction(db, () => {
        resolveRivals(ids);
        const rows = ids.map((id) => candidate.get(id) as unknown as CandidateRow);
        const { claimed, passed, seen } = claimRows(rows, claim);
        const unseen = rows.slice(seen).map(elsewhere);
        return { claimed, passed: [...passed, ...unseen], end: true };
      });
    },
    leave: () => void db.prepare('DELETE FROM delivery WHERE run = ? AND process = ?').run(run, self),
  };
}

/**
 * The same key in doubt in another run is the same payment, and this answer settles it there as well.
 * (Only `created` settles doubt, so nothing else is ever passed on.)
 */
const TWINS = `UPDATE outcome SET state = 'created', http_status = ?, response = ?, error = NULL, doubt_since = NULL
  WHERE state = 'unknown' AND record IN (
    SELECT twin.id FROM record twin JOIN run tr ON tr.number = twin.id / 2147483648
    WHERE twin.key = (SELECT key FROM record WHERE id = ?) AND twin.id <> ?
      AND tr.target = (SELECT target FROM run WHERE number = ? / 2147483648))`;

function elsewhere({ id }: { id: number }): Passed {
  return { id, index: indexOf(id), why: 'elsewhere' };
}

function lookAt(
  row: CandidateRow,
  foreign: readonly OpenIntent[],
  joined: number,
  options: ClaimOptions,
): Passed | 'send' | 'skip' {
  const outcome = outcomeOf(row);
  const place = { id: row.id, index: indexOf(row.id) };
  if (outcome?.state === 'invalid') return 'skip';
  const claimedBy = foreign.some(({ id, first, last }) => row.id >= first && row.id <= last && (row.intent ?? 0) < id);
  const created = outcome?.state === 'created' || outcome?.state === 'already_created';
  if (claimedBy && !created) return elsewhere(row);
  if (outcome === null) return 'send';
  const settledMeanwhile = (row.intent ?? 0) > joined && outcome.state !== 'not_sent';
  if (created || settledMeanwhile) return { ...place, why: 'settled', outcome };
  if (outcome.state === 'left_unknown') return { ...place, why: 'doubt', outcome };
  if (outcome.state === 'unknown' && !options.mayResend({ type: row.type, doubtSince: outcome.doubtSince ?? 0 })) {
    return { ...place, why: 'doubt', outcome };
  }
  // Removed by `batch prune`: only records that need not be sent any more lose their body.
  return row.body === null ? { ...place, why: 'settled', outcome } : 'send';
}
