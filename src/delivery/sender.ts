/** Sends one record until its fate is known, or the run stops. */
import type { Claimed, Delivery } from '../ledger/claims.js';
import type { Outcome } from '../ledger/payment.js';
import type { DoubtRules } from '../ledger/plan.js';
import { KINDS } from '../records/kinds.js';
import type { AttemptResult } from './http/attempt.js';
import { type AttemptStop, type Situation, type Verdict, classify } from './http/classify.js';
import type { Client } from './http/client.js';
import type { Pace } from './rate-limit.js';
import { backoff, retryAfterMs } from './http/retry.js';
import type { ResponseRules } from '../options.js';
import type { Secrets } from '../config/secrets.js';
import type { World } from '../world.js';
import { answerWords, keptAnswer } from './http/answer.js';

export interface SenderOptions {
  readonly client: Client;
  readonly pace: Pace;
  /** Further attempts after the first. */
  readonly retries: number;
  /** A person's word that a record may be sent again is for one request, not for its retries. */
  readonly rules: DoubtRules;
  /** What confirms. */
  readonly response: ResponseRules;
  readonly watch: Watch;
  readonly secrets: Secrets;
  /** Told of every attempt; null for no log. */
  readonly onAttempt: ((attempt: AttemptTold) => void) | null;
  /** Aborts when nothing new may start. */
  readonly stop: AbortSignal;
  /** Whether this process may send at this moment. */
  readonly right: SendingRight;
  /** The longest time that a request takes once there is a connection, milliseconds. */
  readonly timeoutMs: number;
  readonly world: World;
}

export type SendingRight = Pick<Delivery, 'maySend' | 'untilMaySend'>;

/** Sees every result, and stops the run for reasons that no single record shows. */
export interface Watch {
  /** After each attempt. */
  seen(result: AttemptResult): void;
  /** A record is settled. @param wasInDoubt an earlier call has left it in doubt */
  settled(state: Outcome['state'], wasInDoubt: boolean): void;
  /** Stops the run for this reason. @param detail what the service or the network said */
  stop(reason: AttemptStop, detail: string | null): void;
  /** Something has been created in this run. */
  readonly hasCreated: boolean;
  /** A record's last attempt could not connect. Stops the run if no answer has come since the record began. */
  unreachable(since: number, reason: string): void;
  /** What is being waited for, for the progress display. */
  waiting(why: string | null): void;
}

/** An attempt, as logs tell of it: without the body, the answer's, and secrets. */
export interface AttemptTold {
  /** Place of the record in the input, from 0. */
  readonly index: number;
  readonly key: string;
  /** From 1, those of earlier calls included. */
  readonly attempt: number;
  /** Below the base URL. */
  readonly path: string;
  /** When it began, milliseconds since 1970. */
  readonly at: number;
  /** How long it took, milliseconds. */
  readonly ms: number;
  /** Null where no whole answer came back, for the reason that `error` tells. */
  readonly status: number | null;
  readonly error: string | null;
  readonly requestId: string | null;
}

export interface Sender {
  /** @param index place of the record in the input, from 0 */
  send(record: Claimed, index: number): Promise<Outcome>;
}

/** Real ones are shorter than this, characters. */
const LONGEST_REQUEST_ID = 200;
/** A 409 may mean that the same key is being carried out; the request is repeated a few times. */
const CONFLICT_RETRIES = 3;

/** Sends records one by one; several at a time may be under way. Never rejects because of the network. */
export function startSender(options: SenderOptions): Sender {
  return { send: (record, index) => new Sending(options, record, index).run() };
}

class Sending {
  private readonly options: SenderOptions;
  private readonly record: Claimed;
  private readonly index: number;
  private attempts = 0;
  private failures = 0;
  private retriesLeft: number;
  private conflictsLeft = CONFLICT_RETRIES;
  private doubtSince: number | null;
  /** The key's protection counts from this time. A key that had expired starts anew when the record is sent again. */
  private keySince: number | null;
  private readonly began: number;

  constructor(options: SenderOptions, record: Claimed, index: number) {
    this.options = options;
    this.record = record;
    this.index = index;
    this.retriesLeft = options.retries;
    this.doubtSince = record.earlier?.doubtSince ?? null;
    this.keySince = this.doubtSince !== null && this.isProtected(this.doubtSince) ? this.doubtSince : null;
    this.began = options.world.monotonic();
  }

  async run(): Promise<Outcome> {
    const { client, pace, watch, stop, right, timeoutMs, world } = this.options;
    const { type, body } = this.record;
    const { path, keyed } = KINDS[type];
    let last: AttemptResult | null = null;
    for (;;) {
      const turn = pace.turn(stop);
      if (turn !== null) await turn;
      const permitted = right.untilMaySend(type, timeoutMs, stop);
      if (permitted !== null) await permitted;
      if (stop.aborted) return this.unsent(last);
      if (!this.maySend()) return this.unsent(last);
      const startedAt = world.now();
      const posted = world.monotonic();
      this.attempts++;
      last = await client.post(path, body, !keyed, () => this.isPermitted() && this.maySend());
      // Connecting took so long that the right to send has run out: it may come back.
      if (last.kind === 'withheld' && !this.isPermitted()) {
        this.attempts--;
        continue;
      }
      this.tell(last, path, startedAt, world.monotonic() - posted);
      world.reached('answer:read');
      watch.seen(last);
      const verdict = classify(last, this.situation(startedAt));
      if (verdict.next === 'settle') return this.settled(verdict, last, startedAt);
      if (verdict.doubt) {
        this.doubtSince ??= startedAt;
        this.keySince ??= startedAt;
      }
      await this.wait(verdict, last);
    }
  }

