/** What every database stores: the version, the codes of types and states, whose meaning never changes, and the tables. */
import { JournalError } from '../../errors.js';
import type { RecordType } from '../../records/types.js';
import type { PaymentState } from '../payment.js';

/** The next version must bring this one up to date, as {@link UPGRADE} does with the version before. */
export const SCHEMA_VERSION = 9;

/** The first version with files that calls wrote. */
export const WITH_WRITTEN_FILES = 9;

/** Older ones are refused. A journal of a version from here on is brought up to date, or only read as it is. */
const OLDEST_VERSION = 8;

/**
 * @param journal as messages name it
 * @param another how to name another one
 * @throws JournalError for a version that this program neither reads nor brings up to date
 */
export function requireVersion(journal: string, version: number, another: string): void {
  if (version > SCHEMA_VERSION)
    throw new JournalError(
      `${journal} was written by a newer gigwork (journal version ${version}, this one knows ${SCHEMA_VERSION}). Update gigwork.`,
    );
  if (version < OLDEST_VERSION)
    throw new JournalError(
      `${journal} was written before the first release of gigwork (journal version ${version}, this one writes ${SCHEMA_VERSION}). Keep it: it knows what was paid. Finish its runs with the program that wrote it, then ${another}.`,
    );
}

const TYPES_BY_CODE: readonly RecordType[] = ['gig', 'result', 'payout'];

/** The type of records that are sent without a key. */
export const GIG = TYPES_BY_CODE.indexOf('gig');

export function typeCode(type: RecordType): number {
  return TYPES_BY_CODE.indexOf(type);
}

export function typeOf(code: number): RecordType {
  return TYPES_BY_CODE[code] as RecordType;
}

export const CREATED = 1;
export const REJECTED = 2;
export const NOT_SENT = 3;
/** All states from here on are doubt. */
export const UNKNOWN = 4;
/** In doubt because its process died before it stored an answer. */
export const CUT_OFF = 5;

const STATES_BY_CODE: readonly PaymentState[] = ['not_sent', 'created', 'rejected', 'not_sent', 'unknown', 'unknown'];

export function stateOf(code: number): PaymentState {
  return STATES_BY_CODE[code] as PaymentState;
}

const STATE_CODES: Readonly<Record<PaymentState, number>> = {
  created: CREATED,
  rejected: REJECTED,
  not_sent: NOT_SENT,
  unknown: UNKNOWN,
};

export function stateCode(state: PaymentState): number {
  return STATE_CODES[state];
}

/** SQL: makes a journal of version 8 one of version 9. */
export const UPGRADE = `
CREATE TABLE written_file (id bigint PRIMARY KEY, path text NOT NULL, host text NOT NULL, sha256 text NOT NULL,
  run int, inputs text);
CREATE INDEX written_file_path ON written_file (path);
`;

/**
 * The tables that all databases have, as PostgreSQL reads them. Each driver adds its specific ones.
 *
 * Payments are numbered by home run and place (`idOf`), so the payments of one run are appended to the table, whatever
 * the history. Three are in random order: `by_key` and `by_payee`, which the gate fills sorted; and `outcome`, in the
 * order of the answers.
 *
 * - `target`: `gates` is its version (`Journal.version`).
 * - `run`: `passed` is false before its gate. `begun` and `closed` are events. `headers` is a JSON list of names.
 * - `payment`: a row that has never been in `by_key` is a draft, or belongs to a record that was left out. `run` is the
 *   run that accepted it last; null for the one that its id names, 0 for none, because its record was left out.
 *   `lifetime` is in milliseconds. `amount`: see `StoredMoney`.
 * - `file`: `sheet` is that of a workbook. `reference` is the one that all its rows share, if they do: `Fingerprint`.
 *   `payment.of_flags` is set if a flag, and not the file, has its payee or amount.
 * - `span`: records of a run that follow each other without a gap, as payments, in the input and in the file. If
 *   `stands_for` is set, they are left out because of that payment and the ones that follow it.
 * - `outcome`: `stamp` is the number of the last claim when it was written. `moment` is that number when the payment
 *   first came into doubt, or got its present state (`claimWatermark`).
 * - `written_file`: an output file, stored before it appears; `id` is a hash of the row. `inputs` is a JSON list of
 *   names: see written-file.ts.
 *
 * The type `stored_key` is that of a key, and `stored_hash` that of a hash, as each driver stores them.
 */
