/** The tables of the journal. */
import { CREATED } from '../store/codes.js';

/** Marks the file as gigwork's own ("gigw"). */
export const APPLICATION_ID = 0x67696777;

/**
 * Payments are numbered by home run and place (`idOf`), so what one run brings is stored at the end of the table,
 * whatever the history. Three things are in the order of chance: `by_key` and `by_similarity`, which are filled at the
 * gate, sorted; and `outcome`, in the order of the answers.
 *
 * - `journal`: one row, which says whether this is the journal in use: see standing.ts.
 * - `run`: `passed` is 0 before its gate. `begun` and `closed` are events. `headers` is a JSON list of names.
 * - `payment`: what is not in `by_key` and has never been, is a draft, or the row of a record that was left out. `run` is
 *   the run that accepted it last; null for the one that its id names, 0 for none, since its record was left out.
 *   `key`, `key_place` and `body`: see compact.ts.
 * - `span`: records of a run that follow each other without a gap, as payments, in the input and in the file. With
 *   `stands_for` they are left out for that payment and the ones that follow it.
 * - `claim`: payments first to last that have no outcome with a `stamp` of its number or later may be under way.
 * - `outcome`: `stamp` is the number of the last claim when it was written, `moment` that of when it was first in doubt,
 *   or became what it is.
 * - `event`: the log. It is only ever added to; `facts` is JSON, by `what`: see event.ts.
 */
export const SCHEMA = `
CREATE TABLE journal (copy_of TEXT, copied_at INTEGER, moved_to TEXT, moved_at INTEGER);
INSERT INTO journal DEFAULT VALUES;
CREATE TABLE target (id INTEGER PRIMARY KEY, name TEXT NOT NULL, scope TEXT NOT NULL, gates INTEGER NOT NULL DEFAULT 0,
  UNIQUE (name, scope));
CREATE TABLE process (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, started_at INTEGER NOT NULL);
CREATE TABLE run (
  number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, target INTEGER NOT NULL REFERENCES target (id),
  command TEXT NOT NULL, batch TEXT NOT NULL, headers TEXT NOT NULL, digest TEXT,
  skip_created INTEGER NOT NULL DEFAULT 0, skip_similar INTEGER NOT NULL DEFAULT 0, passed INTEGER NOT NULL DEFAULT 0,
  moment INTEGER NOT NULL DEFAULT 0, process INTEGER, started_at INTEGER NOT NULL, finished_at INTEGER, exit_code INTEGER,
  stop_reason TEXT, begun INTEGER, closed INTEGER);
CREATE INDEX run_digest ON run (target, digest);
CREATE TABLE file (run INTEGER NOT NULL, position INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,
  records INTEGER NOT NULL, PRIMARY KEY (run, position)) WITHOUT ROWID;
CREATE TABLE payment (
  id INTEGER PRIMARY KEY, target INTEGER NOT NULL, type INTEGER NOT NULL, content INTEGER NOT NULL,
  similarity INTEGER NOT NULL, reference INTEGER, date INTEGER, measure INTEGER, run INTEGER, replaced_by INTEGER,
  lifetime INTEGER, amount TEXT, currency TEXT, cost_center TEXT, key BLOB NOT NULL, key_place INTEGER, body_hash BLOB NOT NULL, body TEXT);
CREATE INDEX payment_replaced ON payment (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE TABLE by_key (target INTEGER NOT NULL, key BLOB NOT NULL, type INTEGER NOT NULL, payment INTEGER NOT NULL,
  PRIMARY KEY (target, key, type)) WITHOUT ROWID;
CREATE TABLE by_similarity (similarity INTEGER NOT NULL, payment INTEGER NOT NULL,
  PRIMARY KEY (similarity, payment)) WITHOUT ROWID;
CREATE TABLE span (run INTEGER NOT NULL, idx INTEGER NOT NULL, count INTEGER NOT NULL, payment INTEGER NOT NULL,
  file INTEGER NOT NULL, record INTEGER NOT NULL, line INTEGER, stands_for INTEGER, PRIMARY KEY (run, idx)) WITHOUT ROWID;
CREATE INDEX span_payment ON span (run, payment) WHERE stands_for IS NULL;
CREATE TABLE invalid_record (run INTEGER NOT NULL, idx INTEGER NOT NULL, file INTEGER NOT NULL, record INTEGER NOT NULL,
  line INTEGER, type INTEGER NOT NULL, error TEXT, PRIMARY KEY (run, idx)) WITHOUT ROWID;
CREATE TABLE claim (id INTEGER PRIMARY KEY AUTOINCREMENT, process INTEGER NOT NULL, run INTEGER NOT NULL,
  first INTEGER NOT NULL, last INTEGER NOT NULL, at INTEGER NOT NULL);
CREATE TABLE delivery (run INTEGER NOT NULL, process INTEGER NOT NULL, PRIMARY KEY (run, process)) WITHOUT ROWID;
CREATE TABLE outcome (
  payment INTEGER PRIMARY KEY, state INTEGER NOT NULL, run INTEGER NOT NULL, moment INTEGER NOT NULL,
  stamp INTEGER NOT NULL, attempts INTEGER NOT NULL, at INTEGER NOT NULL, http_status INTEGER, doubt_since INTEGER,
  response TEXT, error TEXT, request_id TEXT);
CREATE INDEX outcome_unsettled ON outcome (payment) WHERE state <> ${CREATED};
CREATE TABLE event (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT NOT NULL, run INTEGER,
  payment INTEGER, idx INTEGER, note TEXT, facts TEXT NOT NULL, user TEXT NOT NULL, host TEXT NOT NULL,
  version TEXT NOT NULL, command_line TEXT NOT NULL);
CREATE INDEX event_run ON event (run);
INSERT INTO sqlite_sequence (name, seq) VALUES ('claim', 0);
`;
