/**
 * When gigs are sent one at a time. No key protects them, so each that meets a service in trouble may be created and
 * costs a person's time. CONTRACT: "Sending".
 */
import type { Claimed } from '../journal/plan.js';
import type { Outcome } from '../journal/payment.js';
import { isDefinite } from './http/classify.js';

/** After this many gigs in doubt without a definite outcome in between, the run stops. */
const MOST_GIGS_IN_DOUBT = 3;

export class LoneGigs {
  private inARow = 0;
  /** Whether a gig may only be sent while no other one is under way: before the first definite outcome, and in doubt. */
  areAlone = true;

  /** To be called with each gig's outcome. Returns whether the run must stop. */
  settled({ earlier }: Pick<Claimed, 'earlier'>, { state, attempts, httpStatus }: Outcome): boolean {
    // After a stop, gigs come back as they were before this call.
    const isSent = attempts > (earlier?.attempts ?? 0);
    if (state === 'not_sent' || !isSent) return false;
    // A refusal of a gig that was in doubt before leaves it in doubt, and shows that the service works.
    this.areAlone = state === 'unknown' && !isDefinite(httpStatus ?? 0);
    this.inARow = this.areAlone ? this.inARow + 1 : 0;
    return this.inARow === MOST_GIGS_IN_DOUBT;
  }
}
