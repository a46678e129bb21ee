/** When the next request may start: `--rate`, and a Retry-After that holds back every worker. */
import type { World } from '../world.js';

export class RateLimiter {
  /** Milliseconds between two requests. */
  private readonly interval: number;
  private readonly clock: Pick<World, 'monotonic' | 'sleep'>;
  private next = 0;
  private heldUntil = 0;

  /** @param rate requests per second, or null for no limit */
  constructor(rate: number | null, clock: Pick<World, 'monotonic' | 'sleep'>) {
    this.interval = rate === null ? 0 : 1000 / rate;
    this.clock = clock;
  }

  /** Null when a request may start at once; else resolves when it may, or when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<void> | null {
    if (this.interval === 0 && this.heldUntil === 0) return null;
    const now = this.clock.monotonic();
    const at = this.slot(now);
    return at <= now ? null : this.wait(at, signal);
  }

  /** No request starts for this many milliseconds. */
  pauseFor(ms: number): void {
    this.heldUntil = Math.max(this.heldUntil, this.clock.monotonic() + ms);
  }

  /** How many milliseconds requests are still held back, for the progress display. */
  held(): number {
    return Math.max(0, this.heldUntil - this.clock.monotonic());
  }

  /** The next free moment. Requests that a hold has delayed are spread like all others when it is over. */
  private slot(now: number): number {
    const at = Math.max(now, this.next, this.heldUntil);
    if (this.interval !== 0) this.next = at + this.interval;
    return at;
  }

  private async wait(first: number, signal: AbortSignal): Promise<void> {
    for (let at = first; !signal.aborted;) {
      const now = this.clock.monotonic();
      // A hold may be set or lengthened while this request waits.
      if (at < this.heldUntil) at = this.slot(now);
      if (at <= now) return;
      await this.clock.sleep(at - now, signal);
    }
  }
}
