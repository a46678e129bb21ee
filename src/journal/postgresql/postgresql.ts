/** The shared journal: a schema in a PostgreSQL database that several machines use at once. */
import type { World } from '../../world.js';
import type { Caller } from '../audit-log.js';
import { createJournal, type Opened } from '../journal.js';
import type { PostgresqlPlace } from '../location.js';
import { requireActive } from '../status.js';
import type { Columns, CopyDriver, Driver, Transaction } from '../store/driver.js';
import { standing } from '../store/transactions.js';
import { approvalsOn } from './approvals.js';
import { FORM } from './dialect.js';
import type { Connection } from './connection.js';
import { startExchange } from './claims.js';
import { explained, isConflict } from './failures.js';
import {
  aliveProcesses,
  deadProcesses,
  lockExclusively,
  type Heartbeat,
  type Lease,
  register,
  FENCED,
  signOff,
  startHeartbeat,
  startLease,
  startRight,
} from './lease.js';
import { requirePrivileges } from './privileges.js';
import { connectTo, makeSchema, schemaVersion, type Server, SOON_MS } from './server.js';
import { type ServerSession, startSession } from './session.js';

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
  readonly world: Pick<World, 'monotonic' | 'now' | 'sleep' | 'leaseMs'>;
  /** In tests: replaces the database's clock; milliseconds since 1970. */
  readonly clock?: () => number;
}

