/** When the next request may start: `--rate`, and a Retry-After that holds back every worker. */

export interface Pace {
  /** Null when a request may start at once; else resolves when it may, or when `signal` aborts. */
  turn(signal: AbortSignal): Promise<void> | null;
  /** No request starts for so many milliseconds. */
  hold(ms: number): void;
  /** How many milliseconds requests are still held back, for the progress display. */
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

  /** The next free moment. Requests that a hold has put off are spread like all others when it is over. */
  function slot(now: number): number {
    const at = Math.max(now, next, heldUntil);
    if (interval !== 0) next = at + interval;
    return at;
  }

  async function wait(first: number, signal: AbortSignal): Promise<void> {
    for (let at = first; !signal.aborted;) {
      const now = clock.monotonic();
      // A hold may be set or lengthened while this request waits.
      if (at < heldUntil) at = slot(now);
      if (at <= now) return;
      await clock.sleep(at - now, signal);
    }
  }

  return {
    turn: (signal) => {
      if (interval === 0 && heldUntil === 0) return null;
      const now = clock.monotonic();
      const at = slot(now);
      return at <= now ? null : wait(at, signal);
    },
    hold: (ms) => {
      heldUntil = Math.max(heldUntil, clock.monotonic() + ms);
    },
    held: () => Math.max(0, heldUntil - clock.monotonic()),
  };
}
