/** Decides when a run stops although single records might still be tried. CONTRACT: "Sending". */
import { JournalError } from '../errors.js';
import type { Claimed, Delivery, Settled } from '../ledger/plan.js';
import type { Outcome } from '../ledger/payment.js';
import type { RecordType } from '../records/kind.js';
import type { AttemptResult } from './http/attempt.js';
import { asksToWait, type AttemptStop, type Verdict } from './http/classify.js';

/** Why a run stopped before its end. */
export type DeliveryStop =
  AttemptStop | 'unreachable' | 'throttled' | 'too_many_rejected' | 'journal' | 'interrupted' | 'internal';

/** Why the run stopped before its end, and what was said; null when it did not. */
export type Stopped = {
  readonly reason: DeliveryStop;
  readonly detail: string | null;
  /** What to do, where the reason alone does not tell. */
  readonly remedy?: string;
  /** Of the journal: calling again later may find it usable. */
  readonly isPassing?: boolean;
} | null;

export interface BreakerOptions {
  readonly delivery: Pick<Delivery, 'hasCreated'>;
  /** Stop when this many records have been rejected; null for never. */
  readonly stopAfter: number | null;
  /** The run has created something in an earlier call. */
  readonly createdBefore: boolean;
  /** An earlier call has left records of the run in doubt. */
  readonly inDoubtBefore: boolean;
  readonly monotonic: () => number;
  /** Nothing new may start. */
  readonly onStop: () => void;
}

/** Another address keeps a separate history, so payments that were made at this one would be made again there. */
const SETTLE_FIRST =
  'the target does not look like the gig work service, but some payments may have been made there. Look them up in the ' +
  'service and record each result with gigwork batch settle. Only then try another address: it could pay them again';
/**
 * When this many records in a row end as `unknown`, and no definite answer comes in between, the service is down: going
 * on would put every record in doubt.
 */
const LONGEST_OUTAGE = 100;
const OUTAGE = 'the service is down, or fails with these records: ask those who run it, then go on';
/** When all answers have asked to wait for this long, the run stops. Milliseconds. */
const LONGEST_THROTTLE = 15 * 60_000;

/** The first answers of a call show whether the target is wrong, and not the records. */
const FIRST_ANSWERS = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
/** Among fewer answers, this one may well be about the records. */
const FORBIDDEN = 403;
const MAY_BE_FORBIDDEN = '; 403 may also mean that the token or the account may not do this';

/** One breaker sees all that a delivery sends: each attempt, and each record when it is settled. */
export class CircuitBreaker {
  private readonly o: BreakerOptions;
  private why: Stopped = null;
  private hasCreated: boolean;
  private inDoubt: boolean;
  private lastAnswer = Number.NEGATIVE_INFINITY;
  private throttledSince: number | null = null;
  private rejected = 0;
  private unknownInARow = 0;
  /** The first answers, while they all say that there is nothing here; null once the target was judged. */
  private first: number[] | null = [];
  /** Of the records that were answered so. */
  private readonly types = new Set<RecordType>();
  /** Refusals of theirs, until the target is judged. */
  private held: Settled[] = [];
  private isWrongTarget = false;

  constructor(options: BreakerOptions) {
    this.o = options;
    this.hasCreated = options.createdBefore;
    this.inDoubt = options.inDoubtBefore;
  }

  get stopped(): Stopped {
    const stopped = this.why;
    return stopped?.reason === 'wrong_target' && this.inDoubt ? { ...stopped, remedy: SETTLE_FIRST } : stopped;
  }

  stop(reason: DeliveryStop, detail: string | null, remedy?: string): void {
    if (this.why !== null) return;
    this.why = remedy === undefined ? { reason, detail } : { reason, detail, remedy };
    this.o.onStop();
  }

  /**
   * After each attempt.
   * @param began when the sending of the record began, on the clock for measuring waits
   * @param words what the service or the network said
   */
  attempted(result: AttemptResult, verdict: Verdict, began: number, words: () => string): void {
    if (result.kind === 'answer') this.answered(result.status);
    if (verdict.next === 'retry') return;
    const { stop } = verdict;
    if (verdict.state === 'created') this.hasCreated = true;
    if (stop !== undefined && !(stop.unless === 'created' && this.hasCreated)) this.stop(stop.reason, words());
    // If any answer has come since the record began, the service can be reached.
    if (result.kind === 'not-connected' && this.lastAnswer < began) this.stop('unreachable', result.reason);
  }

