/** The meaning of failures of the database and the network for a journal, and their remedies. */
import { JournalError } from '../../errors.js';
import type { PostgresqlPlace, PostgresqlTls } from '../location.js';

interface DatabaseFailure {
  /** Five characters from PostgreSQL, or a name from the system. */
  readonly code?: string;
  readonly message: string;
}

export type FailureAction =
  /** Another transaction interfered: it can be tried again at once. */
  | 'again'
  /** The database is away or overloaded: wait, then try again. */
  | 'wait'
  | 'none';

const AGAIN: ReadonlySet<string> = new Set(['40001', '40P01']);

const READ_ONLY = '25006';

/**
 * Classes and codes: connection, resources, shutdown and start, read-only (during a failover, or by its administrator's
 * choice), locks, input and output.
 */
const WAIT = /^(?:08|53|57P0[1-5]$|25006$|25P03$|55P03$|58030$|57014$)/;

// prettier-ignore
const SYSTEM: ReadonlySet<string> = new Set([
  'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN',
  'EAI_AGAIN', 'ENOENT', 'EHOSTDOWN',
]);

/** Messages of the driver that have no code. */
const MESSAGES_WITHOUT_CODE =
  /connection terminated|timeout|timed out|not queryable|connection error|connection ended/i;

export function remedyOf(cause: unknown): FailureAction {
  if (cause instanceof JournalError || !(cause instanceof Error)) return 'none';
  const { code, message } = cause as DatabaseFailure;
  if (code !== undefined && AGAIN.has(code)) return 'again';
  if (code !== undefined && (WAIT.test(code) || SYSTEM.has(code))) return 'wait';
  if (cause instanceof AggregateError) return cause.errors.some((each) => remedyOf(each) === 'wait') ? 'wait' : 'none';
  return code === undefined && MESSAGES_WITHOUT_CODE.test(message) ? 'wait' : 'none';
}

/** The server refuses to write at this moment. */
export function isReadOnly(cause: unknown): boolean {
  return (cause as DatabaseFailure).code === READ_ONLY;
}

/** The failure of a read-only server, as the server itself would report it. */
export function onlyReads(message: string): Error {
  return Object.assign(new Error(message), { code: READ_ONLY });
}

/** Whether another server of the journal may be the right one: this one is away or read-only. */
export function mayBeElsewhere(cause: unknown): boolean {
  return remedyOf(cause) === 'wait' || (cause as DatabaseFailure).code === 'ENOTFOUND';
}

export function isConflict(cause: unknown): boolean {
  return (cause as DatabaseFailure).code === '23505';
}

const NO_ENTRY = (reason: string): string =>
  `does not let this user in: ${reason}. Give the password with PGPASSWORD or in the password file (~/.pgpass), or ask whoever keeps the database.`;

/** What approvers write, and senders may not. */
const APPROVAL = / event$/;
const MAY_NOT_APPROVE =
  'This user of the database may not approve: approve as one who has the rights of gigwork_approvers. ';

const DAMAGED = (reason: string): string =>
  `is damaged: ${reason}. Keep it: it knows what was paid. Let whoever keeps the database put back what is missing. A backup (gigwork journal copy) does not know what was paid since it was made: compare it with the service before anything is sent with it.`;

const EXPLANATIONS: Readonly<Record<string, (reason: string) => string>> = {
  '28P01': NO_ENTRY,
  '28000': NO_ENTRY,
  '3D000': (reason) => `cannot be used: ${reason}. Make the database first: createdb NAME.`,
  '42501': (reason) =>
    `cannot be used: ${reason}. ${APPROVAL.test(reason) ? MAY_NOT_APPROVE : ''}Whoever keeps the database gives this user the rights that the documents name for senders, approvers and readers.`,
  '42P01': DAMAGED,
  '42703': DAMAGED,
  '53100': () => 'cannot grow: the disk of its database is full. Make room and run the command again.',
  ENOTFOUND: (reason) => `cannot be reached: there is no machine of that name (${reason}). Check the address.`,
};

/** Rewords a failure so that it says what to do. @param place as people name it */
export function explained(cause: unknown, place: string): unknown {
  if (cause instanceof JournalError || !(cause instanceof Error)) return cause;
  const { code } = cause as DatabaseFailure;
  const isPassing = remedyOf(cause) !== 'none';
  const say = (text: string): JournalError => new JournalError(`the journal ${place} ${text}`, { cause, isPassing });
  const known = EXPLANATIONS[code ?? ''];
  if (known !== undefined) return say(known(failureMessage(cause)));
  if (isPassing)
    return say(
      `cannot be used now: ${failureMessage(cause)}. Run the command again later. Do not use another journal instead: it does not know what was paid.`,
    );
  // Internal errors of the program are not reworded.
  return code === undefined || !/^[0-9A-Z]{5}$/.test(code) ? cause : say(`cannot be used: ${failureMessage(cause)}`);
}

/** Messages of the driver or TLS for failures that waiting does not solve; the first match counts. */
const CLOSED_WAYS: readonly (readonly [said: RegExp, words: (tls: PostgresqlTls) => string])[] = [
  [/client password must be/, () => 'asks for a password. Set it with PGPASSWORD or in the password file (~/.pgpass).'],
  [
    /does not support SSL/,
    ({ mode }) => `offers no TLS, and sslmode=${mode} asks for it. Ask whoever keeps the database.`,
  ],
  [
    /^(?:SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA)/,
    ({ rootCert }) =>
      rootCert === null
        ? 'shows a certificate of an authority that Node.js does not trust. If it has a separate authority, name that with sslrootcert.'
        : `shows a certificate that no authority in ${rootCert} has signed. Name with sslrootcert the one that has.`,
  ],
  [/ALTNAME_INVALID$/, () => 'shows a certificate for another host. Check the address.'],
  [/^CERT_HAS_EXPIRED/, () => 'shows a certificate that has ended. Ask whoever keeps the database.'],
  [/^(?:CERT_|ERR_SSL_|ERR_TLS_|ERR_OSSL_|EPROTO)|establishing an SSL/, () => 'could not be spoken to over TLS.'],
];

/** If only other settings help, rewords a connection failure to name them; returns any other failure unchanged. */
export function connectionRefusedReason(cause: unknown, { shown, tls }: PostgresqlPlace): unknown {
  if (!(cause instanceof Error)) return cause;
  const { code, message } = cause as DatabaseFailure;
  const found = CLOSED_WAYS.find(([said]) => said.test(code ?? '') || said.test(message));
  if (found === undefined) return cause;
  return new JournalError(`the journal ${shown} cannot be used: its server ${found[1](tls)} (${message})`, { cause });
}

/** The first message that is not empty. */
export function failureMessage(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return failureMessage(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.message === '' ? ((cause as DatabaseFailure).code ?? cause.name) : cause.message;
}
