/** argv + world → exit code. The only place where errors end. */
import type { Invocation, CommandSpec } from './cli/command.js';
import type { CommandHooks } from './program.js';
import { EXIT, errorMessage, type ErrorStatus, exitStatusOfError, callFailureText, isParserError } from './errors.js';
import { READER_LEFT } from './util/output.js';
import { version } from './version.js';
import { type RawWorld, processWorld, type World, worldOf } from './world.js';

// For tests that run the program in another world than this process's, or with another clock.
export { processWorld };

/** @param argv words after `gigwork` */
export async function main(argv: readonly string[], outside: RawWorld): Promise<number> {
  const world = worldOf(outside);
  const called: ParsedCommand = { argv, startedAt: world.now(), running: null };
  const exitCode = await runProgram(called, world).catch((cause: unknown) => failed(cause, called, world));
  await Promise.all([world.stdout.flushed(), world.stderr.flushed()]);
  const { lost } = world.stdout;
  if (lost === null || (lost === READER_LEFT && called.running?.row.changes !== true)) return exitCode;
  const { printable } = await import('./report/printable.js');
  const seen = called.running === null ? '' : '. See what was done: gigwork batch list';
  world.stderr.write(`Part of the output was lost: ${printable(lost)}${seen}\n`);
  await world.stderr.flushed();
  return world.exitCodeOf(exitCode);
}

/** A call of the program, as far as it was understood. */
interface ParsedCommand {
  readonly argv: readonly string[];
  readonly startedAt: number;
  /** Null until a command begins. */
  running: { readonly call: Invocation; readonly row: CommandSpec } | null;
}

async function runProgram(called: ParsedCommand, world: World): Promise<number> {
  const { argv: typed } = called;
  if (typed[0] === '--version' || typed[0] === '-V') {
    world.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const { asHelpFlag, buildProgram, hasFieldFlags } = await import('./program.js');
  const argv = asHelpFlag(typed);
  const shapes = hasFieldFlags(argv) ? (await import('./records/record-schemas.js')).RECORD_SCHEMAS : null;
  let exitCode: number = EXIT.ok;
  const hooks: CommandHooks = {
    began: (call, row) => (called.running = { call, row }),
    done: (code) => (exitCode = code),
  };
  const program = buildProgram(argv, world, hooks, shapes);
  await program.parseAsync([...argv], { from: 'user' });
  return exitCode;
}

/** Tells what has failed, and returns the exit code. A person who asked for help has it: that is no failure. */
async function failed(cause: unknown, called: ParsedCommand, world: World): Promise<number> {
  if (isParserError(cause) && cause.exitCode === 0) return EXIT.ok;
  const { argv, running, startedAt } = called;
  const { recordsCommand } = await import('./program.js');
  const command = recordsCommand(argv);
  const status = exitStatusOfError(cause, command === null ? null : world.stoppedBy());
  const { exitCode, stopReason } = status;
  const text = endMessage(cause, status, called, command !== null);
  await printFailure(text, cause, status, called, world);
  if (command === null) return exitCode;
  const isInterrupted = stopReason === 'interrupted';
  const mayHelp = exitCode === EXIT.again || isInterrupted;
  const next = mayHelp && running !== null ? await sameCall(running.call, world) : null;
  if (isInterrupted && next !== null) {
    const { printable } = await import('./report/printable.js');
    const { shellCommand } = await import('./util/shell-quote.js');
    world.stderr.write(`To continue: ${printable(shellCommand(next, world.platform))}\n`);
  }
  if (argv.includes('--json')) {
    const { failureEvent } = await import('./report/event-reporter.js');
    const { escapeControls } = await import('./report/printable.js');
    const batchId = running?.call.flags.batch_id ?? '';
    const dryRun = argv.some((word) => /^--(dry-run$|approve(=|$))/.test(word));
    const end = { command, batchId, dryRun, next, startedAt, version: version() };
    const event = failureEvent(status, text, end, world.now());
    world.stdout.write(`${escapeControls(JSON.stringify(event))}\n`);
  }
  return exitCode;
}

function endMessage(cause: unknown, status: ErrorStatus, { argv }: ParsedCommand, isOfRecords: boolean): string {
  const isOfParser = isParserError(cause) && status.stopReason === 'usage';
  const text = callFailureText(isOfParser ? usageText(cause, argv) : errorMessage(cause, status), status, isOfRecords);
  const isInternal = status.exitCode === EXIT.internal;
  return isInternal ? `${text}. Run it again with --debug to see the details; that is safe.` : text;
}

async function printFailure(
  text: string,
  cause: unknown,
  { exitCode }: ErrorStatus,
  { argv }: ParsedCommand,
  { env, stderr }: World,
): Promise<void> {
  const { printable } = await import('./report/printable.js');
  const { widthOf, wrapText } = await import('./report/table.js');
  stderr.write(`${wrapText(printable(text), widthOf(stderr)).join('\n')}\n`);
  const debug = argv.includes('--debug') || env['GIGWORK_DEBUG'] === '1';
  // Messages of other failures say all, and a wrong call's may hold a secret.
  if (exitCode === EXIT.internal && debug && cause instanceof Error)
    stderr.write(`${(cause.stack ?? '').split('\n').map(printable).join('\n')}\n`);
}

function usageText({ code, message }: { code: string; message: string }, argv: readonly string[]): string {
  if (code === 'commander.help') return 'which command? See: gigwork --help';
  // Even an unknown option may contain a secret: --token=…
  const text = message
    .replace(/^error: /, '')
    .replace(/('--[\w-]+)=.*'/s, "$1'")
    .replace(/\n(?=\(Did you mean [^\n]*\)$)/, ' ');
  const isBefore = code === 'commander.unknownOption' && argv[0]?.startsWith('-') === true;
  return isBefore ? `${text}; flags stand after the command, as in: gigwork payout create --json` : text;
}

/** The command to call again; null if its input cannot be read again. */
async function sameCall(call: Invocation, world: World): Promise<readonly string[] | null> {
  const { rerunCommand } = await import('./follow-up/commands.js');
  const { isRepeatable } = await import('./follow-up/flags.js');
  const { toWords } = await import('./follow-up/command-line.js');
  const { loadSettings } = await import('./config/config-file.js');
  const { journalSecrets } = await import('./config/journal-location.js');
  const { createRedactor } = await import('./config/secrets.js');
  const { name, commandLine, operands, flags } = call;
  const settings = await loadSettings(flags, world);
  if (!isRepeatable(name === 'batch resume' ? [] : operands, settings)) return null;
  const redactor = createRedactor(journalSecrets(settings));
  return toWords(rerunCommand({ commandLine, settings, platform: world.platform, redactor }));
}

/** Runs this process's command line and ends the process with its code. */
export async function start(): Promise<void> {
  const world = processWorld();
  const exitCode = await main(process.argv.slice(2), world);
  // Open sockets and timers do not keep the process alive.
  world.exitNow(exitCode);
}
