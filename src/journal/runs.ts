/** Reading runs, without their records. */
import type { Db } from './db.js';
import type { RunFile, StoredRun } from './journal.js';

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
  passed: number;
}

const RUNS = `SELECT run.number, run.name, target.name AS target, target.scope, run.command, run.batch, run.digest,
  run.pay_again, run.started_at, run.finished_at, run.exit_code, run.stop_reason, run.passed
  FROM run JOIN target ON target.id = run.target WHERE run.passed > 0`;

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
    gate: row.passed,
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
