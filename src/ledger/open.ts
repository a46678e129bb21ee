/** Opens the ledger that the settings name. */
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { Caller } from './event.js';
import type { Ledger, Opened } from './ledger.js';
import type { TargetName } from './payment.js';
import { type JournalPlace, placeName, placeUrl } from './place.js';
import { requireInUse } from './standing.js';

export interface OpenOptions {
  readonly place: JournalPlace;
  /** Who calls the program; null to read alone: then nothing is written. */
  readonly caller: Caller | null;
  /** In a shared ledger, it takes no part in sending: it reads, and may add to the log. */
  readonly onlyApproves?: boolean;
  /** There must be one already: a new one knows nothing of earlier payments. */
  readonly required: boolean;
  /** How long a shared ledger that does not answer is waited for, milliseconds. */
  readonly timeoutMs: number;
  /** Says something to people at once. */
  readonly note?: (text: string) => void;
}

/**
 * Gives null where only reading finds no ledger.
 * @throws JournalError when it cannot be used, UsageError when it is required and not there
 */
export async function openLedger(options: OpenOptions, world: World): Promise<Opened | null> {
  const { place, caller, required } = options;
  const opened = await open(required ? { ...options, caller: null } : options, world);
  if (!required) return opened;
  if (opened === null) throw missingJournal(place);
  if (caller === null) return opened;
  await opened.ledger.leave();
  return open(options, world);
}

/**
 * Opens the ledger of a run, and says what a person should know of it.
 * @param isReal the target is none of the sandbox, where nothing is lost
 * @throws JournalError, UsageError as {@link openLedger}
 */
export async function openForRun(
  options: OpenOptions & { readonly note: (text: string) => void },
  target: TargetName,
  isReal: boolean,
  world: World,
): Promise<Opened | null> {
  const place = { ...options, required: isReal && options.required };
  const opened = await openLedger(place, world);
  if (opened === null) return null;
  try {
    // A dry run, too: its review would be that of an old history.
    requireInUse(placeUrl(place.place), await opened.ledger.standing());
    if (!isReal) return opened;
    const notices = [opened.storage, await newJournalNotice(opened.ledger, target, place)];
    for (const notice of notices) if (notice !== null) place.note(notice);
  } catch (cause) {
    await opened.ledger.leave();
    throw cause;
  }
  return opened;
}

/** Each driver is loaded when it is needed. */
async function open(
  { place, caller, timeoutMs, onlyApproves = false, note = () => undefined }: OpenOptions,
  world: World,
): Promise<Opened | null> {
  if (place.kind === 'postgresql') {
    const { openPostgresqlLedger } = await import('./postgresql/postgresql.js');
    return openPostgresqlLedger({ place, caller, onlyApproves, timeoutMs, note, world });
  }
  const { folder } = place;
  if (folder === null) return null;
  const { openSqliteLedger } = await import('./sqlite/sqlite.js');
  return openSqliteLedger({ folder, caller, now: world.now, platform: world.platform });
}

/**
 * What is said where a real target's payments are to be stored, and no real payment is known yet. Null where there is
 * nothing to be said.
 * @throws UsageError when a journal is required
 */
async function newJournalNotice(
  ledger: Ledger,
  target: TargetName,
  { place, required, caller }: OpenOptions,
): Promise<string | null> {
  if ((await ledger.version(target)) > 0 || (await knowsPayments(ledger))) return null;
  if (required) throw missingJournal(place);
  if (caller === null) return null;
  const remedy =
    place.kind === 'file' ? "name the journal's folder with --state-dir" : 'name their journal with --journal';
  return `a new journal begins in ${placeName(place)}: nothing is known there of earlier payments. If there were any, ${remedy}`;
}

/** Whether anything was ever to be paid there: rehearsals in the sandbox leave a journal behind, too. */
export async function knowsPayments(ledger: Ledger): Promise<boolean> {
  return (await ledger.runs()).some(({ target }) => target !== 'sandbox');
}

export function missingJournal(place: JournalPlace): UsageError {
  const name = placeName(place);
  const where = name === null ? ', nor a home folder to keep one in' : ` in ${name}`;
  const remedy = place.kind === 'file' ? 'Name its folder with --state-dir or --journal' : 'Name it with --journal';
  return new UsageError(
    `there is no journal of earlier payments${where}, and --require-journal (or require_journal in the settings) asks for one. ${remedy}; for the very first run, leave it out`,
  );
}
