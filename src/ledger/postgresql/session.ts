/**
 * Transactions on the database. Each is done once, whatever happens to the connection: one that was cut off before its
 * end is done again, and of one that was cut off at its end the database is asked whether it has passed.
 */
import { JournalError } from '../../errors.js';
import type { Session, Transaction, Value } from '../store/driver.js';
import { insertion } from './dialect.js';
import type { Connection } from './connection.js';
import { explained, isReadOnly, reasonOf, remedyOf } from './failures.js';

export interface ServerSession extends Session {
  end(): Promise<void>;
}

export interface SessionOptions {
  /** Opens a connection that is ready to be used. */
  readonly connect: () => Promise<Connection>;
  /** Whether a session of the server still works at what it was told. Fails where nothing is known. */
  readonly isWorking: (pid: number) => Promise<boolean>;
  /** Ends a session of the server that nobody listens to any more. Gives whether it was there. */
  readonly terminate: (pid: number) => Promise<boolean>;
  /** Row number of this process; null for one that only reads, and before it is written down. */
  readonly self: () => number | null;
  /** Told of the database's time, milliseconds since 1970, as soon as it is known. */
  readonly onTime: (at: number) => void;
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
// Not READ WRITE: an administrator's read-only setting is respected.
const WRITE = `BEGIN ISOLATION LEVEL READ COMMITTED; ${NOW}`;

/** How long no answer may come before the database is asked about it, milliseconds. */
const SILENCE_MS = 5000;
/** Rows that are sent to the database at once. */
const SLICE = 2000;
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [100, 2000];

/** The connection was lost while the transaction was being made durable. */
class Undecided extends Error {
  override readonly name = 'Undecided';
  readonly transaction: { readonly mark: Mark; readonly pid: number; readonly result: unknown };

  constructor(transaction: Undecided['transaction'], cause: unknown) {
    super(reasonOf(cause), { cause });
    this.transaction = transaction;
  }
}

/**
 * Each transaction that writes leaves its number with its process, so that it can be asked for. The server's own numbers of
 * transactions would not do: after a crash it gives some of them again.
 */
interface Mark {
  readonly self: number;
  readonly serial: number;
}

export function startSession(options: SessionOptions): ServerSession {
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
  let serial = 0;
  // One transaction at a time: a connection can have no more.
  const inTurn = <T>(begin: readonly string[], work: (tx: Transaction) => Promise<T>): Promise<T> => {
    const mine = tail.then(async () => {
      const self = begin[0] === WRITE ? options.self() : null;
      const mark = self === null ? null : { self, serial: ++serial };
      const result = await decided(options, connected, patience(), { begin, mark, work });
      hasGivenUp = false;
      return result;
    });
    tail = mine.catch(() => undefined);
    return mine;
  };
  return {
    read: (work) => inTurn([READ], work),
    write: (work, opening = []) => inTurn([WRITE, ...opening], work),
    end: async () => {
      await tail;
      await connection?.end().catch(() => undefined);
    },
  };
}

interface Job<T> {
  /** The statements that it begins with. */
  readonly begin: readonly string[];
  /** Null where it may be done twice. */
  readonly mark: Mark | null;
  readonly work: (tx: Transaction) => Promise<T>;
}

/** Tries until the work is done or it is known that it cannot be. @throws JournalError */
async function decided<T>(
  options: SessionOptions,
  connected: () => Promise<Connection>,
  patience: Patience,
  job: Job<T>,
): Promise<T> {
  let undecided: Undecided | null = null;
  for (;;) {
    let connection: Connection | null = null;
    try {
      connection = await connected();
      if (undecided !== null && (await hasPassed(options, connection, undecided)))
        return undecided.transaction.result as T;
      undecided = null;
      return await once(options, connection, job);
    } catch (cause) {
      if (cause instanceof Undecided) undecided = cause;
      // A session keeps the settings of its beginning: whether it may write by now, only a new one knows.
      if (isReadOnly(cause)) connection?.destroy();
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

async function once<T>(options: SessionOptions, connection: Connection, { begin, mark, work }: Job<T>): Promise<T> {
  const listen = <R>(answer: Promise<R>): Promise<R> => heard(options, connection, answer);
  let result: T;
  try {
    const begun = await listen(connection.several(begin.join('; ')));
    const [, [[at]], ...opened] = begun as [unknown, [[number]], ...unknown[][][]];
    options.onTime(at);
    result = await work(transactionOn(connection, { at: options.clock?.() ?? at, opened }, listen));
  } catch (cause) {
    await listen(connection.several('ROLLBACK')).catch(() => connection.destroy());
    throw cause;
  }
  try {
    await listen(connection.several(mark === null ? 'COMMIT' : `${marked(mark)}; COMMIT`));
  } catch (cause) {
    const isUndecided = mark !== null && (connection.isBroken || remedyOf(cause) === 'wait');
    connection.destroy();
    if (!isUndecided) throw cause;
    throw new Undecided({ mark, pid: connection.pid, result }, cause);
  }
  return result;
}

/** @param listen waits for an answer */
function transactionOn(
  connection: Connection,
  begun: Pick<Transaction, 'at' | 'opened'>,
  listen: <R>(answer: Promise<R>) => Promise<R>,
): Transaction {
  return {
    ...begun,
    rows: async <Cells>(text: string, ...values: Value[]) =>
      (await listen(connection.query(text, values))).rows as Cells[],
    change: async (text, ...values) => (await listen(connection.query(text, values))).count,
    insert: async (table, columns, rows) => {
      const text = insertion(table, columns);
      const all = [...rows];
      for (let from = 0; from < all.length; from += SLICE)
        await listen(connection.query(text, [all.slice(from, from + SLICE)]));
    },
  };
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

function marked({ self, serial }: Mark): string {
  return `UPDATE progress SET serial = ${serial} WHERE process = ${self}`;
}

/**
 * Whether a transaction whose end nobody heard of has passed. What was written before is as durable as what this writes.
 * @throws a failure that can be waited for, while that is open
 */
async function hasPassed(
  options: SessionOptions,
  connection: Connection,
  { transaction: { mark, pid } }: Undecided,
): Promise<boolean> {
  // Its session may wait for words that never come, or still have to hear the last ones.
  if (await options.terminate(pid))
    throw Object.assign(new Error('its last session is being ended'), { code: '57P03' });
  const ask = 'UPDATE progress SET serial = serial WHERE process = $1 RETURNING serial';
  const { rows } = await heard(options, connection, connection.query(ask, [mark.self]));
  const serial = rows[0]?.[0] as number | undefined;
  if (serial === undefined)
    throw new JournalError(`the journal ${options.place} does not know this process any more. Run the command again.`, {
      isPassing: true,
    });
  return serial === mark.serial;
}
