/** The tables of the journal. */
import { UNKNOWN } from '../codes.js';

/** Marks the file as gigwork's own ("gigw"). */
export const APPLICATION_ID = 0x67696777;
/** Version of the schema. A newer one is refused; the next version must bring this one up to date. */
export const SCHEMA_VERSION = 4;

/**
 * Payments are numbered by home run and place (`idOf`), so what one run brings is stored at the end of the table,
 * whatever the history. Three things are in the order of chance: `by_key` and `by_similarity`, which are filled at the
 * gate, sorted; and `outcome`, in the order of the answers.
 *
 * - `run`: `passed` is 0 before its gate. What was prepared for a run that goes on has `joined`, the number of that run,
 *   where some of its payments became history; it is no run of its own then. `begun` and `closed` are events.
 * - `payment`: what is not in `by_key` and has never been, is a draft. `key`, `key_place` and `body`: see compact.ts.
 * - `span`: records of a run that follow each other without a gap, as payments, in the input and in the file.
 * - `claim`: payments first to last that have no outcome with a `stamp` of its number or later may be under way.
 * - `outcome`: `stamp` is the number of the last claim when it was written, `moment` that of when it was first in doubt,
 *   or became what it is.
 * - `event`: the log. It is only ever added to; `facts` is JSON, by `what`: see event.ts.
 */
export const SCHEMA = `
CREATE TABLE target (id INTEGER PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, gates INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, scope));
CREATE TABLE process (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, started_at INTEGER NOT NULL);
CREATE TABLE run (
  number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, target INTEGER NOT NULL REFERENCES target (id),
  command TEXT NOT NULL, batch TEXT NOT NULL, digest TEXT, skip_created INTEGER NOT NULL DEFAULT 0,
  skip_similar INTEGER NOT NULL DEFAULT 0, send_similar INTEGER, passed INTEGER NOT NULL DEFAULT 0, joined INTEGER,
  moment INTEGER NOT NULL DEFAULT 0, process INTEGER, started_at INTEGER NOT NULL, finished_at INTEGER, exit_code INTEGER,
  stop_reason TEXT, begun INTEGER, closed INTEGER);
CREATE INDEX run_digest ON run (target, digest);
CREATE TABLE file (run INTEGER NOT NULL, position INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
  records INTEGER NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
CREATE TABLE payment (
  id INTEGER PRIMARY KEY, target INTEGER NOT NULL, type INTEGER NOT NULL, content INTEGER NOT NULL,
  similarity INTEGER NOT NULL, reference INTEGER, date INTEGER, replaced_by INTEGER, amount TEXT, currency TEXT,
  cost_center TEXT, key BLOB NOT NULL, key_place INTEGER, body_hash BLOB NOT NULL, body TEXT);
CREATE TABLE by_key (target INTEGER NOT NULL, key BLOB NOT NULL, payment INTEGER NOT NULL,
  PRIMARY KEY (target, key)) WITHOUT ROWID;
CREATE TABLE by_similarity (similarity INTEGER NOT NULL, payment INTEGER NOT NULL,
  PRIMARY KEY (similarity, payment)) WITHOUT ROWID;
CREATE TABLE span (run INTEGER NOT NULL, idx INTEGER NOT NULL, count INTEGER NOT NULL, payment INTEGER NOT NULL,
  file INTEGER NOT NULL, record INTEGER NOT NULL, line INTEGER, left_out INTEGER, PRIMARY KEY (run, idx)) WITHOUT ROWID;
CREATE INDEX span_payment ON span (run, payment) WHERE left_out IS NULL;
CREATE TABLE invalid_record (run INTEGER NOT NULL, idx INTEGER NOT NULL, file INTEGER NOT NULL, record INTEGER NOT NULL,
  line INTEGER, type INTEGER NOT NULL, error TEXT, PRIMARY KEY (run, idx)) WITHOUT ROWID;
CREATE TABLE claim (id INTEGER PRIMARY KEY AUTOINCREMENT, process INTEGER NOT NULL, run INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE TABLE delivery (run INTEGER NOT NULL, process INTEGER NOT NULL, since INTEGER NOT NULL,
  PRIMARY KEY (run, process)) WITHOUT ROWID;
CREATE TABLE outcome (
  payment INTEGER PRIMARY KEY, state INTEGER NOT NULL, run INTEGER NOT NULL, moment INTEGER NOT NULL,
  stamp INTEGER NOT NULL, attempts INTEGER NOT NULL, at INTEGER NOT NULL, http_status INTEGER, doubt_since INTEGER,
  response TEXT, error TEXT, request_id TEXT);
CREATE INDEX outcome_doubt ON outcome (payment) WHERE state >= ${UNKNOWN};
CREATE TABLE event (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT NOT NULL, run INTEGER,
  payment INTEGER, idx INTEGER, note TEXT, facts TEXT NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL,
  version TEXT NOT NULL, command_line TEXT NOT NULL);
CREATE INDEX event_run ON event (run);
INSERT INTO sqlite_sequence (name, seq) VALUES ('claim', 0);
`;
