/** The embedded journal: one SQLite file in the state directory. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { RecordType } from '../records/kind.js';
import { type Db, JOURNAL_FILE, openForReading, openForWriting, transaction } from './db.js';
import { explained } from './failures.js';
import { guarded, guardedRows } from './guard.js';
import type { Outbox } from './delivery.js';
import type { ContinueQuery, Journal, Joining, PreparingRun, RunHead, StoredRun } from './journal.js';
import type { PlannedRecord } from './record.js';
import { isLocked, type Liveness, lockedNames, removeLock, startLiveness } from './liveness.js';
import { openOutbox, type OutboxContext, type Unsent } from './sqlite-outbox.js';
import { openHistory } from './sqlite-history.js';
import { applyDecisions, preparingRun, takeGate, writePlaces } from './preparing.js';
import { FINISHED, prune, rewrite } from './pruning.js';
import { recover } from './recovery.js';
import {
  recordSelector,
  selectBodies,
  selectBodiless,
  selectCreated,
  selectEnds,
  selectKeys,
  selectLeftOutSince,
  selectOutcomes,
  selectPlaces,
  selectPlan,
  hashesOf,
  selectRecords,
} from './reading.js';
import { LEFT_OUT, recordId, sqlIndexOf, sqlInRun, sqlRunOf } from './rows.js';
import { selectRuns } from './runs.js';
import { selectWords, settleByHand } from './settling.js';

export interface SqliteJournalOptions {
  /** The state directory. */
  readonly folder: string;
  readonly readOnly: boolean;
  /** Types that the service takes a key for. */
  readonly isKeyed: (type: RecordType) => boolean;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
}

/**
 * Opens the journal. With `readOnly`, nothing is written, and the result is null where there is no journal yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export function openSqliteJournal(options: SqliteJournalOptions): Journal | null {
  const { folder } = options;
  const db = options.readOnly ? openForReading(folder) : openForWriting(folder, options.platform);
  if (db === null) return null;
  const file = join(folder, JOURNAL_FILE);
  try {
    const live = options.readOnly ? null : register(db, folder, options.now());
    return guarded(journalOn(db, live, options, file), file);
  } catch (cause) {
    db.close();
    throw explained(cause, file);
  }
}

/** Locks the file of a new process name, and writes the name into the journal. */
function register(db: Db, folder: string, at: number): Liveness {
  for (;;) {
    const live = startLiveness(folder);
    const kept = transaction(db, () => {
      // Before the file was locked, another process may have taken it for a stray and removed it.
      if (!live.isKept()) return false;
      db.prepare('INSERT INTO process VALUES (?, ?)').run(live.self, at);
      return true;
    });
    if (kept) return live;
    live.end();
  }
}

/** Removes lock files of processes that died before their names were written down, or after the names were deleted. */
function removeStrays(db: Db, folder: string): void {
  const known = new Set((db.prepare('SELECT id FROM process').all() as { id: string }[]).map(({ id }) => id));
  if (lockedNames(folder).every((name) => known.has(name))) return;
  transaction(db, () => {
    const isKnown = db.prepare('SELECT 1 FROM process WHERE id = ?');
    for (const name of lockedNames(folder)) {
      if (isKnown.get(name) === undefined && !isLocked(folder, name)) removeLock(folder, name);
    }
  });
}

type Deliver = (run: number, unsent: Unsent) => Outbox;

