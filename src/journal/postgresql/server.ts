/** The server of the shared journal: requirements, session settings, creation of tables, and health checks. */
import { JournalError } from '../../errors.js';
import { isThisMachine } from '../../util/loopback.js';
import {
  type PostgresqlPlace,
  type ServerAddress,
  LOST,
  type LostOriginal,
  lostIn,
  type JournalStatus,
  STATUS_COLUMNS,
  type StatusCells,
  statusFromCells,
} from '../location.js';
import { requireVersion, SCHEMA_VERSION, UPGRADE } from '../store/common-schema.js';
import { connect, type Connection } from './connection.js';
import { explained, mayBeElsewhere, onlyReads, failureMessage, remedyOf } from './failures.js';
import { MISSING_PRIVILEGE, SCHEMA } from './schema.js';

const OLDEST = 14;

/**
 * A claim must be durable before it counts, so `synchronous_commit` must be `on` at least. Without the plan settings,
 * plans from small tables would scan them, and stay in use after the tables have grown. The time limits keep a
 * transaction of a stopped process from blocking others for long.
 */
const SESSION_SETTINGS = `
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') <> 'remote_apply';
SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
SET statement_timeout = 0; SET idle_in_transaction_session_timeout = '15s';
SET client_min_messages = warning; SET bytea_output = hex;`;

/** SQL: identifies the history of the server. After a failover it changes, and durable data may be missing from it. */
export const HISTORY = `CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE
  (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8) END`;

const SERVER_FACTS = `SELECT current_setting('server_version_num')::int, current_setting('server_version'), current_setting('fsync'),
  ${HISTORY}, session_user::text, current_setting('default_transaction_read_only')`;

export interface Server {
  /** The history at the first connection; null before it. */
  history: string | null;
  /** The database's user. */
  user: string;
  /** The server of the last connection; null before it. */
  address: ServerAddress | null;
}

export interface ConnectOptions {
  /** Time limit for an answer, milliseconds; 0 for none. */
  readonly answerMs: number;
  /** How long a statement waits for a lock, milliseconds. */
  readonly lockMs: number;
}

/** Time limit for an answer to a small query, milliseconds. */
export const SOON_MS = 10_000;

/** Connects to the first writable server. @throws JournalError for a server that does not store durably */
export async function connectTo(place: PostgresqlPlace, server: Server, options: ConnectOptions): Promise<Connection> {
  const failures: unknown[] = [];
  for (const address of place.servers) {
    try {
      return await connectAt(address, place, server, options);
    } catch (cause) {
      failures.push(cause);
      if (!mayBeElsewhere(cause)) throw cause;
    }
  }
  if (failures.length === 1 || failures.every((each) => remedyOf(each) === 'none')) throw failures[0];
  const words = failures.map(
    (each, i) => `${place.servers[i]?.host}:${place.servers[i]?.port}: ${failureMessage(each)}`,
  );
  throw new AggregateError(failures, words.join('; '));
}

async function connectAt(
  address: ServerAddress,
  place: PostgresqlPlace,
  server: Server,
  { answerMs, lockMs }: ConnectOptions,
): Promise<Connection> {
  const connection = await connect(place, address, answerMs);
  const text = `${SESSION_SETTINGS} SET lock_timeout = ${lockMs}; SET search_path = "${place.schema}"; ${SERVER_FACTS}`;
  try {
    const [facts] = (await connection.several(text, place.connectMs)).at(-1) ?? [];
    check(facts as unknown as ServerFacts, place, server);
    server.address = address;
    return connection;
  } catch (cause) {
    connection.destroy();
    throw cause;
  }
}

type ServerFacts = readonly [
  number: number,
  version: string,
  fsync: string,
  history: string,
  user: string,
  isReadOnly: 'on' | 'off',
];

function check(
  [number, version, fsync, history, user, isReadOnly]: ServerFacts,
  { shown, servers }: PostgresqlPlace,
  server: Server,
): void {
  const refuse = (text: string): JournalError => new JournalError(`the journal ${shown} cannot be used: ${text}`);
  if (number < OLDEST * 10_000)
    throw refuse(`its server is PostgreSQL ${version}, and ${OLDEST} is the oldest that will do.`);
  if (fsync !== 'on')
    throw refuse(
      'its server runs with fsync off, and would forget what was paid when its machine stops. Set fsync = on.',
    );
  // A single server may be read-only by its administrator's choice: reading it still works.
  if (servers.length > 1 && isReadOnly === 'on') throw onlyReads('its server can only be read');
  checkHistory(history, shown, server);
  server.user = user;
}

/** @throws JournalError when the server is not the one of the beginning, or a standby */
export function checkHistory(history: string, place: string, server: Server): void {
  if (history === 'standby') {
    // During a failover, the new server is a standby for a moment.
    throw onlyReads('its server is a standby, which can only be read');
  }
  server.history ??= history;
  if (server.history === history) return;
  throw new JournalError(
    `another server has taken over the journal ${place} while it was in use. It may not know the last payments, and would then send them again. Ask whoever keeps the database whether the new server had everything (synchronous replication). Only then run the command again.`,
  );
}

/** Number of the lock for making tables. */
const SCHEMA_LOCK = 0x67696777;

