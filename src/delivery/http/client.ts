/** One attempt to send one record over HTTP. Never throws for a network failure: every outcome is an AttemptResult. */
import type { Dispatcher } from 'undici';
import { type AttemptResult, isRedirect, isSuccess } from './attempt.js';
import { decoded } from './encoding.js';
import { networkReason } from './network-words.js';
import { isRefusedByTls, isTlsFailure, tlsReason } from './tls-failure.js';

export interface ClientOptions {
  /** Scheme, host and port, and the path below which the service lives; no trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request; the content type is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** From the first byte sent to the last byte read; connecting before that may take as long again. Milliseconds. */
  readonly timeoutMs: number;
  readonly connections: number;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Proxy settings as the environment has them; null where none apply. */
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string } | null;
  readonly monotonic: () => number;
  /** Called when the request's bytes have been handed to the network. */
  readonly sent: () => void;
}

export interface Client {
  /**
   * @param fresh use a connection of its own: for a record that no key protects
   * @param mayLeave called once there is a connection, before a byte leaves: connecting may have taken long
   */
  post(path: string, body: string, fresh: boolean, mayLeave?: () => boolean): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** Longer answers are not read to their end: no answer that matters is longer; bytes. */
const LONGEST_ANSWER = 1024 * 1024;
/** How often to look for attempts that have taken too long, milliseconds. */
const SWEEP_MS = 50;

interface Attempt {
  readonly deadline: number;
  abort(reason: Error): void;
  /** Its index in the list of attempts under way. */
  place: number;
}

/**
 * The attempts under way: a list with known places, and not a set. V8 copies a set whose members keep changing again
 * and again, and a copy in the old generation keeps the next copy, with all its attempts, from being collected.
 */
type UnderWay = Attempt[];

function enter(underWay: UnderWay, attempt: Attempt): void {
  attempt.place = underWay.push(attempt) - 1;
}

function leave(underWay: UnderWay, attempt: Attempt): void {
  const last = underWay.pop() as Attempt;
  if (last === attempt) return;
  underWay[attempt.place] = last;
  last.place = attempt.place;
}

class AttemptTimeout extends Error {
  override readonly name = 'AttemptTimeout';
}

class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

class TooLate extends Error {
  override readonly name = 'TooLate';
}

/** Loads undici and opens a pool to the service. Nothing is connected before the first request. */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { openDispatcher } = await import('./dispatcher.js');
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const kept = await openDispatcher(origin, options);
  const unkept = await openDispatcher(origin, options);
  const underWay: UnderWay = [];
  const endOverdue = (): void => {
    const now = options.monotonic();
    // A copy of the list, since an aborted attempt leaves it.
    for (const attempt of [...underWay]) {
      if (attempt.deadline <= now)
        attempt.abort(new AttemptTimeout(`no whole answer within ${options.timeoutMs / 1000} s`));
    }
  };
  // One timer for all attempts: a timer for each would cost a quarter of the throughput. While this process is blocked,
  // most often by the journal, answers may arrive: setImmediate lets them be read before an attempt is given up.
  const sweep = setInterval(() => setImmediate(endOverdue), SWEEP_MS);
  sweep.unref();
  const headers = headersOf(options.headers);
  return {
    post: (path, body, fresh, mayLeave = () => true) =>
      new Promise((resolve) => {
        const request: Dispatcher.DispatchOptions = {
          origin,
          path: `${basePath}${path}`,
          method: 'POST',
          headers,
          body,
          // The service may close a kept connection at the very moment when it is used again, which puts the record in
          // doubt. A record that no key protects cannot be retried, so it gets a connection of its own: nothing was
          // sent over it before (so there is a second dispatcher), and nothing will be sent after.
          reset: fresh,
        };
        (fresh ? unkept : kept).dispatch(request, handler(options, underWay, mayLeave, resolve));
      }),
    close: async () => {
      clearInterval(sweep);
      await Promise.all([kept.destroy(), unkept.destroy()]);
    },
  };
}

/**
 * Header names in lower case, so that none is sent twice. The body is JSON, whatever the settings say. The answer must
 * not be compressed, which a service may do unless the request forbids it (RFC 9110, 12.5.3).
 */
