/** What an attempt's result means for its record. PURE. CONTRACT: the table under "Sending". */
import type { ResponseRules } from '../../options.js';
import { type Answer, type AttemptResult, isRedirect, isSuccess, shortfallOf } from './attempt.js';

/** Why one attempt can stop a whole run. */
export type AttemptStop = 'unauthorized' | 'wrong_target' | 'redirected' | 'tls';

/** What is known of the record when the attempt ends. */
export interface Situation {
  /** The service takes a key for it, whether that key still protects or not. */
  readonly keyed: boolean;
  /** The service takes a key for it, and that key still protects: the same request does nothing twice. */
  readonly protectedByKey: boolean;
  /** An earlier attempt may have been carried out. Only `created` settles that. */
  readonly inDoubt: boolean;
  readonly retriesLeft: number;
  /** Retries left after a 409, which may mean that a request with the same key is being carried out at this moment. */
  readonly conflictsLeft: number;
  /** What a 2xx must have to be a confirmation. */
  readonly response: ResponseRules;
}

export type Verdict =
  | {
      readonly next: 'settle';
      readonly state: 'created' | 'rejected' | 'unknown' | 'not_sent';
      /** The run stops; `unless` it has created something already, which shows that the target is right. */
      readonly stop?: { readonly reason: AttemptStop; readonly unless?: 'created' };
    }
  | {
      readonly next: 'retry';
      /** What the retry uses up. */
      readonly cost: 'retry' | 'conflict' | 'nothing';
      /** From now on the record may have been carried out. */
      readonly doubt: boolean;
    };

const CREATED = { next: 'settle', state: 'created' } as const;
const UNKNOWN = { next: 'settle', state: 'unknown' } as const;

/** What follows from one attempt, for the record and perhaps for the run. */
export function classify(result: AttemptResult, situation: Situation): Verdict {
  switch (result.kind) {
    case 'not-connected':
      // Nothing left this machine, so trying again is safe for any record, key or not.
      if (situation.retriesLeft > 0) return { next: 'retry', cost: 'retry', doubt: false };
      return { next: 'settle', state: unsent(situation) };
    case 'withheld':
      return { next: 'settle', state: unsent(situation) };
    case 'tls':
      return { next: 'settle', state: unsent(situation), stop: { reason: 'tls' } };
    case 'broken':
      return doubtful(situation);
    case 'answer':
      return classifyAnswer(result, situation);
  }
}

function classifyAnswer(answer: Answer, situation: Situation): Verdict {
  const { status } = answer;
  if (isSuccess(status)) {
    if (shortfallOf(answer, situation.response) === null) return CREATED;
    // The service may have created the record and say so in another way; or something other than the service may have
    // answered. A retry would make neither clearer.
    return { ...UNKNOWN, stop: { reason: 'wrong_target', unless: 'created' } };
  }
  if (isRedirect(status)) return redirected(status, situation);
  // The service has not looked at the request: waiting costs nothing but time.
  if (asksToWait(status)) return { next: 'retry', cost: 'nothing', doubt: false };
  switch (status) {
    case 401:
      return { next: 'settle', state: unsent(situation), stop: { reason: 'unauthorized' } };
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
 * 307 and 308 ask for the very same request at another address, so it should not have been carried out here (RFC 9110,
 * 15.4.8). A key makes up for a service that did; a gig could be created twice. Any other 3xx may be how a service
 * answers when it has created: 303 leads to the result, and 302 is often meant so.
 */
function redirected(status: number, situation: Situation): Verdict {
  const isSafe = situation.keyed && (status === 307 || status === 308);
  return { next: 'settle', state: isSafe ? unsent(situation) : 'unknown', stop: { reason: 'redirected' } };
}

/** The service does not know who asks, and has not looked at the request. */
export function isUnauthorized(result: AttemptResult): boolean {
  return result.kind === 'answer' && result.status === 401;
}

/** Too early (425) or too many requests (429): retries are not counted, so the caller has to limit the time. */
export function asksToWait(status: number): boolean {
  return status === 425 || status === 429;
}

/** Whether a record that may have been carried out can be cleared up by asking again: no answer came, or none to its content. */
export function isOpenEnded(status: number | null): boolean {
  return status === null || status === 408 || status >= 500 || asksToWait(status);
}

/** The request may have been carried out. With a key it can be retried; without one, a retry could do it twice. */
function doubtful({ protectedByKey, retriesLeft }: Situation): Verdict {
  if (!protectedByKey || retriesLeft <= 0) return UNKNOWN;
  return { next: 'retry', cost: 'retry', doubt: true };
}

/** 409: a request that we do not know of may be using the key, or have used it. For a gig, a refusal like any other. */
function conflict(situation: Situation): Verdict {
  if (!situation.keyed) return definite(situation);
  if (situation.protectedByKey && situation.conflictsLeft > 0 && situation.retriesLeft > 0)
    return { next: 'retry', cost: 'conflict', doubt: true };
  return UNKNOWN;
}

/** A refusal, unless an earlier attempt may have been carried out: the refusal says nothing about that attempt. */
function definite({ inDoubt }: Situation): Verdict {
  return inDoubt ? UNKNOWN : { next: 'settle', state: 'rejected' };
}

function unsent({ inDoubt }: Situation): 'unknown' | 'not_sent' {
  return inDoubt ? 'unknown' : 'not_sent';
}
