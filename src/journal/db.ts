/** The SQLite file of the journal: opening, schema, transactions. */
import { existsSync, statSync, chmodSync, openSync, closeSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { JournalError } from '../errors.js';
import { makeFolder } from '../util/folder.js';
import { explained, isBusy } from './failures.js';
import { refuseNetworkFolder } from './network.js';

export type Db = InstanceType<typeof DatabaseSync>;
export type Statement = ReturnType<Db['prepare']>;

/** Makes the statement give each row as a list of its columns: reading rows as objects costs twice as much. */
export function inLists(statement: Statement): Statement {
  statement.setReturnArrays(true);
  return statement;
}

/** Runs a statement that writes. Changed rows are not counted: that takes a fifth of the time of writing a record. */
export function writeWith(statement: Statement, ...values: (string | number | Uint8Array | null)[]): void {
  statement.get(...values);
}

/** Marks the file as gigwork's own ("gigw"). */
const APPLICATION_ID = 0x67696777;
/** Version of the schema. A newer one is refused; the next version must bring this one up to date. Version 1 was never released. */
const SCHEMA_VERSION = 2;
/**
 * How long to wait for another process's transaction, milliseconds. Most take milliseconds; storing a large file or
 * pruning a large journal takes seconds.
 */
const BUSY_MS = 60_000;

const SCHEMA = `
CREATE TABLE target (id INTEGER PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, gates INTEGER NOT NULL DEFAULT 0, UNIQUE (name, scope));
CREATE TABLE run (
  number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, target INTEGER NOT NULL REFERENCES target(id),
  command TEXT NOT NULL, batch TEXT NOT NULL, digest TEXT, pay_again INTEGER, passed INTEGER NOT NULL DEFAULT 0,
  process TEXT, started_at INTEGER NOT NULL, finished_at INTEGER, exit_code INTEGER, stop_reason TEXT);
CREATE INDEX run_digest ON run (target, digest);
CREATE TABLE file (run INTEGER NOT NULL, position INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
  records INTEGER NOT NULL, error_column INTEGER NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
CREATE TABLE record (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, record INTEGER NOT NULL, line INTEGER, type TEXT NOT NULL, key TEXT,
  body TEXT, body_hash TEXT NOT NULL, content BLOB, likeness BLOB, amount TEXT, currency TEXT, cost_center TEXT, error TEXT);
CREATE INDEX record_key ON record (key) WHERE key IS NOT NULL;
CREATE INDEX record_content ON record (content) WHERE content IS NOT NULL;
CREATE INDEX record_likeness ON record (likeness) WHERE likeness IS NOT NULL;
CREATE TABLE invalid_record (
  id INTEGER PRIMARY KEY, file INTEGER NOT NULL, record INTEGER NOT NULL, line INTEGER, type TEXT NOT NULL, error TEXT);
CREATE TABLE outcome (
  record INTEGER PRIMARY KEY, state TEXT NOT NULL, http_status INTEGER, attempts INTEGER NOT NULL, response TEXT,
  error TEXT, doubt_since INTEGER, intent INTEGER NOT NULL, at INTEGER NOT NULL,
  cut_off INTEGER NOT NULL DEFAULT 0);
CREATE INDEX outcome_unknown ON outcome (state) WHERE state = 'unknown';
CREATE TABLE intent (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
  process TEXT NOT NULL, at INTEGER NOT NULL);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, process TEXT NOT NULL, since INTEGER NOT NULL, UNIQUE (run, process));
CREATE TABLE process (id TEXT PRIMARY KEY, started_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE decision (at INTEGER NOT NULL, run INTEGER NOT NULL, record INTEGER, what TEXT NOT NULL, note TEXT);
`;

/** Bytes. */
const SMALLEST_PAGE = 512;

export const JOURNAL_FILE = 'journal.db';

/**
 * Opens the journal for writing and makes it where there is none.
 * @throws JournalError with the remedy
 */
export function openForWriting(folder: string, platform: NodeJS.Platform): Db {
  makeStateFolder(folder);
  refuseNetworkFolder(folder, platform);
  const file = join(folder, JOURNAL_FILE);
  try {
    refuseLinks(folder);
    makeFile(file);
    return openFile(file);
  } catch (cause) {
    throw explained(cause, file);
  }
}

function openFile(file: string): Db {
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    checkIdentity(db, file);
    for (const name of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(name)) chmodSync(name, 0o600);
    // On macOS, a plain fsync leaves the data in the disk's own memory; elsewhere both pragmas do nothing.
    db.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
    useWal(db);
    db.exec(
      'PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY',
    );
    createSchema(db);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Each failure means that another process got ahead; there are never so many of them at once. */
const MOST_TRIES = 100;

/**
 * When several processes open a new file at once, one makes the change. SQLite refuses the others without waiting,
 * because each of them reads while it wants to write. An empty write transaction waits until the first one is done.
 */
function useWal(db: Db): void {
  for (let tries = 1; ; tries++) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (cause) {
      if (!isBusy(cause) || tries === MOST_TRIES) throw cause;
      transaction(db, () => undefined);
    }
  }
}

/** Makes the file: from the first moment, only its owner may open it, whatever the umask says. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (cause) {
    // An existing file is not opened: closing it again would drop the locks that this process may hold on it.
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  }
}

/** Opens the journal for reading; null where there is none. @throws JournalError */
export function openForReading(folder: string): Db | null {
  const file = join(folder, JOURNAL_FILE);
  try {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) refuseLinks(folder);
    // A file that cannot be looked at does not count as missing: then statSync throws.
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      checkIdentity(db, file);
      if (pragma(db, 'user_version') !== 0) return db;
    } catch (cause) {
      db.close();
      throw cause;
    }
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

function pragma(db: Db, name: string): number {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[0] ?? 0;
}

/** Refuses a file that is not ours before anything is written into it. */
function checkIdentity(db: Db, file: string): void {
  const version = pragma(db, 'user_version');
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number };
  const { size } = statSync(file);
  // SQLite takes a file that is shorter than its smallest page for an empty one, and would write over it.
  const isNew = tables.n === 0 && (size === 0 || size >= SMALLEST_PAGE);
  if (isNew) return;
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new JournalError(
      `${file} is not a journal of gigwork. Move it away, or name another folder with --state-dir.`,
    );
  }
  if (version > SCHEMA_VERSION) {
    throw new JournalError(
      `${file} was written by a newer gigwork (journal version ${version}, this one knows ${SCHEMA_VERSION}). Update gigwork.`,
    );
  }
  // A file that another process is making at this moment has no version yet.
  if (version !== 0 && version < SCHEMA_VERSION) {
    throw new JournalError(
      `${file} was written before the first release of gigwork (journal version ${version}). Keep it: it knows what was paid. Finish its runs with the program that wrote it, then name another folder with --state-dir.`,
    );
  }
}

function createSchema(db: Db): void {
  if (pragma(db, 'user_version') === SCHEMA_VERSION) return;
  transaction(db, () => {
    // Another process may have been first.
    if (pragma(db, 'user_version') === SCHEMA_VERSION) return;
    db.exec(`${SCHEMA} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
  });
}

/** Runs `work` in a transaction; no other process can write meanwhile. Durable when it returns. */
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
