/** Rows of the journal's tables as values, and the reading of runs and their records. */
import type { RecordType } from '../records/kind.js';
import type { Db } from './db.js';
import type { Outcome, RunFile, StoredRecord, StoredRun, StoredState } from './journal.js';

/** A record's row number holds its run and its place: records of a run are one range. */
const RECORDS_PER_RUN = 2 ** 31;

export function recordId(run: number, index: number): number {
  return run * RECORDS_PER_RUN + index;
}

export function runOf(id: number): number {
  return Math.floor(id / RECORDS_PER_RUN);
}

export function indexOf(id: number): number {
  return id % RECORDS_PER_RUN;
}

export interface OutcomeRow {
  state: StoredState | null;
  http_status: number | null;
  attempts: number;
  response: string | null;
  outcome_error: string | null;
  doubt_since: number | null;
}

export const OUTCOME_COLUMNS =
  'o.state, o.http_status, o.attempts, o.response, o.error AS outcome_error, o.doubt_since';

export function outcomeOf(row: OutcomeRow): Outcome | null {
  if (row.state === null) return null;
  return {
    state: row.state,
    httpStatus: row.http_status,
    attempts: row.attempts,
    response: row.response,
    error: row.outcome_error,
    doubtSince: row.doubt_since,
  };
}

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
    end:
      finishedAt === null || exitCode === null ? null : { finishedAt, exitCode, stopReason: row.stop_reason },
  };
}

function filesOf(db: Db, run: number): RunFile[] {
  const rows = db.prepare('SELECT * FROM file WHERE run = ? ORDER BY position').all(run) as {
    path: string;
    sha256: string;
    records: number;
    error_column: number;
  }[];
  return rows.map(({ path, sha256, records, error_column }) => ({ path, sha256, records, hasErrorColumn: error_column === 1 }));
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

const RECORDS = `SELECT r.*, ${OUTCOME_COLUMNS}, EXISTS (SELECT 1 FROM intent i WHERE r.id BETWEEN i.first AND i.last
  AND coalesce(o.intent, 0) < i.id AND coalesce(o.state, '') NOT IN ('created', 'already_created', 'invalid')) AS under_way
  FROM record r LEFT JOIN outcome o ON o.record = r.id`;

/** The records of a run in input order. One under way counts as `unknown`: it may be carried out at this moment. */
export function* selectRecords(db: Db, run: number): Iterable<StoredRecord> {
  const rows = db.prepare(`${RECORDS} WHERE r.id BETWEEN ? AND ? ORDER BY r.id`);
  for (const row of rows.iterate(recordId(run, 0), recordId(run + 1, 0) - 1)) yield storedRecord(row);
}

/** Only what is known: a record without an entry is not there. */
export function* selectOutcomes(db: Db, run: number): Iterable<{ index: number; outcome: Outcome }> {
  const rows = db.prepare(`SELECT o.record, ${OUTCOME_COLUMNS} FROM outcome o WHERE o.record BETWEEN ? AND ? ORDER BY o.record`);
  for (const found of rows.iterate(recordId(run, 0), recordId(run + 1, 0) - 1)) {
    const row = found as OutcomeRow & { record: number };
    const outcome = outcomeOf(row);
    if (outcome !== null) yield { index: indexOf(row.record), outcome };
  }
}

export function selectRecord(db: Db, id: number): StoredRecord | null {
  const row: unknown = db.prepare(`${RECORDS} WHERE r.id = ?`).get(id);
  return row === undefined ? null : storedRecord(row);
}

function storedRecord(found: unknown): StoredRecord {
  const row = found as RecordRow & { under_way: number };
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
    outcome: row.under_way === 1 ? underWay(outcomeOf(row)) : outcomeOf(row),
  };
}

function underWay(outcome: Outcome | null): Outcome {
  return {
    state: 'unknown',
    httpStatus: null,
    attempts: outcome?.attempts ?? 0,
    response: null,
    error: 'under way, or cut off while it was',
    doubtSince: outcome?.doubtSince ?? null,
  };
}
