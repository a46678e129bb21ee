/**
 * The processes that send with the journal. Each has a row, which is its fencing token: whoever deletes the row has
 * shut the process out. While a process lives, its heartbeat renews its lease on a separate connection.
 */
import { JournalError } from '../../errors.js';
import type { LiveProcess, Session, Transaction } from '../store/driver.js';
import { deregister } from '../store/recovery.js';
import type { Lease, LeaseTiming } from './lease.js';
import { checkHistory, HISTORY, type Server } from './server.js';
import type { SideChannel } from './server-connections.js';
import type { DatabaseSession } from './session.js';

export interface Membership {
  /** Row number of this process. */
  readonly self: number;
  /** Transactions of this process: each stores its number with it. */
  readonly session: Session;
  /** Leaves the journal. A late statement of this process can change nothing any more. */
  leave(): Promise<void>;
}

export interface MembershipOptions {
  readonly database: DatabaseSession;
  readonly sideChannel: SideChannel;
  readonly lease: Lease;
  readonly timing: LeaseTiming;
  readonly server: Server;
  /** The journal, as people name it. */
  readonly place: string;
  /** This machine. */
  readonly host: string;
}

/** Registers this process, and keeps its lease until it leaves. */
export async function join(options: MembershipOptions): Promise<Membership> {
  const { database, sideChannel, lease, timing, host } = options;
  const requested = lease.requestTime();
  const self = await register(database, host, timing.leaseMs);
  lease.renewed(requested);
  sideChannel.keepOpen();
  const stopHeartbeat = startHeartbeat(options, self);
  const session = database.as(self);
  return {
    self,
    session,
    leave: async () => {
      stopHeartbeat();
      await sideChannel.end();
      await session.write(
        async (tx) => {
          const hasLeft = await deregister(tx, self);
          if (!hasLeft) await tx.change(`UPDATE process SET lease_until = '-infinity' WHERE id = $1`, self);
        },
        [awaitLostTransactions(self)],
      );
    },
  };
}

/**
 * To open a transaction. An earlier one whose answer was lost may still claim payments, and holds the row until its end.
 * As a separate statement, so that the following ones see its claims: a claim without a process would never end.
 */
function awaitLostTransactions(self: number): string {
  return `SELECT 1 FROM process WHERE id = ${self} FOR UPDATE`;
}

/** @returns its row number */
function register(session: Session, host: string, leaseMs: number): Promise<number> {
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

const RENEW = `UPDATE process SET lease_until = clock_timestamp() + $2::int * interval '1 ms' WHERE id = $1
  AND lease_until <> '-infinity' RETURNING ${HISTORY}`;

/** @returns a function that stops it */
function startHeartbeat(options: MembershipOptions, self: number): () => void {
  const { sideChannel, lease, timing, place, server } = options;
  let timer: NodeJS.Timeout | null = null;
  let isOver = false;
  const schedule = (): void => {
    timer = setTimeout(() => void beat(), timing.renewMs).unref();
  };
  const beat = async (): Promise<void> => {
    try {
      const requested = lease.requestTime();
      const [row] = (await sideChannel.ask(RENEW, [self, timing.leaseMs])) as [string][];
      if (row === undefined) lease.lose(new JournalError(FENCED, { isPassing: true }));
      else {
        checkHistory(row[0], place, server);
        lease.renewed(requested);
      }
    } catch (cause) {
      // After any other failure, the next beat asks again; without an answer, the lease expires.
      if (cause instanceof JournalError) lease.lose(cause);
    }
    if (!isOver && lease.lost === null) schedule();
  };
  schedule();
  return () => {
    isOver = true;
    if (timer !== null) clearTimeout(timer);
  };
}

/** The message after others have taken over. */
export const FENCED =
  'another process took this one for dead, because its lease on the journal had run out, and has taken over what it had under way. Was this machine paused or cut off? Run the command again.';

/** {@link Driver.aliveProcesses}, the one with the longest lease first. */
export async function aliveProcesses(tx: Transaction, processes: readonly number[]): Promise<LiveProcess[]> {
  const rows = await tx.rows<[number, string, number]>(
    `SELECT id, host, ceil(extract(epoch FROM lease_until - clock_timestamp()))::int FROM process
     WHERE id = ANY ($1) AND lease_until > clock_timestamp() ORDER BY lease_until DESC`,
    processes,
  );
  return rows.map(([process, host, expiresInSeconds]) => ({ process, lease: { host, expiresInSeconds } }));
}

/**
 * {@link Driver.deadProcesses}: skips a process that holds its row at this moment. It is alive, and checks its lease
 * itself.
 */
export async function deadProcesses(tx: Transaction, self: number | null, isTakenOver: boolean): Promise<number[]> {
  const lapsed = 'SELECT id FROM process WHERE id <> $1 AND lease_until < clock_timestamp()';
  return (await tx.rows<[number]>(isTakenOver ? `${lapsed} FOR UPDATE SKIP LOCKED` : lapsed, self)).flat();
}

/** Changes of single outcomes and claims share the lock. Work on all of them holds it alone: {@link lockJournal}. */
const JOURNAL_LOCK = "6777191, 'journal'::regclass::oid::int";

/** To open a transaction: as a separate statement, so that the following ones see changes made under the lock. */
export const SHARE_LOCK = `SELECT pg_advisory_xact_lock_shared(${JOURNAL_LOCK})`;

/** After this, the transaction sees each change of outcomes and claims completely or not at all. */
export async function lockJournal(tx: Transaction): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${JOURNAL_LOCK})`);
}
