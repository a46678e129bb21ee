/** Stop signals during a run: the first stops it in order, the second at once. */
import { SIGNAL_EXIT, type StopSignal, type World } from '../world.js';

export interface Interruption {
  readonly signal: AbortSignal;
  /** Exit code of the first signal, or null while there was none. */
  readonly exitCode: number | null;
  /** @throws Interrupted when a signal has come */
  check(): void;
  /** From now on requests may be under way. */
  sending(): void;
  end(): void;
}

/** Ends the preparation of a run after a signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Listens until `end` is called. By then the call has said how it ended, and its process ends in a moment: a first
 * signal changes nothing any more, and a second signal still ends the process at once.
 * @param note tells people that the run is stopping
 */
export function listenForSignals(world: World, note: (text: string) => void): Interruption {
  const abort = new AbortController();
  let exitCode: number | null = null;
  let isSending = false;
  let hasEnded = false;
  world.onStopSignal((signal: StopSignal) => {
    // The person does not want to wait. What is under way is in the journal as such, so this is safe too.
    if (exitCode !== null) {
      note('stopped at once: the journal knows what was under way, so the same command, run again, goes on safely');
      world.exitNow(SIGNAL_EXIT[signal]);
    }
    exitCode = SIGNAL_EXIT[signal];
    world.stdout.hurry();
    world.stderr.hurry();
    if (hasEnded) return;
    // Whoever has asked a question ends its line first.
    abort.abort();
    note(
      isSending
        ? 'stopping: no new request is started, and those under way are finished first; once more stops at once'
        : 'stopping',
    );
  });
  return {
    signal: abort.signal,
    get exitCode() {
      return exitCode;
    },
    check: () => {
      if (exitCode !== null) throw new Interrupted('stopped: the program was told to end');
    },
    sending: () => {
      isSending = true;
    },
    end: () => {
      hasEnded = true;
    },
  };
}
