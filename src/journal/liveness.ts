/**
 * Which processes are alive. Each holds a lock on a file of its own for as long as it lives; the system lets go of the
 * lock when the process ends, however it ends. Unlike process numbers, this holds across containers and reboots.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, fchmodSync, openSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { JournalError } from '../exit.js';
import type { Db } from './db.js';

export interface Liveness {
  /** This process's name in the journal. */
  readonly self: string;
  isAlive(process: string): boolean;
  /** Whether its file is still there. */
  isKept(): boolean;
  /** Lets go of the lock. */
  end(): void;
}

function lockFile(folder: string, process: string): string {
  return join(folder, `alive-${process}.lock`);
}

/** A file that cannot be locked so often in a row is not merely being looked at by others. */
const MOST_TRIES = 100;

/** Locks the file of a new process name. The lock must stand before the name is written into the journal. */
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
      // Most likely another process was just asking whether anybody holds it.
      removeLock(folder, self);
      if (tries === MOST_TRIES) throw new JournalError(`cannot lock ${file}: ${(cause as Error).message}`, { cause });
    }
  }
}

/** An empty file of its owner's alone, whatever the umask says. By its descriptor: others may take it for a stray and remove it. */
function makeOwn(file: string): void {
  const descriptor = openSync(file, 'wx', 0o600);
  fchmodSync(descriptor, 0o600);
  closeSync(descriptor);
}

/** Whether a process lives, asked by one that has no lock of its own. */
export function isLocked(folder: string, process: string): boolean {
  const file = lockFile(folder, process);
  if (!existsSync(file)) return false;
  // Only read, and with a shared lock: two that ask at once must not take each other for the process they ask about,
  // and asking must not make the file again that another has just removed.
  let db: Db | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    // No prepared statement: one that is not collected yet would keep the file open, and this is asked many times a second.
    db.exec('PRAGMA busy_timeout = 0; SELECT 1 FROM sqlite_master');
    return false;
  } catch {
    // Whatever keeps us from asking, what still has its file is not given up for dead.
    return existsSync(file);
  } finally {
    db?.close();
  }
}

/** The processes that have a file, dead or alive. */
export function lockedNames(folder: string): string[] {
  const names = readdirSync(folder).map((name) => /^alive-([0-9a-f-]{36})\.lock$/.exec(name)?.[1]);
  return names.filter((name) => name !== undefined);
}

/** Removes what a process has left. Windows keeps a file that another process looks at: the next call removes it then. */
export function removeLock(folder: string, process: string): void {
  try {
    rmSync(lockFile(folder, process), { force: true });
  } catch (cause) {
    if (!HELD.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
  }
}

const HELD: ReadonlySet<string> = new Set(['EBUSY', 'EPERM', 'EACCES']);

/** The locked file. Throws when another process holds it. */
function lock(file: string): { close(): void } {
  const db = new DatabaseSync(file);
  try {
    // The lock is all that is wanted: in memory, so that no rollback file is written beside it.
    db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}
