/** Whether this file is the journal in use. */
import { dirname } from 'node:path';
import type { Db } from '../../util/sqlite.js';
import { cellsOf, requireInUse, type Standing, STANDING, type StandingCells, standingOf } from '../standing.js';

export function standing(db: Db): Standing {
  const row = db.prepare(`SELECT ${STANDING} FROM journal`).get() as Record<string, string | number | null>;
  return standingOf(Object.values(row) as unknown as StandingCells);
}

/** To be called within a transaction. */
export function setStanding(db: Db, to: Standing): void {
  db.prepare('UPDATE journal SET copy_of = ?, copied_at = ?, moved_to = ?, moved_at = ?').run(...cellsOf(to));
}

/** @throws JournalError for one that is not in use */
export function requireUse(db: Db, file: string): void {
  requireInUse(`sqlite:${dirname(file)}`, standing(db));
}