  private answered(status: number): void {
    const now = this.o.monotonic();
    this.lastAnswer = now;
    if (isDefinite(status)) this.unknownInARow = 0;
    if (asksToWait(status)) {
      this.throttledSince ??= now;
      if (now - this.throttledSince >= LONGEST_THROTTLE) this.stop('throttled', null);
      return;
    }
    this.throttledSince = null;
    if (!NOTHING_HERE.has(status)) this.first = null;
    if (this.first?.push(status) === FIRST_ANSWERS) this.blameTarget(this.first);
  }

  /** A record is settled. Gives the outcomes that can be stored now. */
  settled(claimed: Claimed, outcome: Outcome): Settled[] {
    const { id, claim, type, earlier } = claimed;
    const { state } = outcome;
    this.inDoubt ||= state === 'unknown';
    if (state === 'created') this.unknownInARow = 0;
    // Records that were in doubt before do not count: a run that goes on must get past them.
    const isNewDoubt = state === 'unknown' && (earlier?.doubtSince ?? null) === null;
    if (isNewDoubt && ++this.unknownInARow === LONGEST_OUTAGE)
      this.stop('unreachable', `${LONGEST_OUTAGE} records in a row got no definite answer`, OUTAGE);
    if (state === 'rejected' && ++this.rejected === this.o.stopAfter) this.stop('too_many_rejected', null);
    const settled = { id, claim, outcome };
    if (this.first === null) return [...this.held.splice(0), settled].map((each) => this.judged(each));
    if (saysNothingIsHere(outcome)) this.types.add(type);
    // What was in doubt before stays so, whatever the answer.
    if (!saysNothingIsHere(outcome) || state !== 'rejected') return [settled];
    this.held.push(settled);
    return [];
  }

  /** No answer will come any more. Gives the outcomes that were held back. */
  async ended(): Promise<Settled[]> {
    const { first } = this;
    if (first !== null && this.types.size > 0 && !first.includes(FORBIDDEN) && !(await this.wasCreatedThere()))
      this.blameTarget(first);
    this.first = null;
    return this.held.splice(0).map((each) => this.judged(each));
  }

  private blameTarget(answers: readonly number[]): void {
    this.first = null;
    this.isWrongTarget = true;
    // The refusals that were counted are not about the records after all.
    if (this.why?.reason === 'too_many_rejected') this.why = null;
    const statuses = [...new Set(answers)].sort((a, b) => a - b);
    const hint = statuses.includes(FORBIDDEN) ? MAY_BE_FORBIDDEN : '';
    this.stop('wrong_target', `nothing but HTTP ${statuses.join(', ')} was answered${hint}`);
  }

  /** Where the target is at fault, what was refused stays open and is sent when the run is resumed. */
  private judged(settled: Settled): Settled {
    const { outcome } = settled;
    const isOpen = this.isWrongTarget && outcome.state === 'rejected' && saysNothingIsHere(outcome);
    return isOpen ? { ...settled, outcome: { ...outcome, state: 'not_sent' } } : settled;
  }

  /** Whether anything was ever created at the paths of the refused records. */
  private async wasCreatedThere(): Promise<boolean> {
    try {
      for (const type of this.types) if (await this.o.delivery.hasCreated(type)) return true;
    } catch (cause) {
      // The next commit reports the failure. Until then the records count as not sent, which is safe: they were refused.
      if (!(cause instanceof JournalError)) throw cause;
    }
    return false;
  }
}

/**
 * Whether an answer shows that the service is at work: neither a failure of its own nor a time-out. A 2xx alone does not
 * show it, since a page that stands in for the service may come with one: there, only `created` counts.
 */
function isDefinite(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}

function saysNothingIsHere({ httpStatus }: Outcome): boolean {
  return NOTHING_HERE.has(httpStatus ?? 0);
}
