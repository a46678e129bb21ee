/** Decides when a run stops although single records might still be tried. CONTRACT: "Sending". */
import { JournalError } from '../errors.js';
import type { Claimed, NewOutcome } from '../journal/plan.js';
import type { Outcome } from '../journal/payment.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import type { AttemptResult } from './http/attempt.js';
import { asksToWait, type AttemptStop, isDefinite, type AttemptVerdict } from './http/classify.js';
import { RETRY_POLICY } from './http/retry.js';

/** Why a run stopped before its end. */
export type DeliveryStop =
  | AttemptStop
  | 'wrong_target'
  | 'unreachable'
  | 'throttled'
  | 'in_doubt'
  | 'too_many_rejected'
  | 'journal'
  | 'interrupted'
  | 'internal';

/** Why the run stopped before its end, with the message of the service or network; null if it did not stop. */
export type StopCause = {
  readonly reason: DeliveryStop;
  readonly detail: string | null;
  /** So many records in a row got no definite answer. */
  readonly unansweredInARow?: number;
  /** The target is wrong: its answers had only these HTTP statuses. */
  readonly statuses?: readonly number[];
  /** The target is wrong, but some payments may have been made there. */
  readonly mayHavePaid?: boolean;
  /** For a journal: a later call may find it usable. */
  readonly isPassing?: boolean;
} | null;

export interface BreakerRules {
  /** Stop when this many records have been rejected; null for never. */
  readonly stopAfter: number | null;
  /** An earlier call of the run has created records. */
  readonly createdBefore: boolean;
  /** An earlier call has left records of the run in doubt. */
  readonly inDoubtBefore: boolean;
}

export interface BreakerOptions extends BreakerRules {
  /** Whether any payment of this type was ever created at the run's target. */
  readonly hasCreated: (type: RecordType) => Promise<boolean>;
  readonly monotonic: () => number;
  /** Called when the run stops: nothing new may start. */
  readonly onStop: () => void;
}

/**
 * If this many records in a row end as `unknown` without any definite answer in between, the service is down.
 * Continuing would put every record in doubt.
 */
const LONGEST_OUTAGE = 100;

/** The first answers of a call show whether the target is wrong, and not the records. */
const FIRST_ANSWERS = 10;
/** So many answers 2xx in a row that confirm nothing show it too, although the run has created something before. */
const MOST_STRANGE = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
/** Among fewer answers, this one may well be about the records. */
export const HTTP_FORBIDDEN = 403;

/** One breaker sees everything that a delivery sends: each attempt, and each record when it is settled. */
export class CircuitBreaker {
  private readonly options: BreakerOptions;
  private why: StopCause = null;
  private hasCreated: boolean;
  private inDoubt: boolean;
  private lastAnswer = Number.NEGATIVE_INFINITY;
  private throttledSince: number | null = null;
  private rejected = 0;
  private unknownInARow = 0;
  private strangeInARow = 0;
  private readonly gigs = new LoneGigs();
  /** The first answers, while all of them mean that the address is wrong; null after the target was judged. */
  private first: number[] | null = [];
  /** Types of the records with these answers. */
  private readonly types = new Set<RecordType>();
  /** Their rejections, held back until the target is judged. */
  private held: NewOutcome[] = [];
  private isWrongTarget = false;

  constructor(options: BreakerOptions) {
    this.options = options;
    this.hasCreated = options.createdBefore;
    this.inDoubt = options.inDoubtBefore;
  }

  get stopped(): StopCause {
    const stopped = this.why;
    // Another address has a separate history, so payments that were made at this one would be made again there.
    return stopped?.reason === 'wrong_target' && this.inDoubt ? { ...stopped, mayHavePaid: true } : stopped;
  }

  /** A gig may only be sent while no other one is under way. */
  get sendsGigsAlone(): boolean {
    return this.gigs.areAlone;
  }

  stop(reason: DeliveryStop, detail: string | null): void {
    this.stopFor({ reason, detail });
  }

  private stopFor(cause: NonNullable<StopCause>): void {
    if (this.why !== null) return;
    this.why = cause;
    this.options.onStop();
  }

  /**
   * To be called after each attempt.
   * @param began when the sending of the record began, on the clock for measuring waits
   * @param words the message of the service or the network
   */
  recordAttempt(result: AttemptResult, verdict: AttemptVerdict, began: number, words: () => string): void {
    if (result.kind === 'answer') this.answered(result.status);
    const isStrange = verdict.next === 'settle' && verdict.isStrange === true;
    if (result.kind === 'answer') this.strangeInARow = isStrange ? this.strangeInARow + 1 : 0;
    if (verdict.next === 'retry') return;
    if (verdict.state === 'created') this.hasCreated = true;
    if (verdict.stop !== undefined) this.stop(verdict.stop, words());
    // The first one shows it only in a run that has created nothing.
    if (isStrange && (!this.hasCreated || this.strangeInARow === MOST_STRANGE)) this.stop('wrong_target', words());
    // If any answer has come since the record began, the service can be reached.
    if (result.kind === 'not-connected' && this.lastAnswer < began) this.stop('unreachable', result.reason);
  }

