/** The sandbox's SQLite file. It keeps the created records and, for each key, the answer. */
import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../util/atomic-file.js';
import { type Db, emptyLog, makePrivateFile, openDatabase, pragma, transaction, useWal } from '../util/sqlite.js';
import type { SandboxRecordType } from './rules.js';

/** "gwsb". Keeps us from using another program's SQLite file. */
const APPLICATION_ID = 0x67777362;
const VERSION = 1;
/** How long to wait for another process's transaction, milliseconds. */
const BUSY_MS = 5000;
const TABLES: Readonly<Record<SandboxRecordType, string>> = {
  gig: 'gigs',
  gig_result: 'gig_results',
  payout: 'payouts',
};

export interface Store {
  readonly id: string;
  /**
   * Creates a record, committed when this returns.
   *
   * @param fields the created object as JSON text, without its id
   * @param bodyHash SHA-256 of the body; null if there is no key
   * @returns the created object; if the key is used, its stored answer, or null if that key had another body
   * @throws when SQLite cannot write; nothing was created then
   */
  create(type: SandboxRecordType, key: string | null, bodyHash: string | null, fields: string): string | null;
  close(): void;
}

/**
 * The identity of a sandbox data file (a random UUID made with the file), or null if there is no such file yet. Creates
 * and writes nothing.
 *
 * @throws an Error that says what to do when the file is of another kind or of a newer version
 */
export function readSandboxId(file: string): string | null {
  refuseLinks(file);
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return null;
  // Opened as a file that nobody writes: otherwise SQLite leaves -wal and -shm files behind even when it only reads.
  // The identity is in the main file from the beginning and never changes.
  const url = pathToFileURL(file);
  url.search = 'immutable=1';
  try {
    return over(file, url, true, identityIn);
  } catch {
    // Half written: another process is creating the file at this moment. SQLite's locks wait for that.
    return over(file, file, true, identityIn);
  }
}

function identityIn(database: Db): string {
  const version = pragma(database, 'user_version');
  if (pragma(database, 'application_id') !== APPLICATION_ID) throw new Error("it is another program's SQLite file");
  if (version > VERSION)
    throw new Error(`it was written by a newer gigwork (format ${version}, this one knows ${VERSION})`);
  const id = idIn(database);
  database.close();
  return id;
}

/** A link may lead to another person's file. SQLite also follows links at the names of its additional files. */
function refuseLinks(file: string): void {
  for (const name of [file, `${file}-wal`, `${file}-shm`, `${file}-journal`]) {
    if (lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw cannotUse(name, new Error('it is a symbolic link, which is never followed'));
    }
  }
}

function cannotUse(file: string, cause: unknown): Error {
  const why = (cause as Error).message;
  return new Error(
    `${file} cannot be used for the sandbox: ${why}. Move it away, or choose another folder with --state-dir.`,
    { cause },
  );
}

/** Closes the file if `work` fails. */
function over<T>(file: string, place: string | URL, readOnly: boolean, work: (database: Db) => T): T {
  let database: Db | undefined;
  try {
    database = openDatabase(place, BUSY_MS, readOnly);
    return work(database);
  } catch (error) {
    database?.close();
    throw cannotUse(file, error);
  }
}

/**
 * Creates the file (mode 0600, its folder 0700) when it is missing. Several processes may open the same file.
 *
 * @throws an Error that says what to do when the file cannot be opened, is of another kind, damaged or newer
 */
export function openStore(file: string): Store {
  // Checked first, so that nothing is written into a foreign file.
  if (readSandboxId(file) === null) makeFile(file);
  return over(file, file, false, (database) => {
    prepareDatabase(database);
    return storeOver(database);
  });
}

function makeFile(file: string): void {
  try {
    makeFolder(path.dirname(file), 0o700);
    makePrivateFile(file);
    if (statSync(file).size === 0) chmodSync(file, 0o600);
  } catch (error) {
    throw cannotUse(file, error);
  }
}

function prepareDatabase(database: Db): void {
  // Written before the change to WAL, so that the identity is in the main file from the beginning.
  transaction(database, () => {
    if (pragma(database, 'user_version') === 0) createTables(database);
  });
  useWal(database);
  // Answered records survive the end of the process; a power cut may lose the latest ones.
  database.exec('PRAGMA synchronous = NORMAL');
}

function createTables(database: Db): void {
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec('CREATE TABLE sandbox (id TEXT NOT NULL) STRICT');
  database.prepare('INSERT INTO sandbox (id) VALUES (?)').run(`sandbox:${randomUUID()}`);
  for (const table of Object.values(TABLES)) {
    database.exec(`CREATE TABLE ${table} (
      number INTEGER PRIMARY KEY,
      idempotency_key TEXT UNIQUE,
      body_hash TEXT,
      fields TEXT NOT NULL
    ) STRICT`);
  }
  database.exec(`PRAGMA user_version = ${VERSION}`);
}

function idIn(database: Db): string {
  const { id } = database.prepare('SELECT id FROM sandbox').get() as { id: string };
  return id.slice('sandbox:'.length);
}

function storeOver(database: Db): Store {
  const statements = Object.fromEntries(
    Object.entries(TABLES).map(([type, table]) => [
      type,
      {
        insert: database.prepare(
          `INSERT INTO ${table} (idempotency_key, body_hash, fields) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
        ),
        find: database.prepare(`SELECT number, body_hash, fields FROM ${table} WHERE idempotency_key = ?`),
      },
    ]),
  );
  return {
    id: idIn(database),
    create: (type, key, bodyHash, fields) => {
      const { insert, find } = statements[type]!;
      // One statement: if two processes use the same key, one creates the record and the other finds the key used.
      const { changes, lastInsertRowid } = insert.run(key, bodyHash, fields);
      if (changes === 1) return withId(type, Number(lastInsertRowid), fields);
      const row = find.get(key) as { number: number; body_hash: string; fields: string };
      return row.body_hash === bodyHash ? withId(type, row.number, row.fields) : null;
    },
    close: () => {
      // The prepared statements keep SQLite from removing its -wal file; an empty one is harmless.
      try {
        emptyLog(database);
      } finally {
        database.close();
      }
    },
  };
}

/** The number is known only after the row is written, so the ids are added when the row is read. */
function withId(type: SandboxRecordType, number: number, fields: string): string {
  const digits = String(number).padStart(6, '0');
  const members = type === 'gig' ? withTaskIds(digits, fields) : fields;
  return `{"id":"${type}_${digits}",${members.slice(1)}`;
}

/** A gig result names a task by its id. A task's id is made from the gig's number and the task's place in the gig. */
function withTaskIds(gig: string, fields: string): string {
  const members = JSON.parse(fields) as { readonly tasks?: readonly object[] };
  if (members.tasks === undefined) return fields;
  const tasks = members.tasks.map((task, index) => ({ id: `gig_task_${gig}_${index + 1}`, ...task }));
  return JSON.stringify({ ...members, tasks });
}
