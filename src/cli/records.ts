/** `X create`, `batch import` and `batch resume`: flags → options → one call. */
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { runRecords } from '../run.js';
import { loadSettings } from '../config/config-file.js';
import { resumeOptions, runOptions } from '../config/settings.js';
import type { RunFlags } from '../config/sources.js';
import type { World } from '../world.js';
import type { RunOptions } from '../options.js';
import { fieldsAmong } from './command-flags.js';
import { withRun } from './ledger.js';
import { openTerminal } from './terminal.js';

export interface RecordsCall {
  readonly command: string;
  readonly argv: readonly string[];
  /** Null: `--type` or the columns decide. */
  readonly type: RecordType | null;
  readonly files: readonly string[];
  readonly flags: RunFlags & Readonly<Record<string, unknown>>;
}

/** Gives the exit code of the run. @throws UsageError, JournalError before anything is sent */
export async function sendRecords(call: RecordsCall, world: World): Promise<number> {
  const fields = call.type === null ? {} : fieldsAmong(call.flags, KINDS[call.type].fields);
  const options = await runOptions({ ...call, fields }, await loadSettings(call.flags, world), world);
  return runAtTerminal(options, world);
}

/** Goes on with a run from the journal alone, and gives the exit code. @throws UsageError, JournalError before anything is sent */
export async function resumeRun(name: string, argv: readonly string[], flags: RunFlags, world: World): Promise<number> {
  const options = await withRun(name, flags, null, world, (run, _ledger, settings) =>
    resumeOptions({ command: 'batch resume', argv }, run, settings, world),
  );
  return runAtTerminal(options, world);
}

function runAtTerminal(options: RunOptions, world: World): Promise<number> {
  const { reporter, dialog } = openTerminal(options, world);
  return runRecords(options, world, reporter, dialog);
}
