/**
 * Which processes are alive. Each holds a lock on a separate file while it lives; the system releases the lock when the
 * process ends, however it ends. Unlike process numbers, this works across containers and reboots.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../../errors.js';
import { type Db, makePrivateFile, openDatabase, transaction } from '../../util/sqlite.js';

/** This process in the journal's table of processes. */
export interface Registration {
  /** Row number of this process. */
  readonly self: number;
  readonly name: string;
  /** Releases the lock and removes its file. */
  release(): void;
}

const NO_WAIT = 0;
/** After this many failures in a row, the cause is not that other processes test the lock. */
const MOST_LOCK_TRIES = 100;

function lockFile(folder: string, process: string): string {
  return join(folder, `alive-${process}.lock`);
}

/** Locks a new process's file first, then adds its name to the journal. @param at milliseconds since 1970 */
export function register(db: Db, folder: string, at: number): Registration {
  for (let tries = 1; ; tries++) {
    const name = randomUUID();
    const file = lockFile(folder, name);
    makePrivateFile(file);
    const held = tryLock(file, tries === MOST_LOCK_TRIES);
    const release = (): void => {
      held?.close();
      removeLock(folder, name);
    };
    // Before the lock, another process may have removed the file as a leftover.
    const insert = (): number | null => {
      if (!existsSync(file)) return null;
      const process = db.prepare('INSERT INTO process (name, started_at) VALUES (?, ?)').run(name, at);
      return Number(process.lastInsertRowid);
    };
    const self = held === null ? null : transaction(db, insert);
    if (self !== null) return { self, name, release };
    release();
  }
}

/** Null if another process holds the lock: most likely, it was just testing it. @throws JournalError the last time */
function tryLock(file: string, isLast: boolean): Db | null {
  let db: Db | null = null;
  try {
    db = openDatabase(file, NO_WAIT);
    // Only the lock matters: with the rollback journal in memory, SQLite writes no additional file.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (cause) {
    db?.close();
    if (isLast) throw new JournalError(`cannot lock ${file}: ${(cause as Error).message}`, { cause });
    return null;
  }
}

/** Whether another process is alive. */
export function isLocked(folder: string, process: string): boolean {
  const file = lockFile(folder, process);
  if (!existsSync(file)) return false;
  // Read-only, with a shared lock. Otherwise two processes that test at once would each see the other as the owner, and
  // the test could create a file that another process has just removed.
  let db: Db | null = null;
  try {
    db = openDatabase(file, NO_WAIT, true);
    // No prepared statement: it would keep the file open until garbage collection, and this runs many times a second.
    db.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch {
    // Whatever made the test fail, a process whose file exists does not count as dead.
    return existsSync(file);
  } finally {
    db?.close();
  }
}

/** Removes lock files of processes that died before their names were stored, or whose names were deleted. */
export function removeStrays(db: Db, folder: string): void {
  const isKnown = db.prepare('SELECT 1 FROM process WHERE name = ?');
  const strays = (): string[] =>
    readdirSync(folder)
      .map((file) => /^alive-([0-9a-f-]{36})\.lock$/.exec(file)?.[1])
      .filter((name) => name !== undefined)
      .filter((name) => isKnown.get(name) === undefined);
  if (strays().length === 0) return;
  transaction(db, () => {
    for (const name of strays()) if (!isLocked(folder, name)) removeLock(folder, name);
  });
}

const HELD: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** Windows keeps a file that another process has open: the next call removes it then. */
function removeLock(folder: string, process: string): void {
  try {
    rmSync(lockFile(folder, process), { force: true });
  } catch (cause) {
    if (!HELD.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}
