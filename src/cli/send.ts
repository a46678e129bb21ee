/** `X create`, `batch import` and `batch resume`: flags → options → one call. */
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordType } from '../records/types.js';
import { runRecords } from '../run/run.js';
import { Interruption } from '../delivery/interruption.js';
import { loadSettings } from '../config/config-file.js';
import { resumeOptions, runOptions } from '../config/run-options.js';
import type { RunFlags, SettingSources } from '../config/resolve.js';
import type { Journal } from '../journal/journal.js';
import type { Run } from '../journal/payment.js';
import type { World } from '../world.js';
import { callerFrom } from '../follow-up/command-line.js';
import type { ConfiguredOptions, RunOptions } from '../options.js';
import { terminalDialog } from '../report/dialog.js';
import { eventReporter } from '../report/event-reporter.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import { type Invocation, fieldsAmong } from './command.js';
import { withRun } from './with-journal.js';

/**
 * Returns the exit code of the run.
 * @param type null: `--type` or the columns decide
 * @throws UsageError, JournalError before anything is sent
 */
export async function sendRecords(
  type: RecordType | null,
  {
    name: command,
    operands: files,
    flags,
    commandLine,
    world,
  }: Invocation<RunFlags & Readonly<Record<string, unknown>>>,
): Promise<number> {
  const fields = type === null ? {} : fieldsAmong(flags, RECORD_SCHEMAS[type].fields);
  const interruption = new Interruption(world);
  const settings = await loadSettings(flags, world);
  const call = { command, type, files, fields };
  const configured = await runOptions(call, settings, world, () => interruption.listen());
  const caller = callerFrom(commandLine, configured.redactor, world, Object.keys(fields));
  return runAtTerminal({ ...configured, commandLine, caller }, world, interruption);
}

/** Continues a run only from the journal; returns the exit code. @throws UsageError, JournalError before sending */
export async function resumeRun(call: Invocation): Promise<number> {
  const { name: command, commandLine, world } = call;
  const interruption = new Interruption(world);
  const interrupted = interruption.listen();
  const toOptions = (run: Run, _journal: Journal, settings: SettingSources): Promise<ConfiguredOptions> =>
    resumeOptions(command, run, settings, world, () => interrupted);
  const configured = await withRun(call, 'reads', toOptions, interrupted);
  const caller = callerFrom(commandLine, configured.redactor, world);
  return runAtTerminal({ ...configured, commandLine, caller }, world, interruption);
}

/** With `--json` the reporter writes for programs, otherwise for people. The dialog asks a person. */
function runAtTerminal(options: RunOptions, world: World, interruption: Interruption): Promise<number> {
  const people = terminalReporter(options, world);
  const reporter = options.output.json ? eventReporter(world.stdout, people) : people;
  const terminal = { reporter, dialog: terminalDialog(world.stdin, world.stderr) };
  return runRecords(options, terminal, world, interruption);
}
