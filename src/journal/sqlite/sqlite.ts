/** The embedded journal: one SQLite file in the state directory. */
import { join } from 'node:path';
import { type Db, emptyLog, pragma } from '../../util/sqlite.js';
import type { Caller } from '../audit-log.js';
import type { OpenedJournal } from '../journal.js';
import { requireActive } from '../location.js';
import { createJournal } from '../store/create-journal.js';
import type { CopyDriver, Driver } from '../store/driver.js';
import { deregister } from '../store/recovery.js';
import { readStatus } from '../store/transactions.js';
import { FORM } from './dialect.js';
import { startExchange } from './claims.js';
import { explained, isConflict } from './failures.js';
import { JOURNAL_FILE, openForReading, openForWriting, watch } from './file.js';
import { storageWarning } from './file-system.js';
import { isLocked, type Registration, register, removeStrays } from './process-lock.js';
import { startSession } from './session.js';

export interface SqliteOptions {
  /** The state directory. */
  readonly folder: string;
  /** The person who calls the program; null to read only: then nothing is written. */
  readonly caller: Caller | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
}

const FENCED =
  'another process took this one for dead, and has taken over what it had under way. Were files of the state folder removed? Run the command again.';

/**
 * Without a caller, nothing is written, and the result is null if there is no journal yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openSqliteJournal(options: SqliteOptions): Promise<OpenedJournal | null> {
  const { folder, caller, platform, now } = options;
  const reading = caller === null ? openForReading(folder) : null;
  if (caller === null && reading === null) return null;
  const db = reading ?? openForWriting(folder, platform);
  try {
    const reader = driverOn(options, db, null);
    if (caller !== null) requireActive(reader.place, await reader.session.read(readStatus));
    const driver = caller === null ? reader : driverOn(options, db, register(db, folder, now()));
    return { journal: createJournal(driver), storage: storageWarning(folder, platform) };
  } catch (cause) {
    db.close();
    throw explained(cause, join(folder, JOURNAL_FILE));
  }
}

/** Opens a journal to copy from or to, whether it is in use or not. This process does not send. */
export function openSqliteCopy(options: SqliteOptions): CopyDriver {
  const { folder, platform } = options;
  const db = openForWriting(folder, platform);
  return {
    ...driverOn(options, db, null),
    userColumn: 'user',
    continueFrom: async (tx, { run, claim }) => {
      for (const [name, number] of Object.entries({ run, claim }))
        await tx.change('UPDATE sqlite_sequence SET seq = $1 WHERE name = $2', number, name);
    },
    explained: (cause) => explained(cause, join(folder, JOURNAL_FILE)),
  };
}

/** @param registration null for a process that does not send */
function driverOn({ folder, caller, now }: SqliteOptions, db: Db, registration: Registration | null): Driver {
  const file = join(folder, JOURNAL_FILE);
  const session = startSession(db, file, now);
  const self = registration?.self ?? null;
  const requireFile = watch(file);
  const isAlive = (name: string): boolean => name === registration?.name || isLocked(folder, name);
  return {
    session,
    place: `sqlite:${folder}`,
    version: pragma(db, 'user_version'),
    user: null,
    self,
    caller,
    fencedMessage: FENCED,
    ...FORM,
    aliveProcesses: async (tx, processes) => {
      const rows = await tx.rows<[number, string]>('SELECT id, name FROM process WHERE id = ANY ($1)', processes);
      return rows.filter(([, name]) => isAlive(name)).map(([process]) => ({ process, lease: null }));
    },
    deadProcesses: async (tx) => {
      const rows = await tx.rows<[number, string]>('SELECT id, name FROM process');
      return rows.filter(([id, name]) => id !== self && !isAlive(name)).map(([id]) => id);
    },
    tidyUp: () => session.inTurn(() => (registration === null ? undefined : removeStrays(db, folder))),
    lockJournal: async () => requireFile(),
    advanceClaimNumber: async (tx) =>
      void (await tx.change("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'claim'")),
    isConflict,
    auditColumns: (tx, { by }, at) => ({
      at: at ?? tx.at,
      user: by.user,
    }),
    timeOf: (_tx, at) => at,
    approvals: null,
    storeAndClaim: startExchange({
      session,
      self,
      now,
      requireFile,
      shutOut: FENCED,
    }),
    permit: {
      maySend: () => true,
      waitForPermit: () => null,
    },
    pruneResponses: () => Promise.resolve(),
    purgeFreeSpace: () => session.inTurn(() => purgeFreeSpace(db)),
    detach: async () => {
      try {
        if (registration !== null) {
          registration.release();
          await session.write((tx) => deregister(tx, registration.self));
        }
        if (caller !== null) await session.inTurn(() => emptyLogSoon(db));
      } finally {
        await session.inTurn(() => db.close());
      }
    },
  };
}

/** Empties the log, so that people can copy the journal as a single file. */
function emptyLogSoon(db: Db): void {
  try {
    db.exec('PRAGMA busy_timeout = 0');
    emptyLog(db);
  } catch {
    // An aborted read still needs the log. Nothing is lost: the next process that closes empties it.
  }
}

/**
 * Rewrites the file so that removed data is gone from its bytes and its log. Otherwise rows remain in free pages, and
 * as copies in split pages, which `secure_delete` does not reach either.
 */
function purgeFreeSpace(db: Db): void {
  // In memory, the new file would take as much memory as the journal is long.
  db.exec('PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY; PRAGMA wal_checkpoint(TRUNCATE)');
}
