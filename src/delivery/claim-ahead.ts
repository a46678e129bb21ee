/**
 * How many records are claimed before a worker is free for them, so that one commit claims many. After a crash each of
 * them counts as in doubt although it never left, so only as many are claimed as are sent within a short while.
 */

/** Records that are claimed ahead are sent within about this many milliseconds, at the latest rate. */
const AHEAD_MS = 50;
/** The rate is measured over at least this many milliseconds. */
const WINDOW_MS = 20;

export interface ClaimAhead {
  /** This many records have been sent, and their outcomes are about to be written down. */
  sent(count: number): void;
  /** How many records may be claimed ahead; none before there is a rate. */
  readonly most: number;
}

/**
 * @param limit never more than this many, however high the rate is
 * @param monotonic milliseconds
 */
export function startClaimAhead(limit: number, monotonic: () => number): ClaimAhead {
  let since = monotonic();
  let count = 0;
  let most = 0;
  return {
    sent: (more) => {
      count += more;
      const elapsed = monotonic() - since;
      if (elapsed < WINDOW_MS) return;
      most = Math.min(limit, Math.floor((count / elapsed) * AHEAD_MS));
      since += elapsed;
      count = 0;
    },
    get most() {
      return most;
    },
  };
}
