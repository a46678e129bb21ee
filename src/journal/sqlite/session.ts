/** Transactions on the file, one after the other. */
import { type Db, inLists, type Statement, transaction, writeWith } from '../../util/sqlite.js';
import type { SqlScalar, Session, Transaction, SqlValue } from '../store/driver.js';
import { asSqlite, bound, startStoring } from './dialect.js';
import { explained } from './failures.js';

export interface FileSession extends Session {
  /** Waits for nothing. @param passed runs once it is durable, before anything else on the connection */
  atOnce<Done, T>(work: (sql: Sql) => Done, passed: (done: Done) => T): Promise<T>;
  /** Anything else on the same connection, in its turn. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
}

/** The cached statement of a text. It returns rows as lists. */
export type Sql = (text: string) => Statement;

/** @param now wall clock, milliseconds since 1970 */
export function startSession(db: Db, file: string, now: () => number): FileSession {
  const sql = keptStatements(db);
  let tail: Promise<unknown> = Promise.resolve();
  // A connection can have only one transaction, and the store may wait between two statements.
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const mine = tail.then(work).catch((cause: unknown) => {
      throw explained(cause, file);
    });
    tail = mine.catch(() => undefined);
    return mine;
  };
  const within = (begin: string, opening: readonly string[], work: (tx: Transaction) => Promise<unknown>) =>
    inTurn(async () => {
      db.exec(begin);
      try {
        const opened = opening.map((text): unknown[] => sql(text).all());
        const result = await work(transactionOn(sql, opened, now()));
        db.exec('COMMIT');
        return result;
      } catch (cause) {
        // A full disk may have ended the transaction already.
        if (db.isTransaction) db.exec('ROLLBACK');
        throw cause;
      }
    });
  return {
    read: <T>(work: (tx: Transaction) => Promise<T>) => within('BEGIN', [], work) as Promise<T>,
    write: <T>(work: (tx: Transaction) => Promise<T>, opening: readonly string[] = []) =>
      within('BEGIN IMMEDIATE', opening, work) as Promise<T>,
    atOnce: (work, passed) => inTurn(() => passed(transaction(db, () => work(sql)))),
    inTurn,
  };
}

/** Cached: a prepared statement holds memory until garbage collection, and preparing costs more than running. */
function keptStatements(db: Db): Sql {
  const kept = new Map<string, Statement>();
  return (text) => {
    let statement = kept.get(text);
    if (statement === undefined) kept.set(text, (statement = inLists(db.prepare(asSqlite(text)))));
    return statement;
  };
}

/** @param at when it begins, milliseconds since 1970 */
function transactionOn(sql: Sql, opened: readonly unknown[][], at: number): Transaction {
  return {
    at,
    opened,
    rows: async <Cells>(text: string, ...values: SqlValue[]) => sql(text).all(...values.map(bound)) as Cells[],
    change: async (text, ...values) => sql(text).run(...values.map(bound)).changes,
    insert: async (table, columns, rows) => {
      if (table === 'payment') insertPayments(sql, columns, rows);
      else {
        const text = `INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`;
        for (const row of rows) writeWith(sql(text), ...row);
      }
    },
  };
}

function insertPayments(sql: Sql, columns: readonly string[], rows: Iterable<readonly SqlScalar[]>): void {
  const stored = startStoring(columns);
  for (const row of rows) {
    const { insert, values } = stored(row);
    writeWith(sql(insert), ...values);
  }
}
