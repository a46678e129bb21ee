/** The shared journal: a schema in a PostgreSQL database that several machines use at once. */
import type { World } from '../../world.js';
import type { Caller } from '../audit-log.js';
import type { OpenedJournal } from '../journal.js';
import { type PostgresqlPlace, requireActive } from '../location.js';
import type { SendPermit } from '../plan.js';
import { createJournal } from '../store/create-journal.js';
import type { ColumnValues, CopyDriver, Driver, Transaction } from '../store/driver.js';
import { SCHEMA_VERSION } from '../store/common-schema.js';
import { readStatus } from '../store/transactions.js';
import { approvalsOn } from './approvals.js';
import { startExchange } from './claims.js';
import type { Connection } from './connection.js';
import { FORM } from './dialect.js';
import { explained, isConflict } from './failures.js';
import { createLease, createSendPermit, leaseTiming } from './lease.js';
import { aliveProcesses, deadProcesses, FENCED, join, lockJournal, type Membership } from './membership.js';
import { requirePrivileges } from './schema.js';
import { connectInTime, createReconnectPolicy, type WaitOptions } from './reconnect.js';
import { makeSchema, schemaVersion } from './server.js';
import { type Connections, createConnections, createSideChannel } from './server-connections.js';
import { type DatabaseSession, startSession } from './session.js';

export interface PostgresqlJournalOptions {
  readonly place: PostgresqlPlace;
  /** The person who calls the program; null to read only: then nothing is written. */
  readonly caller: Caller | null;
  /** It never sends: it reads, and may add to the log. */
  readonly onlyApproves?: boolean;
  /** How long to wait for a database that does not answer, milliseconds. */
  readonly timeoutMs: number;
  /** Aborts at the first stop signal: from then on, the database is not waited for. */
  readonly interrupted?: AbortSignal | undefined;
  readonly note: (text: string) => void;
  readonly world: World;
  /** In tests: replaces the database's clock; milliseconds since 1970. */
  readonly clock?: () => number;
}

/**
 * Without a caller, nothing is written, and the result is null if there is no journal yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openPostgresqlJournal(options: PostgresqlJournalOptions): Promise<OpenedJournal | null> {
  const role = options.caller === null || options.onlyApproves === true ? 'reads' : 'sends';
  const opened = await openAs(role, options);
  if (opened === null) return null;
  return { journal: createJournal(opened.driver), storage: null, now: opened.now };
}

/** Opens a journal to copy from or to, whether it is in use or not. This process does not send. @throws JournalError */
export async function openPostgresqlCopy(place: PostgresqlPlace, caller: Caller, world: World): Promise<CopyDriver> {
  const opened = await openAs('copies', { place, caller, world, timeoutMs: 0, note: () => undefined });
  return {
    // Not null: with a caller, a missing journal is made.
    ...(opened as OpenedDatabase).driver,
    userColumn: 'copied_user',
    continueFrom: async (tx, { target, run, event, claim }) => {
      await setCounter(tx, "pg_get_serial_sequence('target', 'id')", target);
      await setCounter(tx, "pg_get_serial_sequence('run', 'number')", run);
      await setCounter(tx, "pg_get_serial_sequence('event', 'id')", event);
      await setCounter(tx, "'claim_number'", claim);
    },
    explained: (cause) => explained(cause, place.shown),
  };
}

interface OpenedDatabase {
  readonly driver: Driver;
  readonly now: () => number;
}

type Role = 'sends' | 'reads' | 'copies';

async function openAs(role: Role, options: PostgresqlJournalOptions): Promise<OpenedDatabase | null> {
  const { place, caller, timeoutMs, world } = options;
  const { shown } = place;
  const { monotonic, now, sleep } = world;
  const connections = createConnections({ place, timeoutMs, mayIdle: role === 'copies' });
  const waits = { timeoutMs, place: shown, interrupted: options.interrupted, note: options.note, monotonic, sleep };
  const version = await ensureTables(options, connections, waits);
  if (version === null) return null;
  const sideChannel = createSideChannel(connections.connectSoon);
  const clock = options.clock ?? null;
  const database = startSession({ ...waits, connect: connections.connect, sideChannel, now, clock });
  if (caller !== null && role !== 'copies')
    await database.read(async (tx) => {
      requireActive(shown, await readStatus(tx));
      if (role === 'sends') await requirePrivileges(tx, shown);
    });
  const timing = leaseTiming(world.leaseMs);
  const lease = createLease(timing, world);
  const { server } = connections;
  const membership =
    caller !== null && role === 'sends'
      ? await join({ database, sideChannel, lease, timing, server, place: shown, host: caller.by.host })
      : null;
  const permit = createSendPermit({ lease, timing, timeoutMs, place: shown, sleep });
  return {
    driver: driverOn(options, { database, membership, permit, version, user: server.user }),
    now: options.clock ?? database.now,
  };
}

/** The version of the tables; null if there are none. Makes them or brings them up to date, if that is allowed. */
async function ensureTables(
  { place, caller }: PostgresqlJournalOptions,
  { connectSoon }: Connections,
  waits: WaitOptions,
): Promise<number | null> {
  let version: number | null = SCHEMA_VERSION;
  const open = async (): Promise<Connection> => {
    const connection = await connectSoon();
    try {
      if (caller !== null) await makeSchema(connection, place);
      else version = await schemaVersion(connection, place.schema, place.shown);
      return connection;
    } catch (cause) {
      connection.destroy();
      throw cause;
    }
  };
  const lastContact = { at: 0 };
  const reconnect = createReconnectPolicy({ ...waits, lastContact }, () => undefined);
  for (;;) {
    try {
      lastContact.at = waits.monotonic();
      const connection = await connectInTime(open, false, waits.interrupted);
      reconnect.end();
      await connection.end().catch(() => undefined);
      return version;
    } catch (cause) {
      await reconnect.retryOrThrow(cause);
    }
  }
}

/** For an unused counter, the first number is still free. */
async function setCounter(tx: Transaction, sequence: string, number: number): Promise<void> {
  if (number > 0) await tx.rows(`SELECT setval(${sequence}, $1::bigint)`, number);
}

interface Parts {
  readonly database: DatabaseSession;
  /** Null for a process that does not send. */
  readonly membership: Membership | null;
  readonly permit: SendPermit;
  /** Of the tables. */
  readonly version: number;
  /** The database's user. */
  readonly user: string;
}

function driverOn(
  { place, caller, clock }: PostgresqlJournalOptions,
  { database, membership, permit, version, user }: Parts,
): Driver {
  const self = membership?.self ?? null;
  const session = membership?.session ?? database;
  // The database itself records the user and the time.
  const time = (): ColumnValues => (clock === undefined ? {} : { at: clock() });
  return {
    session,
    place: place.shown,
    version,
    user,
    self,
    caller,
    fencedMessage: FENCED,
    ...FORM,
    aliveProcesses,
    deadProcesses: (tx, isTakenOver) => deadProcesses(tx, self, isTakenOver),
    tidyUp: () => Promise.resolve(),
    lockJournal,
    advanceClaimNumber: async (tx) => void (await tx.rows("SELECT nextval('claim_number')")),
    isConflict,
    auditColumns: time,
    timeOf: ({ at }) => at,
    approvals: approvalsOn(session, time),
    storeAndClaim: startExchange(session, self),
    permit,
    pruneResponses: async (tx, finished, before) =>
      void (await tx.change(`DELETE FROM late WHERE payment IN (${finished})`, before)),
    purgeFreeSpace: () => Promise.resolve(),
    detach: async () => {
      try {
        await membership?.leave();
      } finally {
        await database.end();
      }
    },
  };
}
