/** The tables of the shared journal, and the rights that a sender needs on them. */
import { JournalError } from '../../errors.js';
import { SCHEMA_VERSION, COMMON_TABLES } from '../store/common-schema.js';
import type { Transaction } from '../store/driver.js';

const COMMON = COMMON_TABLES.replaceAll('stored_key', 'text COLLATE "C"').replaceAll('stored_hash', 'bytea');

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

/**
 * SQL: the first right that docs/operations/grants.sql gives to senders, and this user lacks; no row if there is none.
 * A name with a point is a column. A table that an older version lacks needs no right.
 */
export const MISSING_PRIVILEGE = `SELECT r.may || ' on ' || name FROM (VALUES
    ('INSERT', '{claim,target,outcome,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,
      written_file,process.host,process.lease_until,event.what,event.run,event.payment,event.idx,event.note,event.facts,event.host,
      event.version,event.command_line}'::text[]),
    ('UPDATE', '{target,outcome,run,payment,by_key,invalid_record,progress,process.lease_until}'),
    ('DELETE', '{claim,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,written_file,process}'),
    ('SELECT', '{claim,target,outcome,run,payment,by_key,invalid_record,file,span,by_payee,delivery,late,progress,
      written_file,process,event,journal,claim_number}'),
    ('USAGE', '{claim_number}')) r(may, names), unnest(r.names) name
  WHERE NOT CASE WHEN to_regclass(split_part(name, '.', 1)) IS NULL THEN true
    WHEN r.may = 'USAGE' THEN has_sequence_privilege(name, r.may)
    WHEN name LIKE '%.%' THEN has_column_privilege(split_part(name, '.', 1), split_part(name, '.', 2), r.may)
    ELSE has_table_privilege(name, r.may) END LIMIT 1`;

/**
 * All rights are checked before anything is sent: otherwise an outcome might not be stored.
 * @param journal its URL
 * @throws JournalError for a user who may not send, or could not finish sending
 */
export async function requirePrivileges({ rows }: Transaction, journal: string): Promise<void> {
  const [lacking] = await rows<[string]>(MISSING_PRIVILEGE);
  if (lacking === undefined) return;
  throw new JournalError(
    `the journal ${journal} cannot be used: this user of the database may not send: the right ${lacking[0]} is missing. Send as one who has all rights of gigwork_senders. Whoever keeps the database gives them with grants.sql.`,
  );
}
