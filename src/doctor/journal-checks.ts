/** Checks the journal: in the state directory, or shared with its server. Makes and changes nothing. */
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { missingJournal, openJournal } from '../journal/open.js';
import { inactiveReason, type LostOriginal, placeUrl, type PostgresqlPlace } from '../journal/location.js';
import type { SharedHealth } from '../journal/postgresql/server.js';
import { JOURNAL_FILE, journalHealth } from '../journal/sqlite/file.js';
import { existingAbove, refuseNetworkFolder, requireRoom, storageWarning } from '../journal/sqlite/file-system.js';
import { localDay } from '../util/local-time.js';
import type { World } from '../world.js';
import { type Check, fail, ok, warn } from './finding.js';

const STATE_DIR = 'state directory';
const JOURNAL = 'journal';

/** @throws JournalError for a folder on a network, or on a full disk */
export function checkStateDir(folder: string, { option, isReal }: JournalNeeds, { platform }: World): Check {
  const remedy = `name a folder that can be written with ${option}`;
  const existing = existingAbove(folder);
  const isThere = existing === folder;
  if (!(statSync(existing, { throwIfNoEntry: false })?.isDirectory() ?? false))
    return fail(STATE_DIR, isThere ? `${folder} is not a folder` : `${folder} cannot be made in ${existing}`, remedy);
  if (!isWritable(existing)) return cannotWrite(existing, remedy);
  refuseNetworkFolder(existing, platform);
  requireRoom(existing);
  const fleeting = isReal ? storageWarning(existing, platform) : null;
  if (fleeting !== null) return warn(STATE_DIR, fleeting, null);
  return ok(
    STATE_DIR,
    isThere ? `${folder}: local, can be written` : `${folder} is not there yet; the first run makes it`,
  );
}

/** Suggests another folder only if there is no journal: without the journal, everything would be paid again. */
function cannotWrite(folder: string, remedy: string): Check {
  try {
    const isThere = statSync(join(folder, JOURNAL_FILE), { throwIfNoEntry: false }) !== undefined;
    if (!isThere) return fail(STATE_DIR, `${folder} cannot be written`, remedy);
  } catch {
    // An unreadable folder may contain one.
  }
  return fail(
    STATE_DIR,
    `${folder} cannot be written, and the journal is in it`,
    'make this folder writable, or run gigwork as its owner; with another folder, gigwork does not know what was paid, and pays it again',
  );
}

function isWritable(path: string, mode = constants.R_OK | constants.W_OK | constants.X_OK): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

export interface JournalNeeds {
  /** The option that names another folder. */
  readonly option: string;
  /** Payments go to a service: rehearsals in the sandbox miss no history. */
  readonly isReal: boolean;
  /** A run must not begin a new one. */
  readonly required: boolean;
}

/** @throws JournalError when it cannot be opened, UsageError when it is required but missing */
export async function checkJournalFile(folder: string, needs: JournalNeeds, world: World): Promise<Check[]> {
  const file = join(folder, JOURNAL_FILE);
  const health = journalHealth(folder);
  if (health === null) return [checkNew(folder, `there is none in ${folder}`, needs)];
  const { version, damage } = health;
  if (damage.length > 0) return [fail(JOURNAL, `${file} is damaged: ${damage.join('; ')}`, KEEP_IT)];
  if (!isWritable(file, constants.R_OK | constants.W_OK))
    return [fail(JOURNAL, `${file} cannot be written`, 'make it writable, or run gigwork as its owner')];
  const found = ok(JOURNAL, `${file}: version ${version}, integrity check passed`);
  const place = { kind: 'file', folder } as const;
  const opened = await openJournal({ place, caller: null, required: false, timeoutMs: 0 }, world);
  if (opened === null) return [found];
  try {
    const notInUse = inactiveReason(placeUrl(place), await opened.journal.status());
    if (notInUse !== null) return [fail(JOURNAL, notInUse, null)];
    const lost = await opened.journal.lostOriginal();
    if (lost !== null) return [found, endsEarly(lost)];
    if (!needs.isReal || !(await opened.journal.isNew())) return [found];
    return [found, checkNew(folder, `${file} does not know of any payment to a service`, needs)];
  } finally {
    await opened.journal.detach();
  }
}

const KEEP_IT =
  'keep the file and the files next to it: they know what was paid. A backup (gigwork journal copy) does not know what was paid since it was made: compare it with the service before anything is sent with it';

