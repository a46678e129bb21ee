/** The tables of the shared journal. */
import { CREATED, SCHEMA_VERSION } from '../store/codes.js';

/**
 * As in the file (src/ledger/sqlite/schema.ts), but for:
 *
 * - `process`: one that is not in it any more can do nothing under its number. `lease_until` is by the database's clock.
 * - `progress`: number of the last transaction of a process; to find out after a lost answer whether it has passed.
 * - `claim`: a payment that is in it may be under way. Payments that were claimed in one commit have one number.
 * - `event`: who did it and when is written by the database itself, as `user_name` and `at`; what another journal said of
 *   who it was, in a copy, is `copied_user`. `digest` is that of a run which a person has approved in this journal: only who may write this column
 *   can approve, and who may not write `run` can write nothing else.
 * - `late`: what shut-out processes still learned. Of that, only `created` has become an outcome.
 */
export const SCHEMA = `
CREATE TABLE journal (version int NOT NULL, made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  copy_of text, copied_at bigint, moved_to text, moved_at bigint);
INSERT INTO journal (version) VALUES (${SCHEMA_VERSION});
CREATE TABLE target (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, scope text NOT NULL,
  gates bigint NOT NULL DEFAULT 0, UNIQUE (name, scope));
CREATE TABLE process (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_name text NOT NULL DEFAULT session_user,
  host text NOT NULL, started_at timestamptz NOT NULL DEFAULT clock_timestamp(), lease_until timestamptz NOT NULL);
CREATE TABLE progress (process int PRIMARY KEY, serial bigint NOT NULL) WITH (fillfactor = 50);
CREATE TABLE run (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, target int NOT NULL,
  command text NOT NULL, batch text NOT NULL, headers text NOT NULL, digest text, skip_created boolean NOT NULL DEFAULT false,
  skip_similar boolean NOT NULL DEFAULT false, passed boolean NOT NULL DEFAULT false, moment bigint NOT NULL DEFAULT 0,
  process int, started_at bigint NOT NULL, finished_at bigint, exit_code int, stop_reason text, begun bigint,
  closed bigint);
CREATE INDEX run_digest ON run (target, digest);
CREATE INDEX run_unpassed ON run (process) WHERE NOT passed;
CREATE TABLE file (run int NOT NULL, position int NOT NULL, path text NOT NULL, sha256 text NOT NULL,
  records int NOT NULL, PRIMARY KEY (run, position));
CREATE TABLE payment (
  id bigint PRIMARY KEY, target int NOT NULL, type smallint NOT NULL, content bigint NOT NULL,
  similarity bigint NOT NULL, reference bigint, date bigint, measure bigint, run int, replaced_by bigint, lifetime bigint,
  amount text, currency text, cost_center text, key text COLLATE "C" NOT NULL, body_hash bytea NOT NULL, body text);
CREATE INDEX payment_replaced ON payment (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE TABLE by_key (target int NOT NULL, key text COLLATE "C" NOT NULL, type smallint NOT NULL,
  payment bigint NOT NULL, PRIMARY KEY (target, key, type));
CREATE TABLE by_similarity (similarity bigint NOT NULL, payment bigint NOT NULL, PRIMARY KEY (similarity, payment));
CREATE TABLE span (run int NOT NULL, idx int NOT NULL, count int NOT NULL, payment bigint NOT NULL, file int NOT NULL,
  record int NOT NULL, line int, stands_for bigint, PRIMARY KEY (run, idx));
CREATE INDEX span_payment ON span (run, payment) WHERE stands_for IS NULL;
CREATE TABLE invalid_record (run int NOT NULL, idx int NOT NULL, file int NOT NULL, record int NOT NULL, line int,
  type smallint NOT NULL, error text, PRIMARY KEY (run, idx));
CREATE SEQUENCE claim_number;
CREATE TABLE claim (payment bigint PRIMARY KEY, number bigint NOT NULL, process int NOT NULL, run int NOT NULL,
  at bigint NOT NULL);
CREATE INDEX claim_process ON claim (process);
CREATE TABLE delivery (run int NOT NULL, process int NOT NULL, PRIMARY KEY (run, process));
CREATE TABLE outcome (
  payment bigint PRIMARY KEY, state smallint NOT NULL, run int NOT NULL, moment bigint NOT NULL, stamp bigint NOT NULL,
  attempts int NOT NULL, at bigint NOT NULL, http_status smallint, doubt_since bigint, response text, error text,
  request_id text) WITH (fillfactor = 90);
CREATE INDEX outcome_unsettled ON outcome (payment) WHERE state <> ${CREATED};
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
