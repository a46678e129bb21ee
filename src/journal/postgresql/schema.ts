/** The tables of the shared journal. */
import { SCHEMA_VERSION } from '../store/codes.js';
import { TABLES } from '../store/common-tables.js';

const COMMON = TABLES.replaceAll('stored_key', 'text COLLATE "C"').replaceAll('stored_hash', 'bytea');

/**
 * The common tables, and:
 *
 * - `journal`: as in a file; and its version.
 * - `process`: a process whose row is deleted can do nothing under its number. `lease_until` is by the database's
 *   clock.
 * - `progress`: number of the last transaction of a process; shows after a lost answer whether it has passed.
 * - `claim`: its payments may be under way. Payments that were claimed in one commit share a number.
 * - `event`: the database itself writes the user and the time, as `user_name` and `at`. In a copy, `copied_user` is the
 *   user that the other journal named. `digest` belongs to a run that a person approved in this journal. Only users
 *   with the right to write this column can approve; users without the right to write `run` can write nothing else.
 * - `late`: late outcomes of processes that were shut out. Of these, only `created` has become an outcome.
 */
export const SCHEMA = `
CREATE TABLE journal (version int NOT NULL, made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  copy_of text, copied_at bigint, moved_to text, moved_at bigint, intended boolean NOT NULL);
INSERT INTO journal (version, intended) VALUES (${SCHEMA_VERSION}, false);
CREATE TABLE process (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_name text NOT NULL DEFAULT session_user,
  host text NOT NULL, started_at timestamptz NOT NULL DEFAULT clock_timestamp(), lease_until timestamptz NOT NULL);
CREATE TABLE progress (process int PRIMARY KEY, serial bigint NOT NULL) WITH (fillfactor = 50);
${COMMON}
CREATE INDEX run_unpassed ON run (process) WHERE NOT passed;
CREATE SEQUENCE claim_number;
CREATE TABLE claim (payment bigint PRIMARY KEY, number bigint NOT NULL, process int NOT NULL, run int NOT NULL,
  at bigint NOT NULL);
CREATE INDEX claim_process ON claim (process);
CREATE TABLE late (payment bigint NOT NULL, claim bigint NOT NULL, run int NOT NULL, state smallint NOT NULL,
  at bigint NOT NULL, http_status smallint, response text, error text, request_id text);
CREATE TABLE event (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint, what text NOT NULL, run int,
  payment bigint, idx int, note text, facts text NOT NULL, user_name text NOT NULL DEFAULT session_user,
  host text NOT NULL, version text NOT NULL, command_line text NOT NULL, digest text, copied_user text,
  CHECK (what = 'approved' AND digest IS NOT NULL OR has_column_privilege(tableoid, 'run', 'INSERT')));
CREATE INDEX event_run ON event (run);
CREATE INDEX event_digest ON event (digest) WHERE digest IS NOT NULL;
`;
