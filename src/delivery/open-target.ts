/** Opens the connection to the target and delivers a run over it; obeys signals. */
import { setMaxListeners } from 'node:events';
import { UsageError } from '../errors.js';
import type { Claimed, Delivery } from '../journal/plan.js';
import type { Outcome, ToSend } from '../journal/payment.js';
import type { RunOptions, SendOptions, Target } from '../options.js';
import type { World } from '../world.js';
import { type BreakerRules, CircuitBreaker, type StopCause } from './circuit-breaker.js';
import { Credentials } from './credentials.js';
import { deliver, type DeliveryEvents } from './deliver.js';
import { openClient } from './http/client.js';
import { RateLimiter } from './rate-limiter.js';
import { sendRecord, type SenderRules } from './sender.js';

export interface OpenTarget {
  readonly baseUrl: string;
  /** Distinguishes sandbox data files; empty for a real target. */
  readonly scope: string;
  close(): Promise<void>;
}

/** Starts the embedded service if it is the target. @throws UsageError when its data file cannot be used */
export async function openTarget(target: Target, world: World): Promise<OpenTarget> {
  if (target.kind === 'url') return { baseUrl: target.baseUrl, scope: '', close: () => Promise.resolve() };
  const { startSandbox } = await import('../sandbox/server.js');
  try {
    // Only a dry run, which starts no service, may have no file.
    const sandbox = await startSandbox({
      file: target.file as string,
      faults: target.faults,
      now: world.now,
      random: world.random,
    });
    return { baseUrl: sandbox.url, scope: sandbox.id, close: () => sandbox.close() };
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be started: ${(cause as Error).message}`, { cause });
  }
}

/** The scope of a target that is not opened: a dry run starts no service. */
export async function targetScope(target: Target): Promise<string> {
  if (target.kind === 'url' || target.file === null) return '';
  const { readSandboxId } = await import('../sandbox/store.js');
  try {
    return readSandboxId(target.file) ?? '';
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be read: ${(cause as Error).message}`, { cause });
  }
}

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

/** The embedded service is on this machine: its connection uses no proxy, credentials or certificates. */
export function connectionOptions({ target, send }: RunOptions): SendOptions {
  return target?.kind === 'sandbox' ? { ...send, headers: {}, readAgain: null, proxy: null, tls: {} } : send;
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
