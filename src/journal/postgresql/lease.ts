/**
 * The lease: the right of this process to send, which expires by itself. The database stores it; other processes take
 * over when it has expired by the database's clock. This process stops earlier: it counts from before its request, on
 * the later of two clocks, minus a margin. While it lives, it renews the lease on a separate connection.
 */
import { JournalError } from '../../errors.js';
import { KINDS } from '../../records/kinds.js';
import type { SendPermit } from '../plan.js';
import type { Driver, Session, Transaction } from '../store/driver.js';
import { deregister as signOffIn } from '../store/recovery.js';
import type { Connection } from './connection.js';
import { checkHistory, HISTORY, type Server } from './server.js';

export interface Clocks {
  /** Milliseconds; never set back. On some machines it stops during sleep. */
  readonly monotonic: () => number;
  /** Wall clock, milliseconds; it continues during sleep, and may be set back. */
  readonly now: () => number;
}

export interface LeaseRequestTime {
  readonly monotonic: number;
  readonly wall: number;
}

export interface Lease {
  /** To be called before each request to the database. */
  asked(): LeaseRequestTime;
  renewed(at: LeaseRequestTime): void;
  /** The lease is lost for good. */
  end(): void;
  /** Milliseconds until this process must not send any more; 0 or less if it must not send now. */
  remainingMs(): number;
}

/** @param ms duration by the database's clock */
export function startLease(ms: number, { monotonic, now }: Clocks): Lease {
  const margin = ms / 20;
  let from: LeaseRequestTime | null = null;
  let isOver = false;
  return {
    asked: () => ({ monotonic: monotonic(), wall: now() }),
    renewed: (at) => {
      if (!isOver) from = at;
    },
    end: () => {
      isOver = true;
      from = null;
    },
    remainingMs: () => (from === null ? 0 : ms - margin - Math.max(monotonic() - from.monotonic, now() - from.wall)),
  };
}

export interface Heartbeat {
  /** Why this process must stop; null while it may continue. */
  readonly stopped: JournalError | null;
  /** Runs a short query on the same connection. */
  ask(text: string, values: readonly (string | number)[]): Promise<unknown[][]>;
  end(): Promise<void>;
}

export interface HeartbeatOptions {
  /** Opens a connection that fails when an answer takes long. */
  readonly connect: () => Promise<Connection>;
  readonly self: number;
  readonly lease: Lease;
  /** Duration of the lease, milliseconds. */
  readonly leaseMs: number;
  readonly server: Server;
  readonly place: string;
}

const RENEW = `UPDATE process SET lease_until = clock_timestamp() + $2::int * interval '1 ms' WHERE id = $1
  AND lease_until <> '-infinity' RETURNING ${HISTORY}`;

export function startHeartbeat(options: HeartbeatOptions): Heartbeat {
  const { self, lease, leaseMs } = options;
  const line = reconnectingConnection(options.connect);
  let stopped: JournalError | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const stop = (cause: JournalError): void => {
    stopped ??= cause;
    lease.end();
  };
  const beat = async (): Promise<void> => {
    try {
      const asked = lease.asked();
      const [row] = (await line.ask(RENEW, [self, leaseMs])) as [string][];
      if (row === undefined) stop(new JournalError(FENCED, { isPassing: true }));
      else {
        checkHistory(row[0], options.place, options.server);
        lease.renewed(asked);
      }
    } catch (cause) {
      // After any other failure, the next beat asks again; without an answer, the lease expires.
      if (cause instanceof JournalError) stop(cause);
    }
    if (!isOver && stopped === null) timer = setTimeout(() => void beat(), leaseMs / 6).unref();
  };
  timer = setTimeout(() => void beat(), leaseMs / 6).unref();
  return {
    get stopped() {
      return stopped;
    },
    ask: line.ask,
    end: async () => {
      isOver = true;
      if (timer !== null) clearTimeout(timer);
      await line.end();
    },
  };
}

/** One connection, opened when needed and reopened after a failure. */
function reconnectingConnection(connect: () => Promise<Connection>): Pick<Heartbeat, 'ask' | 'end'> {
  let connection: Promise<Connection> | null = null;
  return {
    ask: async (text, values) => {
      const mine = (connection ??= connect());
      try {
        return (await (await mine).query(text, values)).rows;
      } catch (cause) {
        // A failed statement may still be answered later; the next one would then receive that answer.
        mine.then(
          (broken) => broken.destroy(),
          () => undefined,
        );
        if (connection === mine) connection = null;
        throw cause;
      }
    },
    end: async () => {
      await (await connection?.catch(() => null))?.end().catch(() => undefined);
    },
  };
}

