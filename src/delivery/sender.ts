/** Sends one record until its outcome is known, or the run stops. */
import type { Redactor } from '../config/secrets.js';
import type { Claimed, DoubtRules, SendPermit } from '../journal/plan.js';
import type { Outcome } from '../journal/payment.js';
import type { ResponseRules } from '../options.js';
import { RECORD_INFO } from '../records/types.js';
import type { World } from '../world.js';
import type { CircuitBreaker } from './circuit-breaker.js';
import type { ConfirmedAnswers } from './confirmed-answers.js';
import type { Credentials } from './credentials.js';
import { describeResponse, storableResponse } from './http/response.js';
import { classify, isUnauthorized, type AttemptState, type AttemptVerdict } from './http/classify.js';
import type { Client } from './http/client.js';
import { judge, type Judged } from './http/judgement.js';
import { backoff, RETRY_POLICY, retryAfterMs } from './http/retry.js';
import type { RateLimiter } from './rate-limiter.js';

export interface SenderRules {
  /** A person's permission to send a record again covers one request, not its retries. */
  readonly rules: DoubtRules;
  /** Which answers confirm a payment. */
  readonly response: ResponseRules;
  /** What the answers that confirm show. */
  readonly confirmed: ConfirmedAnswers;
  readonly redactor: Redactor;
  /** Called after every attempt; null for no log. */
  readonly onAttempt: ((attempt: AttemptLogEntry) => void) | null;
  /** Why all requests wait, for the progress display. @param heldMs milliseconds for which they are held back */
  readonly onWaiting: (why: string | null, heldMs: () => number) => void;
}

export interface SenderOptions extends SenderRules {
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  readonly breaker: CircuitBreaker;
  readonly credentials: Credentials;
  /** Aborts when nothing new may start. */
  readonly stop: AbortSignal;
  /** Whether this process may send at this moment. */
  readonly permit: SendPermit;
  readonly retries: number;
  /** Time limit of a request, milliseconds. */
  readonly timeoutMs: number;
  readonly world: World;
}

/** An attempt for the log: without the bodies of request and answer, and without secrets. */
export interface AttemptLogEntry {
  /** Place of the record in the input, from 0. */
  readonly index: number;
  readonly key: string;
  /** From 1, those of earlier calls included. */
  readonly attempt: number;
  /** Below the base URL. */
  readonly path: string;
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  /** Duration, milliseconds. */
  readonly ms: number;
  /** Null if no whole answer came back; `error` says why. */
  readonly status: number | null;
  readonly error: string | null;
  readonly requestId: string | null;
}

/** Longer IDs are not real, characters. */
const LONGEST_REQUEST_ID = 200;

/**
 * Sends a record; several at a time may be under way. Never rejects because of the network.
 * @param index place of the record in the input, from 0
 */
export function sendRecord(options: SenderOptions, record: Claimed, index: number): Promise<Outcome> {
  return new RecordSender(options, record, index).run();
}

class RecordSender {
  private readonly options: SenderOptions;
  private readonly record: Claimed;
  private readonly index: number;
  private readonly keyed: boolean;
  private readonly began: number;
  private attempts = 0;
  private failures = 0;
  private retriesLeft: number;
  private conflictsLeft: number = RETRY_POLICY.conflictRetries;
  private doubtSince: number | null;
  /** The key's protection counts from this time. After it has expired, sending the record again restarts it. */
  private keySince: number | null;

  constructor(options: SenderOptions, record: Claimed, index: number) {
    this.options = options;
    this.record = record;
    this.index = index;
    this.keyed = RECORD_INFO[record.type].keyed;
    this.began = options.world.monotonic();
    this.retriesLeft = options.retries;
    this.doubtSince = record.earlier?.doubtSince ?? null;
    this.keySince = this.doubtSince !== null && this.isProtected(this.doubtSince) ? this.doubtSince : null;
  }

  async run(): Promise<Outcome> {
    const { client, rateLimiter, breaker, credentials, stop, onWaiting, world } = this.options;
    const { path } = RECORD_INFO[this.record.type];
    let last: Judged | null = null;
    for (;;) {
      await this.turn();
      if (stop.aborted || !this.maySend()) return this.unsent(last);
      const at = world.now();
      const sentWith = credentials.current;
      const posted = world.monotonic();
      this.attempts++;
      const mayLeave = (): boolean => this.isPermitted() && this.maySend();
      const result = await client.post(path, this.record.body, !this.keyed, mayLeave);
      last = result.kind === 'answer' ? judge(result, this.options.response, this.record.body) : result;
      // Connecting took so long that the right to send has expired: it may come back.
      if (last.kind === 'withheld' && !this.isPermitted()) {
        this.attempts--;
        continue;
      }
      this.tell(last, path, at, world.monotonic() - posted);
      world.failpoint('answer:read');
      onWaiting(null, () => rateLimiter.held());
      if (isUnauthorized(last)) {
        // The service has not processed it: with other credentials it is sent as if for the first time.
        if (await credentials.refused(sentWith)) continue;
      } else if (last.kind === 'answer') credentials.accepted(sentWith);
      const verdict = classify(last, this.situation(at));
      const judged = last;
      breaker.recordAttempt(judged, verdict, this.began, () => this.words(judged));
      const isDoubt = verdict.next === 'retry' ? verdict.doubt : verdict.state === 'unknown';
      if (isDoubt) this.doubtSince ??= at;
      if (verdict.next === 'settle') return this.outcome(verdict.state, last);
      if (isDoubt) this.keySince ??= at;
      await this.wait(verdict, last);
    }
  }

