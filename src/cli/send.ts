/** `X create`, `batch import` and `batch resume`: flags → options → one call. */
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordType } from '../records/types.js';
import { runRecords } from '../run/run.js';
import type { CallTerminal } from '../run/run-session.js';
import { Interruption } from '../delivery/interruption.js';
import { loadSettings } from '../config/config-file.js';
import { resumeOptions, runOptions } from '../config/run-options.js';
import type { RunFlags, SettingSources } from '../config/resolve.js';
import type { Run } from '../journal/payment.js';
import type { World } from '../world.js';
import { callerFrom } from '../follow-up/command-line.js';
import type { ConfiguredOptions, RunOptions } from '../options.js';
import { terminalDialog } from '../report/dialog.js';
import { eventReporter } from '../report/event-reporter.js';
import { terminalReporter } from '../report/terminal-reporter.js';
import { type Invocation, fieldsAmong } from './command.js';
import { withRun } from './with-journal.js';

/** What a call takes its settings from, and who is told of it and answers: a person at a terminal, or a program. */
export interface Attendance {
  readonly settings: (flags: RunFlags, world: World) => Promise<SettingSources>;
  readonly terminal: (options: RunOptions, world: World) => CallTerminal;
}

const AT_TERMINAL: Attendance = { settings: loadSettings, terminal: atTerminal };

/**
 * Returns the exit code of the run.
 * @param type null: `--type` or the columns decide
 * @throws UsageError, JournalError before anything is sent
 */
export async function sendRecords(
  type: RecordType | null,
  call: Invocation<RunFlags & Readonly<Record<string, unknown>>>,
  attendance = AT_TERMINAL,
): Promise<number> {
  const { name: command, operands: files, flags, world } = call;
  const fields = type === null ? {} : fieldsAmong(flags, RECORD_SCHEMAS[type].fields);
  const interruption = new Interruption(world);
  const settings = await attendance.settings(flags, world);
  const read = { command, type, files, fields };
  const configured = await runOptions(read, settings, world, () => interruption.listen());
  return runCall(call, configured, Object.keys(fields), interruption, attendance);
}

/** Continues a run only from the journal; returns the exit code. @throws UsageError, JournalError before sending */
export async function resumeRun(call: Invocation, attendance = AT_TERMINAL): Promise<number> {
  const { name: command, flags, world } = call;
  const interruption = new Interruption(world);
  const interrupted = interruption.listen();
  const settings = await attendance.settings(flags, world);
  const toOptions = (run: Run): Promise<ConfiguredOptions> =>
    resumeOptions(command, run, settings, world, () => interrupted);
  const configured = await withRun({ ...call, settings }, 'reads', toOptions, interrupted);
  return runCall(call, configured, [], interruption, attendance);
}

function runCall(
  { commandLine, world }: Invocation,
  configured: ConfiguredOptions,
  fields: readonly string[],
  interruption: Interruption,
  attendance: Attendance,
): Promise<number> {
  const caller = callerFrom(commandLine, configured.redactor, world, fields);
  const options = { ...configured, commandLine, caller };
  return runRecords(options, attendance.terminal(options, world), world, interruption);
}

/** With `--json` the reporter writes for programs, otherwise for people. The dialog asks a person. */
function atTerminal(options: RunOptions, world: World): CallTerminal {
  const people = terminalReporter(options, world);
  const reporter = options.output.json ? eventReporter(world.stdout, people) : people;
  return { reporter, dialog: terminalDialog(world.stdin, world.stderr) };
}
