/** The connections of a process to the server of the journal, with the time limits of the call. */
import type { PostgresqlPlace } from '../location.js';
import type { Connection } from './connection.js';
import { connectTo, type Server, SOON_MS } from './server.js';

export interface Connections {
  /** What is known of the server. Each new connection is compared with it. */
  readonly server: Server;
  /** For transactions, which take any time. @param connectMs time limit for connecting, milliseconds */
  readonly connect: (connectMs: number) => Promise<Connection>;
  /** For small questions: a connection that fails when an answer takes long. */
  readonly connectSoon: () => Promise<Connection>;
}

export interface ConnectionsOptions {
  readonly place: PostgresqlPlace;
  /** How long to wait for a database that does not answer, milliseconds; 0 for a copy, which waits for the other journal. */
  readonly timeoutMs: number;
  /** Transactions may be idle for any time: a copy also waits for the other journal, which may take long. */
  readonly mayIdle: boolean;
}

export function createConnections({ place, timeoutMs, mayIdle }: ConnectionsOptions): Connections {
  const server: Server = { history: null, user: place.user, address: null };
  const longestMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : Math.max(timeoutMs, 1000);
  // Short enough for several attempts within the time limit of the journal.
  const lockMs = timeoutMs === 0 ? SOON_MS : Math.ceil(Math.min(SOON_MS, timeoutMs / 6));
  const open = async (answerMs: number, connectMs: number): Promise<Connection> => {
    const limited = { ...place, connectMs: Math.min(place.connectMs, longestMs, connectMs) };
    const connection = await connectTo(limited, server, { answerMs: Math.min(answerMs, longestMs), lockMs });
    if (mayIdle) await connection.several('SET idle_in_transaction_session_timeout = 0');
    return connection;
  };
  return {
    server,
    connect: (connectMs) => open(0, connectMs),
    connectSoon: () => open(SOON_MS, longestMs),
  };
}

/** Small questions on another connection than the one for transactions, which may be busy or dead. */
export interface SideChannel {
  readonly ask: (text: string, values: readonly (string | number)[]) => Promise<unknown[][]>;
  /** From now on, one connection is kept for all questions, and reopened after a failure. */
  keepOpen(): void;
  end(): Promise<void>;
}

/** Before {@link SideChannel.keepOpen}, each question has a connection. @param connect as {@link Connections.connectSoon} */
export function createSideChannel(connect: () => Promise<Connection>): SideChannel {
  let isKept = false;
  let kept: Promise<Connection> | null = null;
  return {
    ask: async (text, values) => {
      if (!isKept) {
        const connection = await connect();
        try {
          return (await connection.query(text, values)).rows;
        } finally {
          await connection.end();
        }
      }
      const mine = (kept ??= connect());
      try {
        return (await (await mine).query(text, values)).rows;
      } catch (cause) {
        // A failed statement may still be answered later; the next one would then receive that answer.
        mine.then(
          (broken) => broken.destroy(),
          () => undefined,
        );
        if (kept === mine) kept = null;
        throw cause;
      }
    },
    keepOpen: () => void (isKept = true),
    end: async () => {
      await (await kept?.catch(() => null))?.end().catch(() => undefined);
    },
  };
}
