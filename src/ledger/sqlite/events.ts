/** The log of the journal: who did what. */
import type { Caller, Deed, LedgerEvent } from '../event.js';
import type { Context } from './context.js';

/** What the log keeps beside the deed itself. */
interface Noted {
  /** Number of the run that it is about. */
  readonly run?: number;
  readonly note?: string;
  /** The payment that it is about, and its place in the run. */
  readonly payment?: number;
  readonly index?: number;
}

/**
 * Adds to the log. To be called within the transaction of what it tells.
 * @param done by whom and when, where that is not this call. @returns the number of the event
 */
export function addEvent(
  { sql, caller, now }: Context,
  deed: Deed,
  { run, note, payment, index }: Noted,
  done: (Caller & { readonly at: number }) | null = null,
): number {
  if (caller === null) throw new Error('a ledger that is only read is changed');
  const { what, ...facts } = deed;
  const { by, version, commandLine } = done ?? caller;
  const insert = sql(
    `INSERT INTO event (at, what, run, payment, idx, note, facts, user, host, version, command_line)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const about = [run ?? null, payment ?? null, index ?? null, note === '' ? null : (note ?? null)] as const;
  const who = [by.user, by.host, version, commandLine] as const;
  return Number(insert.run(done?.at ?? now(), what, ...about, JSON.stringify(facts), ...who).lastInsertRowid);
}

/** The columns that {@link callerOf} reads. */
export type CallerCells = readonly [user: string, host: string, version: string, commandLine: string];

/** SQL: who did the event `e`. */
export const CALLER_COLUMNS = 'e.user, e.host, e.version, e.command_line';

export function callerOf([user, host, version, commandLine]: CallerCells): Caller {
  return { by: { user, host }, version, commandLine };
}

type Cells = readonly [
  ...CallerCells,
  ...[number: number, at: number, what: string, run: string | null, note: string | null, facts: string],
];

/** {@link Ledger.events} */
export function selectEvents({ sql }: Context, since: number, after: number, count: number): LedgerEvent[] {
  const select = sql(
    `SELECT ${CALLER_COLUMNS}, e.id, e.at, e.what, run.name, e.note, e.facts
     FROM event e LEFT JOIN run ON run.number = e.run WHERE e.id > ? AND e.at >= ? ORDER BY e.id LIMIT ?`,
  );
  return (select.all(after, since, count) as Cells[]).map((cells) => {
    const [user, host, version, commandLine, number, at, what, run, note, facts] = cells;
    const deed = { what, ...(JSON.parse(facts) as object) } as Deed;
    return { number, at, run, note, deed, ...callerOf([user, host, version, commandLine]) };
  });
}
