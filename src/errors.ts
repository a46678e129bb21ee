/** Exit codes, and the errors that carry one. CONTRACT: "Exit codes". */

export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  refused: 3,
  partly: 4,
  /** Not done; calling again may succeed without anybody's help. */
  again: 5,
  /** Not done; a person has to act first. */
  person: 6,
} as const;

/** The signals that ask a run to stop: the first stops it in order, a second one at once. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** The exit code of a run that a signal stopped: 128 + the signal's number, as shells report it. */
export const SIGNAL_EXIT: Readonly<Record<StopSignal, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/** The call itself is wrong (flags, settings, missing files): exit 2, nothing was sent. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The journal cannot be used: nothing is sent without it. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  /** A later call may find it usable, without anybody's help: exit 5 instead of 2. */
  readonly isPassing: boolean;

  constructor(
    message: string,
    { isPassing = false, ...options }: ErrorOptions & { readonly isPassing?: boolean } = {},
  ) {
    super(message, options);
    this.isPassing = isPassing;
  }
}

/** How an error ends a call. */
export interface ErrorStatus {
  readonly exitCode: number;
  /** CONTRACT: `stop_reason`. */
  readonly stopReason: 'usage' | 'journal' | 'interrupted' | 'internal';
}

/** @param signal that came; null for none, and where a signal does not matter */
export function exitStatusOfError(cause: unknown, signal: StopSignal | null): ErrorStatus {
  const status = statusWithoutSignal(cause);
  // After a signal, a failure that another call may not have is its consequence: what was waited for was given up.
  const isPassing = status.exitCode === EXIT.again || status.stopReason === 'usage';
  if (signal === null || !isPassing) return status;
  return { exitCode: SIGNAL_EXIT[signal], stopReason: 'interrupted' };
}

function statusWithoutSignal(cause: unknown): ErrorStatus {
  if (cause instanceof UsageError || isParserError(cause)) return { exitCode: EXIT.usage, stopReason: 'usage' };
  if (cause instanceof JournalError)
    return { exitCode: cause.isPassing ? EXIT.again : EXIT.usage, stopReason: 'journal' };
  return { exitCode: EXIT.internal, stopReason: 'internal' };
}

/**
 * The sentence about an error that ended a call.
 * @param isOfRecords of a call that would have sent: once one sends, it reports its own end
 */
export function callFailureText(message: string, { exitCode, stopReason }: ErrorStatus, isOfRecords: boolean): string {
  if (exitCode === EXIT.internal) return `Internal error in gigwork: ${message}`;
  const isBefore = stopReason === 'journal' || stopReason === 'interrupted';
  return isBefore && isOfRecords ? `Nothing was sent: ${message}` : message;
}

/** The message of an error, or of an interruption instead. */
export function errorMessage(cause: unknown, { stopReason }: ErrorStatus): string {
  if (stopReason === 'interrupted') return 'stopped before that';
  return cause instanceof Error ? cause.message : String(cause);
}

/** The parser's own error: a command line that it does not understand; with exit code 0, help that was asked for. */
export function isParserError(cause: unknown): cause is Error & { readonly code: string; readonly exitCode: number } {
  return (
    cause instanceof Error && 'code' in cause && 'exitCode' in cause && String(cause.code).startsWith('commander.')
  );
}
