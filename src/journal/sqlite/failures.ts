/** The meaning of failures of SQLite and the file system for a journal, and their remedies. */
import { statSync } from 'node:fs';
import { JournalError } from '../../errors.js';
import { SQLITE_BUSY } from '../../util/sqlite.js';

interface SqliteFailure {
  readonly errcode?: number;
  readonly message: string;
}

const SQLITE_READONLY = 8;
export const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
export const SQLITE_NOTADB = 26;

/** If SQLite fails while reading several rows, the error has no code: then only its message helps. */
const CODES_BY_MESSAGE: ReadonlyMap<string, number> = new Map([
  ['database is locked', SQLITE_BUSY],
  ['attempt to write a readonly database', SQLITE_READONLY],
  ['database disk image is malformed', SQLITE_CORRUPT],
  ['database or disk is full', SQLITE_FULL],
  ['unable to open database file', SQLITE_CANTOPEN],
  ['file is not a database', SQLITE_NOTADB],
]);

/** The primary code of a failure of SQLite; undefined for any other. */
function codeOf(cause: unknown): number | undefined {
  const { errcode, message } = cause as SqliteFailure;
  const code = errcode ?? CODES_BY_MESSAGE.get(message);
  return code === undefined ? undefined : code & 0xff;
}

/** Two rows have the same unique value. */
export function isConflict(cause: unknown): boolean {
  return codeOf(cause) === SQLITE_CONSTRAINT;
}

/** SQLite keeps its log and the log's index next to the file, even if the file is only read. */
const READER = 'Whoever reads it needs leave to write in its folder. ';

const DAMAGED =
  "is damaged, or is not a journal of gigwork. Keep it, with the files next to it (journal.db-wal, journal.db-shm): they know what was paid. A backup (gigwork journal copy) does not know what was paid since it was made, and would let it be paid again: before anything is sent with one, compare it with what the service has created since. sqlite3's .recover gets most out of a damaged file.";

/** Rewords a failure so that it says what to do. */
export function explained(cause: unknown, file: string, use: 'read' | 'written' = 'written'): unknown {
  if (cause instanceof JournalError) return cause;
  const errcode = codeOf(cause);
  const system = (cause as NodeJS.ErrnoException).code;
  if (errcode === undefined && system === undefined) return cause;
  const words = wordsFor(errcode, system, { file, use, message: (cause as SqliteFailure).message });
  return new JournalError(words, { cause, isPassing: errcode === SQLITE_BUSY || errcode === SQLITE_FULL });
}

function wordsFor(
  errcode: number | undefined,
  system: string | undefined,
  { file, use, message }: { readonly file: string; readonly use: string; readonly message: string },
): string {
  if (system === 'EACCES' || system === 'EROFS' || system === 'EPERM')
    return `the journal ${file} cannot be ${use}: permission denied. ${remedyOf(file)}`;
  switch (errcode) {
    case SQLITE_BUSY:
      return `another gigwork process has held the journal ${file} for too long. Wait for it, or end it, and try again.`;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return `the journal ${file} cannot be ${use}. ${use === 'read' ? READER : ''}${remedyOf(file)}`;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return `${file} ${DAMAGED}`;
    case SQLITE_FULL:
      return `the disk is full: the journal ${file} cannot grow. Make room and run the command again.`;
    default:
      return `the journal ${file} cannot be used: ${message}. ${remedyOf(file)}`;
  }
}

/** Another folder is the remedy only for a missing journal: an unreadable one still knows earlier payments. */
function remedyOf(file: string): string {
  if (isMissing(file)) return 'Name a folder that can be written with --state-dir.';
  return 'Correct that and run the command again. With another folder (--state-dir), gigwork does not know what was paid, and pays it again.';
}

function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    // An unreadable folder may contain a journal.
    return false;
  }
}
