/** Renews the lease of this process while it lives, on a connection of its own. */
import { JournalError } from '../../errors.js';
import type { Connection } from './connection.js';
import type { Lease } from './lease.js';
import { SHUT_OUT } from './processes.js';
import { checkHistory, HISTORY, type Server } from './server.js';

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