/** Null if there is no journal. @throws JournalError for another version, or a foreign schema */
export async function schemaVersion(connection: Connection, schema: string, place: string): Promise<number | null> {
  const { rows } = await connection.query(
    `SELECT to_regclass($1)::text, (SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $2)`,
    [`${schema}.journal`, schema],
  );
  const [table, tables] = (rows[0] ?? [null, 0]) as [string | null, number];
  if (table === null) {
    if (tables === 0) return null;
    throw new JournalError(
      `the journal ${place} cannot be used: its schema "${schema}" holds something else. Name another one with ?schema=NAME.`,
    );
  }
  const [[version] = [0]] = (await connection.query('SELECT version FROM journal')).rows as [number][];
  requireVersion(`the journal ${place}`, version, 'name another schema with ?schema=NAME');
  return version;
}

/**
 * Makes the tables if there are none, and brings older ones up to date. After a failure, the transaction on the
 * connection is still open.
 */
export async function makeSchema(connection: Connection, { schema, shown: place }: PostgresqlPlace): Promise<void> {
  if ((await schemaVersion(connection, schema, place)) === SCHEMA_VERSION) return;
  await connection.several(`BEGIN; SELECT pg_advisory_xact_lock(${SCHEMA_LOCK}, hashtext('${schema}'))`);
  // Another process may have been first.
  const version = await schemaVersion(connection, schema, place);
  const exists = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema]);
  if (version === null) await connection.several(`${exists.count === 0 ? `CREATE SCHEMA "${schema}";` : ''}${SCHEMA}`);
  else if (version < SCHEMA_VERSION) await upgradeTables(connection, version, place);
  await connection.several('COMMIT');
}

/** @throws JournalError for a user who may not change the tables */
async function upgradeTables(connection: Connection, version: number, place: string): Promise<void> {
  try {
    await connection.several(`${UPGRADE} UPDATE journal SET version = ${SCHEMA_VERSION}`);
  } catch (cause) {
    if ((cause as { readonly code?: string }).code !== NO_PRIVILEGE) throw cause;
    throw new JournalError(
      `the journal ${place} was written by an older gigwork (journal version ${version}, this one writes ${SCHEMA_VERSION}), and this user of the database may not bring it up to date. Its owner does that once, with any command of this gigwork that writes, such as gigwork journal init; then grants.sql gives the senders their rights again.`,
      { cause },
    );
  }
}

/** PostgreSQL's code for a missing right. */
const NO_PRIVILEGE = '42501';

export interface SharedHealth {
  /** The database's user. */
  readonly user: string;
  /** Of the server. */
  readonly server: string;
  /** Version of the protocol; null if the connection is not encrypted. */
  readonly tls: string | null;
  /** Nobody else can listen to the connection: a socket or an address of this machine. */
  readonly isLocal: boolean;
  /** Null if there is no journal yet. */
  readonly journal: {
    readonly version: number;
    readonly status: JournalStatus;
    readonly lost: LostOriginal | null;
    /** A right that a sender needs, and this user lacks; null if there is none. */
    readonly lacking: string | null;
    readonly mayApprove: boolean;
    /** The user can change everything, approvals too. */
    readonly isOwner: boolean;
  } | null;
  readonly mayMake: boolean;
  /** By its administrator's choice: nothing can be written now. */
  readonly isReadOnly: boolean;
}

const SERVER_HEALTH = `SELECT current_setting('server_version'),
  (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl), session_user::text,
  has_database_privilege(current_database(), 'CREATE'), current_setting('default_transaction_read_only') = 'on'`;

const JOURNAL_FACTS = `SELECT ${STATUS_COLUMNS}, (${MISSING_PRIVILEGE}),
  has_column_privilege('event', 'digest', 'INSERT'), has_column_privilege('event', 'user_name', 'INSERT') FROM journal`;

/** @throws JournalError with the remedy: the server is too old, runs without fsync, is a standby */
export async function sharedHealth(place: PostgresqlPlace): Promise<SharedHealth> {
  try {
    const server: Server = { history: null, user: place.user, address: null };
    const connection = await connectTo(place, server, { answerMs: SOON_MS, lockMs: SOON_MS });
    try {
      return await examine(connection, place, server.address?.host ?? '');
    } finally {
      await connection.end();
    }
  } catch (cause) {
    throw explained(cause, place.shown);
  }
}

async function examine(connection: Connection, place: PostgresqlPlace, host: string): Promise<SharedHealth> {
  const { rows } = await connection.query(SERVER_HEALTH);
  const [server, tls, user, mayMake, isReadOnly] = rows[0] as [string, string | null, string, number, number];
  const version = await schemaVersion(connection, place.schema, place.shown);
  const isLocal = isThisMachine(host);
  const facts = { user, server, tls, isLocal, mayMake: mayMake === 1, isReadOnly: isReadOnly === 1 };
  if (version === null) return { ...facts, journal: null };
  const [cells = []] = (await connection.query(JOURNAL_FACTS)).rows;
  const status = statusFromCells(cells.slice(0, 4) as unknown as StatusCells);
  const [lacking, mayApprove, isOwner] = cells.slice(4) as [string | null, number, number];
  const [[event] = []] = (await connection.query(LOST)).rows as string[][];
  const rights = { lacking, mayApprove: mayApprove === 1, isOwner: isOwner === 1 };
  return { ...facts, journal: { version, status, lost: lostIn(event), ...rights } };
}
