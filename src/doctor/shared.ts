/** Checks the shared journal and its server. Makes and changes nothing. */
import { missingJournal } from '../journal/open.js';
import type { PostgresqlPlace } from '../journal/location.js';
import type { SharedHealth } from '../journal/postgresql/server.js';
import { inactiveReason } from '../journal/status.js';
import { type Check, endsEarly, fail, newJournal, ok, warn } from './finding.js';

const JOURNAL = 'journal';
const RIGHTS = 'journal rights';
const TLS = 'journal TLS';

/** Requirements of runs: a journal that exists already; another person's approval. */
export type SharedNeeds = Readonly<Record<'required' | 'approvals', boolean>>;

/** @throws JournalError when it cannot be used, UsageError when it is required but missing */
export async function checkShared(place: PostgresqlPlace, needs: SharedNeeds): Promise<Check[]> {
  const { sharedHealth } = await import('../journal/postgresql/server.js');
  const health = await sharedHealth(place);
  return [...checkJournal(place, health, needs), checkTls(place, health)];
}

function checkJournal(place: PostgresqlPlace, health: SharedHealth, { required, approvals }: SharedNeeds): Check[] {
  const { journal, server, mayMake, isReadOnly, user } = health;
  if (journal !== null) {
    const notInUse = inactiveReason(place.shown, journal.standing);
    if (notInUse !== null) return [fail(JOURNAL, notInUse, null)];
    const found = `${place.shown}: version ${journal.version}, on PostgreSQL ${server} with fsync on`;
    const gap = journal.lost === null ? [] : [endsEarly(journal.lost)];
    return [isReadOnly ? readOnly(place) : ok(JOURNAL, found), ...gap, checkRights(user, journal, approvals)];
  }
  if (required) throw missingJournal(place);
  if (isReadOnly) return [readOnly(place)];
  const none = `there is none in ${place.shown}`;
  if (!mayMake) return [fail(JOURNAL, `${none}, and ${user} has no right to make it`, 'let its owner make it first')];
  return [
    newJournal(
      none,
      'if payments were made before, name their journal with --journal: otherwise people may be paid twice',
    ),
  ];
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

function checkTls({ tls: { mode }, shown }: PostgresqlPlace, { tls, isLocal }: SharedHealth): Check {
  const remedy = 'add sslmode=verify-full to the URL of the journal';
  if (tls === null)
    return isLocal
      ? ok(TLS, 'none, and none needed: the server is on this machine')
      : warn(TLS, `the way to ${shown} is not encrypted: names and amounts can be read on it`, remedy);
  if (mode === 'verify-full' || mode === 'verify-ca' || isLocal) return ok(TLS, `${tls}, sslmode=${mode}`);
  return warn(TLS, `${tls}, but with sslmode=${mode} whoever answers is taken for the server`, remedy);
}
