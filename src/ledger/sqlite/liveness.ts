/**
 * Which processes are alive. Each holds a lock on a file of its own for as long as it lives; the system lets go of the
 * lock when the process ends, however it ends. Unlike process numbers, this holds across containers and reboots.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fchmodSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../../errors.js';
import { type Db, openFile } from '../../util/sqlite.js';

export interface Liveness {
  /** This process's name in the journal. */
  readonly self: string;
  isAlive(process: string): boolean;
  /** Whether this process's lock file is still there. */
  isKept(): boolean;
  /** Lets go of the lock and removes its file. */
  end(): void;
}

function lockFile(folder: string, process: string): string {
  return join(folder, `alive-${process}.lock`);
}

const NO_WAIT = 0;
/** After so many failures in a row, the cause is not that other processes test the lock. */
const MOST_TRIES = 100;

/** Makes and locks the file of a new process name, which must be locked before the name is written into the journal. */
export function startLiveness(folder: string): Liveness {
  for (let tries = 1; ; tries++) {
    const self = randomUUID();
    const file = lockFile(folder, self);
    makeOwn(file);
    try {
      const held = lock(file);
      return {
        self,
        isAlive: (process) => process === self || isLocked(folder, process),
        isKept: () => existsSync(file),
        end: () => {
          held.close();
          removeLock(folder, self);
        },
      };
    } catch (cause) {
      // Most likely another process was just testing the lock.
      removeLock(folder, self);
      if (tries === MOST_TRIES) throw new JournalError(`cannot lock ${file}: ${(cause as Error).message}`, { cause });
    }
  }
}

/**
 * Makes an empty file that only its owner may open, whatever the umask says. The mode is set by the descriptor, because
 * another process may take the file for a stray and remove it.
 */
function makeOwn(file: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  fchmodSync(descriptor, 0o600);
  closeSync(descriptor);
}

/** Whether another process is alive. */
export function isLocked(folder: string, process: string): boolean {
  const file = lockFile(folder, process);
  if (!existsSync(file)) return false;
  // Only read, and with a shared lock: two processes that test at once must not take each other for the owner of the
  // lock, and the test must not make a file again that another process has just removed.
  let db: Db | null = null;
  try {
    db = openFile(file, NO_WAIT, true);
    // No prepared statement: it would keep the file open until it is collected, and this runs many times a second.
    db.exec('SELECT 1 FROM sqlite_master');
    return false;
  } catch {
    // Whatever made the test fail, a process that still has its file is not given up for dead.
    return existsSync(file);
  } finally {
    db?.close();
  }
}

/** The processes that have a lock file, dead or alive. */
export function lockedNames(folder: string): string[] {
  const names = readdirSync(folder).map((name) => /^alive-([0-9a-f-]{36})\.lock$/.exec(name)?.[1]);
  return names.filter((name) => name !== undefined);
}

/** Removes a process's lock file. Windows keeps a file that another process has open: the next call removes it then. */
export function removeLock(folder: string, process: string): void {
  try {
    rmSync(lockFile(folder, process), { force: true });
  } catch (cause) {
    if (!HELD.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}

const HELD: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** Locks the file. Throws when another process holds it. */
function lock(file: string): { close(): void } {
  const db = openFile(file, NO_WAIT);
  try {
    // Only the lock is wanted: the rollback journal is in memory, so that no file is written beside this one.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
