/** argv + world → exit code. The only place where errors end. */
import type { Invocation, CommandSpec } from './cli/command.js';
import { EXIT, JournalError, UsageError } from './errors.js';
import { READER_LEFT } from './util/output.js';
import { version } from './version.js';
import { type RawWorld, processWorld, SIGNAL_EXIT, type StopSignal, type World, worldOf } from './world.js';

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
  const seen = called.running === null ? '' : '. The journal has what was done: batch list and batch show print it';
  world.stderr.write(`part of the output is lost: ${printable(lost)}${seen}\n`);
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
  const { argv } = called;
  if (argv[0] === '--version' || argv[0] === '-V') {
    world.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const { buildProgram } = await import('./program.js');
  let exitCode: number = EXIT.ok;
  const program = buildProgram(argv, world, {
    began: (call, row) => (called.running = { call, row }),
    done: (code) => (exitCode = code),
  });
  await program.parseAsync([...argv], { from: 'user' });
  return exitCode;
}

interface Failure {
  readonly exitCode: number;
  readonly stopReason: 'usage' | 'journal' | 'interrupted' | 'internal';
  readonly message: string;
}

async function failed(cause: unknown, called: ParsedCommand, world: World): Promise<number> {
  const { argv, startedAt } = called;
  const { recordsCommand } = await import('./program.js');
  const command = recordsCommand(argv);
  const found = failureOf(cause, argv);
  if (found === null) return EXIT.ok;
  const failure = command === null ? found : afterSignal(found, world.stoppedBy());
  const { printable } = await import('./report/printable.js');
  const debug = argv.includes('--debug') || world.env['GIGWORK_DEBUG'] === '1';
  const internal = failure.exitCode === EXIT.internal;
  // Once a run sends, it reports its own end.
  const isBefore = failure.stopReason === 'journal' || failure.stopReason === 'interrupted';
  const nothing = isBefore && command !== null ? 'Nothing was sent: ' : '';
  const text = internal
    ? `Internal error in gigwork: ${failure.message}. Run it again with --debug to see the details; that is safe.`
    : `${nothing}${failure.message}`;
  const { widthOf, wrapText } = await import('./report/table.js');
  world.stderr.write(`${wrapText(printable(text), widthOf(world.stderr)).join('\n')}\n`);
  // Messages of other failures say all, and a wrong call's may hold a secret.
  if (internal && debug && cause instanceof Error)
    world.stderr.write(`${(cause.stack ?? '').split('\n').map(printable).join('\n')}\n`);
  if (command === null) return failure.exitCode;
  const mayHelp = failure.exitCode === EXIT.again || failure.stopReason === 'interrupted';
  const next = mayHelp && called.running !== null ? await sameCall(called.running.call, world) : null;
  if (failure.stopReason === 'interrupted' && next !== null) {
    const { shellCommand } = await import('./util/shell-quote.js');
    world.stderr.write(`To continue: ${printable(shellCommand(next, world.platform))}\n`);
  }
  if (!argv.includes('--json')) return failure.exitCode;
  const { summaryEvent } = await import('./report/event-reporter.js');
  const { escapeControls } = await import('./report/printable.js');
  const { createSummary } = await import('./report/reporter.js');
  const batchId = called.running?.call.flags.batch_id;
  const summary = createSummary({
    exitCode: failure.exitCode,
    stopReason: failure.stopReason,
    reasons: [text],
    command,
    next,
    dryRun: argv.some((word) => /^--(dry-run$|approve(=|$))/.test(word)),
    ...(batchId === undefined || batchId === '' ? {} : { batchId }),
    version: version(),
    startedAt,
    durationMs: Math.max(0, Math.round(world.now() - startedAt)),
  });
  world.stdout.write(`${escapeControls(JSON.stringify(summaryEvent(summary)))}\n`);
  return failure.exitCode;
}

/** Null if a person asked for help: that is not a failure. */
function failureOf(cause: unknown, argv: readonly string[]): Failure | null {
  if (cause instanceof UsageError) return { exitCode: EXIT.usage, stopReason: 'usage', message: cause.message };
  if (cause instanceof JournalError) {
    const exitCode = cause.isPassing ? EXIT.again : EXIT.usage;
    return { exitCode, stopReason: 'journal', message: cause.message };
  }
  if (isCommanderError(cause)) {
    if (cause.exitCode === 0) return null;
    return { exitCode: EXIT.usage, stopReason: 'usage', message: usageText(cause, argv) };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { exitCode: EXIT.internal, stopReason: 'internal', message };
}

/** After a signal, a failure that another call may not have is its consequence: what was waited for was given up. */
function afterSignal(failure: Failure, signal: StopSignal | null): Failure {
  const isPassing = failure.exitCode === EXIT.again || failure.stopReason === 'usage';
  if (signal === null || !isPassing) return failure;
  return { exitCode: SIGNAL_EXIT[signal], stopReason: 'interrupted', message: 'stopped before that' };
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

function isCommanderError(cause: unknown): cause is Error & { code: string; exitCode: number } {
  return (
    cause instanceof Error && 'code' in cause && 'exitCode' in cause && String(cause.code).startsWith('commander.')
  );
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
