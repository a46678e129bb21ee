/** Shared parts of the store's transactions. */
import { JournalError } from '../../errors.js';
import type { TargetName } from '../payment.js';
import {
  MOVED_ON,
  requireActive,
  type JournalStatus,
  STATUS_COLUMNS,
  type StatusCells,
  statusFromCells,
} from '../location.js';
import type { Driver, Transaction } from './driver.js';

/** Work of a process that may write: it holds its row, so that nobody takes it over meanwhile. */
export function writeAsProcess<T>(
  { session, self, fencedMessage }: Driver,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return session.write(
    (tx) => {
      if (!isNotFenced(tx)) throw new JournalError(fencedMessage, { isPassing: true });
      return work(tx);
    },
    [registered(self)],
  );
}

/** To be the last opening statement of a transaction; {@link isNotFenced} reads its result. */
export function registered(self: number | null): string {
  return `SELECT 1 FROM process WHERE id = ${self ?? 'NULL'} FOR KEY SHARE`;
}

/** Whether no other process has taken over this one's claims. Until the end of the transaction none can. */
export function isNotFenced({ opened }: Transaction): boolean {
  return opened.at(-1)?.length === 1;
}

/** {@link Driver.lockJournal}. @throws JournalError for a journal that is not in use */
export async function lockExclusively(driver: Driver, tx: Transaction): Promise<void> {
  await driver.lockJournal(tx);
  requireActive(driver.place, await readStatus(tx));
}

export async function readStatus(tx: Transaction): Promise<JournalStatus> {
  const [cells] = await tx.rows<StatusCells>(`SELECT ${STATUS_COLUMNS} FROM journal`);
  const found = statusFromCells(cells ?? [null, null, null, null]);
  if (found.movedTo === null) return found;
  const [[host] = []] = await tx.rows<[string]>(MOVED_ON);
  return { ...found, movedTo: { ...found.movedTo, ...(host === undefined ? {} : { host }) } };
}

/** Null if no run was ever prepared at the target. */
export async function findTarget(
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

/** Plans from before this moment must be computed again. To be called before {@link lockExclusively}, as at the gate. */
export async function bumpVersion(tx: Transaction, run: number): Promise<void> {
  await tx.change(raising(run));
}

export function raising(run: number): string {
  return `UPDATE target SET gates = gates + 1 WHERE id = (SELECT target FROM run WHERE number = ${run})`;
}

export async function lastClaim(tx: Transaction): Promise<number> {
  return (await tx.rows<[number]>('SELECT last_claim()'))[0]?.[0] ?? 0;
}

/** SQL: number of the run that accepted a payment last; for a record that was left out, the run that it came with. */
export function acceptedBy(payment: string): string {
  return `coalesce(nullif(${payment}.run, 0), ${payment}.id >> 31)`;
}

export const ACCEPTED_BY = acceptedBy('p');

/** SQL: the run sends nothing more: closed, or every payment is created or definitely rejected. */
export const IS_ENDED = '(run.closed IS NOT NULL OR coalesce(run.exit_code, -1) IN (0, 4))';
