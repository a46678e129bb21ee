/** Opens the ledger for the commands on earlier runs. */
import { loadSettings } from '../config/config-file.js';
import { journalOptions, journalSecrets } from '../config/journal.js';
import { callerOf } from '../config/onward.js';
import type { RunFlags, Settings } from '../config/sources.js';
import { secretsOf } from '../config/secrets.js';
import type { Ledger } from '../ledger/ledger.js';
import { openLedger } from '../ledger/open.js';
import type { Run } from '../ledger/payment.js';
import type { World } from '../world.js';
import { findRun, noSuchRun } from './named-records.js';

/**
 * Runs `work` on the ledger that the settings name.
 * @param argv words after `gigwork`, where the call changes something; null where it only reads: then the ledger is null
 *   where there is none yet
 * @throws JournalError, UsageError
 */
export async function withLedger<T>(
  flags: RunFlags,
  argv: readonly string[] | null,
  world: World,
  work: (ledger: Ledger | null, settings: Settings) => Promise<T>,
): Promise<T> {
  const settings = await loadSettings(flags, world);
  // These commands take no header and no record: the journal's password is the only secret that they may be told.
  const caller = argv === null ? null : callerOf(argv, secretsOf(journalSecrets(settings)), world);
  const opened = await openLedger({ ...journalOptions(settings, world), caller }, world);
  const ledger = opened?.ledger ?? null;
  try {
    if (caller !== null) await ledger?.recover();
    return await work(ledger, settings);
  } finally {
    await ledger?.leave();
  }
}

/** Runs `work` on the run that a person means. @throws JournalError; UsageError when there is no such run, or several */
export async function withRun<T>(
  name: string,
  flags: RunFlags,
  argv: readonly string[] | null,
  world: World,
  work: (run: Run, ledger: Ledger, settings: Settings) => Promise<T>,
): Promise<T> {
  return withLedger(flags, argv, world, async (ledger, settings) => {
    if (ledger === null) throw noSuchRun(name);
    return work(await findRun(ledger, name), ledger, settings);
  });
}