/**
 * Without a caller, nothing is written, and the result is null if there is no journal yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openPostgresqlJournal(options: PostgresqlJournalOptions): Promise<Opened | null> {
  const role = options.caller === null || options.onlyApproves === true ? 'reads' : 'sends';
  const opened = await openAs(role, options);
  if (opened === null) return null;
  return { journal: createJournal(opened.driver), storage: null, now: opened.now };
}

/** Opens a journal to copy from or to, whether it is in use or not. This process does not send. @throws JournalError */
export async function openPostgresqlCopy(
  place: PostgresqlPlace,
  caller: Caller,
  world: PostgresqlJournalOptions['world'],
): Promise<CopyDriver> {
  const opened = await openAs('copies', { place, caller, world, timeoutMs: 0, note: () => undefined });
  return {
    // Not null: with a caller, a missing journal is made.
    ...(opened as OpenDriver).driver,
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

interface OpenDriver {
  readonly driver: Driver;
  readonly now: () => number;
}

type Role = 'sends' | 'reads' | 'copies';

function startOpening(role: Role, { place, timeoutMs }: PostgresqlJournalOptions) {
  const server: Server = { history: null, user: place.user, address: null };
  const longestMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : Math.max(timeoutMs, 1000);
  const open = async (answerMs: number, connectMs = longestMs): Promise<Connection> => {
    // Short enough for several attempts within the time limit of the journal.
    const lockMs = timeoutMs === 0 ? SOON_MS : Math.ceil(Math.min(SOON_MS, timeoutMs / 6));
    const near = { ...place, connectMs: Math.min(place.connectMs, longestMs, connectMs) };
    const connection = await connectTo(near, server, { answerMs: Math.min(answerMs, longestMs), lockMs });
    // A copy also waits for the other journal, which may take long.
    if (role === 'copies') await connection.several('SET idle_in_transaction_session_timeout = 0');
    return connection;
  };
  return { server, open };
}

async function openAs(role: Role, options: PostgresqlJournalOptions): Promise<OpenDriver | null> {
  const { place, caller, world } = options;
  const { server, open } = startOpening(role, options);
  if (!(await isPresent(options, open))) return null;
  const lease = startLease(world.leaseMs, world);
  let heartbeat: Heartbeat | null = null;
  const asked = lease.asked();
  let self: number | null = null;
  let time = { at: world.now(), monotonic: world.monotonic() };
  const session = startSession({
    ...sessionOptions(options),
    ...sideLine(() => heartbeat, open),
    connect: (connectMs: number) => open(0, connectMs),
    self: () => self,
    onTime: (at) =>
      (time = {
        at,
        monotonic: world.monotonic(),
      }),
  });
  if (caller !== null && role !== 'copies')
    await session.read(async (tx) => {
      requireActive(place.shown, await standing(tx));
      if (role === 'sends') await requirePrivileges(tx, place.shown);
    });
  if (caller !== null && role === 'sends') {
    self = await register(session, caller.by.host, world.leaseMs);
    lease.renewed(asked);
    heartbeat = startHeartbeat({
      self,
      lease,
      server,
      leaseMs: world.leaseMs,
      place: place.shown,
      connect: () => open(SOON_MS),
    });
  }
  return {
    driver: driverOn(options, { session, self, heartbeat, lease }, server),
    now: options.clock ?? (() => Math.round(time.at + world.monotonic() - time.monotonic)),
  };
}

/** For an unused counter, the first number is still free. */
async function setCounter(tx: Transaction, sequence: string, number: number): Promise<void> {
  if (number > 0) await tx.rows(`SELECT setval(${sequence}, $1::bigint)`, number);
}

function sessionOptions({ place, timeoutMs, interrupted, note, world, clock }: PostgresqlJournalOptions) {
  const { monotonic, sleep } = world;
  return { timeoutMs, place: place.shown, interrupted, note, monotonic, sleep, clock: clock ?? null };
}

/** Makes a missing journal, if that is allowed. */
async function isPresent(
  options: PostgresqlJournalOptions,
  open: (answerMs: number) => Promise<Connection>,
): Promise<boolean> {
  const { place, caller } = options;
  // This is not a transaction of the journal, but it waits in the same way.
  const made = startSession({
    ...sessionOptions(options),
    isWorking: () => Promise.resolve(true),
    terminate: () => Promise.resolve(false),
    self: () => null,
    onTime: () => undefined,
    connect: async () => {
      const connection = await open(SOON_MS);
      try {
        if (caller !== null) await makeSchema(connection, place);
        else isThere = (await schemaVersion(connection, place.schema, place.shown)) !== null;
        return connection;
      } catch (cause) {
        connection.destroy();
        throw cause;
      }
    },
  });
  let isThere = true;
  try {
    await made.read(() => Promise.resolve());
  } finally {
    await made.end();
  }
  return isThere;
}

/** Asks about a session of this process, or ends it, on another connection. */
function sideLine(
  heartbeat: () => Heartbeat | null,
  open: (answerMs: number) => Promise<Connection>,
): { isWorking(pid: number): Promise<boolean>; terminate(pid: number): Promise<boolean> } {
  const ask = async (text: string, values: number[]): Promise<unknown[][]> => {
    const beating = heartbeat();
    if (beating !== null) return beating.ask(text, values);
    const connection = await open(SOON_MS);
    try {
      return (await connection.query(text, values)).rows;
    } finally {
      await connection.end();
    }
  };
  // The server reuses session numbers: only sessions of this program count.
  const own =
    "FROM pg_stat_activity WHERE pid = $1 AND usename = session_user AND application_name = current_setting('application_name')";
  return {
    isWorking: async (pid) => (await ask(`SELECT 1 ${own} AND state = 'active'`, [pid])).length > 0,
    terminate: async (pid) => (await ask(`SELECT pg_terminate_backend(pid) ${own}`, [pid])).length > 0,
  };
}

interface Parts {
  readonly session: ServerSession;
  readonly self: number | null;
  readonly heartbeat: Heartbeat | null;
  readonly lease: Lease;
}

function driverOn(
  options: PostgresqlJournalOptions,
  { session, self, heartbeat, lease }: Parts,
  { user }: Server,
): Driver {
  const { place, caller, timeoutMs, world, clock } = options;
  const right = startRight({
    lease,
    heartbeat,
    timeoutMs,
    everyMs: world.leaseMs / 60,
    place: place.shown,
    sleep: world.sleep,
  });
  // The database itself records the user and the time.
  const time = (): Columns => (clock === undefined ? {} : { at: clock() });
  return {
    session,
    place: place.shown,
    user,
    self,
    caller,
    fencedMessage: FENCED,
    ...FORM,
    aliveProcesses,
    deadProcesses: (tx, isTakenOver) => deadProcesses(tx, self, isTakenOver),
    tidyUp: () => Promise.resolve(),
    lockExclusively,
    advanceClaimNumber: async (tx) => void (await tx.rows("SELECT nextval('claim_number')")),
    isConflict,
    auditColumns: time,
    timeOf: ({ at }) => at,
    approvals: approvalsOn(session, time),
    storeAndClaim: startExchange(session, self),
    right,
    pruneResponses: async (tx, finished, before) =>
      void (await tx.change(`DELETE FROM late WHERE payment IN (${finished})`, before)),
    purgeFreeSpace: () => Promise.resolve(),
    detach: async () => {
      await heartbeat?.end();
      try {
        if (self !== null) await signOff(session, self);
      } finally {
        await session.end();
      }
    },
  };
}
