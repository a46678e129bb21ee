/** Opens the journal for the commands on earlier runs. */
import type { Journal, StoredRun } from '../journal/journal.js';
import { openSqliteJournal } from '../journal/sqlite.js';
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { findRun, noSuchRun } from '../outcome/archive.js';
import type { OutputFlags, TargetFlags } from '../config/flags.js';
import { journalDir } from '../config/places.js';
import { loadSettings } from '../config/settings.js';
import type { Settings } from '../config/sources.js';
import type { World } from '../world.js';

/**
 * Runs `work` on the journal that the settings name. With `readOnly`, the journal is null where there is none yet.
 * @throws JournalError, UsageError
 */
export async function withJournal<T>(
  flags: OutputFlags & TargetFlags,
  readOnly: boolean,
  world: World,
  work: (journal: Journal | null, settings: Settings) => T | Promise<T>,
): Promise<T> {
  const settings = await loadSettings(flags, world);
  const folder = journalDir(settings, world);
  const isKeyed = (type: RecordType): boolean => KINDS[type].keyed;
  const journal = openSqliteJournal({ folder, readOnly, isKeyed, now: world.now, platform: world.platform });
  try {
    if (!readOnly) journal?.recover();
    return await work(journal, settings);
  } finally {
    journal?.close();
  }
}

/** Runs `work` on the run that a person means. @throws JournalError; UsageError when there is no such run, or several */
export async function withRun<T>(
  name: string,
  flags: OutputFlags & TargetFlags,
  readOnly: boolean,
  world: World,
  work: (run: StoredRun, journal: Journal, settings: Settings) => T | Promise<T>,
): Promise<T> {
  return withJournal(flags, readOnly, world, (journal, settings) => {
    if (journal === null) throw noSuchRun(name);
    return work(findRun(journal, name), journal, settings);
  });
}
