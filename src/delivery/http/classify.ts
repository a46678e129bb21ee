/** What an attempt's result means for its record. PURE. CONTRACT: the table under "Sending". */
import { type AttemptResult, isRedirect, isSuccess } from './attempt.js';
import { confirms, type Judged, type JudgedAnswer } from './judgement.js';

/** Why one attempt can stop a whole run. */
export type AttemptStop = 'unauthorized' | 'redirected' | 'tls';

/** The state of the record when the attempt ends. */
export interface AttemptState {
  /** The service takes a key for it, whether that key still protects or not. */
  readonly keyed: boolean;
  /** The service takes a key for it, and that key still protects: the same request does nothing twice. */
  readonly protectedByKey: boolean;
  /** An earlier attempt may have gone through. Only `created` settles that. */
  readonly inDoubt: boolean;
  readonly retriesLeft: number;
  /** Retries left after a 409, which may mean that a request with the same key is in progress at this moment. */
  readonly conflictsLeft: number;
}

export type AttemptVerdict =
  | {
      readonly next: 'settle';
      readonly state: 'created' | 'rejected' | 'unknown' | 'not_sent';
      readonly stop?: AttemptStop;
      /** A 2xx that confirms nothing: another server may have answered. One alone stops no run that has created. */
      readonly isStrange?: true;
    }
  | {
      readonly next: 'retry';
      /** The kind of retry that it uses up. */
      readonly cost: 'retry' | 'conflict' | 'nothing';
      /** From now on the record is in doubt: it may have been paid. */
      readonly doubt: boolean;
    };

const SETTLE_CREATED = { next: 'settle', state: 'created' } as const;
const SETTLE_UNKNOWN = { next: 'settle', state: 'unknown' } as const;
const SETTLE_STRANGE = { ...SETTLE_UNKNOWN, isStrange: true } as const;

/** What follows from one attempt, for the record and perhaps for the run. */
export function classify(result: Judged, situation: AttemptState): AttemptVerdict {
  switch (result.kind) {
    case 'not-connected':
      // Nothing left this machine, so trying again is safe for any record, key or not.
      if (situation.retriesLeft > 0) return { next: 'retry', cost: 'retry', doubt: false };
      return { next: 'settle', state: unsent(situation) };
    case 'withheld':
      return { next: 'settle', state: unsent(situation) };
    case 'tls':
      return { next: 'settle', state: unsent(situation), stop: 'tls' };
    case 'broken':
      return doubtful(situation);
    case 'answer':
      return classifyAnswer(result, situation);
  }
}

function classifyAnswer(answer: JudgedAnswer, situation: AttemptState): AttemptVerdict {
  const { status } = answer;
  if (isSuccess(status)) {
    if (confirms(answer)) return SETTLE_CREATED;
    // The service may have created the record and report it in another form; or another server may have answered. A
    // retry would make neither clearer.
    return SETTLE_STRANGE;
  }
  if (isRedirect(status)) return redirected(status, situation);
  // The service has not processed the request: waiting costs only time.
  if (asksToWait(status)) return { next: 'retry', cost: 'nothing', doubt: false };
  switch (status) {
    case 401:
      return { next: 'settle', state: unsent(situation), stop: 'unauthorized' };
    case 408:
      // The service gave up waiting for the request, but may have read all of it.
      return doubtful(situation);
    case 409:
      return conflict(situation);
    default:
  }
  if (status >= 400 && status < 500) return definite(situation);
  // 5xx, and numbers that HTTP does not define: the service may have done the work before it failed.
  return doubtful(situation);
}

/**
 * 307 and 308 ask for the very same request at another address, so the request should have had no effect here (RFC
 * 9110, 15.4.8). A key protects if it had one nevertheless; a gig could be created twice. A service may answer with any
 * other 3xx after creating: 303 leads to the result, and 302 is often meant so.
 */
function redirected(status: number, situation: AttemptState): AttemptVerdict {
  const isSafe = situation.keyed && (status === 307 || status === 308);
  return { next: 'settle', state: isSafe ? unsent(situation) : 'unknown', stop: 'redirected' };
}

/** The service does not accept the credentials, and has not processed the request. */
export function isUnauthorized(result: AttemptResult): boolean {
  return result.kind === 'answer' && result.status === 401;
}

/** Too early (425) or too many requests (429): retries are not counted, so the caller has to limit the time. */
export function asksToWait(status: number): boolean {
  return status === 425 || status === 429;
}

/**
 * Whether an answer shows that the service works: neither an internal error nor a time-out. A 2xx alone does not show
 * it, because another page may answer with one: there, only `created` counts.
 */
export function isDefinite(status: number): boolean {
  return status >= 300 && status < 500 && status !== 408;
}

/** Whether asking again can clear up a record in doubt: no answer came, or none about its content. */
export function isOpenEnded(status: number | null): boolean {
  return status === null || status === 408 || status >= 500 || asksToWait(status);
}

/** The request may have gone through. With a key it can be retried; without one, a retry could do it twice. */
function doubtful({ protectedByKey, retriesLeft }: AttemptState): AttemptVerdict {
  if (!protectedByKey || retriesLeft <= 0) return SETTLE_UNKNOWN;
  return { next: 'retry', cost: 'retry', doubt: true };
}

/** 409: an unknown request may be using the key, or have used it. For a gig, a refusal like any other. */
function conflict(situation: AttemptState): AttemptVerdict {
  if (!situation.keyed) return definite(situation);
  if (situation.protectedByKey && situation.conflictsLeft > 0 && situation.retriesLeft > 0)
    return { next: 'retry', cost: 'conflict', doubt: true };
  return SETTLE_UNKNOWN;
}

/** A refusal, unless an earlier attempt may have gone through: the refusal does not concern that attempt. */
function definite({ inDoubt }: AttemptState): AttemptVerdict {
  return inDoubt ? SETTLE_UNKNOWN : { next: 'settle', state: 'rejected' };
}

function unsent({ inDoubt }: AttemptState): 'unknown' | 'not_sent' {
  return inDoubt ? 'unknown' : 'not_sent';
}
