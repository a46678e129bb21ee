/** The journal's file: opens and checks it, and notices if it is replaced or damaged. */
import { randomUUID } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../../errors.js';
import { makeFolder } from '../../util/atomic-file.js';
import { type Db, makePrivateFile, openDatabase, pragma, useWal } from '../../util/sqlite.js';
import { explained } from './failures.js';
import { refuseNetworkFolder, requireRoom } from './file-system.js';
import { requireVersion, SCHEMA_VERSION } from '../store/common-schema.js';
import { APPLICATION_ID, SCHEMA, SQLITE_UPGRADE } from './schema.js';

export const JOURNAL_FILE = 'journal.db';

/**
 * How long to wait for another process's transaction, milliseconds. Most take milliseconds; the gate of a large file or
 * pruning a large journal takes seconds.
 */
const BUSY_MS = 60_000;

/**
 * Opens the journal for writing and makes it if there is none.
 * @throws JournalError with the remedy
 */
export function openForWriting(folder: string, platform: NodeJS.Platform): Db {
  makeStateFolder(folder);
  refuseNetworkFolder(folder, platform);
  requireRoom(folder);
  const file = join(folder, JOURNAL_FILE);
  try {
    refuseLinks(folder);
    if (!isThere(file)) make(file);
    return opened(file);
  } catch (cause) {
    throw explained(cause, file);
  }
}

/** Whether there is a journal. @throws JournalError for one that is no longer whole */
function isThere(file: string): boolean {
  // statSync throws for an unreadable file, so that one does not count as missing.
  const sizeOf = (name: string): number | undefined => statSync(name, { throwIfNoEntry: false })?.size;
  const left = [`${file}-wal`, `${file}-shm`].filter((name) => sizeOf(name) !== undefined);
  // Read after them: another process may make the journal at this moment, and those files come after it.
  const size = sizeOf(file);
  if (size !== undefined && size > 0) return true;
  if (size === undefined && left.length === 0) return false;
  // SQLite would treat either as a new journal, which knows no payment.
  const names = left.join(' and ');
  const found =
    size === 0
      ? `${file} is empty (0 bytes)`
      : `${file} is missing, and ${names} ${left.length === 1 ? 'is' : 'are'} still there`;
  throw new JournalError(
    `${found}, so the journal is damaged, and what was paid is not known. Put the journal back first: from the place where it was moved or copied to, or from a backup that gigwork journal copy made (docs/operations.md, "Backup"). Only if nothing was ever paid with it, remove ${size === 0 ? file : names}: then a new journal begins.`,
  );
}

/** Failures to link on file systems without links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK']);

/** Makes it whole or not at all: nobody ever sees an empty one. Another process may be first. */
function make(file: string): void {
  const draft = `${file}-new-${randomUUID()}`;
  try {
    makePrivateFile(draft);
    const db = openDatabase(draft, BUSY_MS);
    try {
      useWal(db);
      db.exec(
        `BEGIN; ${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
      );
    } finally {
      db.close();
    }
    try {
      linkSync(draft, file);
    } catch (cause) {
      if (!NO_LINKS.has((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
      copyFileSync(draft, file, constants.COPYFILE_EXCL);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}

function opened(file: string): Db {
  const db = openDatabase(file, BUSY_MS);
  try {
    checkIdentity(db, file);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
    // On macOS, a plain fsync leaves the data in the disk's cache; elsewhere both pragmas do nothing.
    db.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    useWal(db);
    if (pragma(db, 'user_version') < SCHEMA_VERSION) upgradeFile(db);
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY',
    );
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Brings a journal of the version before up to date, whole or not at all. */
function upgradeFile(db: Db): void {
  db.exec('BEGIN IMMEDIATE');
  // Another process may have been first.
  if (pragma(db, 'user_version') < SCHEMA_VERSION) db.exec(`${SQLITE_UPGRADE} PRAGMA user_version = ${SCHEMA_VERSION}`);
  db.exec('COMMIT');
}

/** Null if there is no journal. @throws JournalError */
export function openForReading(folder: string): Db | null {
  const file = join(folder, JOURNAL_FILE);
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) refuseLinks(folder);
    if (!isThere(file)) return null;
    const db = openDatabase(file, BUSY_MS, true);
    try {
      checkIdentity(db, file);
      return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
  } catch (cause) {
    throw explained(cause, file, 'read');
  }
}

function makeStateFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw new JournalError(
      `cannot make the state folder ${folder}: ${(cause as Error).message}. Name one that can be written with --state-dir.`,
      { cause },
    );
  }
}

/** The files of the journal, SQLite's additional ones, and the locks. */
const OWN_FILE = /^(journal\.db|alive-.*\.lock$)/;

/**
 * A person may reach the folder through a link, but its files belong to the program. A link among them leads to another
 * person's file, which the program would then read, lock, write, or set to the mode 0600.
 * @throws JournalError
 */
function refuseLinks(folder: string): void {
  const link = readdirSync(folder, { withFileTypes: true }).find(
    (entry) => entry.isSymbolicLink() && OWN_FILE.test(entry.name),
  );
  if (link === undefined) return;
  const path = join(folder, link.name);
  throw new JournalError(
    `${path} is a symbolic link, and files of the state folder are never followed to another place. Remove the link (what it leads to stays), put the file itself there if it is your journal, or name another folder with --state-dir.`,
  );
}

/** Refuses a foreign file before anything is written into it. */
function checkIdentity(db: Db, file: string): void {
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new JournalError(
      `${file} is not a journal of gigwork. Move it away, or name another folder with --state-dir.`,
    );
  }
  requireVersion(file, pragma(db, 'user_version'), 'name another folder with --state-dir');
}

/**
 * Watches the file and SQLite's log of it. If either is removed, replaced or moved, this process still writes into the
 * old one. Every other process then reads a new one, which does not know those payments.
 * @returns a function that throws JournalError when that has happened
 */
export function watch(file: string): () => void {
  const names = [file, `${file}-wal`];
  const identities = names.map(fileIdentity);
  return () => {
    const index = names.findIndex((name, i) => fileIdentity(name) !== identities[i]);
    if (index === -1) return;
    throw new JournalError(
      `${names[index]} was removed, replaced or moved while it was in use: nothing more is sent, because no other call would know of it. Put it back as it was, with the files next to it, before you continue: it knows what was paid.`,
    );
  };
}

/** Also for a name without a file. */
function fileIdentity(name: string): string {
  const found = statSync(name, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}

export interface JournalHealth {
  readonly file: string;
  /** Of its schema. */
  readonly version: number;
  /** Findings of SQLite's integrity check; empty if there are none. */
  readonly damage: readonly string[];
}

/** Further findings would not help. */
const MOST_DAMAGE = 5;

/** Null if there is no journal yet. @throws JournalError with the remedy when it cannot be opened */
export function journalHealth(folder: string): JournalHealth | null {
  const db = openForReading(folder);
  if (db === null) return null;
  const file = join(folder, JOURNAL_FILE);
  try {
    const version = pragma(db, 'user_version');
    const rows = db.prepare(`PRAGMA integrity_check(${MOST_DAMAGE})`).all() as { integrity_check: string }[];
    const damage = rows.map(({ integrity_check: finding }) => finding).filter((finding) => finding !== 'ok');
    return { file, version, damage };
  } catch (cause) {
    throw explained(cause, file);
  } finally {
    db.close();
  }
}
