/** Looks at the journal without changing it. */
import { join } from 'node:path';
import { JOURNAL_FILE, openForReading } from './file.js';
import { explained } from './failures.js';

export interface JournalHealth {
  readonly file: string;
  /** Version of its schema. */
  readonly version: number;
  /** What SQLite's integrity check found; empty when nothing. */
  readonly damage: readonly string[];
}

/** More findings than these say nothing new. */
const MOST_FINDINGS = 5;

/** Null where there is no journal yet. @throws JournalError when it cannot be opened, with the remedy */
export function journalHealth(folder: string): JournalHealth | null {
  const db = openForReading(folder);
  if (db === null) return null;
  const file = join(folder, JOURNAL_FILE);
  try {
    const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    const rows = db.prepare(`PRAGMA integrity_check(${MOST_FINDINGS})`).all() as { integrity_check: string }[];
    const damage = rows.map(({ integrity_check: finding }) => finding).filter((finding) => finding !== 'ok');
    return { file, version, damage };
  } catch (cause) {
    throw explained(cause, file);
  } finally {
    db.close();
  }
}
