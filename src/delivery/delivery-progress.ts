/** Progress of the sending, for display. */
import type { Status } from '../prepare/record-table.js';
import type { Reporter, Wait } from '../report/reporter.js';
import { statusText } from '../report/status-text.js';

export class DeliveryProgress {
  private readonly reporter: Pick<Reporter, 'progress'>;
  private total = 0;
  private done = 0;
  /** Number of records by outcome, as people read it. */
  private readonly counts: Record<string, number> = {};
  private wait: Wait | null = null;

  constructor(reporter: Pick<Reporter, 'progress'>) {
    this.reporter = reporter;
  }

  /** @param total how many records are to be sent */
  begin(total: number): void {
    this.total = total;
    this.tell();
  }

  /** One more record is done. A record that a stop left unsent does not count as progress. */
  known(status: Status, type: string): void {
    const text = statusText(status, type);
    this.counts[text] = (this.counts[text] ?? 0) + 1;
    if (status !== 'not_sent') this.done++;
    this.tell();
  }

  /** @param heldMs milliseconds that all requests are held back */
  waiting(why: string | null, heldMs: () => number): void {
    if (why === (this.wait?.why ?? null)) return;
    // An answer to an earlier request does not end the wait of all workers.
    if (why === null && this.wait !== null && heldMs() > 0) return;
    this.wait = why === null ? null : { why, heldMs };
    this.tell();
  }

  private tell(): void {
    const { done, total, counts, wait: waiting } = this;
    this.reporter.progress({ doing: 'sending', done, total, counts, waiting });
  }
}
