/** Connections to the database, one at a time. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
// Only the client: the rest of the package looks for a package that is not installed.
import Client from 'pg/lib/client.js';
import { JournalError } from '../../errors.js';
import type { PostgresqlPlace, PostgresqlTls, ServerAddress } from '../location.js';
import type { SqlValue } from '../store/driver.js';
import { bound, statementOf } from './dialect.js';
import { connectionRefusedReason } from './failures.js';

export interface Connection {
  /** Number of its process in the server; to end it, or to ask whether it still works. */
  readonly pid: number;
  /** Rows as lists, and the number of changed rows, for the store's SQL. The server caches its plan. */
  query(text: string, values?: readonly SqlValue[]): Promise<{ rows: unknown[][]; count: number }>;
  /** Several statements without values: the rows of each. @param longestMs time limit for the answer, milliseconds */
  several(text: string, longestMs?: number): Promise<unknown[][][]>;
  readonly isBroken: boolean;
  /** Ends it without notice: open queries fail. */
  destroy(): void;
  end(): Promise<void>;
}

/**
 * Conversion of values that are not text, by the numbers of PostgreSQL's types: bool, int8, int2, int4, oid, json.
 * Every number in the journal fits into a JavaScript number.
 */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => Number(text === 't')],
  ...[20, 21, 23, 26].map((type) => [type, Number] as const),
  [114, (text) => JSON.parse(text) as unknown],
]);

const TYPE_PARSERS = { getTypeParser: (type: number) => PARSERS.get(type) ?? ((text: string): unknown => text) };

/** How long the server may take to confirm the end of a connection, milliseconds. */
const LONGEST_END_MS = 2000;

/**
 * @param answerMs time limit for an answer, milliseconds; 0 for none
 * @throws the error of the driver or the system, or JournalError if only other settings help
 */
export async function connect(place: PostgresqlPlace, server: ServerAddress, answerMs: number): Promise<Connection> {
  try {
    return await connectAsAsked(place, server, answerMs);
  } catch (cause) {
    throw connectionRefusedReason(cause, place);
  }
}

async function connectAsAsked(place: PostgresqlPlace, server: ServerAddress, answerMs: number): Promise<Connection> {
  const { tls } = place;
  // A socket of this machine has no TLS.
  const mode = server.host.startsWith('/') ? 'disable' : tls.mode;
  try {
    return await connectWith(place, server, answerMs, mode === 'disable' ? false : tlsOptions(tls));
  } catch (cause) {
    // Falls back like PostgreSQL's programs when the settings do not require TLS.
    const isRefused = (cause as Error).message === 'The server does not support SSL connections';
    if (!isRefused || mode !== 'prefer') throw cause;
    return connectWith(place, server, answerMs, false);
  }
}

async function connectWith(
  place: PostgresqlPlace,
  { host, port }: ServerAddress,
  answerMs: number,
  ssl: false | ConnectionOptions,
): Promise<Connection> {
  const client = new Client({
    host,
    port,
    user: place.user,
    database: place.database,
    ssl,
    types: TYPE_PARSERS,
    application_name: place.applicationName,
    ...(place.password === null ? {} : { password: place.password }),
    connectionTimeoutMillis: place.connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 1e4,
    ...(answerMs === 0 ? {} : { query_timeout: answerMs }),
  });
  let isBroken = false;
  // Open queries fail as well. Without a listener, an idle connection that breaks would end the program.
  client.on('error', () => (isBroken = true));
  client.on('end', () => (isBroken = true));
  const destroy = (): void => {
    isBroken = true;
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  try {
    await client.connect();
  } catch (cause) {
    destroy();
    throw cause;
  }
  // The server takes one query at a time, and the driver requires callers to wait.
  let tail: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const mine = tail.then(ask);
    tail = mine.catch(() => undefined);
    return mine;
  };
  return {
    pid: (client as unknown as { processID: number }).processID,
    query: async (text, values = []) => {
      const statement = statementOf(text);
      const named = { name: statement.name, text: statement.text };
      const config = { ...named, values: bound(values, statement), rowMode: 'array' as const };
      const result = await inTurn(() => client.query<unknown[]>(config));
      return { rows: result.rows, count: result.rowCount ?? 0 };
    },
    several: async (text, longestMs) => {
      const limit = longestMs === undefined ? {} : { query_timeout: longestMs };
      const results = await inTurn(() => client.query({ text, rowMode: 'array', ...limit }));
      return [results].flat().map(({ rows }) => rows as unknown[][]);
    },
    get isBroken() {
      return isBroken;
    },
    destroy,
    end: async () => {
      if (isBroken) return;
      // If the network drops everything, the end would wait forever.
      const timer = setTimeout(destroy, LONGEST_END_MS);
      await client.end();
      clearTimeout(timer);
    },
  };
}

/** As PostgreSQL's documentation describes the modes: only the last two protect from a false server. */
function tlsOptions(tls: PostgresqlTls): ConnectionOptions {
  const { mode, rootCert, cert, key, password } = tls;
  const files = {
    ...(rootCert === null || rootCert === 'system' ? {} : { ca: read('sslrootcert', rootCert) }),
    ...(cert === null ? {} : { cert: read('sslcert', cert) }),
    ...(key === null || cert === null ? {} : { key: read('sslkey', key) }),
    ...(password === null ? {} : { passphrase: password }),
  };
  if (mode === 'verify-full') return files;
  if (mode === 'verify-ca' || (mode === 'require' && 'ca' in files))
    return { ...files, checkServerIdentity: () => undefined };
  return { ...files, rejectUnauthorized: false };
}

function read(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new JournalError(`${name}: cannot read the file ${path}: ${(cause as Error).message}`, { cause });
  }
}
