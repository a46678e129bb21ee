/** `X create` and `batch import`: flags → options → one call. */
import type { RecordType } from '../records/kind.js';
import { KINDS } from '../records/kinds.js';
import { runRecords } from '../run.js';
import { loadSettings } from '../config/config-file.js';
import { runOptions } from '../config/settings.js';
import type { RunFlags } from '../config/sources.js';
import type { World } from '../world.js';
import { fieldsAmong } from './command-flags.js';
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
  const { reporter, dialog } = openTerminal(options, world);
  return runRecords(options, world, reporter, dialog);
}