  /** Until the pace and the journal let a request leave. */
  private async turn(): Promise<void> {
    const { rateLimiter, permit, timeoutMs, stop } = this.options;
    const paced = rateLimiter.acquire(stop);
    if (paced !== null) await paced;
    const permitted = permit.waitForPermit(this.record.type, timeoutMs, stop);
    if (permitted !== null) await permitted;
  }

  private tell(result: Judged, path: string, at: number, ms: number): void {
    const { onAttempt } = this.options;
    if (onAttempt === null) return;
    const { key, earlier } = this.record;
    const attempt = (earlier?.attempts ?? 0) + this.attempts;
    const answer = result.kind === 'answer' ? result : null;
    // Logs only the status of an answer: its text comes from the service, and may be about a person.
    const error = answer === null ? this.words(result) : null;
    const told = { status: answer?.status ?? null, error, requestId: this.requestId(result) };
    onAttempt({ index: this.index, key, attempt, path, at, ms: Math.round(ms), ...told });
  }

  private requestId(result: Judged | null): string | null {
    const named = result?.kind === 'answer' || result?.kind === 'broken' ? result.requestId : undefined;
    return named === undefined ? null : this.options.redactor.redact(named).slice(0, LONGEST_REQUEST_ID);
  }

  private situation(startedAt: number): AttemptState {
    const { keyed, retriesLeft, conflictsLeft } = this;
    return {
      keyed,
      retriesLeft,
      conflictsLeft,
      protectedByKey: keyed && this.isProtected(this.keySince ?? startedAt),
      inDoubt: this.doubtSince !== null,
    };
  }

  private isPermitted(): boolean {
    return this.options.permit.maySend(this.record.type, this.options.timeoutMs);
  }

  /** A wait may have outlasted the key: then the same request could pay a second time. */
  private maySend(): boolean {
    const { doubtSince, keySince, record } = this;
    if (keySince !== null) return this.isProtected(keySince);
    // If there is doubt, it comes from an earlier call: no attempt of this call has caused any.
    const { type, lifetimeMs } = record;
    return doubtSince === null || this.options.rules.mayResend({ type, lifetimeMs, doubtSince });
  }

  private isProtected(doubtSince: number): boolean {
    const { type, lifetimeMs } = this.record;
    return this.options.rules.isProtected({ type, lifetimeMs, doubtSince });
  }

  private async wait({ cost }: AttemptVerdict & { next: 'retry' }, result: Judged): Promise<void> {
    const { rateLimiter, stop, onWaiting, world } = this.options;
    if (cost === 'retry') this.retriesLeft--;
    if (cost === 'conflict') this.conflictsLeft--;
    this.failures++;
    const asked = result.kind === 'answer' ? retryAfterMs(result.retryAfter, world.now()) : null;
    onWaiting(result.kind === 'answer' ? `the service answered ${result.status}` : this.words(result), () =>
      rateLimiter.held(),
    );
    // A Retry-After concerns the service, not the record: every worker waits.
    if (asked !== null) rateLimiter.pauseFor(asked);
    else await world.sleep(backoff(this.failures, world.random()), stop);
  }

  /** No further attempt may leave: the run stops, or the key has expired. An untried record keeps its old outcome. */
  private unsent(last: Judged | null): Outcome {
    if (this.attempts === 0 && this.record.earlier !== null) return this.record.earlier;
    return this.outcome(this.doubtSince === null ? 'not_sent' : 'unknown', last);
  }

  private outcome(state: Outcome['state'], result: Judged | null): Outcome {
    const { confirmed, redactor, world } = this.options;
    const answer = result?.kind === 'answer' ? result : null;
    if (answer !== null && state === 'created') confirmed.add(answer, this.index, this.record.body);
    const text = answer === null ? null : storableResponse(answer);
    return {
      state,
      httpStatus: answer?.status ?? null,
      attempts: (this.record.earlier?.attempts ?? 0) + this.attempts,
      response: text === null ? null : redactor.hideInJson(text),
      error: state === 'created' ? null : this.errorText(result),
      requestId: this.requestId(result),
      doubtSince: state === 'unknown' ? (this.doubtSince ?? world.now()) : null,
    };
  }

  private errorText(result: Judged | null): string | null {
    const words = result === null ? null : this.words(result);
    if (this.doubtSince === null || words === null) return words;
    return `${words}; this may have been ${this.record.type === 'gig' ? 'created' : 'paid'}`;
  }

  private words(result: Judged): string {
    const hide = (text: string): string => this.options.redactor.redact(text);
    if (result.kind !== 'answer') return hide(result.reason);
    const words = describeResponse(result, hide);
    const { failure } = this.options.credentials;
    return failure === null || !isUnauthorized(result) ? words : `${words}; ${hide(failure)}`;
  }
}
