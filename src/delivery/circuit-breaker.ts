/** Decides when a run stops although single records might still be tried. CONTRACT: "Sending". */
import type { Outcome } from '../ledger/payment.js';
import type { AttemptResult } from './http/attempt.js';
import { asksToWait, type AttemptStop } from './http/classify.js';
import type { Watch } from './sender.js';
import { startTargetJudge, type TargetJudge } from './wrong-target.js';

/** Why a run stopped before its end. */
export type DeliveryStop =
  AttemptStop | 'unreachable' | 'throttled' | 'too_many_rejected' | 'journal' | 'interrupted' | 'internal';

export interface WatchOptions {
  /** Stop when this many records have been rejected; null for never. */
  readonly stopAfter: number | null;
  /** The run has created something in an earlier call. */
  readonly createdBefore: boolean;
  /** An earlier call has left records of the run in doubt. */
  readonly inDoubtBefore: boolean;
  readonly monotonic: () => number;
  readonly stop: () => void;
  readonly onWaiting: (why: string | null) => void;
}

/** Why the run stopped before its end, and what was said; null when it did not. */
export type Stopped = {
  readonly reason: DeliveryStop;
  readonly detail: string | null;
  /** What to do, where the reason alone does not tell. */
  readonly remedy?: string;
} | null;

export interface RunWatch extends Watch, TargetJudge {
  stop(reason: DeliveryStop, detail: string | null): void;
  /** Null while the run goes on. */
  readonly stopped: Stopped;
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

/** One watch sees all workers of a delivery. */
export function startWatch(options: WatchOptions): RunWatch {
  let stopped: Stopped = null;
  let created = options.createdBefore;
  let inDoubt = options.inDoubtBefore;
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let throttledSince: number | null = null;
  let rejected = 0;
  let unknownInARow = 0;

  const stop = (reason: DeliveryStop, detail: string | null, remedy?: string): void => {
    if (stopped !== null) return;
    stopped = remedy === undefined ? { reason, detail } : { reason, detail, remedy };
    options.stop();
  };

  const target = startTargetJudge((detail) => {
    // The refusals that were counted are not about the records after all.
    if (stopped?.reason === 'too_many_rejected') stopped = null;
    stop('wrong_target', detail);
  });

  const seenAnswer = ({ status }: AttemptResult & { kind: 'answer' }): void => {
    const now = options.monotonic();
    lastAnswer = now;
    if (isDefinite(status)) unknownInARow = 0;
    if (asksToWait(status)) {
      throttledSince ??= now;
      if (now - throttledSince >= LONGEST_THROTTLE) stop('throttled', null);
      return;
    }
    throttledSince = null;
    target.seen(status);
  };

  return {
    get stopped() {
      return stopped?.reason === 'wrong_target' && inDoubt ? { ...stopped, remedy: SETTLE_FIRST } : stopped;
    },
    get hasCreated() {
      return created;
    },
    stop,
    seen: (result) => {
      if (result.kind === 'answer') seenAnswer(result);
      options.onWaiting(null);
    },
    settled: (state: Outcome['state'], wasInDoubt: boolean) => {
      inDoubt ||= state === 'unknown';
      if (state === 'created') {
        created = true;
        unknownInARow = 0;
      }
      // Records that were in doubt before do not count: a run that goes on must get past them.
      if (state === 'unknown' && !wasInDoubt && ++unknownInARow === LONGEST_OUTAGE)
        stop('unreachable', `${LONGEST_OUTAGE} records in a row got no definite answer`, OUTAGE);
      if (state === 'rejected' && ++rejected === options.stopAfter) stop('too_many_rejected', null);
    },
    unreachable: (since, reason) => {
      if (lastAnswer < since) stop('unreachable', reason);
    },
    waiting: options.onWaiting,
    blamesTarget: target.blamesTarget,
    lastAnswer: target.lastAnswer,
  };
}

/**
 * Whether an answer shows that the service is at work: neither a failure of its own nor a time-out. A 2xx alone does not
 * show it, since a page that stands in for the service may come with one: there, only `created` counts.
 */
function isDefinite(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}