  private tell(result: AttemptResult, path: string, at: number, ms: number): void {
    const { onAttempt } = this.options;
    if (onAttempt === null) return;
    const { key, earlier } = this.record;
    const attempt = (earlier?.attempts ?? 0) + this.attempts;
    const answer = result.kind === 'answer' ? result : null;
    // Of an answer nothing is told but its status: its words are the service's, and may be about a person.
    const error = answer === null ? this.words(result) : null;
    const told = { status: answer?.status ?? null, error, requestId: this.requestId(result) };
    onAttempt({ index: this.index, key, attempt, path, at, ms: Math.round(ms), ...told });
  }

  private requestId(result: AttemptResult | null): string | null {
    const named = result?.kind === 'answer' || result?.kind === 'broken' ? result.requestId : undefined;
    return named === undefined ? null : this.options.secrets.hide(named).slice(0, LONGEST_REQUEST_ID);
  }

  private situation(startedAt: number): Situation {
    const { keyed } = KINDS[this.record.type];
    return {
      keyed,
      protectedByKey: keyed && this.isProtected(this.keySince ?? startedAt),
      inDoubt: this.doubtSince !== null,
      retriesLeft: this.retriesLeft,
      conflictsLeft: this.conflictsLeft,
      response: this.options.response,
    };
  }

  private isPermitted(): boolean {
    const { right, timeoutMs } = this.options;
    return right.maySend(this.record.type, timeoutMs);
  }

  /** A wait may have outlasted the key: then the same request could be carried out a second time. */
  private maySend(): boolean {
    if (this.keySince !== null) return this.isProtected(this.keySince);
    // If there is doubt, it comes from an earlier call: no attempt of this call has caused any.
    return (
      this.doubtSince === null || this.options.rules.mayResend({ type: this.record.type, doubtSince: this.doubtSince })
    );
  }

  private isProtected(doubtSince: number): boolean {
    return this.options.rules.isProtected({ type: this.record.type, doubtSince });
  }

  private async wait(verdict: Verdict & { next: 'retry' }, result: AttemptResult): Promise<void> {
    const { pace, watch, stop, world } = this.options;
    if (verdict.cost === 'retry') this.retriesLeft--;
    if (verdict.cost === 'conflict') this.conflictsLeft--;
    this.failures++;
    const asked = result.kind === 'answer' ? retryAfterMs(result.retryAfter, world.now()) : null;
    watch.waiting(result.kind === 'answer' ? `the service answered ${result.status}` : this.words(result));
    // A Retry-After speaks for the service, not for the record: every worker waits.
    if (asked !== null) pace.hold(asked);
    else await world.sleep(backoff(this.failures, world.random()), stop);
  }

  private settled(verdict: Verdict & { next: 'settle' }, result: AttemptResult, startedAt: number): Outcome {
    const { watch } = this.options;
    if (verdict.state === 'unknown') this.doubtSince ??= startedAt;
    if (verdict.stop !== undefined && !(verdict.stop.unless === 'created' && watch.hasCreated)) {
      watch.stop(verdict.stop.reason, this.words(result));
    }
    if (result.kind === 'not-connected') watch.unreachable(this.began, result.reason);
    return this.settle(verdict.state, result);
  }

  /** No further attempt may leave: the run stops, or the key has expired. An untried record keeps its old outcome. */
  private unsent(last: AttemptResult | null): Outcome {
    if (this.attempts === 0 && this.record.earlier !== null) return this.record.earlier;
    return this.settle(this.doubtSince === null ? 'not_sent' : 'unknown', last);
  }

  private settle(state: Outcome['state'], result: AttemptResult | null): Outcome {
    this.options.watch.settled(state, (this.record.earlier?.doubtSince ?? null) !== null);
    const answer = result?.kind === 'answer' ? result : null;
    const { earlier } = this.record;
    const text = answer === null ? null : keptAnswer(answer, this.options.response);
    return {
      state,
      httpStatus: answer?.status ?? null,
      attempts: (earlier?.attempts ?? 0) + this.attempts,
      response: text === null ? null : this.options.secrets.hideInJson(text),
      error: state === 'created' ? null : this.errorText(result),
      requestId: this.requestId(result),
      doubtSince: state === 'unknown' ? (this.doubtSince ?? this.options.world.now()) : null,
    };
  }

  private errorText(result: AttemptResult | null): string | null {
    const words = result === null ? null : this.words(result);
    if (this.doubtSince === null || words === null) return words;
    return `${words}; an attempt may have been carried out`;
  }

  private words(result: AttemptResult): string {
    const hide = (text: string): string => this.options.secrets.hide(text);
    return result.kind === 'answer' ? answerWords(result, this.options.response, hide) : hide(result.reason);
  }
}
