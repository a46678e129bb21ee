/** The shared ledger: a schema in a PostgreSQL database that several machines use at once. */
import type { World } from '../../world.js';
import type { Caller } from '../event.js';
import type { Ledger } from '../ledger.js';
import type { PostgresqlPlace } from '../place.js';
import { approve, selectApprovals } from './approvals.js';
import { type Context, standing, targetOf } from './context.js';
import type { Connection } from './driver.js';
import { selectEvents } from './events.js';
import { commit } from './gate.js';
import { type Heart, startHeart } from './heart.js';
import { homePlaces } from './home-places.js';
import { type Lease, startLease } from './lease.js';
import { selectListed, selectOutcomes } from './listed.js';
import { lookUps, selectBatches, selectLiveCalls } from './lookup.js';
import { bodies, prepare } from './preparation.js';
import { register, signOff, takeOverDead } from './processes.js';
import { prune } from './pruning.js';
import { startRight } from './right.js';
import { selectRecords } from './run-records.js';
import { closeRun, endRun, selectRuns } from './runs.js';
import { makeSchema, schemaVersion } from './schema.js';
import { connectTo, type Server } from './server.js';
import { type Session, startSession } from './session.js';
import { selectSettlements, settle } from './settling.js';
import { selectStored } from './stored.js';

export interface PostgresqlLedgerOptions {
  readonly place: PostgresqlPlace;
  /** Who calls the program; null to read alone: then nothing is written. */
  readonly caller: Caller | null;
  /** It takes no part in sending: it reads, and may add to the log. */
  readonly onlyApproves?: boolean;
  /** How long the database is waited for when it does not answer, milliseconds. */
  readonly timeoutMs: number;
  readonly note: (text: string) => void;
  readonly world: Pick<World, 'monotonic' | 'now' | 'sleep' | 'leaseMs'>;
  /** Other times than the database's, in tests; milliseconds since 1970. */
  readonly clock?: () => number;
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** This call made the journal: it knows nothing of earlier payments. */
  readonly isNew: boolean;
  readonly storage: null;
  /** The database's clock, milliseconds since 1970: it was last asked when the last transaction began. */
  readonly now: () => number;
}

/** To connect, and for an answer to something small; milliseconds. */
const SOON_MS = 10_000;

/**
 * Opens the ledger. Without a caller, nothing is written, and the result is null where there is none yet.
 * @throws JournalError when it cannot be used, with the remedy
 */
export async function openPostgresqlLedger(options: PostgresqlLedgerOptions): Promise<OpenedLedger | null> {
  const { place, caller, world } = options;
  const server: Server = { history: null, user: place.user };
  const open = (answerMs: number): Promise<Connection> =>
    connectTo(place, server, { name: 'gigwork', connectMs: SOON_MS, answerMs });
  const found = await present(options, open);
  if (found === null) return null;
  const lease = startLease(world.leaseMs, world);
  let heart: Heart | null = null;
  const line = sideLine(() => heart, open);
  const asked = lease.asked();
  let self: number | null = null;
  let time = { at: world.now(), monotonic: world.monotonic() };
  const session = startSession({
    ...sessionOptions(options),
    ...{ connect: () => open(0), ...line, self: () => self },
    onTime: (at) => (time = { at, monotonic: world.monotonic() }),
  });
  if (caller !== null && options.onlyApproves !== true) {
    self = await register(session, caller.by.host, world.leaseMs);
    lease.renewed(asked);
    heart = startHeart({
      ...{ self, lease, server, leaseMs: world.leaseMs },
      place: place.shown,
      connect: () => open(SOON_MS),
    });
  }
  const ledger = ledgerOn(contextOf(options, { session, self, heart, lease }), heart, server);
  const now = options.clock ?? (() => Math.round(time.at + world.monotonic() - time.monotonic));
  return { ledger, isNew: found.isNew, storage: null, now };
}

function sessionOptions({ place, timeoutMs, note, world, clock }: PostgresqlLedgerOptions) {
  const { monotonic, sleep } = world;
  return { timeoutMs, place: place.shown, note, monotonic, sleep: (ms: number) => sleep(ms), clock: clock ?? null };
}

