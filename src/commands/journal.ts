/** Opening the journal for the commands that look after what was sent. */
import type { Journal } from '../journal/journal.js';
import { openSqliteJournal } from '../journal/sqlite.js';
import { KINDS } from '../records/kinds.js';
import type { OutputFlags, TargetFlags } from '../settings/flags.js';
import { journalDir } from '../settings/places.js';
import { loadSettings } from '../settings/settings.js';
import type { World } from '../world.js';

/** Runs `work` on the journal and its folder; read-only, the journal is null where there is none yet. @throws JournalError, UsageError */
export async function withJournal<T>(
  flags: OutputFlags & TargetFlags,
  readOnly: boolean,
  world: World,
  work: (journal: Journal | null, folder: string) => T | Promise<T>,
): Promise<T> {
  const folder = journalDir(await loadSettings(flags, world), world);
  const journal = openSqliteJournal({ folder, readOnly, isKeyed: (type) => KINDS[type].keyed, now: world.now });
  try {
    if (!readOnly) journal?.recover();
    return await work(journal, folder);
  } finally {
    journal?.close();
  }
}

/** One JSON document on standard output. */
export function writeDocument(document: unknown, world: World, escape: (json: string) => string): void {
  world.stdout.write(`${escape(JSON.stringify(document, null, 2))}\n`);
}
