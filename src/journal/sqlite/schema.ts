/** The tables of the journal in a file. */
import { COMMON_TABLES, UPGRADE } from '../store/common-schema.js';

/** Identifies the file as gigwork's ("gigw"). */
export const APPLICATION_ID = 0x67696777;

/** A table without row numbers is stored in the order of its key. */
const ORDERED = /(PRIMARY KEY \(\w+(?:, \w+)+\)\));/g;

/** Tables as SQLite reads them. `key_place` is the position of the key in its body: see dialect.ts. */
function tablesForSqlite(tables: string): string {
  return tables
    .replaceAll('int GENERATED ALWAYS AS IDENTITY PRIMARY KEY', 'INTEGER PRIMARY KEY AUTOINCREMENT')
    .replaceAll('body_hash stored_hash', 'key_place INTEGER, body_hash BLOB')
    .replaceAll('stored_key', 'BLOB')
    .replaceAll(' WITH (fillfactor = 90)', '')
    .replaceAll(/\b(?:smallint|bigint|int|boolean)\b/g, 'INTEGER')
    .replaceAll(ORDERED, '$1 WITHOUT ROWID;');
}

export const SQLITE_UPGRADE = tablesForSqlite(UPGRADE);

/**
 * The tables, and:
 *
 * - `journal`: one row. It says whether this journal is in use (see location.ts), and in `intended` whether a person
 *   made it on purpose.
 * - `claim`: the payments from first to last. Those without an outcome whose `stamp` is at least the claim's number may
 *   be under way.
 * - `event`: the log. Rows are only added; `facts` is JSON, by `what`: see audit-log.ts.
 */
export const SCHEMA = `
CREATE TABLE journal (copy_of TEXT, copied_at INTEGER, moved_to TEXT, moved_at INTEGER, intended INTEGER NOT NULL);
INSERT INTO journal (intended) VALUES (0);
CREATE TABLE process (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, started_at INTEGER NOT NULL);
${tablesForSqlite(COMMON_TABLES)}
CREATE TABLE claim (id INTEGER PRIMARY KEY AUTOINCREMENT, process INTEGER NOT NULL, run INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE TABLE event (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT NOT NULL, run INTEGER,
  payment INTEGER, idx INTEGER, note TEXT, facts TEXT NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL,
  version TEXT NOT NULL, command_line TEXT NOT NULL);
CREATE INDEX event_run ON event (run);
INSERT INTO sqlite_sequence (name, seq) VALUES ('claim', 0);
`;
