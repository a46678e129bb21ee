/** A journal whose history went on into another one: from then on, only that one is used. */
import { JournalError } from '../../errors.js';
import type { Db } from '../../util/sqlite.js';
import { movedWords } from '../moved.js';

/** To be called within a transaction. @param to the other one, as people name it */
export function setMoved(db: Db, to: string): void {
  db.exec('CREATE TABLE IF NOT EXISTS moved (place TEXT NOT NULL)');
  db.exec('DELETE FROM moved');
  db.prepare('INSERT INTO moved (place) VALUES (?)').run(to);
}

/** Null for one that is still used. */
export function movedTo(db: Db): string | null {
  if (db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'moved'").get() === undefined) return null;
  return (db.prepare('SELECT place FROM moved').get() as { place: string }).place;
}

/** @throws JournalError for one that is not used any more */
export function requireNotMoved(db: Db, file: string): void {
  const to = movedTo(db);
  if (to !== null) throw new JournalError(movedWords(file, to));
}
