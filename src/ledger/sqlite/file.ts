/** The file of the journal: opening it, what it must be, whether it is still there, and whole. */
import { randomUUID } from 'node:crypto';
import { chmodSync, constants, copyFileSync, existsSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JournalError } from '../../errors.js';
import { makeFolder } from '../../util/folder.js';
import { type Db, makePrivateFile, openFile, pragma, useWal } from '../../util/sqlite.js';
import { explained } from './failures.js';
import { refuseNetworkFolder, requireRoom } from './file-system.js';
import { requireVersion, SCHEMA_VERSION } from '../store/codes.js';
import { APPLICATION_ID, schemaFor } from './schema.js';

export const JOURNAL_FILE = 'journal.db';

/**
 * How long to wait for another process's transaction, milliseconds. Most take milliseconds; the gate of a large file or
 * pruning a large journal takes seconds.
 */
const BUSY_MS = 60_000;

export interface OpenFile {
  readonly db: Db;
  /** This call made it. */
  readonly isNew: boolean;
}

/**
 * Opens the journal for writing and makes it where there is none.
 * @param isIntended where it is made, a person asked for just that
 * @throws JournalError with the remedy
 */
export function openForWriting(folder: string, platform: NodeJS.Platform, isIntended = false): OpenFile {
  makeStateFolder(folder);
  refuseNetworkFolder(folder, platform);
  requireRoom(folder);
  const file = join(folder, JOURNAL_FILE);
  try {
    refuseLinks(folder);
    const isNew = !isThere(file) && make(file, isIntended);
    return { db: opened(file), isNew };
  } catch (cause) {
    throw explained(cause, file);
  }
}

/** Gives whether there is a journal. @throws JournalError where there was one, and it is not whole any more */
function isThere(file: string): boolean {
  const log = `${file}-wal`;
  // A file that cannot be looked at does not count as missing: then statSync throws.
  const [size, logSize] = [file, log].map((name) => statSync(name, { throwIfNoEntry: false })?.size);
  if (size !== undefined && size > 0) return true;
  if (size === undefined && (logSize ?? 0) === 0) return false;
  // SQLite would take either for a new one, and so for one that knows of no payment.
  const found = size === 0 ? `${file} is empty (0 bytes)` : `${file} is missing, and ${log} is still there`;
  throw new JournalError(
    `${found}, so the journal is damaged, and what was paid is not known. Put the journal back first: from the place where it was moved or copied to, or from a backup (docs/operations.md, "Backup"). Only if nothing was ever paid with it, remove that file: then a new journal begins.`,
  );
}

/** Failures to link on file systems that know no links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EMLINK']);

/** Makes it whole or not at all: nobody ever sees an empty one. @returns whether this call did; another may be first */
function make(file: string, isIntended: boolean): boolean {
  const draft = `${file}-new-${randomUUID()}`;
  try {
    makePrivateFile(draft);
    const db = openFile(draft, BUSY_MS);
    try {
      useWal(db);
      db.exec(
        `BEGIN; ${schemaFor(isIntended)} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`,
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
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}

function opened(file: string): Db {
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
    return db;
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
    if (!isThere(file)) return null;
    const db = openFile(file, BUSY_MS, true);
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
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new JournalError(
      `${file} is not a journal of gigwork. Move it away, or name another folder with --state-dir.`,
    );
  }
  requireVersion(file, pragma(db, 'user_version'), 'name another folder with --state-dir');
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
