/**
 * Transactions on the database. Each takes effect exactly once, even if the connection breaks. A transaction that is
 * cut off before its end is repeated. If it is cut off at its end, the database is asked whether it has passed.
 */
import { JournalError } from '../../errors.js';
import type { Session, Transaction, SqlValue } from '../store/driver.js';
import { insertion } from './dialect.js';
import type { Connection } from './connection.js';
import { isReadOnly, failureMessage, remedyOf } from './failures.js';
import {
  connectInTime,
  type ReconnectPolicy,
  type LastContact,
  createReconnectPolicy,
  type WaitOptions,
} from './reconnect.js';
import type { SideChannel } from './server-connections.js';

export interface DatabaseSession extends Session {
  /** The same session, whose writing transactions take effect once for a process. @param self its row number */
  as(self: number): Session;
  /** The database's time, milliseconds since 1970; before its first answer, this machine's. */
  readonly now: () => number;
  end(): Promise<void>;
}

export interface SessionOptions extends WaitOptions {
  /** Opens a connection that is ready to be used. @param longestMs time limit, milliseconds */
  readonly connect: (longestMs: number) => Promise<Connection>;
  /** To ask about sessions of the server. */
  readonly sideChannel: SideChannel;
  /** Wall clock of this machine, milliseconds since 1970. */
  readonly now: () => number;
  /** In tests: replaces the database's clock; milliseconds since 1970. */
  readonly clock: (() => number) | null;
}

