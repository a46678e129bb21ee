/** The journal in a file, as rows. */
import { join } from 'node:path';
import type { World } from '../../world.js';
import type { Caller } from '../event.js';
import { isUuid, KEY, keyOf, placeOfKey, wholeBody, withoutKey } from '../sqlite/compact.js';
import { type Context, keptStatements, lastClaim } from '../sqlite/context.js';
import { addEvent } from '../sqlite/events.js';
import { JOURNAL_FILE, openForWriting } from '../sqlite/file.js';
import { guarded } from '../sqlite/guard.js';
import { IS_ENDED } from '../sqlite/runs.js';
import { setStanding, standing } from '../sqlite/standing.js';
import type { Standing } from '../standing.js';
import { type Db, emptyLog } from '../../util/sqlite.js';
import { type Archive, historyIn, type Kind, KINDS, LAST_PAYMENT, type Row } from './archive.js';

/** @throws JournalError */
export function openFileArchive(folder: string, caller: Caller, { platform, now }: World): Archive {
  const file = join(folder, JOURNAL_FILE);
  const { db } = openForWriting(folder, platform);
  const sql = keptStatements(db);
  const context = { db, sql, caller, now, file } as Context;
  const value = (text: string): number | null => (sql(text).get() as unknown as [number | null])[0];
  const calls = {
    begin: (alone: boolean) => db.exec(alone ? 'BEGIN IMMEDIATE' : 'BEGIN'),
    commit: () => db.exec('COMMIT'),
    leave: () => leave(db),
    isEmpty: () => isEmpty(context),
    isBusy: () => sql('SELECT 1 FROM claim UNION ALL SELECT 1 FROM delivery LIMIT 1').get() !== undefined,
    page: (kind: Kind, after: Row | null, count: number) => page(context, kind, after, count),
    write: (kind: Kind, rows: readonly Row[]) => write(context, kind, rows),
    lastClaim: () => lastClaim(context),
    setLastClaim: (claim: number) => void sql("UPDATE sqlite_sequence SET seq = ? WHERE name = 'claim'").run(claim),
    tell: (deed: Parameters<Archive['tell']>[0]) => void addEvent(context, deed, {}),
    unfinished: () => value(`SELECT count(*) FROM run WHERE passed = 1 AND NOT ${IS_ENDED}`) ?? 0,
    lastPaymentAt: () => value(LAST_PAYMENT),
    standing: () => standing(db),
    setStanding: (to: Standing) => setStanding(db, to),
    now,
  } satisfies Synchronous;
  return guarded(calls, file);
}

/** What SQLite answers at once. */
type Synchronous = {
  readonly [Name in keyof Archive]: Archive[Name] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};

function leave(db: Db): void {
  try {
    if (db.isTransaction) db.exec('ROLLBACK');
    // All in one file, so that it can be carried away as it is.
    emptyLog(db);
  } finally {
    db.close();
  }
}

function isEmpty({ sql }: Context): boolean {
  const tables = ['target', 'run', 'payment', 'event'];
  return tables.every((table) => sql(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined);
}

/** SQL of the columns that are not simply there. */
const READ: Readonly<Record<string, string>> = {
  key: KEY.replaceAll('p.', 'r.'),
  body_hash: 'lower(hex(r.body_hash))',
  stands:
    'EXISTS (SELECT 1 FROM by_key b WHERE b.target = r.target AND b.key = r.key AND b.type = r.type AND b.payment = r.id)',
};

function page({ sql }: Context, kind: Kind, after: Row | null, count: number): Row[] {
  const isPayment = kind.name === 'payment';
  const columns = kind.columns.map((name) => `CAST(${(isPayment && READ[name]) || `r.${name}`} AS TEXT)`);
  const keys = kind.columns.slice(0, kind.keys);
  const from =
    after === null
      ? ''
      : ` AND (${keys.map((key) => `r.${key}`).join()}) > (${keys.map(() => 'CAST(? AS INTEGER)').join()})`;
  const select = sql(
    `SELECT ${columns.join()}${isPayment ? ', r.key_place' : ''} FROM ${kind.name} r
     WHERE ${historyIn(kind)}${from} ORDER BY ${keys.map((key) => `r.${key}`).join()} LIMIT ${count}`,
  );
  const rows = select.all(...(after ?? []).slice(0, kind.keys)) as (string | null)[][];
  return isPayment ? rows.map(wholePayment) : rows;
}

function wholePayment(cells: (string | null)[]): Row {
  const place = cells.pop() as unknown as number | null;
  const key = keyOf(cells[KEY_AT] as string);
  const [hash = null, body = null, stands = null] = cells.slice(KEY_AT + 1);
  return [...cells.slice(0, KEY_AT), key, hash, wholeBody(body, key, place), stands];
}

function write({ sql }: Context, kind: Kind, rows: readonly Row[]): void {
  if (kind.name === 'payment') {
    for (const row of rows) writePayment(sql, row);
    // The number of a preparation whose drafts another run has taken is not given again.
    const taken = "UPDATE sqlite_sequence SET seq = max(seq, CAST(? AS INTEGER) >> 31) WHERE name = 'run'";
    sql(taken).run(rows.at(-1)?.[0] ?? '0');
    return;
  }
  const insert = sql(
    `INSERT INTO ${kind.name} (${kind.columns.join()}) VALUES (${kind.columns.map(() => '?').join()})`,
  );
  for (const row of rows) insert.run(...row);
}

const PAYMENT_COLUMNS = KINDS.find(({ name }) => name === 'payment')?.columns ?? [];
const [KEY_AT, RUN_AT] = [PAYMENT_COLUMNS.indexOf('key'), PAYMENT_COLUMNS.indexOf('run')];

/** The file takes texts of numbers for numbers, as its columns say. */
function writePayment(sql: Context['sql'], row: Row): void {
  const [id, target, type] = row as [string, string, string];
  const [key, hash, body, stands] = row.slice(KEY_AT) as [string, string, string | null, string];
  const bytes = isUuid(key) ? "unhex(?, '-')" : '?';
  const place = body === null ? null : placeOfKey(body, key);
  sql(
    `INSERT INTO payment (${PAYMENT_COLUMNS.slice(0, KEY_AT).join()}, key, key_place, body_hash, body)
     VALUES (${'?, '.repeat(KEY_AT)}${bytes}, ?, unhex(?), ?)`,
  ).run(...row.slice(0, KEY_AT), key, place, hash, body === null ? null : withoutKey(body, key, place));
  // What was left out is no payment.
  if (row[RUN_AT] !== '0') sql('INSERT INTO by_similarity (similarity, payment) VALUES (?, ?)').run(row[4] ?? null, id);
  if (stands === '1')
    sql(`INSERT INTO by_key (target, key, type, payment) VALUES (?, ${bytes}, ?, ?)`).run(target, key, type, id);
}