/** Makes the journal where there is none, if it may be made; null where it may not. */
async function present(
  options: PostgresqlLedgerOptions,
  open: (answerMs: number) => Promise<Connection>,
): Promise<{ readonly isNew: boolean } | null> {
  const { place, caller } = options;
  // Making it is not a transaction of the journal's, but is waited for in the same way.
  const made = startSession({
    ...sessionOptions(options),
    ...{ isWorking: () => Promise.resolve(true), terminate: () => Promise.resolve(false) },
    ...{ self: () => null, onTime: () => undefined },
    connect: async () => {
      const connection = await open(SOON_MS);
      if (caller !== null) isNew = (await makeSchema(connection, place.schema, place.shown)) || isNew;
      else isThere = (await schemaVersion(connection, place.schema, place.shown)) !== null;
      return connection;
    },
  });
  let [isNew, isThere] = [false, true];
  try {
    await made.read(() => Promise.resolve());
  } finally {
    await made.end();
  }
  return isThere ? { isNew } : null;
}

/** Asks about a session of this process, and ends it, on another connection. */
function sideLine(
  heart: () => Heart | null,
  open: (answerMs: number) => Promise<Connection>,
): { isWorking(pid: number): Promise<boolean>; terminate(pid: number): Promise<boolean> } {
  const ask = async (text: string, values: number[]): Promise<unknown[][]> => {
    const beating = heart();
    if (beating !== null) return beating.ask(text, values);
    const connection = await open(SOON_MS);
    try {
      return (await connection.query(text, values)).rows;
    } finally {
      await connection.end();
    }
  };
  // The numbers of sessions are given again: only one of this program is meant.
  const own = "FROM pg_stat_activity WHERE pid = $1 AND usename = session_user AND application_name = 'gigwork'";
  return {
    isWorking: async (pid) => (await ask(`SELECT 1 ${own} AND state = 'active'`, [pid])).length > 0,
    terminate: async (pid) => (await ask(`SELECT pg_terminate_backend(pid) ${own}`, [pid])).length > 0,
  };
}

interface Parts {
  readonly session: Session;
  readonly self: number | null;
  readonly heart: Heart | null;
  readonly lease: Lease;
}

function contextOf(options: PostgresqlLedgerOptions, { session, self, heart, lease }: Parts): Context {
  const { place, caller, timeoutMs, world } = options;
  const right = startRight({
    ...{ lease, heart, timeoutMs, everyMs: world.leaseMs / 60 },
    ...{ place: place.shown, sleep: world.sleep },
  });
  return { session, self, caller, right };
}

function ledgerOn(context: Context, heart: Heart | null, { user }: Server): Ledger {
  const { session } = context;
  return {
    user,
    recover: () => takeOverDead(context),
    version: (target) => session.read(async (tx) => (await targetOf(tx, target))?.gates ?? 0),
    standing: () => session.read(standing),
    isEmpty: (target) => session.read(async (tx) => ((await targetOf(tx, target))?.gates ?? 0) === 0),
    stored: (target, records) => selectStored(context, target, records),
    ...lookUps(context),
    batches: (target) => selectBatches(context, target),
    liveCalls: () => selectLiveCalls(context),
    outcomes: (payments) => selectOutcomes(context, payments),
    bodies: (payments) => bodies(context, payments),
    places: (payments) => homePlaces(context, payments),
    prepare: (head) => prepare(context, head),
    commit: (plan) => commit(context, plan),
    runs: (query) => selectRuns(context, query),
    records: ({ number }, from, count) => selectRecords(context, number, from, count),
    states: ({ number }, from, count) => selectListed(context, number, from, count),
    listed: ({ number }, from, count) => selectListed(context, number, from, count),
    end: ({ number }, end) => endRun(context, number, end),
    close: async (run, note) => {
      await takeOverDead(context);
      await closeRun(context, run, note);
    },
    settle: async ({ number }, records, outcome, note) => {
      await takeOverDead(context);
      await settle(context, number, records, outcome, note);
    },
    approve: (run, by) => approve(context, run, by),
    approvals: (digest) => selectApprovals(context, digest),
    settlements: ({ number }) => selectSettlements(context, number),
    prune: (before) => prune(context, before),
    events: (since, after, count) => selectEvents(context, since, after, count),
    leave: async () => {
      await heart?.end();
      try {
        if (context.self !== null) await signOff(context);
      } finally {
        await session.end();
      }
    },
  };
}