export const COMMON_TABLES = `
CREATE TABLE target (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL, scope text NOT NULL,
  gates bigint NOT NULL DEFAULT 0, UNIQUE (name, scope));
CREATE TABLE run (
  number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, target int NOT NULL,
  command text NOT NULL, batch text NOT NULL, headers text NOT NULL, digest text, skip_created boolean NOT NULL DEFAULT false,
  skip_similar boolean NOT NULL DEFAULT false, passed boolean NOT NULL DEFAULT false, moment bigint NOT NULL DEFAULT 0,
  process int, started_at bigint NOT NULL, finished_at bigint, exit_code int, stop_reason text, begun bigint,
  closed bigint);
CREATE INDEX run_digest ON run (target, digest);
CREATE TABLE file (run int NOT NULL, position int NOT NULL, path text NOT NULL, sha256 text NOT NULL,
  records int NOT NULL, sheet text, reference int, PRIMARY KEY (run, position));
CREATE INDEX file_bytes ON file (sha256);
CREATE TABLE payment (
  id bigint PRIMARY KEY, target int NOT NULL, type smallint NOT NULL, content bigint NOT NULL,
  payee bigint NOT NULL, title int NOT NULL, reference int, date int, measure int, of_flags boolean, run int,
  replaced_by bigint, lifetime bigint,
  amount text, currency text, cost_center text, key stored_key NOT NULL, body_hash stored_hash NOT NULL, body text);
CREATE INDEX payment_replaced ON payment (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE TABLE by_key (target int NOT NULL, key stored_key NOT NULL, type smallint NOT NULL,
  payment bigint NOT NULL, PRIMARY KEY (target, key, type));
CREATE TABLE by_payee (payee bigint NOT NULL, title int NOT NULL, payment bigint NOT NULL,
  PRIMARY KEY (payee, title, payment));
CREATE TABLE span (run int NOT NULL, idx int NOT NULL, count int NOT NULL, payment bigint NOT NULL, file int NOT NULL,
  record int NOT NULL, line int, stands_for bigint, PRIMARY KEY (run, idx));
CREATE INDEX span_payment ON span (run, payment) WHERE stands_for IS NULL;
CREATE TABLE invalid_record (run int NOT NULL, idx int NOT NULL, file int NOT NULL, record int NOT NULL, line int,
  type smallint NOT NULL, error text, amount text, currency text, cost_center text, body text, PRIMARY KEY (run, idx));
CREATE TABLE delivery (run int NOT NULL, process int NOT NULL, PRIMARY KEY (run, process));
CREATE TABLE outcome (
  payment bigint PRIMARY KEY, state smallint NOT NULL, run int NOT NULL, moment bigint NOT NULL, stamp bigint NOT NULL,
  attempts int NOT NULL, at bigint NOT NULL, http_status smallint, doubt_since bigint, response text, error text,
  request_id text) WITH (fillfactor = 90);
CREATE INDEX outcome_unsettled ON outcome (payment) WHERE state <> ${CREATED};
${UPGRADE}`;

/** Table → its columns, with their types. */
export function columnsIn(schema: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  return new Map(
    [...schema.matchAll(/CREATE TABLE (\w+) \(([^;]*);/g)].map(([, table = '', columns = '']) => {
      const found = [...columns.matchAll(/(\w+) (int|smallint|bigint|boolean|text|stored_key|stored_hash)\b/g)];
      return [table, new Map(found.map(([, name = '', type = '']) => [name, type]))];
    }),
  );
}
