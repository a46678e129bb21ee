/** When the next request may start: `--rate`, and a Retry-After that holds back every worker. */

export interface Pace {
  /** Resolves when a request may start, or when `signal` aborts. */
  turn(signal: AbortSignal): Promise<void> | null;
  /** No request starts for so many milliseconds. */
  hold(ms: number): void;
  /** Milliseconds that are still held back, for the progress display. */
  held(): number;
}

export interface PaceClock {
  monotonic(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** @param rate requests per second, or null for no limit */
export function startPace(rate: number | null, clock: PaceClock): Pace {
  const interval = rate === null ? 0 : 1000 / rate;
  let next = 0;
  let heldUntil = 0;

  async function wait(at: number, signal: AbortSignal): Promise<void> {
    // A hold may be lengthened while this one waits.
    for (let due = Math.max(at, heldUntil); !signal.aborted; due = Math.max(at, heldUntil)) {
      const ms = due - clock.monotonic();
      if (ms <= 0) return;
      await clock.sleep(ms, signal);
    }
  }

  return {
    turn: (signal) => {
      if (interval === 0 && heldUntil === 0) return null;
      const now = clock.monotonic();
      const at = interval === 0 ? now : Math.max(now, next);
      if (interval !== 0) next = at + interval;
      return at <= now && heldUntil <= now ? null : wait(at, signal);
    },
    hold: (ms) => {
      heldUntil = Math.max(heldUntil, clock.monotonic() + ms);
    },
    held: () => Math.max(0, heldUntil - clock.monotonic()),
  };
}
