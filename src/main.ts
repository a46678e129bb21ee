/** argv + world → exit code. The only place where errors end: cli/failed-call.ts tells them. */
import type { Invocation, CommandSpec } from './cli/command.js';
import type { CommandHooks } from './program.js';
import { EXIT, isParserError } from './errors.js';
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
async function failed(cause: unknown, { argv, startedAt, running }: ParsedCommand, world: World): Promise<number> {
  if (isParserError(cause) && cause.exitCode === 0) return EXIT.ok;
  const { recordsCommand } = await import('./program.js');
  const { reportFailure } = await import('./cli/failed-call.js');
  const call = { argv, startedAt, invocation: running?.call ?? null, command: recordsCommand(argv) };
  return reportFailure(cause, call, world);
}

/** Runs this process's command line and ends the process with its code. */
export async function start(): Promise<void> {
  const world = processWorld();
  const exitCode = await main(process.argv.slice(2), world);
  // Open sockets and timers do not keep the process alive.
  world.exitNow(exitCode);
}
