/** Opens the SQLite files of the program: the journal and the sandbox. */
import { DatabaseSync } from '@photostructure/sqlite';
import { closeSync, fchmodSync, openSync } from 'node:fs';

export type Db = InstanceType<typeof DatabaseSync>;
export type Statement = ReturnType<Db['prepare']>;
export type BindValue = string | number | bigint | Uint8Array | null;

export const SQLITE_BUSY = 5;

/** Opens a file; nothing is written yet. @param busyMs how long to wait for others' transactions, milliseconds */
export function openDatabase(file: string | URL, busyMs: number, readOnly = false): Db {
  const db = new DatabaseSync(file, { readOnly });
  try {
    db.exec(`PRAGMA busy_timeout = ${busyMs}`);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/**
 * Makes a missing file that only its owner may open from the first moment, despite the umask. SQLite's additional files
 * get the same mode.
 */
export function makePrivateFile(file: string): void {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    fchmodSync(descriptor, 0o600);
    closeSync(descriptor);
  } catch (cause) {
    // An existing file is not opened: closing it again would drop the locks that this process may hold on it.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}

/** Each failure means that another process was faster; there are never so many of them at once. */
const MOST_WAL_TRIES = 100;

/**
 * Several processes may read while one writes. When several open a new file at once, one makes the change. SQLite
 * refuses the others without waiting, because each of them reads while it wants to write. An empty write transaction
 * waits until the first one is done.
 */
export function useWal(db: Db): void {
  for (let tries = 1; ; tries++) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (cause) {
      if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY || tries === MOST_WAL_TRIES) throw cause;
      transaction(db, () => undefined);
    }
  }
}

/** No other process can write during the transaction. Durable, if `synchronous` is, when it returns. */
export function transaction<T>(db: Db, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (cause) {
    // A full disk may have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw cause;
  }
}

export function pragma(db: Db, name: string): number {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[0] ?? 0;
}

/** Empties the log. Closing the file does not do this, because statements that are not finalised keep it open. */
export function emptyLog(db: Db): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Makes the statement return each row as a list of its columns: reading rows as objects costs twice as much. */
export function inLists(statement: Statement): Statement {
  statement.setReturnArrays(true);
  return statement;
}

/** Runs a statement that writes. Changed rows are not counted: that takes a fifth of the time of writing a row. */
export function writeWith(statement: Statement, ...values: BindValue[]): void {
  statement.get(...values);
}