function journalOn(db: Db, live: Liveness | null, options: SqliteJournalOptions, file: string): Journal {
  const { folder, now } = options;
  const isAlive = (process: string): boolean => live?.isAlive(process) ?? isLocked(folder, process);
  const doRecover = (): void => {
    recover(db, isAlive, (process) => removeLock(folder, process));
    removeStrays(db, folder);
  };
  const self = live?.self ?? '';
  const context: OutboxContext = { db, self, isAlive, isKeyed: options.isKeyed, now, recover: doRecover };
  const deliver: Deliver = (run, unsent) => guarded(openOutbox(context, run, unsent), file);
  let recordBy: ReturnType<typeof recordSelector> | null = null;
  return {
    recover: doRecover,
    prepare: (head) => guarded(prepare(db, head, self, deliver), file),
    continuable: (query) => continuable(db, query),
    history: (target, scope, exceptRun) =>
      guarded(openHistory(db, targetOf(db, target, scope), exceptRun ?? 0, isAlive), file),
    join: (run, joining) => joinRun(db, run, joining, deliver),
    place: (run, placing) => transaction(db, () => writePlaces(db, run.number, placing)),
    runs: () => selectRuns(db),
    findRuns: (beginning) =>
      selectRuns(db, "AND run.name LIKE ? ESCAPE '\\'", `${beginning.replace(/[%_\\]/g, '\\$&')}%`),
    runNamed: (name) => selectRuns(db, 'AND run.name = ?', name)[0] ?? null,
    records: (run) => guardedRows(selectRecords(db, run.number), file),
    ends: (run) => guardedRows(selectEnds(db, run.number), file),
    outcomes: (run) => guardedRows(selectOutcomes(db, run.number), file),
    created: (run) => guardedRows(selectCreated(db, run.number), file),
    keys: (run) => guardedRows(selectKeys(db, run.number), file),
    places: (run) => guardedRows(selectPlaces(db, run.number), file),
    leftOutSince: (run) => selectLeftOutSince(db, run.number),
    leavesOut: (run) => selectRuns(db, `AND run.number = ? AND ${LEAVES_OUT}`, run.number).length > 0,
    plan: (run, from, count) => selectPlan(db, run.number, from, count),
    hashesOf: (run, from, records) => hashesOf(db, run.number, from, records),
    bodies: (run, from, count) => selectBodies(db, run.number, from, count),
    bodiless: (run) => selectBodiless(db, run.number),
    beginningWith: (at, record) => beginningWith(db, targetOf(db, at.target, at.scope)?.id ?? 0, record),
    recordAt: (run, index) => (recordBy ??= recordSelector(db))(recordId(run.number, index)),
    end: (run, { finishedAt, exitCode, stopReason }) => {
      db.prepare('UPDATE run SET finished_at = ?, exit_code = ?, stop_reason = ? WHERE number = ?').run(
        finishedAt,
        exitCode,
        stopReason,
        run,
      );
    },
    settle: (records, outcome, note, at) => {
      doRecover();
      transaction(db, () => {
        for (const record of records) settleByHand(db, record, { outcome, note, at });
      });
    },
    decided: (run) => selectWords(db, run.number),
    noteResend: (run, count, at) => {
      db.prepare('INSERT INTO decision VALUES (?, ?, NULL, ?, ?)').run(at, run, 'resend-unknown', String(count));
    },
    prune: (before) => {
      const pruned = transaction(db, () => prune(db, before));
      rewrite(db);
      return pruned;
    },
    close: () => close(db, live),
  };
}

function targetOf(db: Db, name: string, scope: string): { id: number; gates: number } | null {
  const row: unknown = db.prepare('SELECT id, gates FROM target WHERE name = ? AND scope = ?').get(name, scope);
  return (row as { id: number; gates: number } | undefined) ?? null;
}

function prepare(db: Db, head: RunHead, process: string, deliver: Deliver): PreparingRun {
  return transaction(db, () => {
    const name = freeName(db, new Date(head.startedAt));
    db.prepare('INSERT OR IGNORE INTO target (name, scope) VALUES (?, ?)').run(head.target, head.scope);
    const target = targetOf(db, head.target, head.scope)?.id as number;
    const { lastInsertRowid } = db
      .prepare('INSERT INTO run (name, target, command, batch, process, started_at) VALUES (?, ?, ?, ?, ?, ?)')
      .run(name, target, head.command, head.batchId, process, head.startedAt);
    return preparingRun(db, { number: Number(lastInsertRowid), name, target }, deliver);
  });
}

