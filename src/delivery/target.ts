/** Opens the way to the target and delivers a run over it; obeys signals. */
import { setMaxListeners } from 'node:events';
import { UsageError } from '../errors.js';
import type { Delivery } from '../ledger/claims.js';
import type { Outcome, ToSend } from '../ledger/payment.js';
import type { DoubtRules } from '../ledger/plan.js';
import { type ClientOptions, openClient } from './http/client.js';
import { startPace } from './rate-limit.js';
import type { Secrets } from '../config/secrets.js';
import type { World } from '../world.js';
import { deliver, type DeliverOptions } from './deliver.js';
import type { ResponseRules, RunOptions, SendOptions, Target } from '../options.js';
import { type SenderOptions, startSender } from './sender.js';
import { type RunWatch, startWatch, type Stopped } from './circuit-breaker.js';

export interface OpenTarget {
  readonly baseUrl: string;
  /** Tells one sandbox data file from another; empty for a real target. */
  readonly scope: string;
  close(): Promise<void>;
}

/** Starts the embedded service where it is the target. @throws UsageError when its data file cannot be used */
export async function openTarget(target: Target, world: World): Promise<OpenTarget> {
  if (target.kind === 'url') return { baseUrl: target.baseUrl, scope: '', close: () => Promise.resolve() };
  const { startSandbox } = await import('../sandbox/server.js');
  const { faults } = target;
  try {
    // Only a dry run, which starts no service, may have no file.
    const sandbox = await startSandbox({ file: target.file as string, faults, now: world.now, random: world.random });
    return { baseUrl: sandbox.url, scope: sandbox.id, close: () => sandbox.close() };
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be started: ${(cause as Error).message}`, { cause });
  }
}

/** The scope of a target that is not opened: a dry run starts no service. */
export async function scopeOf(target: Target): Promise<string> {
  if (target.kind === 'url' || target.file === null) return '';
  const { readSandboxId } = await import('../sandbox/store.js');
  try {
    return readSandboxId(target.file) ?? '';
  } catch (cause) {
    throw new UsageError(`the sandbox cannot be read: ${(cause as Error).message}`, { cause });
  }
}

export interface SendRun {
  readonly delivery: Delivery;
  /** In the order in which it is sent. */
  readonly toSend: Iterable<ToSend>;
  readonly baseUrl: string;
  readonly send: SendOptions;
  readonly response: ResponseRules;
  readonly secrets: Secrets;
  /** Stop when this many records have been rejected; null for never. */
  readonly stopAfter: number | null;
  /** The run has created something in an earlier call. */
  readonly createdBefore: boolean;
  /** An earlier call has left records of the run in doubt. */
  readonly inDoubtBefore: boolean;
  readonly rules: DoubtRules;
  readonly onKnown: (index: number, outcome: Outcome, fresh: boolean) => void;
  readonly onOpen: DeliverOptions['onOpen'];
  readonly onTold: () => Promise<void> | null;
  /** @param heldMs milliseconds that all requests are held back */
  readonly onWaiting: (why: string | null, heldMs: () => number) => void;
  /** Says something to people at once. */
  readonly note: (text: string) => void;
  /** Told of every attempt; null for no log. */
  readonly onAttempt: SenderOptions['onAttempt'];
  /** Aborts at the first stop signal. */
  readonly interrupted: AbortSignal;
  readonly world: World;
}

/** The embedded service is on this machine: no proxy, no credentials, no certificates belong on the way to it. */
export function wayTo({ target, send }: RunOptions): SendOptions {
  return target?.kind === 'sandbox' ? { ...send, headers: {}, proxy: null, tls: {} } : send;
}

/** Delivers until everything is settled or something stops the run. @throws JournalError */
export async function sendRun(run: SendRun): Promise<Stopped> {
  const { world, send, delivery, toSend, rules, onKnown, secrets, onAttempt } = run;
  const stop = new AbortController();
  // Every waiting worker listens to it: that many listeners are no leak.
  setMaxListeners(0, stop.signal);
  const pace = startPace(send.rate, world);
  const watch = startWatch({
    stopAfter: run.stopAfter,
    createdBefore: run.createdBefore,
    inDoubtBefore: run.inDoubtBefore,
    monotonic: world.monotonic,
    stop: () => stop.abort(),
    onWaiting: (why) => run.onWaiting(why, () => pace.held()),
  });
  const client = await openClient(clientOptions(run));
  const unlisten = stopAt(run.interrupted, watch);
  const sender = startSender({
    client,
    pace,
    retries: send.retries,
    rules,
    response: run.response,
    watch,
    secrets,
    onAttempt,
    stop: stop.signal,
    right: delivery,
    timeoutMs: send.timeoutMs,
    world,
  });
  const halt = (cause: Error): void => {
    run.note(`${cause.message} Finishing open requests; starting no new ones.`);
    stop.abort();
  };
  try {
    await deliver({
      delivery,
      toSend,
      sender,
      concurrency: send.concurrency,
      watch,
      stop: stop.signal,
      halt,
      onKnown,
      onOpen: run.onOpen,
      onTold: run.onTold,
      world,
    });
  } finally {
    unlisten();
    await client.close();
  }
  return watch.stopped;
}

function clientOptions({ baseUrl, send, world }: SendRun): ClientOptions {
  return {
    baseUrl,
    headers: send.headers,
    timeoutMs: send.timeoutMs,
    connections: send.concurrency,
    tls: send.tls,
    proxy: send.proxy,
    monotonic: world.monotonic,
    sent: () => world.reached('request:sent'),
  };
}

/** Stops the run at the first stop signal, also one that has come already. Gives a function that ends the listening. */
function stopAt(interrupted: AbortSignal, watch: RunWatch): () => void {
  const onSignal = (): void => watch.stop('interrupted', null);
  interrupted.addEventListener('abort', onSignal, { once: true });
  if (interrupted.aborted) onSignal();
  return () => interrupted.removeEventListener('abort', onSignal);
}
