/** A journal as rows that are the same in every database, so that all of them can be copied. */
import { columnsIn, COMMON_TABLES } from '../store/common-schema.js';
import { NEWEST_PAYMENT } from '../store/outcomes.js';
import type { Counters, CopyDriver, StorageFormat, Transaction } from '../store/driver.js';
import { bodyIn, select, type RowMapper, rowMapper } from '../store/row-mapper.js';
import { IS_ENDED } from '../store/transactions.js';

/** A journal in the middle of one long transaction. */
export interface Side {
  readonly driver: CopyDriver;
  readonly tx: Transaction;
}

/** Values as text, in the same form from each database; null for none. */
export type CopyRow = readonly (string | null)[];

export interface CopyTable {
  /** The table. */
  readonly name: TableName;
  /** Number of leading columns that identify a row; rows are read in their order. All of them are whole numbers. */
  readonly keys: number;
  readonly columns: readonly string[];
}

export type TableName =
  'target' | 'run' | 'file' | 'payment' | 'span' | 'invalid_record' | 'outcome' | 'written_file' | 'event';

const TABLE_COLUMNS = columnsIn(COMMON_TABLES);

/** @param others columns that are computed, not simply those of the table */
function copyTable(name: TableName, keys: number, others: readonly string[] = []): CopyTable {
  // Claims of running processes are not part of the history.
  const columns = [...(TABLE_COLUMNS.get(name)?.keys() ?? [])].filter((column) => column !== 'process');
  return { name, keys, columns: [...columns, ...others] };
}

/** Each database has a different way to store the person of an event. */
const EVENT_COLUMNS = 'id at what run payment idx note facts user host version command_line'.split(' ');

/** The history, without the records of runs that never passed their gate. */
export const COPY_TABLES: readonly CopyTable[] = [
  copyTable('target', 1),
  copyTable('run', 1),
  copyTable('file', 2),
  // `stands`: whether its key leads to it.
  copyTable('payment', 1, ['stands']),
  copyTable('span', 2),
  copyTable('invalid_record', 2),
  copyTable('outcome', 1),
  copyTable('written_file', 1),
  copyTable('event', 1, EVENT_COLUMNS),
];

/** Whether the journal has never stored anything. */
export async function isEmptyJournal(tx: Transaction): Promise<boolean> {
  for (const table of ['target', 'run', 'payment', 'event'])
    if ((await tx.rows(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return false;
  return true;
}

/** Whether a process is sending, or has left open claims. */
export async function isBusy(tx: Transaction): Promise<boolean> {
  return (await tx.rows('SELECT 1 FROM claim UNION ALL SELECT 1 FROM delivery LIMIT 1')).length > 0;
}

async function singleNumber(tx: Transaction, text: string): Promise<number | null> {
  return (await tx.rows<[number | null]>(text))[0]?.[0] ?? null;
}

/** Number of runs that have neither ended nor been closed. */
export async function countUnfinished(tx: Transaction): Promise<number> {
  return (await singleNumber(tx, `SELECT count(*) FROM run WHERE passed AND NOT ${IS_ENDED}`)) ?? 0;
}

/** When the newest payment was created or came into doubt, milliseconds since 1970; null if there is none. */
export function newestPaymentAt(tx: Transaction): Promise<number | null> {
  return singleNumber(tx, `SELECT ${NEWEST_PAYMENT} FROM outcome o`);
}

/** The target must use numbers after these. */
export async function countersFor(target: Transaction, source: Transaction): Promise<Counters> {
  const last = async (text: string): Promise<number> => (await singleNumber(target, text)) ?? 0;
  // Another run may have taken over the drafts of a preparation: its number must not be used again.
  const runs = [await last('SELECT max(number) FROM run'), await last('SELECT max(id) >> 31 FROM payment')];
  return {
    target: await last('SELECT max(id) FROM target'),
    run: Math.max(...runs),
    event: await last('SELECT max(id) FROM event'),
    // Stamps of outcomes are such numbers.
    claim: (await singleNumber(source, 'SELECT last_claim()')) ?? 0,
  };
}

/** SQL: the rows that are history. Drafts are not: they have no run before the gate. */
function historyIn({ name }: CopyTable): string {
  if (name === 'run') return 'r.passed = TRUE';
  if (name !== 'payment') return 'TRUE';
  return '(r.run IS NOT NULL OR EXISTS (SELECT 1 FROM run h WHERE h.number = r.id >> 31 AND h.passed = TRUE))';
}

/** SQL of the columns that are computed. This hash is larger than a JavaScript number can hold. */
const COMPUTED_COLUMNS: Readonly<Record<string, string>> = {
  content: 'CAST(r.content AS text)',
  stands: `EXISTS (SELECT 1 FROM by_key b WHERE b.target = r.target AND b.key = r.key AND b.type = r.type AND b.payment = r.id)`,
  user: 'user_of(r)',
};

/** A row `r` as texts. Keys, hashes and bodies are converted back from their stored form. */
function rowMapperOf({ name, columns }: CopyTable, form: StorageFormat): RowMapper<CopyRow> {
  return rowMapper((of) => {
    const whole = new Map<string, string | null>();
    if (name === 'payment') {
      const key = of('key_of(r)', form.keyOf);
      whole
        .set('key', key)
        .set('body_hash', of('hash_of(r)', form.hashOf))
        .set('body', bodyIn(of, key, form, 'r'));
    }
    return columns.map((column) =>
      whole.has(column) ? (whole.get(column) ?? null) : of(COMPUTED_COLUMNS[column] ?? `r.${column}`, String),
    );
  });
}

/** Rows after the one with these keys; null: from the start. */
export function readPage(
  { driver, tx }: Side,
  kind: CopyTable,
  after: CopyRow | null,
  count: number,
): Promise<CopyRow[]> {
  const keys = kind.columns
    .slice(0, kind.keys)
    .map((key) => `r.${key}`)
    .join();
  const last = (after ?? []).slice(0, kind.keys).map(Number);
  const from = after === null ? '' : ` AND (${keys}) > (${last.map((_key, i) => `$${i + 1}`).join()})`;
  const rows = `FROM ${kind.name} r WHERE ${historyIn(kind)}${from} ORDER BY ${keys} LIMIT ${count}`;
  return select(tx, rowMapperOf(kind, driver), rows, ...last);
}

/** Adds rows as {@link readPage} returns them. */
export async function writeRows({ driver, tx }: Side, kind: CopyTable, rows: readonly CopyRow[]): Promise<void> {
  if (kind.name !== 'payment') {
    const columns = kind.columns.map((name) => (name === 'user' ? driver.userColumn : name));
    return tx.insert(kind.name, columns, rows);
  }
  await tx.insert(
    'payment',
    kind.columns.slice(0, -1),
    rows.map((row) => row.slice(0, -1)),
  );
  const ids = rows.map(([id]) => Number(id));
  // Rows of records that were left out are not payments.
  await tx.change(
    `INSERT INTO by_payee SELECT payee, title, id FROM payment WHERE id = ANY ($1) AND run IS DISTINCT FROM 0`,
    ids,
  );
  const status = ids.filter((_id, i) => rows[i]?.at(-1) === '1');
  await tx.change('INSERT INTO by_key SELECT target, key, type, id FROM payment WHERE id = ANY ($1)', status);
}
