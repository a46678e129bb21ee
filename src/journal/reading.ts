/** Reading runs and their records. */
import type { RecordType } from '../records/kind.js';
import type { Db } from './db.js';
import type { Outcome, PlannedRecord, RunFile, StoredRecord, StoredRun } from './journal.js';
import { rangeOf } from './past.js';
import { indexOf, type OutcomeCells, type OutcomeRow, OUTCOME_COLUMNS, outcomeOf, recordId } from './rows.js';

interface RunRow {
  number: number;
  name: string;
  target: string;
  scope: string;
  command: string;
  batch: string;
  digest: string;
  pay_again: number | null;
  started_at: number;
  finished_at: number | null;
  exit_code: number | null;
  stop_reason: string | null;
}

const RUNS = `SELECT run.number, run.name, target.name AS target, target.scope, run.command, run.batch, run.digest,
  run.pay_again, run.started_at, run.finished_at, run.exit_code, run.stop_reason
  FROM run JOIN target ON target.id = run.target WHERE run.passed = 1`;

/** Runs that passed their gate, newest first. @param condition SQL that begins with AND, or nothing */
export function selectRuns(db: Db, condition = '', ...values: (string | number)[]): StoredRun[] {
  const rows = db.prepare(`${RUNS} ${condition} ORDER BY run.number DESC`).all(...values) as RunRow[];
  return rows.map((row) => storedRun(db, row));
}

function storedRun(db: Db, row: RunRow): StoredRun {
  const { finished_at: finishedAt, exit_code: exitCode } = row;
  return {
    number: row.number,
    run: row.name,
    target: row.target,
    scope: row.scope,
    command: row.command,
    batchId: row.batch,
    digest: row.digest,
    payAgain: row.pay_again,
    startedAt: row.started_at,
    files: filesOf(db, row.number),
    end: finishedAt === null || exitCode === null ? null : { finishedAt, exitCode, stopReason: row.stop_reason },
  };
}

function filesOf(db: Db, run: number): RunFile[] {
  const rows = db.prepare('SELECT * FROM file WHERE run = ? ORDER BY position').all(run) as {
    path: string;
    sha256: string;
    records: number;
    error_column: number;
  }[];
  return rows.map(({ path, sha256, records, error_column }) => ({
    path,
    sha256,
    records,
    hasErrorColumn: error_column === 1,
  }));
}

interface RecordRow extends OutcomeRow {
  id: number;
  file: number;
  record: number;
  line: number | null;
  type: RecordType;
  key: string | null;
  body: string | null;
  body_hash: string;
  content: Uint8Array | null;
  likeness: Uint8Array | null;
  amount: string | null;
  currency: string | null;
  cost_center: string | null;
  error: string | null;
}

/** When the claim began under which a record is under way; null for one that is not. */
const UNDER_WAY = `(SELECT min(i.at) FROM intent i WHERE r.id BETWEEN i.first AND i.last
  AND coalesce(o.intent, 0) < i.id AND coalesce(o.state, '') NOT IN ('created', 'already_created', 'invalid')) AS under_way`;

const RECORDS = `SELECT r.*, ${OUTCOME_COLUMNS}, ${UNDER_WAY} FROM record r LEFT JOIN outcome o ON o.record = r.id`;

/** The claimed records are looked up one by one, so that the bodies of all others are never read. */
const OUTCOMES = `SELECT o.record AS id, ${OUTCOME_COLUMNS}, ${UNDER_WAY.replaceAll('r.id', 'o.record')} FROM outcome o
  WHERE o.record BETWEEN ?1 AND ?2
  UNION ALL SELECT r.id, ${OUTCOME_COLUMNS}, i.at FROM intent i JOIN record r ON r.id BETWEEN i.first AND i.last
  LEFT JOIN outcome o ON o.record = r.id WHERE r.id BETWEEN ?1 AND ?2 AND o.record IS NULL AND r.key IS NOT NULL
  ORDER BY id`;

/** The records of a run in input order. One under way counts as `unknown`: it may be carried out at this moment. */
export function* selectRecords(db: Db, run: number): Iterable<StoredRecord> {
  const rows = db.prepare(`${RECORDS} WHERE r.id BETWEEN ? AND ? ORDER BY r.id`);
  for (const row of rows.iterate(...rangeOf(run))) yield storedRecord(row);
}

/** Only what is known: a record without an entry is not there. One under way is `unknown` here too. */
export function* selectOutcomes(db: Db, run: number): Iterable<{ index: number; outcome: Outcome }> {
  const select = db.prepare(OUTCOMES);
  // Lists, since objects cost twice as much, and a run that is run again has every outcome read twice.
  select.setReturnArrays(true);
  for (const found of select.iterate(...rangeOf(run))) {
    const [id, ...cells] = found as unknown as readonly [number, ...OutcomeCells, underWay: number | null];
    const [state, http_status, attempts, response, outcome_error, doubt_since, intent, cut_off, under_way] = cells;
    const row = { state, http_status, attempts, response, outcome_error, doubt_since, intent, cut_off, under_way };
    const outcome = knownOf(row);
    if (outcome !== null) yield { index: indexOf(id), outcome };
  }
}

/** Places and keys of the valid records of a run, in input order. */
export function* selectKeys(db: Db, run: number): Iterable<{ index: number; key: string }> {
  const select = db.prepare('SELECT id, key FROM record WHERE id BETWEEN ? AND ? AND key IS NOT NULL ORDER BY id');
  select.setReturnArrays(true);
  for (const found of select.iterate(...rangeOf(run))) {
    const [id, key] = found as unknown as readonly [number, string];
    yield { index: indexOf(id), key };
  }
}

/** Up to `count` records of a run from a place on, as they were prepared. */
export function selectPlan(
  db: Db,
  run: number,
  from: number,
  count: number,
): Pick<PlannedRecord, 'key' | 'body' | 'bodyHash'>[] {
  const select = db.prepare('SELECT key, body, body_hash FROM record WHERE id BETWEEN ? AND ? ORDER BY id');
  select.setReturnArrays(true);
  const rows = select.all(recordId(run, from), recordId(run, from + count) - 1) as unknown as PlanCells[];
  return rows.map(([key, body, bodyHash]) => ({ key, body, bodyHash }));
}

type PlanCells = readonly [key: string | null, body: string | null, bodyHash: string];

/** Single records. It may be asked for very many, so it has one statement for all: each holds memory until it is collected. */
export function recordSelector(db: Db): (id: number) => StoredRecord | null {
  const select = db.prepare(`${RECORDS} WHERE r.id = ?`);
  return (id) => {
    const row: unknown = select.get(id);
    return row === undefined ? null : storedRecord(row);
  };
}

function storedRecord(found: unknown): StoredRecord {
  const row = found as RecordRow & { under_way: number | null };
  return {
    id: row.id,
    index: indexOf(row.id),
    file: row.file,
    record: row.record,
    line: row.line,
    type: row.type,
    key: row.key,
    body: row.body,
    bodyHash: row.body_hash,
    content: row.content,
    likeness: row.likeness,
    amount: row.amount,
    currency: row.currency,
    costCenter: row.cost_center,
    error: row.error,
    outcome: knownOf(row),
  };
}

function knownOf(row: OutcomeRow & { under_way: number | null }): Outcome | null {
  const outcome = outcomeOf(row);
  if (row.under_way === null) return outcome;
  return {
    state: 'unknown',
    httpStatus: null,
    attempts: outcome?.attempts ?? 0,
    response: null,
    error: 'under way, or cut off while it was',
    doubtSince: outcome?.doubtSince ?? row.under_way,
  };
}
