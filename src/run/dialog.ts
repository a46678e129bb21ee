/** What a person is asked before anything is sent. Two implementations: a terminal, and nobody. */
import type { Review } from './review.js';
import type { Wish } from './decide.js';

export interface Dialog {
  /** Whether there is a person to ask: a terminal on standard input and on standard error. */
  readonly present: boolean;
  /** What to do with repeats; null to stop. `signal` ends the question. */
  aboutRepeats(review: Review, signal: AbortSignal): Promise<Wish | null>;
  /** Whether to send; for money the person types the totals. */
  confirm(review: Review, signal: AbortSignal): Promise<boolean>;
}