export interface RightOptions {
  readonly lease: Lease;
  readonly heartbeat: Heartbeat | null;
  /** Interval of checks while waiting for the lease, milliseconds. */
  readonly everyMs: number;
  /** How long to wait for the lease, milliseconds. */
  readonly timeoutMs: number;
  readonly place: string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * A payment with a key may leave while the lease lasts. A gig only if the lease outlasts its request: until then,
 * nobody else may send it or let a person settle it.
 */
export function startRight({ lease, heartbeat, everyMs, timeoutMs, place, sleep }: RightOptions): SendPermit {
  const maySend: SendPermit['maySend'] = (type, ms) => lease.remainingMs() > (KINDS[type].keyed ? 0 : ms);
  const wait: NonNullable<SendPermit['waitForPermit']> = async (type, ms, stop) => {
    for (let waited = 0; !maySend(type, ms) && !stop.aborted; waited += everyMs) {
      if (heartbeat?.stopped) throw heartbeat.stopped;
      if (waited > timeoutMs)
        throw new JournalError(
          `the journal ${place} has not renewed the lease of this process, so nothing more is sent.`,
          { isPassing: true },
        );
      await sleep(everyMs, stop);
    }
  };
  return { maySend, waitForPermit: (type, ms, stop) => (maySend(type, ms) ? null : wait(type, ms, stop)) };
}

/** The message after others have taken over. */
export const FENCED =
  'another process took this one for dead, because its lease on the journal had run out, and has taken over what it had under way. Was this machine paused or cut off? Run the command again.';

/** @param leaseMs duration of its lease @returns its row number */
export function register(session: Session, host: string, leaseMs: number): Promise<number> {
  return session.write(async (tx) => {
    const [row] = await tx.rows<[number]>(
      `INSERT INTO process (host, lease_until) VALUES ($1, clock_timestamp() + $2::int * interval '1 ms') RETURNING id`,
      host,
      leaseMs,
    );
    const [self] = row as [number];
    await tx.change('INSERT INTO progress (process, serial) VALUES ($1, 0)', self);
    return self;
  });
}

/** {@link Driver.aliveProcesses}: their machines, and after how many silent seconds they count as dead. */
export async function aliveProcesses(
  tx: Transaction,
  processes: readonly number[],
): ReturnType<Driver['aliveProcesses']> {
  const rows = await tx.rows<[number, string, number]>(
    `SELECT id, host, ceil(extract(epoch FROM lease_until - clock_timestamp()))::int FROM process
     WHERE id = ANY ($1) AND lease_until > clock_timestamp() ORDER BY lease_until DESC`,
    processes,
  );
  return new Map(
    rows.map(([id, host, seconds]) => {
      return [
        id,
        `, on ${host}; wait until that has ended. If nothing is heard of that machine any more, it counts as dead in ${seconds} s`,
      ];
    }),
  );
}

/**
 * {@link Driver.deadProcesses}: skips a process that holds its row at this moment. It is alive, and checks its lease
 * itself.
 */
export async function deadProcesses(tx: Transaction, self: number | null, isTakenOver: boolean): Promise<number[]> {
  const lapsed = 'SELECT id FROM process WHERE id <> $1 AND lease_until < clock_timestamp()';
  return (await tx.rows<[number]>(isTakenOver ? `${lapsed} FOR UPDATE SKIP LOCKED` : lapsed, self)).flat();
}

/** This process leaves the journal. A late statement of it can change nothing any more. */
export async function signOff(session: Session, self: number): Promise<void> {
  await session.write(async (tx) => {
    const hasLeft = await signOffIn(tx, self);
    if (!hasLeft) await tx.change(`UPDATE process SET lease_until = '-infinity' WHERE id = $1`, self);
  });
}

/** Changes of single outcomes and claims share the lock. Work on all of them holds it alone: {@link lockExclusively}. */
const LOCK = "6777191, 'journal'::regclass::oid::int";

/** To open a transaction: as a separate statement, so that the following ones see changes made under the lock. */
export const SHARE = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;

/** After this, the transaction sees each change of outcomes and claims completely or not at all. */
export async function lockExclusively(tx: Transaction): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${LOCK})`);
}
