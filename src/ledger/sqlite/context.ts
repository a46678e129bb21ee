/** What all parts of the SQLite ledger share: the open file, its statements, and who this process is. */
import { JournalError } from '../../errors.js';
import { type Db, inLists, snapshot, type Statement, transaction } from '../../util/sqlite.js';
import type { Caller } from '../event.js';
import type { TargetName } from '../ledger.js';
import type { PaymentId } from '../payment.js';
import { requireUse } from './standing.js';

export interface Context {
  readonly db: Db;
  /** Path of the journal. */
  readonly file: string;
  /** Row number of this process; null for one that only reads. */
  readonly self: number | null;
  /** Who calls the program; null for one that only reads. */
  readonly caller: Caller | null;
  /** The kept statement of this text; it gives rows as lists. */
  readonly sql: (text: string) => Statement;
  /** Whether the process of this name lives. */
  readonly isAlive: (name: string) => boolean;
  /** Removes the lock file of a dead process. */
  readonly forgetLock: (name: string) => void;
  /** @throws JournalError when the file of that name is no longer the one that is open */
  readonly requireFile: () => void;
  /** What this process has claimed and not settled. */
  readonly own: OwnClaims;
  /** Wall clock, milliseconds since 1970. */
  readonly now: () => number;
}

export interface OwnClaims {
  /** Payment → its claim. */
  readonly payments: Map<PaymentId, number>;
  /** Claim → how many of its payments are not settled. */
  readonly left: Map<number, number>;
}

/** Statements are kept: each prepared one holds memory until it is collected, and preparing costs more than running. */
export function keptStatements(db: Db): (text: string) => Statement {
  const kept = new Map<string, Statement>();
  return (text) => {
    let statement = kept.get(text);
    if (statement === undefined) kept.set(text, (statement = inLists(db.prepare(text))));
    return statement;
  };
}

/** Work in a snapshot: nothing that others write is seen in the middle. */
export function reading<T>({ db }: Context, work: () => T): T {
  return snapshot(db, work);
}

/**
 * Work in a transaction of a process that may write. A process that was taken for dead, because somebody removed its lock,
 * has lost its claims and drafts: it must neither claim nor pass a gate.
 */
export function writing<T>(context: Context, work: () => T): T {
  return transaction(context.db, () => {
    requireUse(context.db, context.file);
    if (!isRegistered(context)) throw new JournalError(TAKEN_OVER, { isPassing: true });
    return work();
  });
}

export const TAKEN_OVER =
  'another process took this one for dead, and has taken over what it had under way. Were files of the state folder removed? Run the command again.';

/** Whether no other process has taken over what this one had under way. */
export function isRegistered({ sql, self }: Context): boolean {
  return sql('SELECT 1 FROM process WHERE id = ?').get(self) !== undefined;
}

/** Null where nothing was ever prepared at the target. */
export function targetOf({ sql }: Context, { target, scope }: TargetName): { id: number; gates: number } | null {
  const row = sql('SELECT id, gates FROM target WHERE name = ? AND scope = ?').get(target, scope) as
    [number, number] | undefined;
  return row === undefined ? null : { id: row[0], gates: row[1] };
}

/** Makes plans that were computed before this moment be computed again. */
export function raiseGates({ sql }: Context, run: number): void {
  sql('UPDATE target SET gates = gates + 1 WHERE id = (SELECT target FROM run WHERE number = ?)').run(run);
}

/** Number of the last claim. */
export function lastClaim({ sql }: Context): number {
  return (sql("SELECT seq FROM sqlite_sequence WHERE name = 'claim'").get() as [number] | undefined)?.[0] ?? 0;
}

/** Uses up the number of a claim, so that what is written from now on has a later one than what was written before. */
export function skipClaim({ sql }: Context): void {
  sql("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'claim'").run();
}
