/** How far the sending is, for those who watch it. */
import type { Reporter, Wait } from '../report/reporter.js';
import type { Status } from './entries.js';

/** How often it is told, in records; of a small run each one counts. */
const TOLD_EVERY = 16;
const SMALL_RUN = 1000;

export class Advance {
  private readonly reporter: Reporter;
  /** Records to send, those whose fate is known, and what became of them. */
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
   * One more record's fate is known. What a stop left unsent is no progress.
   * @param wasPending it is one of those to be sent, and not one that an earlier call has settled
   */
  known(status: Status, wasPending: boolean): void {
    this.counts[status] = (this.counts[status] ?? 0) + 1;
    if (wasPending && status !== 'not_sent') this.count++;
    if (this.count % TOLD_EVERY === 0 || this.pending <= SMALL_RUN) this.tell();
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    if (why === (this.wait?.why ?? null)) return;
    // One answer that was under way does not end the wait of all.
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
