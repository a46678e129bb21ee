/** Decides when a run stops although single records might still be tried. CONTRACT: "Sending". */
import type { Outcome } from '../ledger/payment.js';
import type { AttemptResult } from './http/attempt.js';
import { asksToWait, type AttemptStop } from './http/classify.js';
import type { Watch } from './sender.js';

/** Why a run stopped before its end. */
export type DeliveryStop =
  AttemptStop | 'unreachable' | 'throttled' | 'too_many_rejected' | 'journal' | 'interrupted' | 'internal';

export interface WatchOptions {
  /** Stop when this many records have been rejected; null for never. */
  readonly stopAfter: number | null;
  /** The run has created something in an earlier call. */
  readonly createdBefore: boolean;
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

export interface RunWatch extends Watch {
  stop(reason: DeliveryStop, detail: string | null): void;
  /** Null while the run goes on. */
  readonly stopped: Stopped;
  /** Whether the target is at fault for a refusal, and not the record; null while the first answers leave that open. */
  readonly blamesTarget: (outcome: Outcome) => boolean | null;
}

/** When this many first answers all say that there is nothing here, the target is wrong and not the records. */
const FIRST_ANSWERS = 10;
const NOTHING_HERE: ReadonlySet<number> = new Set([403, 404, 405]);
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
  let answers = 0;
  /** What the first answers were, as long as they all say that there is nothing here. */
  let nothingHere: Set<number> | null = options.createdBefore ? null : new Set();
  let isWrongTarget = false;
  let lastAnswer = Number.NEGATIVE_INFINITY;
  let throttledSince: number | null = null;
  let rejected = 0;
  let unknownInARow = 0;

  const stop = (reason: DeliveryStop, detail: string | null, remedy?: string): void => {
    if (stopped !== null) return;
    stopped = remedy === undefined ? { reason, detail } : { reason, detail, remedy };
    options.stop();
  };

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
    if (nothingHere === null) return;
    nothingHere = NOTHING_HERE.has(status) ? nothingHere.add(status) : null;
    if (nothingHere === null || ++answers < FIRST_ANSWERS) return;
    const were = [...nothingHere].sort((a, b) => a - b).join(', ');
    nothingHere = null;
    isWrongTarget = true;
    const hint = were.includes('403') ? '; 403 may also mean that the token or the account may not do this' : '';
    stop('wrong_target', `the first ${FIRST_ANSWERS} answers were HTTP ${were}${hint}`);
  };

  return {
    get stopped() {
      return stopped;
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
    blamesTarget: ({ state, httpStatus }) =>
      state !== 'rejected' || !NOTHING_HERE.has(httpStatus ?? 0) ? false : nothingHere !== null ? null : isWrongTarget,
  };
}

/**
 * Whether an answer shows that the service is at work: neither a failure of its own nor a time-out. A 2xx alone does not
 * show it, since a page that stands in for the service may come with one: there, only `created` counts.
 */
function isDefinite(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}
