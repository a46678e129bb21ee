/**
 * Where a journal is, and whether it is the one in use. A journal and its copies share one history, and only one of them
 * may add to it: if two of them sent, each would pay again what the other has paid. CONTRACT: "The shared journal".
 */
import { JournalError } from '../errors.js';
import { localTime } from '../util/local-time.js';
import { isThisMachine } from '../util/loopback.js';
import { shellQuote } from '../util/shell-quote.js';

export type JournalLocation =
  /** In a folder of this machine; null in a dry run that finds no place for one. */
  { readonly kind: 'file'; readonly folder: string | null } | PostgresqlPlace;

/** In a database that several machines share. */
export interface PostgresqlPlace {
  readonly kind: 'postgresql';
  /** The program uses the first one that can be written. */
  readonly servers: readonly ServerAddress[];
  readonly user: string;
  readonly database: string;
  /** Null if it comes from the password file or none is needed. */
  readonly password: string | null;
  readonly schema: string;
  readonly tls: PostgresqlTls;
  /** The program's name in the server's list of sessions. */
  readonly applicationName: string;
  /** Time limit for connecting, milliseconds. */
  readonly connectMs: number;
  /** For people: without the password. */
  readonly shown: string;
}

export interface ServerAddress {
  /** A name, an address, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
}

/** As PostgreSQL's programs read `sslmode`. Files by their paths; null if none is named. */
export interface PostgresqlTls {
  readonly mode: 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';
  readonly rootCert: string | null;
  readonly cert: string | null;
  readonly key: string | null;
  /** Of the key. */
  readonly password: string | null;
}

export interface FolderPlace {
  readonly kind: 'file';
  readonly folder: string;
}

/** As `--journal` takes it, without a password. */
export function placeUrl(place: JournalLocation): string {
  return place.kind === 'file' ? `sqlite:${place.folder ?? ''}` : place.shown;
}

/** For messages. */
export function placeName(place: JournalLocation): string | null {
  return place.kind === 'file' ? place.folder : place.shown;
}

/** Journals by their URLs, without passwords; times in milliseconds since 1970. */
export interface JournalStatus {
  /** The journal that this one is a copy of, and the time of the copy. */
  readonly copyOf: { readonly journal: string; readonly at: number } | null;
  /** The journal that replaced this one, and since when; the time is null until everything has arrived there. */
  readonly movedTo: { readonly journal: string; readonly at: number | null; readonly host?: string } | null;
}

/** SQL: the machine on which the journal was moved: a folder, or a database on localhost, is there. */
export const MOVED_ON = `SELECT host FROM event WHERE what = 'copied' ORDER BY id DESC LIMIT 1`;

/** SQL: the facts of the last move of a copy whose original was lost. */
export const LOST = `SELECT facts FROM event WHERE what = 'copied' AND facts LIKE '%"lost":{%' ORDER BY id DESC LIMIT 1`;

/** A lost original, and until when its history is known, milliseconds since 1970. */
export interface LostOriginal {
  readonly journal: string;
  readonly at: number;
}

/** @param facts as {@link LOST} finds them */
export function lostIn(facts: string | undefined): LostOriginal | null {
  return facts === undefined ? null : (JSON.parse(facts) as { readonly lost: LostOriginal }).lost;
}

/** SQL: the columns of the table `journal` in every database. */
export const STATUS_COLUMNS = 'copy_of, copied_at, moved_to, moved_at';

export type StatusCells = readonly [
  copyOf: string | null,
  copiedAt: number | null,
  movedTo: string | null,
  movedAt: number | null,
];

export function statusFromCells([copyOf, copiedAt, movedTo, movedAt]: StatusCells): JournalStatus {
  return {
    copyOf: copyOf === null ? null : { journal: copyOf, at: copiedAt ?? 0 },
    movedTo: movedTo === null ? null : { journal: movedTo, at: movedAt },
  };
}

export function statusCells({ copyOf, movedTo }: JournalStatus): StatusCells {
  return [copyOf?.journal ?? null, copyOf?.at ?? null, movedTo?.journal ?? null, movedTo?.at ?? null];
}

/** @param journal its URL. @throws JournalError for a journal that must not send or change anything */
export function requireActive(journal: string, status: JournalStatus): void {
  const words = inactiveReason(journal, status);
  if (words !== null) throw new JournalError(words);
}

/** What a reader of a copy must know; null for a journal that is not a copy, or was moved. */
export function copyText(journal: string, { copyOf, movedTo }: JournalStatus): string | null {
  if (copyOf === null || movedTo !== null) return null;
  return `The journal ${journal} is a copy of ${copyOf.journal}, made on ${localTime(copyOf.at)}. It does not know what was paid since then`;
}

/** Null for a journal in use. */
export function inactiveReason(journal: string, { copyOf, movedTo }: JournalStatus): string | null {
  if (movedTo !== null && movedTo.at === null) return movingText(journal, movedTo.journal, copyOf !== null);
  if (movedTo !== null) return movedText(journal, movedTo);
  if (copyOf === null) return null;
  // A person may have put the copy at the original's location.
  const original = copyOf.journal === journal ? '' : ` Use the original: --journal ${pasted(copyOf.journal)}.`;
  return `the journal ${journal} is a copy of ${copyOf.journal}, made on ${localTime(copyOf.at)}. It is for reading and restoring: no run sends from it, and nothing changes it.${original} If the original is lost, move the copy to a new journal: gigwork journal copy --move --original-lost --from ${pasted(journal)} --to NEW`;
}

function movedText(journal: string, { journal: to, at, host }: NonNullable<JournalStatus['movedTo']>): string {
  // On another machine, the same name would be another journal: a new one, which knows of no payments.
  const machine = host !== undefined && isOnOneMachine(to) ? ` on the machine ${host}` : '';
  const there = machine === '' ? '' : ', on that machine';
  return `the journal ${journal} was moved to ${to}${machine} (${localTime(at ?? 0)}). It sends nothing any more, and does not know what was paid since then. Use the new one${there}: --journal ${pasted(to)}`;
}

/** A folder, or a database that is reached by a socket or at localhost. */
function isOnOneMachine(url: string): boolean {
  const [, host] = /^postgres(?:ql)?:\/\/(?:[^@/?#]*@)?(\[[^\]]*\]|[^/?#:,]*)/i.exec(url) ?? [];
  return host === undefined || host === '' || isThisMachine(host);
}

function movingText(journal: string, to: string, isCopy: boolean): string {
  const command = `gigwork journal copy --move${isCopy ? ' --original-lost' : ''} --from ${pasted(journal)} --to ${pasted(to)}`;
  return `the journal ${journal} was being moved to ${to}, and the move was cut off. Finish it: ${command}. If ${to} has your runs already (gigwork batch list --journal ${pasted(to)}), the move is done: use --journal ${pasted(to)}`;
}

function pasted(word: string): string {
  return shellQuote(word, process.platform);
}