const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';
const BEGIN_READ = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${NOW}`;
// Not READ WRITE: an administrator's read-only setting is respected.
const BEGIN_WRITE = `BEGIN ISOLATION LEVEL READ COMMITTED; ${NOW}`;

/** After this time without an answer, the database is asked about the statement, milliseconds. */
const SILENCE_MS = 5000;
/** The most rows of a statement. */
const INSERT_ROWS = 2000;

/** The connection was lost during the commit. */
class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
  readonly transaction: { readonly mark: CommitMarker; readonly pid: number; readonly result: unknown };

  constructor(transaction: CommitUnknown['transaction'], cause: unknown) {
    super(failureMessage(cause), { cause });
    this.transaction = transaction;
  }
}

/**
 * Each writing transaction stores its number with its process, to find out later whether it has passed. The server's
 * transaction numbers would not work: after a crash it reuses some of them.
 */
interface CommitMarker {
  readonly self: number;
  readonly serial: number;
}

interface SessionContext extends SessionOptions, LastContact {
  /** When the database last told its time, by its clock and by this machine's for measuring waits. */
  readonly time: { at: number; monotonic: number };
}

/** Transactions before {@link DatabaseSession.as} may be done twice. */
export function startSession(given: SessionOptions): DatabaseSession {
  const time = { at: given.now(), monotonic: given.monotonic() };
  const options: SessionContext = { ...given, lastContact: { at: 0 }, time };
  let connection: Connection | null = null;
  // After one wait in vain, calls that clean up do not wait again.
  let hasGivenUp = false;
  const policy = (): ReconnectPolicy =>
    createReconnectPolicy(hasGivenUp ? { ...options, timeoutMs: 0 } : options, () => (hasGivenUp = true));
  let tail: Promise<unknown> = Promise.resolve();
  const connected = async (): Promise<Connection> => {
    options.lastContact.at = options.monotonic();
    if (connection?.isBroken === true) connection = null;
    return (connection ??= await connectInTime(options.connect, hasGivenUp, options.interrupted));
  };
  let serial = 0;
  // A connection can have only one transaction at a time.
  const inTurn = <T>(
    self: number | null,
    begin: readonly string[],
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> => {
    const mine = tail.then(async () => {
      const mark = self === null ? null : { self, serial: ++serial };
      const reconnect = policy();
      const result = await runExactlyOnce(options, connected, reconnect, { begin, mark, work });
      reconnect.end();
      hasGivenUp = false;
      return result;
    });
    tail = mine.catch(() => undefined);
    return mine;
  };
  const sessionOf = (self: number | null): Session => ({
    read: (work) => inTurn(null, [BEGIN_READ], work),
    write: (work, opening = []) => inTurn(self, [BEGIN_WRITE, ...opening], work),
  });
  return {
    ...sessionOf(null),
    as: sessionOf,
    now: () => Math.round(time.at + options.monotonic() - time.monotonic),
    end: async () => {
      await tail;
      await connection?.end().catch(() => undefined);
    },
  };
}

interface Job<T> {
  /** Its opening statements. */
  readonly begin: readonly string[];
  /** Null if it may be done twice. */
  readonly mark: CommitMarker | null;
  readonly work: (tx: Transaction) => Promise<T>;
}

/** Tries until the work is done or cannot succeed. @throws JournalError */
async function runExactlyOnce<T>(
  options: SessionContext,
  connected: () => Promise<Connection>,
  policy: ReconnectPolicy,
  job: Job<T>,
): Promise<T> {
  let unknown: CommitUnknown | null = null;
  for (;;) {
    let connection: Connection | null = null;
    try {
      connection = await connected();
      if (unknown !== null && (await wasCommitted(options, connection, unknown)))
        return unknown.transaction.result as T;
      unknown = null;
      return await once(options, connection, job);
    } catch (cause) {
      if (cause instanceof CommitUnknown) unknown = cause;
      // A session keeps its read-only setting: only a new session knows whether it may write by now.
      if (isReadOnly(cause)) connection?.destroy();
      await policy.retryOrThrow(cause instanceof CommitUnknown ? cause.cause : cause);
    }
  }
}

async function once<T>(options: SessionContext, connection: Connection, { begin, mark, work }: Job<T>): Promise<T> {
  const listen = <R>(answer: Promise<R>): Promise<R> => withLivenessCheck(options, connection, answer);
  let result: T;
  try {
    const begun = await listen(connection.several(begin.join('; ')));
    const [, [[at]], ...opened] = begun as [unknown, [[number]], ...unknown[][][]];
    options.time.at = at;
    options.time.monotonic = options.monotonic();
    result = await work(transactionOn(connection, options.clock?.() ?? at, opened, listen));
  } catch (cause) {
    await listen(connection.several('ROLLBACK')).catch(() => connection.destroy());
    throw cause;
  }
  try {
    await listen(connection.several(mark === null ? 'COMMIT' : `${storeMarker(mark)}; COMMIT`));
  } catch (cause) {
    const isUnknown = mark !== null && (connection.isBroken || remedyOf(cause) === 'wait');
    connection.destroy();
    if (!isUnknown) throw cause;
    throw new CommitUnknown({ mark, pid: connection.pid, result }, cause);
  }
  return result;
}

/** @param listen waits for an answer */
function transactionOn(
  connection: Connection,
  at: number,
  opened: Transaction['opened'],
  listen: <R>(answer: Promise<R>) => Promise<R>,
): Transaction {
  return {
    at,
    opened,
    rows: async <Cells>(text: string, ...values: SqlValue[]) =>
      (await listen(connection.query(text, values))).rows as Cells[],
    change: async (text, ...values) => (await listen(connection.query(text, values))).count,
    insert: async (table, columns, rows) => {
      const text = insertion(table, columns);
      const all = [...rows];
      for (let from = 0; from < all.length; from += INSERT_ROWS)
        await listen(connection.query(text, [all.slice(from, from + INSERT_ROWS)]));
    },
  };
}

/** A dead network reports nothing: while no answer comes, the database is asked whether one will. */
async function withLivenessCheck<R>(options: SessionContext, connection: Connection, answer: Promise<R>): Promise<R> {
  const { lastContact, sideChannel, monotonic } = options;
  lastContact.at = monotonic();
  let silent = 0;
  const timer = setInterval(() => {
    isWorking(sideChannel, connection.pid).then(
      // An answer may be on its way: only the second time counts.
      (isAtWork) => {
        if (isAtWork) lastContact.at = monotonic();
        silent = isAtWork ? 0 : silent + 1;
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

/** The server reuses session numbers: only sessions of this program count. */
const OWN_SESSION =
  "FROM pg_stat_activity WHERE pid = $1 AND usename = session_user AND application_name = current_setting('application_name')";

/** Whether a session of the server is still working on its statement. Fails if the server cannot be asked. */
async function isWorking({ ask }: SideChannel, pid: number): Promise<boolean> {
  return (await ask(`SELECT 1 ${OWN_SESSION} AND state = 'active'`, [pid])).length > 0;
}

/** Ends an abandoned session of the server. @returns whether it existed */
async function terminate({ ask }: SideChannel, pid: number): Promise<boolean> {
  return (await ask(`SELECT pg_terminate_backend(pid) ${OWN_SESSION}`, [pid])).length > 0;
}

function storeMarker({ self, serial }: CommitMarker): string {
  return `UPDATE progress SET serial = ${serial} WHERE process = ${self}`;
}

/**
 * Whether a transaction with an unknown end has passed. This call writes too: if its write is durable, the earlier one
 * is as well.
 * @throws a temporary failure, while the answer is open
 */
async function wasCommitted(
  options: SessionContext,
  connection: Connection,
  { transaction: { mark, pid } }: CommitUnknown,
): Promise<boolean> {
  // Its session may wait for statements that never come, or still have some to process.
  if (await terminate(options.sideChannel, pid))
    throw Object.assign(new Error('its last session is being ended'), { code: '57P03' });
  const ask = 'UPDATE progress SET serial = serial WHERE process = $1 RETURNING serial';
  const { rows } = await withLivenessCheck(options, connection, connection.query(ask, [mark.self]));
  const serial = rows[0]?.[0] as number | undefined;
  if (serial === undefined)
    throw new JournalError(`the journal ${options.place} does not know this process any more. Run the command again.`, {
      isPassing: true,
    });
  return serial === mark.serial;
}
