/** This process, and the others, in the journal's book of processes; and the file when it is left. */
import { type Db, emptyLog, transaction } from '../../util/sqlite.js';
import type { Session } from '../store/driver.js';
import { signOff as signOffIn } from '../store/taking-over.js';
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

/** This process lets go of the journal. */
export async function signOff(db: Db, session: Session, { live, self }: Registration): Promise<void> {
  // The lock is released first: if this process is cut off here, recovery finds the rest by the process's name.
  live.end();
  await session.write((tx) => signOffIn(tx, self));
  try {
    db.exec('PRAGMA busy_timeout = 0');
    emptyLog(db);
  } catch {
    // A read that was broken off still needs the log. Nothing is lost: the next process that closes empties it.
  }
}

/**
 * Writes the file anew, so that nothing that was removed is left in its bytes or in its log. Otherwise the contents of
 * rows stay in free pages, and as copies in split pages, which `secure_delete` does not reach either.
 */
export function rewrite(db: Db): void {
  // In memory, the new file would take as much memory as the journal is long.
  db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)');
}
