/** Opens the journal that the settings name. */
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import type { Caller } from './audit-log.js';
import type { OpenedJournal } from './journal.js';
import type { RecordType } from '../records/types.js';
import type { TargetName } from './payment.js';
import { type JournalLocation, placeName, placeUrl, copyText, requireActive } from './location.js';
import { requireRoom } from './sqlite/file-system.js';
import { shellQuote } from '../util/shell-quote.js';

export interface OpenOptions {
  readonly place: JournalLocation;
  /** The person who calls the program; null to read only: then nothing is written. */
  readonly caller: Caller | null;
  /** The call sends and approves nothing, so it may read a copy. */
  readonly mayReadCopy?: boolean;
  /** In a shared journal: reads and may add to the log, but never sends. */
  readonly onlyApproves?: boolean;
  /** There must be a journal already: a new one knows of no earlier payments. */
  readonly required: boolean;
  /** How long to wait for a shared journal that does not answer, milliseconds. */
  readonly timeoutMs: number;
  /** Aborts at the first stop signal: from then on, a shared journal is not waited for. */
  readonly interrupted?: AbortSignal | undefined;
  /** Shows a message at once. */
  readonly note?: (text: string) => void;
}

/** Null if reading finds no journal. @throws JournalError, or UsageError when it is required but missing */
export async function openJournal(options: OpenOptions, world: World): Promise<OpenedJournal | null> {
  const { place, caller, required } = options;
  const opened = await openDriver(required ? { ...options, caller: null } : options, world);
  if (!required) return opened;
  if (opened === null) throw missingJournal(place);
  if (caller === null) return opened;
  await opened.journal.detach();
  return openDriver(options, world);
}

export interface OpenForRunOptions extends OpenOptions {
  /** A person is asked before anything is sent, and can still stop. */
  readonly asks: boolean;
  /** The type of all records of the run; null while it is not known. */
  readonly type: RecordType | null;
  readonly note: (text: string) => void;
}

/**
 * Opens the journal of a run and warns about its state.
 * @param isReal false for the sandbox, where nobody is paid
 * @throws JournalError, UsageError as {@link openJournal}
 */
export async function openForRun(
  options: OpenForRunOptions,
  target: TargetName,
  isReal: boolean,
  world: World,
): Promise<OpenedForRun | null> {
  const place = { ...options, required: isReal && options.required };
  const opened = await openJournal(place, world);
  if (opened === null) return null;
  const { journal, storage } = opened;
  try {
    const url = placeUrl(place.place);
    const status = await journal.status();
    // A dry run reads a copy, which says until when it knows. What was moved goes on elsewhere.
    const copy = place.caller === null && place.mayReadCopy === true ? copyText(url, status) : null;
    if (copy === null) requireActive(url, status);
    else place.note(copy);
    // A journal with a gate at this very target is not new. This quick check mostly saves the slower one.
    const isNew = isReal && (await journal.version(target)) === 0 && (await journal.isNew());
    if (isNew && place.required) throw missingJournal(place.place);
    const begins = isNew && place.caller !== null;
    if (isReal && storage !== null) place.note(storage);
    if (begins) place.note(newJournalText(place));
    return { ...opened, begins, lastPaymentAt: await journal.lastPaymentAt(target) };
  } catch (cause) {
    await journal.detach();
    throw cause;
  }
}

/** The opened journal, and its state before the run. */
export interface OpenedForRun extends OpenedJournal {
  /** This run begins a new journal, which knows of no earlier payments. */
  readonly begins: boolean;
  /** Date of its newest payment at the target, milliseconds since 1970; null if there is none. */
  readonly lastPaymentAt: number | null;
}

/** Called before anything is read or made. @throws JournalError if the journal's disk is too full for a run */
export function requireRoomFor(place: JournalLocation): void {
  if (place.kind === 'file' && place.folder !== null) requireRoom(place.folder);
}

/**
 * Makes a journal on purpose. One that knows only of rehearsals and refused runs is taken as it is.
 * @throws UsageError if there is one already, JournalError
 */
export async function initJournal(options: OpenOptions, world: World): Promise<void> {
  // Not as a sender: its owner may make it, and needs no lease.
  const opened = await openDriver({ ...options, onlyApproves: true }, world);
  try {
    if ((await opened?.journal.init()) === true) return;
  } finally {
    await opened?.journal.detach();
  }
  const name = placeName(options.place) ?? '';
  throw new UsageError(
    `there is a journal in ${name} already, up to date, and its history is left as it is. It is made only once`,
  );
}

/** Loads a driver only when it is needed. */
async function openDriver(options: OpenOptions, world: World): Promise<OpenedJournal | null> {
  const { place, caller } = options;
  if (place.kind === 'postgresql') {
    const { openPostgresqlJournal } = await import('./postgresql/postgresql.js');
    return openPostgresqlJournal({ note: () => undefined, ...options, place, world });
  }
  const { folder } = place;
  if (folder === null) return null;
  const { openSqliteJournal } = await import('./sqlite/sqlite.js');
  return openSqliteJournal({ folder, caller, now: world.now, platform: world.platform });
}

function newJournalText({ place, type, asks }: OpenForRunOptions): string {
  const isGig = type === 'gig';
  const some = isGig ? 'gigs' : 'payments';
  const made = isGig ? 'created' : 'made';
  const who = isGig ? 'gigs may be created twice' : 'people may be paid twice';
  const option = place.kind === 'file' ? '--state-dir' : '--journal';
  // Repeated with another journal, which does not know it, this call would pay again.
  const advice = asks
    ? `Then stop with Ctrl-C, or ${who}. Give the place of those ${some} with ${option}`
    : `Then ${who}. Do not repeat this call with another ${option}: that one would not know it`;
  return `First use in ${placeName(place)}: gigwork does not know of any earlier ${some}. Were ${some} ${made} before, from another folder or machine? ${advice}`;
}

export function missingJournal(place: JournalLocation): UsageError {
  const name = placeName(place);
  const where = name === null ? ', nor a home folder to keep one in' : ` in ${name}`;
  const remedy = place.kind === 'file' ? 'Name its folder with --state-dir or --journal' : 'Name it with --journal';
  const init = `gigwork journal init --journal ${shellQuote(placeUrl(place), process.platform)}`;
  return new UsageError(
    `there is no journal of earlier payments${where}, and --require-journal (or require_journal in the settings) asks for one. ${remedy}. Only where nothing was ever paid before, make one, once: ${init}`,
  );
}
