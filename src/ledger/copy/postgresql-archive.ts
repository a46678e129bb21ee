/** The shared journal, as rows. */
import type { Caller, Deed } from '../event.js';
import type { PostgresqlPlace } from '../place.js';
import { type Context, LAST_CLAIM, LOCK, standing } from '../postgresql/context.js';
import type { Connection, Value } from '../postgresql/driver.js';
import { addEvent } from '../postgresql/events.js';
import { explained } from '../postgresql/failures.js';
import { IS_ENDED } from '../postgresql/runs.js';
import { makeSchema } from '../postgresql/schema.js';
import { connectTo } from '../postgresql/server.js';
import type { Transaction } from '../postgresql/session.js';
import { cellsOf } from '../standing.js';
import { type Archive, historyIn, type Kind, LAST_PAYMENT, type Row } from './archive.js';

/** @throws JournalError */
export async function openSharedArchive(place: PostgresqlPlace, caller: Caller): Promise<Archive> {
  try {
    const server = { history: null, user: place.user };
    const connection = await connectTo(place, server, { name: 'gigwork', connectMs: 10_000, answerMs: 0 });
    await makeSchema(connection, place.schema, place.shown, true);
    // The other journal may take its time.
    await connection.several('SET idle_in_transaction_session_timeout = 0');
    return explaining(archiveOn(connection, caller, place.shown), place.shown);
  } catch (cause) {
    throw explained(cause, place.shown);
  }
}

function archiveOn(connection: Connection, caller: Caller, place: string): Archive {
  const rows = async <Cells>(text: string, ...values: Value[]): Promise<Cells[]> =>
    (await connection.query(text, values)).rows as Cells[];
  const isThere = async (text: string): Promise<boolean> => (await rows(text)).length > 0;
  const change: Transaction['change'] = async (text, ...values) => (await connection.query(text, values)).count;
  const value = async (text: string): Promise<number | null> => (await rows<[number | null]>(text))[0]?.[0] ?? null;
  const now = async (): Promise<number> => (await value(NOW)) ?? 0;
  const context = { caller } as Context;
  return {
    begin: async (alone) => {
      // Before what is seen is settled: then nobody is in the middle of a change.
      await rows(`SELECT pg_advisory_lock(${LOCK})`);
      await connection.several('BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; SELECT 1 FROM journal');
      if (!alone) await rows(`SELECT pg_advisory_unlock(${LOCK})`);
    },
    commit: async () => void (await connection.several('COMMIT; SELECT pg_advisory_unlock_all()')),
    leave: () => connection.end(),
    isEmpty: async () => {
      const tables = ['target', 'run', 'payment', 'event'].map((table) => `(SELECT 1 FROM ${table} LIMIT 1)`);
      return !(await isThere(tables.join(' UNION ALL ')));
    },
    isBusy: () => isThere('(SELECT 1 FROM claim LIMIT 1) UNION ALL (SELECT 1 FROM delivery LIMIT 1)'),
    page: (kind, after, count) => rows<Row>(pageText(kind, after, count), ...(after ?? []).slice(0, kind.keys)),
    write: async (kind, given) => {
      for (const text of insertTexts(kind))
        await rows(text, ...kind.columns.map((_name, i) => given.map((row) => row[i] ?? null)));
      const counter = COUNTERS[kind.name];
      if (counter !== undefined)
        await rows(
          `SELECT setval(pg_get_serial_sequence($1, $2), $3::bigint)`,
          kind.name,
          counter,
          given.at(-1)?.[0] ?? '1',
        );
      if (kind.name === 'payment') await rows(NUMBERS_TAKEN, given.at(-1)?.[0] ?? '0');
    },
    lastClaim: async () => (await value(`SELECT ${LAST_CLAIM}`)) ?? 0,
    setLastClaim: async (claim) => void (claim > 0 && (await rows("SELECT setval('claim_number', $1::bigint)", claim))),
    tell: async (deed: Deed) => {
      const tx = { at: await now(), testTime: null, place, opened: [], rows, change };
      await addEvent(context, tx, deed, {});
    },
    unfinished: async () => (await value(`SELECT count(*) FROM run WHERE passed AND NOT ${IS_ENDED}`)) ?? 0,
    lastPaymentAt: () => value(LAST_PAYMENT),
    standing: () => standing({ rows }),
    setStanding: async (to) => {
      const set = 'UPDATE journal SET copy_of = $1, copied_at = $2::bigint, moved_to = $3, moved_at = $4::bigint';
      await rows(set, ...cellsOf(to));
    },
    now,
  };
}