/** The day and a few random digits, short enough to be typed; with thousands of runs a day, two may draw the same. */
function freeName(db: Db, day: Date): string {
  const isTaken = db.prepare('SELECT 1 FROM run WHERE name = ?');
  for (;;) {
    const name = `${day.toISOString().slice(0, 10).replaceAll('-', '')}-${randomBytes(3).toString('hex')}`;
    if (isTaken.get(name) === undefined) return name;
  }
}

function continuable(db: Db, query: ContinueQuery): StoredRun | null {
  const { target, scope, digest, batchId, since, payAgain, skipCreated } = query;
  const found = targetOf(db, target, scope);
  if (found === null) return null;
  // Records with keys of their own have the same digest in every batch, but only a run of this batch may go on.
  const same = 'AND run.target = ? AND run.digest = ? AND run.batch = ?';
  const [run] = payAgain
    ? selectRuns(
        db,
        `${same} AND run.pay_again IS NOT NULL ${skipCreated ? '' : `AND NOT ${LEAVES_OUT}`}`,
        found.id,
        digest,
        batchId,
      )
    : selectRuns(
        db,
        `${same} AND (coalesce(run.exit_code, -1) NOT IN ${FINISHED} OR run.started_at > ?)
          ${skipCreated ? 'AND run.pay_again IS NULL' : ''}`,
        found.id,
        digest,
        batchId,
        since,
      );
  return run ?? null;
}

/** SQL: the run left records out. */
const LEAVES_OUT = `EXISTS (SELECT 1 FROM outcome WHERE ${sqlInRun('record', 'run.number')} AND ${LEFT_OUT})`;

/** Records are added in input order without gaps: a run that has a record at one place has all records before it. */
function beginningWith(
  db: Db,
  target: number,
  { index, key, bodyHash }: Pick<PlannedRecord, 'index' | 'key' | 'bodyHash'>,
): StoredRun | null {
  const [run] = selectRuns(
    db,
    `AND run.target = ? AND run.number IN
      (SELECT ${sqlRunOf('id')} FROM record WHERE key = ? AND body_hash = ? AND ${sqlIndexOf('id')} = ?)`,
    target,
    key ?? '',
    bodyHash,
    index,
  );
  return run ?? null;
}

function joinRun(db: Db, run: StoredRun, { version, decisions, placing }: Joining, deliver: Deliver): Outbox | null {
  return transaction(db, () => {
    const target = targetOf(db, run.target, run.scope);
    if (target === null || !takeGate(db, target.id, version)) return null;
    if (placing !== null) writePlaces(db, run.number, placing);
    const unsent = applyDecisions(db, run.number, decisions, true);
    db.prepare('UPDATE run SET finished_at = NULL, exit_code = NULL, stop_reason = NULL WHERE number = ?').run(
      run.number,
    );
    return deliver(run.number, unsent);
  });
}

function close(db: Db, live: Liveness | null): void {
  try {
    if (live !== null) signOff(db, live);
  } finally {
    db.close();
  }
}

function signOff(db: Db, live: Liveness): void {
  // The lock is released first: if this process is cut off here, recovery finds the rest by the process's name.
  live.end();
  // A claim or a preparation that is still open is left to recovery too.
  const open =
    'EXISTS (SELECT 1 FROM intent WHERE process = ?1) OR EXISTS (SELECT 1 FROM run WHERE process = ?1 AND passed = 0)';
  transaction(db, () => {
    db.prepare(`DELETE FROM delivery WHERE process = ?1 AND NOT (${open})`).run(live.self);
    db.prepare(`DELETE FROM process WHERE id = ?1 AND NOT (${open})`).run(live.self);
  });
  try {
    // Statements that are not finalised keep the file open, so the log is emptied here and not by closing.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // A read that was broken off still needs the log. Nothing is lost: the next process that closes empties it.
  }
}
