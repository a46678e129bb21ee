/** Connections to the database, one at a time. */
import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
// The driver alone: what else the package holds looks for a package that is not installed.
import Client from 'pg/lib/client.js';
import { JournalError } from '../../errors.js';
import type { PostgresqlPlace, PostgresqlTls, ServerAddress } from '../place.js';
import type { Value } from '../store/driver.js';
import { bound, statementOf } from './dialect.js';
import { closedWay } from './failures.js';

export interface Connection {
  /** Number of its process in the server; to end it, or to ask whether it still works. */
  readonly pid: number;
  /** Rows as lists, and how many rows were changed, of the store's SQL. The server keeps its plan. */
  query(text: string, values?: readonly Value[]): Promise<{ rows: unknown[][]; count: number }>;
  /**
   * Several statements in one text, without values: the rows of each.
   * @param longestMs the longest time for the answer, milliseconds
   */
  several(text: string, longestMs?: number): Promise<unknown[][][]>;
  readonly isBroken: boolean;
  /** Ends it without a word: what is under way fails. */
  destroy(): void;
  end(): Promise<void>;
}

/**
 * How values are read that are no text, by the numbers of PostgreSQL's types: bool, int8, int2, int4, oid, json. No number
 * of the journal is larger than a JavaScript number holds.
 */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => Number(text === 't')],
  ...[20, 21, 23, 26].map((type) => [type, Number] as const),
  [114, (text) => JSON.parse(text) as unknown],
]);

const TYPES = { getTypeParser: (type: number) => PARSERS.get(type) ?? ((text: string): unknown => text) };

/** How long the server may take to hear that a connection ends, milliseconds. */
const LONGEST_END_MS = 2000;

/**
 * @param answerMs the longest time for an answer, milliseconds; 0 for none
 * @throws what the driver or the system throws, or JournalError where the settings do not open the way
 */
export async function connect(place: PostgresqlPlace, server: ServerAddress, answerMs: number): Promise<Connection> {
  try {
    return await connectAsAsked(place, server, answerMs);
  } catch (cause) {
    throw closedWay(cause, place);
  }
}

async function connectAsAsked(place: PostgresqlPlace, server: ServerAddress, answerMs: number): Promise<Connection> {
  const { tls } = place;
  // A socket of this machine has no TLS.
  const mode = server.host.startsWith('/') ? 'disable' : tls.mode;
  try {
    return await connectWith(place, server, answerMs, mode === 'disable' ? false : tlsOptions(tls));
  } catch (cause) {
    // As PostgreSQL's own programs do where nothing is asked for.
    const isRefused = (cause as Error).message === 'The server does not support SSL connections';
    if (!isRefused || mode !== 'prefer') throw cause;
    return connectWith(place, server, answerMs, false);
  }
}

async function connectWith(
  { user, database, password, applicationName, connectMs }: PostgresqlPlace,
  { host, port }: ServerAddress,
  answerMs: number,
  ssl: false | ConnectionOptions,
): Promise<Connection> {
  const client = new Client({
    ...{ host, port, user, database, ssl, types: TYPES, application_name: applicationName },
    // Without one, the driver looks into the password file.
    ...(password === null ? {} : { password }),
    ...{ connectionTimeoutMillis: connectMs, keepAlive: true, keepAliveInitialDelayMillis: 10_000 },
    ...(answerMs === 0 ? {} : { query_timeout: answerMs }),
  });
  let isBroken = false;
  // What is under way fails as well; without a listener, an idle connection that breaks would end the program.
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
  // The server takes one at a time, and the driver wants that to be said.
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
      // A network that swallows everything would let it wait for ever.
      const timer = setTimeout(destroy, LONGEST_END_MS);
      await client.end();
      clearTimeout(timer);
    },
  };
}

/** As PostgreSQL's documentation describes the modes: only the last two protect from one who poses as the server. */
function tlsOptions({ mode, rootCert, cert, key, password }: PostgresqlTls): ConnectionOptions {
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
