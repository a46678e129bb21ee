/** The end of a call that an error ended: the message, what to call again, and with `--json` its summary. */
import { loadSettings } from '../config/config-file.js';
import { journalSecrets } from '../config/journal-location.js';
import { createRedactor } from '../config/secrets.js';
import { callFailureText, errorMessage, type ErrorStatus, EXIT, exitStatusOfError, isParserError } from '../errors.js';
import { toWords } from '../follow-up/command-line.js';
import { rerunCommand } from '../follow-up/commands.js';
import { isRepeatable } from '../follow-up/flags.js';
import { failureEvent } from '../report/event-reporter.js';
import { escapeControls, printable } from '../report/printable.js';
import { widthOf, wrapText } from '../report/table.js';
import { shellCommand } from '../util/shell-quote.js';
import { version } from '../version.js';
import type { World } from '../world.js';
import type { Invocation } from './command.js';

/** What is known of the call. */
interface CallSoFar {
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Null if the command did not begin. */
  readonly invocation: Invocation | null;
  /** The command that runs records; null for any other. */
  readonly command: string | null;
}

/** Tells what has failed, and returns the exit code. */
export async function reportFailure(cause: unknown, call: CallSoFar, world: World): Promise<number> {
  const { argv, startedAt, invocation, command } = call;
  const status = exitStatusOfError(cause, command === null ? null : world.stoppedBy());
  const { exitCode, stopReason } = status;
  const text = endMessage(cause, status, call);
  const lines = wrapText(printable(text), widthOf(world.stderr));
  const isDebug = argv.includes('--debug') || world.env['GIGWORK_DEBUG'] === '1';
  // Messages of other failures say all, and a wrong call's may hold a secret.
  if (exitCode === EXIT.internal && isDebug && cause instanceof Error)
    lines.push(...(cause.stack ?? '').split('\n').map(printable));
  world.stderr.write(`${lines.join('\n')}\n`);
  if (command === null) return exitCode;
  const isInterrupted = stopReason === 'interrupted';
  const mayHelp = exitCode === EXIT.again || isInterrupted;
  const next = mayHelp && invocation !== null ? await sameCall(invocation) : null;
  if (isInterrupted && next !== null)
    world.stderr.write(`To continue: ${printable(shellCommand(next, world.platform))}\n`);
  if (argv.includes('--json')) {
    const batchId = invocation?.flags.batch_id ?? '';
    const dryRun = argv.some((word) => /^--(dry-run$|approve(=|$))/.test(word));
    const end = { command, batchId, dryRun, next, startedAt, version: version() };
    world.stdout.write(`${escapeControls(JSON.stringify(failureEvent(status, text, end, world.now())))}\n`);
  }
  return exitCode;
}

function endMessage(cause: unknown, status: ErrorStatus, { argv, command }: CallSoFar): string {
  const isOfParser = isParserError(cause) && status.stopReason === 'usage';
  const message = isOfParser ? usageText(cause, argv) : errorMessage(cause, status);
  const text = callFailureText(message, status, command !== null);
  const isInternal = status.exitCode === EXIT.internal;
  return isInternal ? `${text}. Run it again with --debug to see the details; that is safe.` : text;
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
async function sameCall({ name, commandLine, operands, flags, world }: Invocation): Promise<readonly string[] | null> {
  const settings = await loadSettings(flags, world);
  if (!isRepeatable(name === 'batch resume' ? [] : operands, settings)) return null;
  const redactor = createRedactor(journalSecrets(settings));
  return toWords(rerunCommand({ commandLine, settings, platform: world.platform, redactor }));
}