function headersOf(given: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(given).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return {
    accept: 'application/json',
    ...Object.fromEntries(named),
    'accept-encoding': 'identity',
    'content-type': 'application/json',
  };
}

/** Collects one answer. Whatever comes first settles the attempt; what comes later is ignored. */
function handler(
  options: ClientOptions,
  underWay: UnderWay,
  mayLeave: () => boolean,
  resolve: (result: AttemptResult) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let size = 0;
  let status = 0;
  let retryAfter: string | null = null;
  let requestId: string | undefined;
  let place: { readonly location?: string } = {};
  let encoding: string | null = null;
  let attempt: Attempt | null = null;
  let done = false;
  const finish = (result: AttemptResult): void => {
    if (done) return;
    done = true;
    if (attempt !== null) leave(underWay, attempt);
    const isNamed = requestId !== undefined && (result.kind === 'answer' || result.kind === 'broken');
    resolve(isNamed ? { ...result, requestId } : result);
  };
  return {
    onRequestStart: (controller) => {
      if (!mayLeave()) {
        finish({ kind: 'withheld', reason: 'no connection was made as long as its key protected it' });
        controller.abort(new TooLate('the request must not leave any more'));
        return;
      }
      attempt = {
        deadline: options.monotonic() + options.timeoutMs,
        abort: (reason) => {
          // Settled here, since an abort does not always come back as an error.
          finish({ kind: 'broken', reason: reason.message });
          controller.abort(reason);
        },
        place: 0,
      };
      enter(underWay, attempt);
      // The bytes are written in this same turn, after this call.
      queueMicrotask(options.sent);
    },
    onResponseStart: (_controller, statusCode, headers) => {
      status = statusCode;
      retryAfter = firstOf(headers['retry-after']) ?? null;
      requestId = requestIdIn(headers);
      const leads = isSuccess(statusCode) || isRedirect(statusCode);
      const location = leads ? firstOf(headers['location']) : undefined;
      place = location === undefined ? {} : { location };
      encoding = encodingOf(headers['content-encoding']);
    },
    onResponseData: (controller, chunk) => {
      size += chunk.length;
      if (size > LONGEST_ANSWER) {
        finish({ kind: 'answer', status, body: null, retryAfter, ...place });
        controller.abort(new AnswerTooLong(`the answer is longer than ${LONGEST_ANSWER} bytes`));
      } else chunks.push(chunk);
    },
    onResponseEnd: () => {
      const came = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const isPlain = encoding === null || came.length === 0;
      const { bytes, ...encoded } = isPlain ? { bytes: came } : decoded(came, encoding as string, LONGEST_ANSWER);
      // A byte order mark is no part of the text (RFC 8259, 8.1).
      const body = bytes === null ? null : bytes.toString('utf8').replace(/^\ufeff/, '');
      finish({ kind: 'answer', status, body, retryAfter, ...place, ...encoded });
    },
    onResponseError: (_controller, failure) => finish(failed(failure, attempt !== null, options.tls)),
  };
}

/** The headers in which services name a request, the likeliest first. */
const REQUEST_IDS = ['x-request-id', 'request-id', 'x-correlation-id', 'traceparent'];

function requestIdIn(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  for (const name of REQUEST_IDS) {
    const value = firstOf(headers[name]);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** The value of a header; the first one when it is given several times. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The encodings of a body, in the order in which they were applied; null where it stands as it is. */
function encodingOf(header: string | string[] | undefined): string | null {
  const names = [header ?? []].flat().join(', ').trim();
  return names === '' || names.toLowerCase() === 'identity' ? null : names;
}

/** @param started the request had begun to leave; before that, nothing can have been carried out */
function failed(failure: Error, started: boolean, tls: ClientOptions['tls']): AttemptResult {
  const reason = networkReason(failure);
  if (started ? isRefusedByTls(failure) : isTlsFailure(failure))
    return { kind: 'tls', reason: tlsReason(failure, reason, tls) };
  return { kind: started ? 'broken' : 'not-connected', reason };
}
