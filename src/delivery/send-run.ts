/** Delivers a run over its connection; obeys signals. */
import { setMaxListeners } from 'node:events';
import type { Claimed, Delivery } from '../journal/plan.js';
import type { Outcome, ToSend } from '../journal/payment.js';
import type { SendOptions } from '../options.js';
import type { World } from '../world.js';
import { type BreakerRules, CircuitBreaker, type StopCause } from './circuit-breaker.js';
import { Credentials } from './credentials.js';
import { deliver, type DeliveryEvents } from './deliver.js';
import { openClient } from './http/client.js';
import { RateLimiter } from './rate-limiter.js';
import { sendRecord, type SenderRules } from './sender.js';

export interface SendRunOptions extends DeliveryEvents, SenderRules, BreakerRules {
  readonly delivery: Delivery;
  /** In the order of sending. */
  readonly toSend: Iterable<ToSend>;
  readonly world: World;
  readonly baseUrl: string;
  readonly send: SendOptions;
  /** Shows a message at once. */
  readonly note: (text: string) => void;
  /** Aborts at the first stop signal. */
  readonly interrupted: AbortSignal;
}

/** Delivers until everything is settled or something stops the run. @throws JournalError */
export async function sendRun(run: SendRunOptions): Promise<StopCause> {
  const { world, baseUrl, send, delivery, interrupted } = run;
  const { retries, timeoutMs, concurrency } = send;
  const { monotonic } = world;
  const stopping = new AbortController();
  const stop = stopping.signal;
  // Every waiting worker listens to it: many listeners do not mean a leak.
  setMaxListeners(0, stop);
  const breaker = new CircuitBreaker({
    ...run,
    hasCreated: (type) => delivery.hasCreated(type),
    monotonic,
    onStop: () => stopping.abort(),
  });
  const client = await openClient({ ...send, baseUrl, monotonic, sent: () => world.failpoint('request:sent') });
  const onSignal = (): void => breaker.stop('interrupted', null);
  interrupted.addEventListener('abort', onSignal, { once: true });
  // The signal may have come already.
  if (interrupted.aborted) onSignal();
  const credentials = new Credentials(client, send, stop);
  const rateLimiter = new RateLimiter(send.rate, world);
  const sender = { ...run, client, rateLimiter, breaker, credentials, stop, permit: delivery, retries, timeoutMs };
  const halt = (cause: Error): void => {
    run.note(`${cause.message} Finishing open requests; starting no new ones.`);
    stopping.abort();
  };
  const sendNow = (record: Claimed, index: number): Promise<Outcome> => sendRecord(sender, record, index);
  try {
    await deliver({ ...run, sendRecord: sendNow, concurrency, breaker, stop, halt });
  } finally {
    interrupted.removeEventListener('abort', onSignal);
    await client.close();
  }
  return breaker.stopped;
}
