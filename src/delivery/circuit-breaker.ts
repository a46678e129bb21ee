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

/** One breaker sees all that a delivery sends: each attempt, and each record when it is settled. */
export class CircuitBreaker {
  private readonly o: BreakerOptions;
  private readonly target: WrongTarget;
  private why: Stopped = null;
  private hasCreated: boolean;
  private inDoubt: boolean;
  private lastAnswer = Number.NEGATIVE_INFINITY;
  private throttledSince: number | null = null;
  private rejected = 0;
  private unknownInARow = 0;

  constructor(options: BreakerOptions) {
    this.o = options;
    this.hasCreated = options.createdBefore;
    this.inDoubt = options.inDoubtBefore;
    this.target = new WrongTarget(options.delivery, (detail) => {
      // The refusals that were counted are not about the records after all.
      if (this.why?.reason === 'too_many_rejected') this.why = null;
      this.stop('wrong_target', detail);
    });
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
    return this.target.judge({ id, claim, outcome }, type);
  }

  /** No answer will come any more. Gives the outcomes that were held back. */
  ended(): Promise<Settled[]> {
    return this.target.judgeLast();
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
    this.target.answered(status);
  }
}

/**
 * Whether an answer shows that the service is at work: neither a failure of its own nor a time-out. A 2xx alone does not
 * show it, since a page that stands in for the service may come with one: there, only `created` counts.
 */
function isDefinite(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}

const FIRST_ANSWERS = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
/** Among fewer answers, this one may well be about the records. */
const FORBIDDEN = 403;
const MAY_BE_FORBIDDEN = '; 403 may also mean that the token or the account may not do this';

/**
 * Decides from the first answers of a call whether the target is wrong, and not the records, and holds the first
 * refusals back until it is known. If the target is at fault for them, the records stay open and are sent when the run is
 * resumed.
 */
class WrongTarget {
  private readonly delivery: Pick<Delivery, 'hasCreated'>;
  private readonly onWrong: (detail: string) => void;
  private answers = 0;
  /** What the first answers were, while they all say that there is nothing here; null once the target was judged. */
  private statuses: Set<number> | null = new Set();
  private isWrong = false;
  private held: Settled[] = [];
  /** Of the records that were answered so. */
  private readonly types = new Set<RecordType>();

  /** @param onWrong told once, with what the answers were */
  constructor(delivery: Pick<Delivery, 'hasCreated'>, onWrong: (detail: string) => void) {
    this.delivery = delivery;
    this.onWrong = onWrong;
  }

  /** Takes an answer that does not ask to wait. */
  answered(status: number): void {
    if (this.statuses === null) return;
    this.statuses = NOTHING_HERE.has(status) ? this.statuses.add(status) : null;
    if (this.statuses !== null && ++this.answers === FIRST_ANSWERS) this.blame(this.statuses);
  }

  /** Takes an outcome, and gives those that can be stored now. */
  judge(settled: Settled, type: RecordType): Settled[] {
    if (this.statuses === null) return [...this.held.splice(0), settled].map((each) => this.judged(each));
    if (NOTHING_HERE.has(settled.outcome.httpStatus ?? 0)) this.types.add(type);
    // What was in doubt before stays so, whatever the answer.
    if (!isRefusal(settled.outcome)) return [settled];
    this.held.push(settled);
    return [];
  }

  /** No answer will come any more: gives what is still held. */
  async judgeLast(): Promise<Settled[]> {
    const { held, statuses } = this;
    this.held = [];
    if (statuses !== null && this.types.size > 0 && !statuses.has(FORBIDDEN) && !(await this.hasCreated()))
      this.blame(statuses);
    this.statuses = null;
    return held.map((each) => this.judged(each));
  }

  private blame(statuses: ReadonlySet<number>): void {
    const { answers } = this;
    this.statuses = null;
    this.isWrong = true;
    const few = answers === 1 ? 'the only answer was' : `all ${answers} answers were`;
    const which = answers === FIRST_ANSWERS ? `the first ${answers} answers were` : few;
    const list = [...statuses].sort((a, b) => a - b).join(', ');
    this.onWrong(`${which} HTTP ${list}${statuses.has(FORBIDDEN) ? MAY_BE_FORBIDDEN : ''}`);
  }

  /** Whether anything was ever created at the paths of the refused records. */
  private async hasCreated(): Promise<boolean> {
    try {
      for (const type of this.types) if (await this.delivery.hasCreated(type)) return true;
    } catch (cause) {
      // The next commit reports the failure. Until then the records count as not sent, which is safe: they were refused.
      if (!(cause instanceof JournalError)) throw cause;
    }
    return false;
  }

  private judged(settled: Settled): Settled {
    const { outcome } = settled;
    return this.isWrong && isRefusal(outcome) ? { ...settled, outcome: { ...outcome, state: 'not_sent' } } : settled;
  }
}

function isRefusal({ state, httpStatus }: Outcome): boolean {
  return state === 'rejected' && NOTHING_HERE.has(httpStatus ?? 0);
}
