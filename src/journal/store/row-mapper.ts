/** Rows as objects: the SQL of each member is next to its name. */
import type { StorageFormat, Transaction, SqlValue } from './driver.js';

/** Returns the cell of a column, by its SQL. Null stays null; `read` converts any other cell. */
export type Cell = <T>(sql: string, read?: (cell: never) => T) => T;

export interface RowMapper<T> {
  /** SQL of the columns. */
  readonly columns: string;
  readonly read: (cells: readonly unknown[]) => T;
}

/**
 * A mapper is written as the object that a row becomes. It must ask for the same columns in the same order each time:
 * first without a row, to collect the columns, then for each row. So it must not depend on a cell before it has asked
 * for all.
 */
export function rowMapper<T>(write: (of: Cell) => T): RowMapper<T> {
  const columns: string[] = [];
  write((sql) => {
    columns.push(sql);
    return null as never;
  });
  let row: readonly unknown[] = [];
  let next = 0;
  const of: Cell = (_sql, read) => {
    const cell = row[next++] as never;
    return read === undefined || cell === null ? cell : read(cell);
  };
  return {
    columns: columns.join(),
    read: (cells) => {
      row = cells;
      next = 0;
      return write(of);
    },
  };
}

/** The rows of a query. @param from SQL: everything after the columns */
export async function select<T>(tx: Transaction, { columns, read }: RowMapper<T>, from: string, ...values: SqlValue[]) {
  const rows = await tx.rows<readonly unknown[]>(`SELECT ${columns} ${from}`, ...values);
  return rows.map(read);
}

/** The body of the payment `p`; null if it was removed. @param key null while the columns are collected */
export function bodyIn(of: Cell, key: string, form: StorageFormat, p = 'p'): string | null {
  const place = of<number | null>(`key_place_of(${p})`);
  return of(`${p}.body`, (stored: string) => form.bodyOf(stored, key, place));
}

/** SQL: the ID of the payee in the body of the payment `p`, and what follows. To parse bodies would take twice as long. */
export const PAYEE_ID = `substr(p.body, nullif(strpos(p.body, '"user_id":"'), 0) + 11)`;

/** The ID of a payee as it was sent. @param text see {@link PAYEE_ID} */
export function payeeIdIn(text: string): string {
  if (!text.includes('\\')) return text.slice(0, text.indexOf('"'));
  const [id = ''] = /^(?:[^"\\]|\\.)*/.exec(text) ?? [];
  return JSON.parse(`"${id}"`) as string;
}
