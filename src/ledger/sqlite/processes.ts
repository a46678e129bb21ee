/** This process, and the others, in the journal's book of processes. */
import { emptyLog, transaction } from '../../util/sqlite.js';
import type { Db } from '../../util/sqlite.js';
import { type Context } from './context.js';
import { isLocked, type Liveness, lockedNames, removeLock, startLiveness } from './liveness.js';

export interface Registration {
  readonly live: Liveness;
  /** Row number of this process. */
  readonly self: number;
}

/** Locks the file of a new process name, and writes the name into the journal. @param at milliseconds since 1970 */
export function register(db: Db, folder: string, at: number): Registration {
  for (;;) {
    const live = startLiveness(folder);
    const self = transaction(db, () => {
      // Before the file was locked, another process may have taken it for a stray and removed it.
      if (!live.isKept()) return null;
      const insert = db.prepare('INSERT INTO process (name, started_at) VALUES (?, ?)');
      return Number(insert.run(live.self, at).lastInsertRowid);
    });
    if (self !== null) return { live, self };
    live.end();
  }
}

/** Removes lock files of processes that died before their names were written down, or after the names were deleted. */
export function removeStrays(db: Db, folder: string): void {
  const isKnown = db.prepare('SELECT 1 FROM process WHERE name = ?');
  const strays = (): string[] => lockedNames(folder).filter((name) => isKnown.get(name) === undefined);
  if (strays().length === 0) return;
  transaction(db, () => {
    for (const name of strays()) if (!isLocked(folder, name)) removeLock(folder, name);
  });
}

export interface KnownProcess {
  readonly id: number;
  readonly name: string;
}

export function allProcesses({ sql }: Context): KnownProcess[] {
  return (sql('SELECT id, name FROM process').all() as [number, string][]).map(([id, name]) => ({ id, name }));
}

/** What this process leaves open is left to recovery: a claim that was not settled, or a preparation. */
const OPEN = `EXISTS (SELECT 1 FROM claim WHERE process = ?1)
  OR EXISTS (SELECT 1 FROM run WHERE process = ?1 AND passed = 0)`;

/** This process lets go of the journal. */
export function signOff(db: Db, { live, self }: Registration): void {
  // The lock is released first: if this process is cut off here, recovery finds the rest by the process's name.
  live.end();
  transaction(db, () => {
    db.prepare(`DELETE FROM delivery WHERE process = ?1 AND NOT (${OPEN})`).run(self);
    db.prepare(`DELETE FROM process WHERE id = ?1 AND NOT (${OPEN})`).run(self);
  });
  try {
    db.exec('PRAGMA busy_timeout = 0');
    emptyLog(db);
  } catch {
    // A read that was broken off still needs the log. Nothing is lost: the next process that closes empties it.
  }
}
