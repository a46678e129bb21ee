/**
 * Transactions on the database. Each is done once, whatever happens to the connection: one that was cut off before its
 * end is done again, and of one that was cut off at its end the database is asked whether it has passed.
 */
import { JournalError } from '../../errors.js';
import { type Connection, type Value } from './driver.js';
import { explained, reasonOf, remedyOf } from './failures.js';

export interface Transaction {
  /** When it began by the database's clock, milliseconds since 1970. */
  readonly at: number;
  rows<Cells>(text: string, ...values: Value[]): Promise<Cells[]>;
  /** How many rows were changed. */
  change(text: string, ...values: Value[]): Promise<number>;
}

export interface Session {
  /** Work that sees the journal as it is at one moment. */
  read<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Work that is durable as a whole when it returns, or not done at all. It may be called several times: it changes nothing else. */
  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

export interface SessionOptions {
  /** Opens a connection that is ready to be used. */
  readonly connect: () => Promise<Connection>;
  /** Whether a session of the server still works at what it was told. Fails where nothing is known. */
  readonly isWorking: (pid: number) => Promise<boolean>;
  /** Ends a session of the server that nobody listens to any more. */
  readonly terminate: (pid: number) => Promise<void>;
  /** Writes something small, so that all that was written before it is as durable as this. */
  readonly barrier: () => string | null;
  /** How long the database is waited for, milliseconds. */
  readonly timeoutMs: number;
  /** As people name the place. */
  readonly place: string;
  readonly note: (text: string) => void;
  readonly monotonic: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Other times than the database's, in tests; milliseconds since 1970. */
  readonly clock: (() => number) | null;
}

const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NOW}`;
const WRITE = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; ${NOW}, pg_current_xact_id()::text`;

/** How long no answer may come before the database is asked about it, milliseconds. */
const SILENCE_MS = 5000;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [100, 2000];

/** The connection was lost while the transaction was being made durable. */
class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly transaction: { readonly id: string; readonly pid: number; readonly result: unknown };

  constructor(transaction: Undecided['transaction'], cause: unknown) {
    super(reasonOf(cause), { cause });
    this.transaction = transaction;
  }
}

export function startSession(options: SessionOptions): Session {
  let connection: Connection | null = null;
  // Who has waited in vain does not wait again for each of the calls that tidy up.
  let hasGivenUp = false;
  const patience = (): Patience =>
    startPatience(hasGivenUp ? { ...options, timeoutMs: 0 } : options, () => (hasGivenUp = true));
  let tail: Promise<unknown> = Promise.resolve();
  const connected = async (): Promise<Connection> => {
    if (connection?.isBroken === true) connection = null;
    return (connection ??= await options.connect());
  };
  // One transaction at a time: a connection can have no more.
  const inTurn = <T>(begin: string, work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const mine = tail.then(async () => {
      const result = await decided(options, connected, patience(), begin, work);
      hasGivenUp = false;
      return result;
    });
    tail = mine.catch(() => undefined);
    return mine;
  };
  return {
    read: (work) => inTurn(READ, work),
    write: (work) => inTurn(WRITE, work),
    end: async () => {
      await tail;
      await connection?.end().catch(() => undefined);
    },
  };
}

/** Tries until the work is done or it is known that it cannot be. @throws JournalError */
async function decided<T>(
  options: SessionOptions,
  connected: () => Promise<Connection>,
  patience: Patience,
  begin: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  let undecided: Undecided | null = null;
  for (;;) {
    try {
      const connection = await connected();
      if (undecided !== null && (await hasPassed(options, connection, undecided)))
        return undecided.transaction.result as T;
      undecided = null;
      return await once(options, connection, begin, work);
    } catch (cause) {
      if (cause instanceof Undecided) undecided = cause;
      await patience.bear(cause instanceof Undecided ? cause.cause : cause);
    }
  }
}

interface Patience {
  /** @throws JournalError for what cannot be waited for, or not any longer */
  bear(cause: unknown): Promise<void>;
}

/** Waits for what may pass, as long as it may be waited for. */
function startPatience({ timeoutMs, monotonic, sleep, note, place }: SessionOptions, giveUp: () => void): Patience {
  let since: number | null = null;
  let wait = FIRST_WAIT_MS;
  return {
    bear: async (cause) => {
      const remedy = remedyOf(cause);
      if (remedy === 'none') throw explained(cause, place);
      if (since === null && remedy === 'wait' && timeoutMs > 0)
        note(`the journal ${place} does not answer: ${reasonOf(cause)}. Waiting for it up to ${timeoutMs / 1000} s`);
      since ??= monotonic();
      if (monotonic() - since >= timeoutMs) {
        giveUp();
        throw explained(cause, place);
      }
      await sleep(remedy === 'again' ? FIRST_WAIT_MS / 10 : wait);
      wait = Math.min(LONGEST_WAIT_MS, wait * 2);
    },
  };
}

async function once<T>(
  options: SessionOptions,
  connection: Connection,
  begin: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const listen = <R>(answer: Promise<R>): Promise<R> => heard(options, connection, answer);
  const cells = (await listen(connection.several(begin)))[1]?.[0] as [number, string?];
  const transaction: Transaction = {
    at: options.clock?.() ?? cells[0],
    rows: async <Cells>(text: string, ...values: Value[]) =>
      (await listen(connection.query(text, values))).rows as Cells[],
    change: async (text, ...values) => (await listen(connection.query(text, values))).count,
  };
  let result: T;
  try {
    result = await work(transaction);
  } catch (cause) {
    await listen(connection.several('ROLLBACK')).catch(() => connection.destroy());
    throw cause;
  }
  try {
    await listen(connection.several('COMMIT'));
  } catch (cause) {
    const id = cells[1];
    if (id === undefined || (!connection.isBroken && remedyOf(cause) !== 'wait')) throw cause;
    connection.destroy();
    throw new Undecided({ id, pid: connection.pid, result }, cause);
  }
  return result;
}

/** A network that swallows everything says nothing of it: while no answer comes, the database is asked whether one will. */
async function heard<R>(options: SessionOptions, connection: Connection, answer: Promise<R>): Promise<R> {
  let silent = 0;
  const timer = setInterval(() => {
    options.isWorking(connection.pid).then(
      // An answer may be on its way: only the second time it counts.
      (isWorking) => {
        silent = isWorking ? 0 : silent + 1;
        return silent > 1 ? connection.destroy() : undefined;
      },
      () => connection.destroy(),
    );
  }, SILENCE_MS);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}

/** Whether a transaction whose end nobody heard of has passed. @throws a failure that can be waited for, while that is open */
async function hasPassed(
  options: SessionOptions,
  connection: Connection,
  { transaction: { id, pid } }: Undecided,
): Promise<boolean> {
  // Its session may wait for words that never come.
  await options.terminate(pid);
  const { rows } = await connection.query('SELECT pg_xact_status($1::text::xid8)', [id]);
  const status = rows[0]?.[0] as string | null | undefined;
  if (status === 'aborted') return false;
  if (status === 'in progress') throw Object.assign(new Error('its last commit is under way'), { code: '57P03' });
  if (status !== 'committed')
    throw new JournalError(
      `the journal ${options.place} does not know its last transaction any more. Run the command again.`,
    );
  const barrier = options.barrier();
  if (barrier !== null) await connection.several(barrier);
  return true;
}