/** @param why it would be new. @throws UsageError when a run to a service must not begin one */
function checkNew(folder: string, why: string, { option, isReal, required }: JournalNeeds): Check {
  if (!isReal) return ok(JOURNAL, `${why}: a run makes it`);
  if (required) throw missingJournal({ kind: 'file', folder });
  return newJournal(why, option);
}

/** A run would begin a new journal. @param why it would be new, @param option names another one */
function newJournal(why: string, option: string): Check {
  return warn(
    JOURNAL,
    `${why}: a run would begin a new journal, which does not know of any earlier payments`,
    `if payments were made before, name their journal with ${option}: otherwise people may be paid twice`,
  );
}

/** The journal was restored from a copy. */
function endsEarly({ journal, at }: LostOriginal): Check {
  return warn(
    JOURNAL,
    `it comes from a copy of ${journal}, which was lost: it does not know what was paid between ${localDay(at)} and its restoring`,
    'find those payments in the service, or in the reports of those runs, before you send them again',
  );
}

const RIGHTS = 'journal rights';
const JOURNAL_TLS = 'journal TLS';

/**
 * @param required a run must not begin a new one
 * @param approvals a run needs the approval of another person than its sender
 * @throws JournalError when it cannot be used, UsageError when it is required but missing
 */
export async function checkSharedJournal(
  place: PostgresqlPlace,
  required: boolean,
  approvals: boolean,
): Promise<Check[]> {
  const { sharedHealth } = await import('../journal/postgresql/server.js');
  const health = await sharedHealth(place);
  return [...checkSharedTables(place, health, required, approvals), checkJournalTls(place, health)];
}

function checkSharedTables(
  place: PostgresqlPlace,
  health: SharedHealth,
  required: boolean,
  approvals: boolean,
): Check[] {
  const { journal, server, mayMake, isReadOnly, user } = health;
  if (journal !== null) {
    const notInUse = inactiveReason(place.shown, journal.status);
    if (notInUse !== null) return [fail(JOURNAL, notInUse, null)];
    const found = `${place.shown}: version ${journal.version}, on PostgreSQL ${server} with fsync on`;
    const gap = journal.lost === null ? [] : [endsEarly(journal.lost)];
    return [isReadOnly ? readOnly(place) : ok(JOURNAL, found), ...gap, checkRights(user, journal, approvals)];
  }
  if (required) throw missingJournal(place);
  if (isReadOnly) return [readOnly(place)];
  const none = `there is none in ${place.shown}`;
  if (!mayMake) return [fail(JOURNAL, `${none}, and ${user} has no right to make it`, 'let its owner make it first')];
  return [newJournal(none, '--journal')];
}

function readOnly({ shown }: PostgresqlPlace): Check {
  return fail(
    JOURNAL,
    `the administrator of ${shown} has set it read-only: a run could not write down what it pays`,
    'ask whoever keeps the database when it can be written again',
  );
}

function checkRights(user: string, journal: NonNullable<SharedHealth['journal']>, approvals: boolean): Check {
  const { lacking, mayApprove, isOwner } = journal;
  if (lacking !== null)
    return fail(
      RIGHTS,
      `${user} may ${mayApprove ? 'approve, and ' : ''}not send: the right ${lacking} is missing`,
      'whoever is to send needs all rights of gigwork_senders, which grants.sql gives',
    );
  if (isOwner && approvals)
    return warn(
      RIGHTS,
      `${user} may change everything, and so could write an approval in any name`,
      'send as a user that has the rights of gigwork_senders alone',
    );
  return ok(RIGHTS, `${user} may send${mayApprove ? ' and approve' : ''}`);
}

function checkJournalTls({ tls: { mode }, shown }: PostgresqlPlace, { tls, isLocal }: SharedHealth): Check {
  const remedy = 'add sslmode=verify-full to the URL of the journal';
  if (tls === null)
    return isLocal
      ? ok(JOURNAL_TLS, 'none, and none needed: the server is on this machine')
      : warn(JOURNAL_TLS, `the way to ${shown} is not encrypted: names and amounts can be read on it`, remedy);
  if (mode === 'verify-full' || mode === 'verify-ca' || isLocal) return ok(JOURNAL_TLS, `${tls}, sslmode=${mode}`);
  return warn(JOURNAL_TLS, `${tls}, but with sslmode=${mode} the certificate of the server is not checked`, remedy);
}
