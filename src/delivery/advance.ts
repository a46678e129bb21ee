/** How far the sending has come, for the progress display. */
import type { Reporter, Wait } from '../report/reporter.js';
import type { Status } from '../batch/entries.js';

/** Progress is told once for this many records; in a small run, for each record. */
const TOLD_EVERY = 16;
const SMALL_RUN = 1000;

export class Advance {
  private readonly reporter: Reporter;
  /** How many records are to be sent, how many of these are done, and how many records ended in each state. */
  private pending = 0;
  private count = 0;
  private readonly counts: Partial<Record<Status, number>> = {};
  private wait: Wait | null = null;

  constructor(reporter: Reporter) {
    this.reporter = reporter;
  }

  /** @param pending how many records are to be sent */
  begin(pending: number): void {
    this.pending = pending;
    this.tell();
  }

  /**
   * One more record is done. A record that a stop left unsent is no progress.
   * @param wasPending the record was to be sent; false when an earlier call had settled it
   */
  known(status: Status, wasPending: boolean): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1;
    if (wasPending && status !== 'not_sent') this.count++;
    if (this.count % TOLD_EVERY === 0 || this.pending <= SMALL_RUN) this.tell();
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    if (why === (this.wait?.why ?? null)) return;
    // An answer to a request that was already under way does not end the wait of all workers.
    if (why === null && this.wait !== null && heldMs() > 0) return;
    this.wait = why === null ? null : { why, heldMs };
    this.tell();
  }

  private tell(): void {
    const done = Math.min(this.count, this.pending);
    const { pending: total, counts, wait: waiting } = this;
    this.reporter.progress({ doing: 'sending', done, total, counts: { ...counts }, waiting });
  }
}
