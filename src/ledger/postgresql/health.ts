/** Looks at the shared journal and its server without changing anything. */
import type { World } from '../../world.js';
import { isLoopback } from '../../util/loopback.js';
import type { PostgresqlPlace } from '../place.js';
import { type Standing, STANDING, type StandingCells, standingOf } from '../standing.js';
import type { Connection } from './connection.js';
import { explained } from './failures.js';
import { schemaVersion } from './schema.js';
import { connectTo } from './server.js';

export interface SharedHealth {
  /** The database's user. */
  readonly user: string;
  /** Of the server. */
  readonly server: string;
  /** Milliseconds that the database's clock is ahead of this machine's. */
  readonly aheadMs: number;
  /** Version of the protocol; null where the connection is not encrypted. */
  readonly tls: string | null;
  /** Nobody else can listen on the way: a socket or an address of this machine. */
  readonly isLocal: boolean;
  /** Null where there is no journal yet. */
  readonly journal: {
    readonly version: number;
    readonly standing: Standing;
    readonly maySend: boolean;
    readonly mayApprove: boolean;
    /** The user can change everything, approvals too. */
    readonly isOwner: boolean;
  } | null;
  /** Whether the user could make a journal. */
  readonly mayMake: boolean;
}

const SERVER = `SELECT current_setting('server_version'), (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
  (SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl), session_user::text,
  has_database_privilege(current_database(), 'CREATE')`;

const JOURNAL = `SELECT ${STANDING},
  has_table_privilege('claim', 'INSERT') AND has_table_privilege('payment', 'INSERT') AND has_column_privilege('event', 'facts', 'INSERT'),
  has_column_privilege('event', 'digest', 'INSERT'), has_column_privilege('event', 'user_name', 'INSERT') FROM journal`;

/** @throws JournalError when it cannot be used, with the remedy: its server is too old, runs without fsync, is a standby */
export async function sharedHealth(place: PostgresqlPlace, world: Pick<World, 'now'>): Promise<SharedHealth> {
  try {
    const server = { history: null, user: place.user };
    const connection = await connectTo(place, server, { name: 'gigwork', connectMs: 10_000, answerMs: 10_000 });
    try {
      return await look(connection, place, world);
    } finally {
      await connection.end();
    }
  } catch (cause) {
    throw explained(cause, place.shown);
  }
}

async function look(
  connection: Connection,
  place: PostgresqlPlace,
  { now }: Pick<World, 'now'>,
): Promise<SharedHealth> {
  const before = now();
  const { rows } = await connection.query(SERVER);
  const middle = (before + now()) / 2;
  const [server, clock, tls, user, mayMake] = rows[0] as [string, number, string | null, string, number];
  const version = await schemaVersion(connection, place.schema, place.shown);
  const isLocal = place.host.startsWith('/') || isLoopback(place.host);
  const facts = { user, server, aheadMs: Math.round(clock - middle), tls, isLocal, mayMake: mayMake === 1 };
  if (version === null) return { ...facts, journal: null };
  const [cells = []] = (await connection.query(JOURNAL)).rows;
  const standing = standingOf(cells.slice(0, 4) as unknown as StandingCells);
  const [maySend = false, mayApprove = false, isOwner = false] = cells.slice(4).map((cell) => cell === 1);
  return { ...facts, journal: { version, standing, maySend, mayApprove, isOwner } };
}
