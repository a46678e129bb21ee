/** The history of a target: what other runs have sent there, for finding repeats. */
import type { RecordType } from '../records/kind.js';
import type { Db } from './db.js';
import { EMPTY_HISTORY, type History, type HistoryMatch } from './history.js';
import { CUT_OFF } from './recovery.js';
import { allUnderWay, claimOn, isClaimed, isFinal, isPending, type UnderWay } from './under-way.js';
import { type OutcomeRow, OUTCOME_COLUMNS, outcomeOf, sqlRunOf } from './rows.js';

interface MatchRow extends OutcomeRow {
  id: number;
  type: RecordType;
  run: string;
  batch: string;
  path: string | null;
  files: number;
  record: number;
  line: number | null;
  key: string;
  body_hash: string;
  amount: string | null;
  currency: string | null;
  at: number | null;
  started_at: number;
  passed: number;
}

const MATCHES = `SELECT r.id, r.type, run.name AS run, run.batch, f.path, r.record, r.line, r.key,
  (SELECT count(*) FROM file WHERE file.run = run.number) AS files, r.body_hash, r.amount, r.currency, o.at, run.started_at, run.passed, ${OUTCOME_COLUMNS}
  FROM record r
  JOIN run ON run.number = ${sqlRunOf('r.id')}
  LEFT JOIN file f ON f.run = run.number AND f.position = r.file
  LEFT JOIN outcome o ON o.record = r.id
  WHERE run.target = ? AND run.number <> ? AND run.passed > 0`;

/** @param exceptRun number of the run that is being checked, 0 for none */
export function openHistory(
  db: Db,
  target: { id: number; gates: number } | null,
  exceptRun: number,
  isAlive: (process: string) => boolean,
): History {
  if (target === null) return EMPTY_HISTORY;
  const others: unknown = db
    .prepare('SELECT 1 FROM run WHERE target = ? AND number <> ? AND passed > 0')
    .get(target.id, exceptRun);
  if (others === undefined) return { ...EMPTY_HISTORY, version: target.gates };
  const underWay = allUnderWay(db, isAlive);
  const select = (condition: string, order = '') => {
    const statement = db.prepare(`${MATCHES} AND ${condition} ${order}`);
    return (...values: (string | Uint8Array)[]) =>
      (statement.all(target.id, exceptRun, ...values) as MatchRow[]).map((row) => matchOf(row, underWay));
  };
  const byKey = lastOf(select('r.key = ?'));
  const byContent = select('r.content = ?', 'ORDER BY r.id');
  const byLikeness = select('r.likeness = ? AND r.content <> ?', 'ORDER BY r.id');
  const unknown = select(`run.batch = ? AND r.id IN (${OPEN})`, 'ORDER BY r.id');
  return {
    isEmpty: false,
    version: target.gates,
    byKey: (key) => strongest(byKey(key)),
    byContent: (content) => distinctKeys(byContent(content).filter(isKnown)),
    byLikeness: (likeness, content) => distinctKeys(byLikeness(likeness, content).filter(isKnown)),
    unknown: (batchId) => {
      const open = distinctKeys(unknown(batchId).filter((match) => isOpen(match.state)));
      // The same key may have been created in another run since.
      return open.filter(({ key }) => strongest(byKey(key))?.state !== 'created');
    },
    wasRejected: (key) => strongest(byKey(key)) === null && byKey(key).some(({ state }) => state === 'rejected'),
    rejected: (content) =>
      byContent(content).filter(({ key, state }) => state === 'rejected' && strongest(byKey(key)) === null),
  };
}

/** The same look-up, which remembers its last answer. */
function lastOf(look: (key: string) => HistoryMatch[]): (key: string) => HistoryMatch[] {
  let last: { readonly key: string; readonly found: HistoryMatch[] } | null = null;
  return (key) => {
    if (last?.key !== key) last = { key, found: look(key) };
    return last.found;
  };
}

/** Records in doubt or under way, found without looking at all others. */
const OPEN = `SELECT record FROM outcome WHERE state = 'unknown'
  UNION SELECT claimed.id FROM intent i JOIN record claimed ON claimed.id BETWEEN i.first AND i.last`;

function matchOf(row: MatchRow, underWay: UnderWay): HistoryMatch {
  return {
    run: row.run,
    type: row.type,
    batchId: row.batch,
    file: row.path ?? '',
    files: row.files,
    record: row.record,
    line: row.line,
    key: row.key,
    bodyHash: row.body_hash,
    amount: row.amount,
    currency: row.currency,
    ...knownOf(row, underWay),
  };
}

/**
 * What is known of a record. A reader does not take over the claims of dead processes, so it tells them as if they had
 * been taken over.
 */
function knownOf(row: MatchRow, underWay: UnderWay): Pick<HistoryMatch, 'state' | 'outcome' | 'at' | 'moment'> {
  const cutOff = row.state !== null && isFinal(row.state) ? undefined : claimOn(row, underWay.cutOff);
  if (cutOff === undefined) {
    const state = stateOf(row, underWay);
    // An outcome that was decided at a gate has no time of its own.
    return { state, outcome: outcomeOf(row), at: row.at || row.started_at, moment: momentIn(row, state) };
  }
  const attempts = (outcomeOf(row)?.attempts ?? 0) + 1;
  const doubtSince = row.doubt_since ?? cutOff.at;
  const outcome = { httpStatus: null, attempts, response: null, error: CUT_OFF, doubtSince };
  return { state: 'unknown', outcome: { state: 'unknown', ...outcome }, at: cutOff.at, moment: LATER_THAN_ALL };
}

const LATER_THAN_ALL = Number.MAX_SAFE_INTEGER;

/** A record that is under way, or waiting to be sent, counts as later than everything. */
function momentIn({ intent, passed }: MatchRow, state: HistoryMatch['state']): number {
  if (state === 'under_way' || state === 'waiting') return LATER_THAN_ALL;
  return intent !== null && intent > 0 ? intent : passed;
}

function stateOf(row: MatchRow, underWay: UnderWay): HistoryMatch['state'] {
  if (row.state !== null && isFinal(row.state)) return row.state;
  if (isClaimed(row, underWay.intents)) return 'under_way';
  if (row.state !== 'unknown' && isPending(row, underWay)) return 'waiting';
  return row.state ?? 'not_sent';
}

/** The record was created, may have been, or may be about to be: a repeat of it could be a second payment. */
function isKnown({ state }: HistoryMatch): boolean {
  return state === 'created' || state === 'waiting' || isOpen(state);
}

function isOpen(state: HistoryMatch['state']): boolean {
  return state === 'unknown' || state === 'under_way';
}

const STRENGTH: readonly HistoryMatch['state'][] = ['created', 'under_way', 'unknown', 'waiting'];

/** The match that says most about whether its key was carried out; null when none was, may have been or may be. */
function strongest(matches: readonly HistoryMatch[]): HistoryMatch | null {
  for (const state of STRENGTH) {
    const found = matches.find((match) => match.state === state);
    if (found !== undefined) return found;
  }
  return null;
}

/** One match for each key: the same key in two runs is one payment. */
function distinctKeys(matches: readonly HistoryMatch[]): HistoryMatch[] {
  const keys = new Map<string, HistoryMatch>();
  for (const match of matches) {
    const known = keys.get(match.key);
    if (known === undefined || (known.state !== 'created' && match.state === 'created')) keys.set(match.key, match);
  }
  return [...keys.values()];
}
