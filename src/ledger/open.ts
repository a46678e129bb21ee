/** Opens the ledger that the settings name. */
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { Caller } from './event.js';
import type { Ledger, TargetName } from './ledger.js';

export interface OpenOptions {
  /** The folder of the embedded ledger; null where there is no place for one, which only a dry run may find. */
  readonly folder: string | null;
  /** Who calls the program; null to read alone: then nothing is written. */
  readonly caller: Caller | null;
  /** There must be one already: a new one knows nothing of earlier payments. */
  readonly required: boolean;
}

export interface Opened {
  readonly ledger: Ledger;
  /** It was made by this call. */
  readonly isNew: boolean;
  /** Why what is stored there may be forgotten, in words; null where it is kept. */
  readonly storage: string | null;
}

/**
 * Gives null where only reading finds no ledger.
 * @throws JournalError when it cannot be used, UsageError when it is required and not there
 */
export async function openLedger({ folder, caller, required }: OpenOptions, world: World): Promise<Opened | null> {
  // SQLite is loaded when it is needed.
  const { openSqliteLedger } = await import('./sqlite/sqlite.js');
  const { now, platform } = world;
  if (folder === null) {
    if (required) throw missingJournal(folder);
    return null;
  }
  if (required) {
    const present = await openSqliteLedger({ folder, caller: null, now, platform });
    if (present === null) throw missingJournal(folder);
    await present.ledger.leave();
  }
  return openSqliteLedger({ folder, caller, now, platform });
}

/**
 * What is said where a real target's payments are to be stored, and no real payment is known yet. Null where there is
 * nothing to be said.
 * @throws UsageError when a journal is required
 */
export async function newJournalNotice(
  ledger: Ledger,
  target: TargetName,
  { folder, required, caller }: OpenOptions,
): Promise<string | null> {
  if (!(await ledger.isEmpty(target)) || (await knowsPayments(ledger))) return null;
  if (required) throw missingJournal(folder);
  return caller === null
    ? null
    : `a new journal begins in ${folder}: nothing is known there of earlier payments. If there were any, name the journal's folder with --state-dir`;
}

/** Whether anything was ever to be paid there: rehearsals in the sandbox leave a journal behind, too. */
export async function knowsPayments(ledger: Ledger): Promise<boolean> {
  return (await ledger.runs()).some(({ target }) => target !== 'sandbox');
}

export function missingJournal(folder: string | null): UsageError {
  const where = folder === null ? ', nor a home folder to keep one in' : ` in ${folder}`;
  return new UsageError(
    `there is no journal of earlier payments${where}, and --require-journal (or require_journal in the settings) asks for one. Name its folder with --state-dir or --journal; for the very first run, leave it out`,
  );
}