  private answered(status: number): void {
    const now = this.options.monotonic();
    this.lastAnswer = now;
    if (isDefinite(status)) this.unknownInARow = 0;
    if (asksToWait(status)) {
      this.throttledSince ??= now;
      if (now - this.throttledSince >= RETRY_POLICY.longestThrottleMs) this.stop('throttled', null);
      return;
    }
    this.throttledSince = null;
    if (!NOTHING_HERE.has(status)) this.first = null;
    if (this.first?.push(status) === FIRST_ANSWERS) this.tripWrongTarget(this.first);
  }

  /** To be called when a record is settled. Returns the outcomes that can be stored now. */
  settled(claimed: Claimed, outcome: Outcome): NewOutcome[] {
    const { id, claim, type, earlier } = claimed;
    const { state } = outcome;
    this.inDoubt ||= state === 'unknown';
    if (state === 'created') this.unknownInARow = 0;
    // Records that were in doubt before do not count: a resumed run must get past them.
    if (!RECORD_INFO[type].keyed && this.gigs.settled(claimed, outcome)) this.stop('in_doubt', null);
    const isNewDoubt = state === 'unknown' && (earlier?.doubtSince ?? null) === null;
    if (isNewDoubt && ++this.unknownInARow === LONGEST_OUTAGE)
      this.stopFor({ reason: 'unreachable', detail: null, unansweredInARow: LONGEST_OUTAGE });
    if (state === 'rejected' && ++this.rejected === this.options.stopAfter) this.stop('too_many_rejected', null);
    const settled = { id, claim, outcome };
    if (this.first === null) return [...this.held.splice(0), settled].map((each) => this.withWrongTarget(each));
    if (saysNothingIsHere(outcome)) this.types.add(type);
    // A record that was in doubt before stays so, whatever the answer.
    if (!saysNothingIsHere(outcome) || state !== 'rejected') return [settled];
    this.held.push(settled);
    return [];
  }

  /** No answer will come any more. Returns the outcomes that were held back. */
  async ended(): Promise<NewOutcome[]> {
    const { first } = this;
    if (first !== null && this.types.size > 0 && !first.includes(HTTP_FORBIDDEN) && !(await this.wasCreatedThere()))
      this.tripWrongTarget(first);
    this.first = null;
    return this.held.splice(0).map((each) => this.withWrongTarget(each));
  }

  private tripWrongTarget(answers: readonly number[]): void {
    this.first = null;
    this.isWrongTarget = true;
    // The counted rejections do not concern the records after all.
    if (this.why?.reason === 'too_many_rejected') this.why = null;
    const statuses = [...new Set(answers)].sort((a, b) => a - b);
    this.stopFor({ reason: 'wrong_target', detail: null, statuses });
  }

  /** If the target is wrong, rejected records stay open and are sent when the run is resumed. */
  private withWrongTarget(settled: NewOutcome): NewOutcome {
    const { outcome } = settled;
    const isOpen = this.isWrongTarget && outcome.state === 'rejected' && saysNothingIsHere(outcome);
    return isOpen ? { ...settled, outcome: { ...outcome, state: 'not_sent' } } : settled;
  }

  /** Whether any record was ever created at the paths of the rejected records. */
  private async wasCreatedThere(): Promise<boolean> {
    try {
      for (const type of this.types) if (await this.options.hasCreated(type)) return true;
    } catch (cause) {
      // The next commit reports the failure. Until then the records count as not sent, which is safe: they were
      // refused.
      if (!(cause instanceof JournalError)) throw cause;
    }
    return false;
  }
}

function saysNothingIsHere({ httpStatus }: Outcome): boolean {
  return NOTHING_HERE.has(httpStatus ?? 0);
}

/** After this many gigs in doubt without a definite outcome in between, the run stops. */
const MOST_GIGS_IN_DOUBT = 3;

/**
 * When gigs are sent one at a time. No key protects them, so each that meets a service in trouble may be created and
 * costs a person's time. CONTRACT: "Sending".
 */
class LoneGigs {
  private inARow = 0;
  /** Whether a gig may only be sent while no other one is under way: before the first definite outcome, and in doubt. */
  areAlone = true;

  /** To be called with each gig's outcome. Returns whether the run must stop. */
  settled({ earlier }: Claimed, { state, attempts, httpStatus }: Outcome): boolean {
    // After a stop, gigs come back as they were before this call.
    const isSent = attempts > (earlier?.attempts ?? 0);
    if (state === 'not_sent' || !isSent) return false;
    // A refusal of a gig that was in doubt before leaves it in doubt, and shows that the service works.
    this.areAlone = state === 'unknown' && !isDefinite(httpStatus ?? 0);
    this.inARow = this.areAlone ? this.inARow + 1 : 0;
    return this.inARow === MOST_GIGS_IN_DOUBT;
  }
}
