/** The embedded ledger: one SQLite file in the state directory. */
import { join } from 'node:path';
import type { Db } from '../../util/sqlite.js';
import type { Caller } from '../event.js';
import type { Ledger } from '../ledger.js';
import { requireInUse } from '../standing.js';
import type { Driver } from '../store/driver.js';
import { ledgerOn } from '../ledger.js';
import { standing } from '../store/transactions.js';
import { FORM } from './compact.js';
import { startExchange } from './exchange.js';
import { explained, isConflict } from './failures.js';
import { JOURNAL_FILE, openForReading, openForWriting, watch } from './file.js';
import { storageWarning } from './file-system.js';
import { isLocked } from './liveness.js';
import { type Registration, register, removeStrays, rewrite, signOff } from './processes.js';
import { type FileSession, startSession } from './session.js';

export interface SqliteLedgerOptions {
  /** The state directory. */
  readonly folder: string;
  /** Who calls the program; null to read alone: then nothing is written. */
  readonly caller: Caller | null;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
  readonly platform: NodeJS.Platform;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** This call made the journal: it knows nothing of earlier payments. */
  readonly isNew: boolean;
  /** Why what is stored there may be forgotten, in words; null where it is kept. */
  readonly storage: string | null;
}

const SHUT_OUT =
  'another process took this one for dead, and has taken over what it had under way. Were files of the state folder removed? Run the command again.';

/**
 * Opens the ledger. Without a caller, nothing is written, and the result is null where there is none yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openSqliteLedger(options: SqliteLedgerOptions): Promise<OpenedLedger | null> {
  const { folder, caller, platform, now } = options;
  const readOnly = caller === null;
  const db = readOnly ? openForReading(folder) : null;
  if (readOnly && db === null) return null;
  const opened = db === null ? openForWriting(folder, platform) : { db, isNew: false };
  const file = join(folder, JOURNAL_FILE);
  try {
    const session = startSession(opened.db, file, now);
    if (!readOnly) requireInUse(placeOf(folder), await session.read(standing));
    const registration = readOnly ? null : register(opened.db, folder, now());
    const driver = driverOn(options, { db: opened.db, file, session, registration });
    return { ledger: ledgerOn(driver), isNew: opened.isNew, storage: storageWarning(folder, platform) };
  } catch (cause) {
    opened.db.close();
    throw explained(cause, file);
  }
}

function placeOf(folder: string): string {
  return `sqlite:${folder}`;
}

interface Parts {
  readonly db: Db;
  readonly file: string;
  readonly session: FileSession;
  /** Null for one that only reads. */
  readonly registration: Registration | null;
}

function driverOn({ folder, caller, now }: SqliteLedgerOptions, parts: Parts): Driver {
  const { db, file, session, registration } = parts;
  const self = registration?.self ?? null;
  const requireFile = watch(file);
  const isAlive = (name: string): boolean => registration?.live.isAlive(name) ?? isLocked(folder, name);
  return {
    ...{ session, place: placeOf(folder), user: null, self, caller, shutOut: SHUT_OUT, ...FORM },
    alive: async (tx, processes) => {
      const rows = await tx.rows<[number, string]>('SELECT id, name FROM process WHERE id = ANY ($1)', processes);
      return new Map(rows.filter(([, name]) => isAlive(name)).map(([id]) => [id, '; wait until that has ended']));
    },
    dead: async (tx) => {
      const rows = await tx.rows<[number, string]>('SELECT id, name FROM process');
      return rows.filter(([id, name]) => id !== self && !isAlive(name)).map(([id]) => id);
    },
    tidyUp: () => session.inTurn(() => (registration === null ? undefined : removeStrays(db, folder))),
    // Nobody else writes in the middle of a transaction that writes.
    haveAlone: async () => requireFile(),
    skipClaim: async (tx) => void (await tx.change("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'claim'")),
    isConflict,
    doneBy: (tx, { by }, at) => ({ at: at ?? tx.at, user: by.user }),
    timeOf: (_tx, at) => at,
    proof: { join: '', facts: 'approved.facts', isProof: '0', note: (note) => note },
    approve: () => Promise.reject(new Error('a journal of one machine holds no approvals')),
    approvals: () => Promise.resolve([]),
    exchange: startExchange({ session, self, now, requireFile, shutOut: SHUT_OUT }),
    // While this process lives, its claims are its own.
    right: { maySend: () => true, untilMaySend: () => null },
    pruneMore: () => Promise.resolve(),
    rewrite: () => session.inTurn(() => rewrite(db)),
    leave: async () => {
      try {
        if (registration !== null) await signOff(db, session, registration);
      } finally {
        await session.inTurn(() => db.close());
      }
    },
  };
}
