/** `batch resume <run>`: goes on with a run from the journal alone, at its stored target. */
import { runRecords } from '../run.js';
import { resumeOptions } from '../config/settings.js';
import type { RunFlags } from '../config/sources.js';
import type { World } from '../world.js';
import { withRun } from './ledger.js';
import { openTerminal } from './terminal.js';

/** Gives the exit code of the run. @throws UsageError, JournalError before anything is sent */
export async function resumeRun(name: string, argv: readonly string[], flags: RunFlags, world: World): Promise<number> {
  const options = await withRun(name, flags, null, world, (run, _ledger, settings) =>
    resumeOptions({ command: 'batch resume', argv }, run, settings, world),
  );
  const { reporter, dialog } = openTerminal(options, world);
  return runRecords(options, world, reporter, dialog);
}
