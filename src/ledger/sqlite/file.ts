/** The file of the journal: opening it, what it must be, whether it is still there, and whole. */
import { chmodSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../../errors.js';
import { makeFolder } from '../../util/folder.js';
import { type Db, makePrivateFile, openFile, pragma, transaction, useWal } from '../../util/sqlite.js';
import { explained } from './failures.js';
import { refuseNetworkFolder } from './file-system.js';
import { requireVersion, SCHEMA_VERSION } from '../store/codes.js';
import { APPLICATION_ID, SCHEMA } from './schema.js';

export const JOURNAL_FILE = 'journal.db';

/** SQLite takes a file that is shorter than its smallest page for an empty one, and would write over it. Bytes. */
const SMALLEST_PAGE = 512;
/**
 * How long to wait for another process's transaction, milliseconds. Most take milliseconds; the gate of a large file or
 * pruning a large journal takes seconds.
 */
const BUSY_MS = 60_000;

export interface OpenFile {
  readonly db: Db;
  /** This call made the tables. */
  readonly isNew: boolean;
}

/** Opens the journal for writing and makes it where there is none. @throws JournalError with the remedy */
export function openForWriting(folder: string, platform: NodeJS.Platform): OpenFile {
  makeStateFolder(folder);
  refuseNetworkFolder(folder, platform);
  const file = join(folder, JOURNAL_FILE);
  try {
    refuseLinks(folder);
    makePrivateFile(file);
    return opened(file);
  } catch (cause) {
    throw explained(cause, file);
  }
}

function opened(file: string): OpenFile {
  const db = openFile(file, BUSY_MS);
  try {
    checkIdentity(db, file);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
    // On macOS, a plain fsync leaves the data in the disk's own memory; elsewhere both pragmas do nothing.
    db.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    useWal(db);
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY',
    );
    return { db, isNew: createSchema(db) };
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Opens the journal for reading; null where there is none. @throws JournalError */
export function openForReading(folder: string): Db | null {
  const file = join(folder, JOURNAL_FILE);
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) refuseLinks(folder);
    // A file that cannot be looked at does not count as missing: then statSync throws.
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
    const db = openFile(file, BUSY_MS, true);
    try {
      checkIdentity(db, file);
      if (pragma(db, 'user_version') !== 0) return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
    // Another process is making it at this moment.
    db.close();
    return null;
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

/** The files of the journal, SQLite's beside it, and the locks. */
const OWN_FILE = /^(journal\.db|alive-.*\.lock$)/;

/**
 * The folder may be reached through a link, but the files in it are the program's own. A link among them leads to
 * somebody else's file, which would be read, locked, written, or given the mode 0600.
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

/** Refuses a file that is not ours before anything is written into it. */
function checkIdentity(db: Db, file: string): void {
  const version = pragma(db, 'user_version');
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number };
  const { size } = statSync(file);
  const isNew = tables.n === 0 && (size === 0 || size >= SMALLEST_PAGE);
  if (isNew) return;
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new JournalError(
      `${file} is not a journal of gigwork. Move it away, or name another folder with --state-dir.`,
    );
  }
  // A file that another process is making at this moment has no version yet.
  if (version !== 0) requireVersion(file, version, 'name another folder with --state-dir');
}

/** @returns whether this call made the tables */
function createSchema(db: Db): boolean {
  if (pragma(db, 'user_version') === SCHEMA_VERSION) return false;
  return transaction(db, () => {
    // Another process may have been first.
    if (pragma(db, 'user_version') === SCHEMA_VERSION) return false;
    db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
    return true;
  });
}

/**
 * Watches the file, and the log that SQLite keeps beside it. Once either was removed, replaced or moved away, this process
 * still writes into the old one, while every other process reads another, which knows nothing of that.
 * @returns a function that throws JournalError when that has happened
 */
export function watch(file: string): () => void {
  const names = [file, `${file}-wal`];
  const identities = names.map(identityOf);
  return () => {
    const index = names.findIndex((name, i) => identityOf(name) !== identities[i]);
    if (index === -1) return;
    throw new JournalError(
      `${names[index]} was removed, replaced or moved while it was in use: nothing more is sent, because no other call would know of it. Put it back as it was, with the files beside it, before you go on: it knows what was paid.`,
    );
  };
}

/** Tells one file from another; a name that leads nowhere has an identity too. */
function identityOf(name: string): string {
  const found = statSync(name, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev}:${found.ino}`;
}

export interface JournalHealth {
  readonly file: string;
  /** Version of its schema. */
  readonly version: number;
  /** What SQLite's integrity check found; empty when nothing. */
  readonly damage: readonly string[];
}

/** More findings than these say nothing new. */
const MOST_FINDINGS = 5;

/** Null where there is no journal yet. @throws JournalError when it cannot be opened, with the remedy */
export function journalHealth(folder: string): JournalHealth | null {
  const db = openForReading(folder);
  if (db === null) return null;
  const file = join(folder, JOURNAL_FILE);
  try {
    const version = pragma(db, 'user_version');
    const rows = db.prepare(`PRAGMA integrity_check(${MOST_FINDINGS})`).all() as { integrity_check: string }[];
    const damage = rows.map(({ integrity_check: finding }) => finding).filter((finding) => finding !== 'ok');
    return { file, version, damage };
  } catch (cause) {
    throw explained(cause, file);
  } finally {
    db.close();
  }
}
