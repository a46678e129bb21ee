/**
 * How many records are claimed before a worker is free for them, so that one commit claims many. After a crash each of
 * them counts as in doubt although it never left, so only as many are claimed as are sent within a short while.
 */

/** Records that are claimed ahead are sent within about this many milliseconds, at the latest rate. */
const AHEAD_MS = 50;
/** The rate is measured over at least this many milliseconds. */
const WINDOW_MS = 20;

export class ClaimAhead {
  private readonly limit: number;
  private readonly monotonic: () => number;
  private since: number;
  private count = 0;
  /** How many records may be claimed ahead; none before there is a rate. */
  most = 0;

  /**
   * @param limit never more than this many, however high the rate is
   * @param monotonic milliseconds
   */
  constructor(limit: number, monotonic: () => number) {
    this.limit = limit;
    this.monotonic = monotonic;
    this.since = monotonic();
  }

  /** This many records have been sent, and their outcomes are about to be written down. */
  sent(count: number): void {
    this.count += count;
    const elapsed = this.monotonic() - this.since;
    if (elapsed < WINDOW_MS) return;
    this.most = Math.min(this.limit, Math.floor((this.count / elapsed) * AHEAD_MS));
    this.since += elapsed;
    this.count = 0;
  }
}
