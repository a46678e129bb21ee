/**
 * The lease: the right of this process to send, which ends by itself. The database keeps it; others take over when it has run
 * out by the database's clock. Here it ends earlier: it counts from before it was asked for, on the later of two clocks, less
 * a margin. While this process lives, it renews the lease on a connection of its own.
 */
import { JournalError } from '../../errors.js';
import { KINDS } from '../../records/kinds.js';
import type { Right } from '../plan.js';
import type { Driver, Session, Transaction } from '../store/driver.js';
import { signOff as signOffIn } from '../store/taking-over.js';
import type { Connection } from './connection.js';
import { checkHistory, HISTORY, type Server } from './server.js';

export interface Clocks {
  /** Milliseconds; never set back. It stands still while some machines sleep. */
  readonly monotonic: () => number;
  /** Wall clock, milliseconds; it goes on while a machine sleeps, and may be set back. */
  readonly now: () => number;
}

export interface Asked {
  readonly monotonic: number;
  readonly wall: number;
}

export interface Lease {
  /** To be called before the database is asked. */
  asked(): Asked;
  renewed(at: Asked): void;
  /** It is gone for good. */
  end(): void;
  /** Milliseconds until this process may no longer be sending; 0 or less when it may not now. */
  left(): number;
}

/** @param ms how long it lasts by the database's clock */
export function startLease(ms: number, { monotonic, now }: Clocks): Lease {
  const margin = ms / 20;
  let from: Asked | null = null;
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
    left: () => (from === null ? 0 : ms - margin - Math.max(monotonic() - from.monotonic, now() - from.wall)),
  };
}

export interface Heart {
  /** Why this process may not go on, once it may not; null while it may. */
  readonly stopped: JournalError | null;
  /** Asks the same connection something short. */
  ask(text: string, values: readonly (string | number)[]): Promise<unknown[][]>;
  end(): Promise<void>;
}

export interface HeartOptions {
  /** Opens a connection that fails when an answer takes long. */
  readonly connect: () => Promise<Connection>;
  readonly self: number;
  readonly lease: Lease;
  /** How long the lease lasts, milliseconds. */
  readonly leaseMs: number;
  readonly server: Server;
  readonly place: string;
}

const RENEW = `UPDATE process SET lease_until = clock_timestamp() + $2::int * interval '1 ms' WHERE id = $1
  AND lease_until <> '-infinity' RETURNING ${HISTORY}`;

export function startHeart(options: HeartOptions): Heart {
  const { self, lease, leaseMs } = options;
  const line = sharedLine(options.connect);
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
      if (row === undefined) stop(new JournalError(SHUT_OUT, { isPassing: true }));
      else {
        checkHistory(row[0], options.place, options.server);
        lease.renewed(asked);
      }
    } catch (cause) {
      // Whatever else it is, the next beat asks again; without an answer, the lease runs out.
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

/** One connection that is opened when it is needed, and again when it broke. */
function sharedLine(connect: () => Promise<Connection>): Pick<Heart, 'ask' | 'end'> {
  let connection: Promise<Connection> | null = null;
  return {
    ask: async (text, values) => {
      const mine = (connection ??= connect());
      try {
        return (await (await mine).query(text, values)).rows;
      } catch (cause) {
        // A statement that failed may still be answered later: then it would be taken for the next one's answer.
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
  readonly heart: Heart | null;
  /** How often the lease is looked at while it is waited for, milliseconds. */
  readonly everyMs: number;
  /** How long it is waited for, milliseconds. */
  readonly timeoutMs: number;
  readonly place: string;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * A payment with a key may leave while the lease lasts. A gig only while the lease outlasts its request: nobody else may
 * send it or let a person settle it before that is over.
 */
export function startRight({ lease, heart, everyMs, timeoutMs, place, sleep }: RightOptions): Right {
  const maySend: Right['maySend'] = (type, ms) => lease.left() > (KINDS[type].keyed ? 0 : ms);
  const wait: NonNullable<Right['untilMaySend']> = async (type, ms, stop) => {
    for (let waited = 0; !maySend(type, ms) && !stop.aborted; waited += everyMs) {
      if (heart?.stopped) throw heart.stopped;
      if (waited > timeoutMs)
        throw new JournalError(
          `the journal ${place} has not renewed the lease of this process, so nothing more is sent.`,
          { isPassing: true },
        );
      await sleep(everyMs, stop);
    }
  };
  return { maySend, untilMaySend: (type, ms, stop) => (maySend(type, ms) ? null : wait(type, ms, stop)) };
}

/** What is said when others have taken over. */
export const SHUT_OUT =
  'another process took this one for dead, because its lease on the journal had run out, and has taken over what it had under way. Was this machine paused or cut off? Run the command again.';

/** @param leaseMs how long its lease lasts @returns its row number */
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

/** {@link Driver.alive}: where they are, and for how many seconds that is certain. */
export async function alive(tx: Transaction, processes: readonly number[]): ReturnType<Driver['alive']> {
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

/** {@link Driver.dead}: one that holds its row at this moment lives, since its lease is looked at by itself. */
export async function dead(tx: Transaction, self: number | null, isTakenOver: boolean): Promise<number[]> {
  const lapsed = 'SELECT id FROM process WHERE id <> $1 AND lease_until < clock_timestamp()';
  return (await tx.rows<[number]>(isTakenOver ? `${lapsed} FOR UPDATE SKIP LOCKED` : lapsed, self)).flat();
}

/** This process lets go of the journal. A statement of it that is still on its way can do nothing any more. */
export async function signOff(session: Session, self: number): Promise<void> {
  await session.write(async (tx) => {
    const hasLeft = await signOffIn(tx, self);
    if (!hasLeft) await tx.change(`UPDATE process SET lease_until = '-infinity' WHERE id = $1`, self);
  });
}

/** What changes outcomes and claims one by one shares the lock. What builds on all of them has it alone: {@link haveAlone}. */
const LOCK = "6777191, 'journal'::regclass::oid::int";

/** To be the opening of a transaction: a statement of its own, so that those after it see what was done under the lock. */
export const SHARE = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;

/** From here on, it sees either all of a change of outcomes and claims, or nothing of it. */
export async function haveAlone(tx: Transaction): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${LOCK})`);
}
