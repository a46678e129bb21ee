/** How long a call waits for a database that does not answer: up to a time limit, or to a stop signal. */
import type { Connection } from './connection.js';
import { explained, failureMessage, remedyOf } from './failures.js';

export interface WaitOptions {
  /** How long to wait for the database, milliseconds. */
  readonly timeoutMs: number;
  /** As people name the place. */
  readonly place: string;
  readonly note: (text: string) => void;
  readonly monotonic: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Aborts at the first stop signal: from then on, the database is not waited for. */
  readonly interrupted: AbortSignal | undefined;
}

export interface LastContact {
  /** When the database last answered or was last asked, on the clock for measuring waits. */
  readonly lastContact: { at: number };
}

/** Milliseconds. The limit for all waits together is `--journal-timeout`. */
const RECONNECT_POLICY = {
  /** Each further wait is twice as long as the one before it. */
  firstWaitMs: 100,
  longestWaitMs: 2000,
  /** Before a transaction is repeated that another one has disturbed: the database itself is well. */
  conflictWaitMs: 10,
  /** Time limit for connecting once waiting was in vain or a signal has come. */
  lastConnectMs: 1000,
} as const;

export interface ReconnectPolicy {
  /** @throws JournalError for a failure that waiting does not solve, or that has lasted too long, or at a signal */
  retryOrThrow(cause: unknown): Promise<void>;
  /** The work is done. */
  end(): void;
}

/** Waits for temporary failures, within the time limit. */
export function createReconnectPolicy(options: WaitOptions & LastContact, giveUp: () => void): ReconnectPolicy {
  const { timeoutMs, monotonic, sleep, interrupted, note, place, lastContact } = options;
  let since: number | null = null;
  let wait: number = RECONNECT_POLICY.firstWaitMs;
  let hasTold = false;
  return {
    end: () => {
      if (hasTold) note(`the journal ${place} answers again`);
    },
    retryOrThrow: async (cause) => {
      const remedy = remedyOf(cause);
      if (remedy === 'none') throw explained(cause, place);
      // A transaction that another one has disturbed is repeated after a signal too: its outcomes must be stored.
      const isStopped = (): boolean => remedy === 'wait' && interrupted?.aborted === true;
      if (since === null && remedy === 'wait' && timeoutMs > 0 && !isStopped()) {
        hasTold = true;
        note(
          `the journal ${place} does not answer: ${failureMessage(cause)}. Waiting for it up to ${timeoutMs / 1000} s`,
        );
      }
      since ??= lastContact.at;
      if (monotonic() - since < timeoutMs && !isStopped()) {
        await (remedy === 'again' ? sleep(RECONNECT_POLICY.conflictWaitMs) : sleep(wait, interrupted));
        wait = Math.min(RECONNECT_POLICY.longestWaitMs, wait * 2);
        if (!isStopped()) return;
      }
      giveUp();
      throw explained(cause, place);
    },
  };
}

/**
 * Connects. After a wait in vain or a signal, there is only a moment left for it, even if it is under way.
 * @param connect with a time limit, milliseconds
 */
export async function connectInTime(
  connect: (longestMs: number) => Promise<Connection>,
  hasGivenUp: boolean,
  interrupted: AbortSignal | undefined,
): Promise<Connection> {
  const attempt = connect(hasGivenUp ? RECONNECT_POLICY.lastConnectMs : Number.POSITIVE_INFINITY);
  if (interrupted === undefined) return attempt;
  let timer: NodeJS.Timeout | undefined;
  let hurry = (): void => undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const fail = (): void => reject(Object.assign(new Error('connection timeout'), { code: 'ETIMEDOUT' }));
    hurry = () => (timer = setTimeout(fail, RECONNECT_POLICY.lastConnectMs));
    if (interrupted.aborted) hurry();
    else interrupted.addEventListener('abort', hurry, { once: true });
  });
  try {
    return await Promise.race([attempt, tooLate]);
  } catch (cause) {
    // It may still succeed: nobody would end that connection.
    attempt.then(
      (late) => late.destroy(),
      () => undefined,
    );
    throw cause;
  } finally {
    clearTimeout(timer);
    interrupted.removeEventListener('abort', hurry);
  }
}
