/** What all parts of the shared ledger share: its transactions, who this process is, and its lease. */
import { JournalError } from '../../errors.js';
import type { Caller } from '../event.js';
import type { TargetName } from '../ledger.js';
import { requireInUse, type Standing, STANDING, type StandingCells, standingOf } from '../standing.js';
import type { Right } from './right.js';
import type { Session, Transaction } from './session.js';

export interface Context {
  readonly session: Session;
  /** Row number of this process; null for one that only reads. */
  readonly self: number | null;
  /** Who calls the program; null for one that only reads. */
  readonly caller: Caller | null;
  /** Whether this process may send. */
  readonly right: Right;
}

export const SHUT_OUT =
  'another process took this one for dead, because its lease on the journal had run out, and has taken over what it had under way. Was this machine paused or cut off? Run the command again.';

/** SQL: the process `pr` may be sending. */
export const ALIVE = 'pr.lease_until > clock_timestamp()';

/**
 * Locks for the length of a transaction. What changes outcomes and claims one by one shares the lock; what builds on all
 * of them has it alone, and so sees either all of such a change or nothing.
 */
export const LOCK = "6777191, 'journal'::regclass::oid::int";

/** To be the opening of a transaction: a statement of its own, so that those after it see what was done under the lock. */
export const SHARE = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;

export async function haveAlone(tx: Transaction): Promise<void> {
  await tx.rows(`SELECT pg_advisory_xact_lock(${LOCK})`);
  requireInUse(tx.place, await standing(tx));
}

/** {@link Ledger.standing} */
export async function standing(tx: Pick<Transaction, 'rows'>): Promise<Standing> {
  const [cells] = await tx.rows<StandingCells>(`SELECT ${STANDING} FROM journal`);
  return standingOf(cells ?? [null, null, null, null]);
}

/** Work of a process that may write: it holds its own row, so that nobody takes it over meanwhile. */
export function writing<T>({ session, self }: Context, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return session.write(
    (tx) => {
      if (!isRegistered(tx)) throw new JournalError(SHUT_OUT, { isPassing: true });
      return work(tx);
    },
    [registered(self)],
  );
}

/** To be the last opening of a transaction, from which {@link isRegistered} follows. */
export function registered(self: number | null): string {
  return `SELECT 1 FROM process WHERE id = ${self ?? 'NULL'} FOR KEY SHARE`;
}

/** Whether no other process has taken over what this one had under way. Until the end of the transaction none can. */
export function isRegistered({ opened }: Transaction): boolean {
  return opened.at(-1)?.length === 1;
}

/** Null where nothing was ever prepared at the target. */
export async function targetOf(
  tx: Transaction,
  { target, scope }: TargetName,
): Promise<{ id: number; gates: number } | null> {
  const [row] = await tx.rows<[number, number]>(
    'SELECT id, gates FROM target WHERE name = $1 AND scope = $2',
    target,
    scope,
  );
  return row === undefined ? null : { id: row[0], gates: row[1] };
}

/** Makes plans that were computed before this moment be computed again. Before {@link haveAlone}, as at the gate. */
export async function raiseGates(tx: Transaction, run: number): Promise<void> {
  await tx.change(raising(run));
}

export function raising(run: number): string {
  return `UPDATE target SET gates = gates + 1 WHERE id = (SELECT target FROM run WHERE number = ${run})`;
}

/** SQL: number of the last claim. */
export const LAST_CLAIM = '(SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM claim_number)';

export async function lastClaim(tx: Transaction): Promise<number> {
  return (await tx.rows<[number]>(`SELECT ${LAST_CLAIM}`))[0]?.[0] ?? 0;
}