const NOW = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Columns that the database numbers by itself. */
const COUNTERS: Readonly<Record<string, string>> = { target: 'id', run: 'number', event: 'id' };

/** SQL: the number of a preparation whose drafts another run has taken is not given again. */
const NUMBERS_TAKEN = `SELECT setval(pg_get_serial_sequence('run', 'number'),
  greatest((SELECT max(number) FROM run), $1::bigint >> 31))`;

/** SQL of the columns that are not simply there. */
const READ: Readonly<Record<string, string>> = {
  body_hash: "encode(r.body_hash, 'hex')",
  stands:
    '(EXISTS (SELECT FROM by_key b WHERE b.target = r.target AND b.key = r.key AND b.type = r.type AND b.payment = r.id))::int',
  user: 'coalesce(r.copied_user, r.user_name)',
  ...{ skip_created: 'r.skip_created::int', skip_similar: 'r.skip_similar::int', passed: 'r.passed::int' },
};

function pageText(kind: Kind, after: Row | null, count: number): string {
  const columns = kind.columns.map((name) => `(${READ[name] ?? `r.${name}`})::text`);
  const keys = kind.columns.slice(0, kind.keys).map((key) => `r.${key}`);
  const from = after === null ? '' : ` AND (${keys.join()}) > (${keys.map((_key, i) => `$${i + 1}::bigint`).join()})`;
  return `SELECT ${columns.join()} FROM ${kind.name} r WHERE ${historyIn(kind)}${from}
    ORDER BY ${keys.join()} LIMIT ${count}`;
}

/** Columns that are no texts, with their types. */
const TYPES: readonly (readonly [type: string, names: ReadonlySet<string>])[] = [
  ['smallint', new Set(['type', 'state', 'http_status'])],
  ['boolean', new Set(['skip_created', 'skip_similar', 'passed'])],
  [
    'int',
    new Set([
      ...['number', 'target', 'run', 'position', 'records', 'idx', 'count', 'file', 'record', 'line'],
      ...['exit_code', 'attempts'],
    ]),
  ],
  [
    'bigint',
    new Set([
      ...['id', 'gates', 'moment', 'started_at', 'finished_at', 'begun', 'closed', 'content', 'similarity'],
      ...['reference', 'date', 'measure', 'replaced_by', 'lifetime', 'payment', 'stands_for', 'stamp', 'at'],
      'doubt_since',
    ]),
  ],
];

function insertTexts(kind: Kind): string[] {
  const stored = kind.columns.filter((name) => name !== 'stands');
  const into = stored.map((name) => (name === 'user' ? 'copied_user' : name));
  const values = stored.map((name) => {
    if (name === 'body_hash') return "decode(u.body_hash, 'hex')";
    const type = name === 'name' ? undefined : TYPES.find(([, names]) => names.has(name))?.[0];
    return type === undefined ? `u."${name}"` : `u."${name}"::${type}`;
  });
  const from = (names: readonly string[]): string =>
    `unnest(${names.map((_name, i) => `$${i + 1}::text[]`).join()}) u(${names.map((name) => `"${name}"`).join()})`;
  const insert = `INSERT INTO ${kind.name} (${into.join()}) OVERRIDING SYSTEM VALUE SELECT ${values.join()} FROM ${from(kind.columns)}`;
  if (kind.name !== 'payment') return [insert];
  return [
    insert,
    // What was left out is no payment.
    `INSERT INTO by_similarity SELECT u.similarity::bigint, u.id::bigint FROM ${from(kind.columns)} WHERE u.run IS DISTINCT FROM '0'`,
    `INSERT INTO by_key SELECT u.target::int, u.key, u.type::smallint, u.id::bigint FROM ${from(kind.columns)} WHERE u.stands = '1'`,
  ];
}

/** The same, whose failures say which journal they are about. */
function explaining(archive: Archive, place: string): Archive {
  const members = Object.entries(archive).map(([name, call]: [string, (...values: never[]) => Promise<unknown>]) => [
    name,
    async (...values: never[]) => {
      try {
        return await call(...values);
      } catch (cause) {
        throw explained(cause, place);
      }
    },
  ]);
  return Object.fromEntries(members) as Archive;
}
