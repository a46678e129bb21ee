/** One request to the service over HTTP. Never throws for a network failure: every outcome is an AttemptResult. */
import type { Dispatcher } from 'undici';
import type { SendOptions } from '../../options.js';
import type { DispatcherOptions } from './dispatcher.js';
import { decodeBody } from './response.js';
import { type AttemptResult, isRedirect, isSuccess, type ResponseHead } from './attempt.js';
import { isRefusedByTls, isTlsFailure, networkReason, tlsReason } from './failure.js';

/** Connecting may take as long as the time-out again. */
export interface ClientOptions extends DispatcherOptions {
  /** Scheme, host and port, and the base path of the service; no trailing slash. */
  readonly baseUrl: string;
  readonly headers: SendOptions['headers'];
  readonly monotonic: () => number;
  /** Called when the request's bytes have been passed to the network. */
  readonly sent: () => void;
}

export interface Client {
  /**
   * @param fresh use a separate connection: for a record that no key protects
   * @param mayLeave called once there is a connection, before a byte leaves: connecting may have taken long
   */
  post(path: string, body: string, fresh: boolean, mayLeave?: () => boolean): Promise<AttemptResult>;
  /** HEAD on a path below the base, which creates nothing. */
  probe(path: string): Promise<AttemptResult>;
  /** Sends these from now on. */
  useHeaders(headers: SendOptions['headers']): void;
  close(): Promise<void>;
}

/** Longer answers are not read to their end: no answer that matters is longer; bytes. */
const LONGEST_ANSWER = 1024 * 1024;
/** How often to look for attempts that have taken too long, milliseconds. */
const SWEEP_MS = 50;

interface Attempt {
  readonly deadline: number;
  readonly giveUp: () => void;
}

/** Loads undici and opens a pool to the service. Nothing is connected before the first request. */
export async function openClient(options: ClientOptions): Promise<Client> {
  const { openDispatcher } = await import('./dispatcher.js');
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const kept = await openDispatcher(origin, options);
  const unkept = await openDispatcher(origin, options);
  // An attempt leaves its place when it is done: V8 would keep the garbage of a set that changes so often.
  const inFlight: (Attempt | null)[] = [];
  const giveUpOverdue = (now: number): void => {
    for (const attempt of inFlight) if (attempt !== null && attempt.deadline <= now) attempt.giveUp();
  };
  // One timer for all attempts: a timer for each would cost a quarter of the throughput. While this process is blocked,
  // most often by the journal, or is paused, answers may arrive: setImmediate lets them be read before an attempt is
  // given up, and the clock is read before them, since the process may be paused in between too.
  const sweep = setInterval(() => setImmediate(giveUpOverdue, options.monotonic()), SWEEP_MS);
  sweep.unref();
  let headers = headersOf(options.headers);
  const request = (
    dispatcher: Dispatcher,
    of: Dispatcher.DispatchOptions,
    mayLeave = () => true,
  ): Promise<AttemptResult> =>
    new Promise((resolve) => {
      dispatcher.dispatch({ origin, headers, ...of }, handler(options, mayLeave, inFlight, resolve));
    });
  return {
    // The service may close a kept connection at the very moment when it is used again, which puts the record in doubt.
    // A record that no key protects cannot be retried, so it gets a separate connection: nothing was sent over it
    // before (so there is a second dispatcher), and nothing will be sent after.
    post: (path, body, fresh, mayLeave) =>
      request(fresh ? unkept : kept, { path: `${basePath}${path}`, method: 'POST', body, reset: fresh }, mayLeave),
    probe: (path) => request(kept, { path: `${basePath}${path}`, method: 'HEAD' }),
    useHeaders: (given) => void (headers = headersOf(given)),
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

/** Collects one answer. The first result settles the attempt; later ones are ignored. */
function handler(
  { timeoutMs, tls, monotonic, sent }: ClientOptions,
  mayLeave: () => boolean,
  inFlight: (Attempt | null)[],
  resolve: (result: AttemptResult) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let size = 0;
  let head: ResponseHead = { status: 0, retryAfter: null };
  let requestId: string | undefined;
  let encoding = '';
  let place = -1;
  let isDone = false;
  const finish = (result: AttemptResult): void => {
    if (isDone) return;
    isDone = true;
    if (place >= 0) inFlight[place] = null;
    const isNamed = requestId !== undefined && (result.kind === 'answer' || result.kind === 'broken');
    resolve(isNamed ? { ...result, requestId } : result);
  };
  return {
    onRequestStart: (controller) => {
      if (!mayLeave()) {
        finish({ kind: 'withheld', reason: 'no connection was made as long as its key protected it' });
        controller.abort(new Error('the request must not leave any more'));
        return;
      }
      const giveUp = (): void => {
        const reason = `no whole answer within ${timeoutMs / 1000} s`;
        // Settled here, since an abort does not always come back as an error.
        finish({ kind: 'broken', reason });
        controller.abort(new Error(reason));
      };
      const free = inFlight.indexOf(null);
      place = free < 0 ? inFlight.length : free;
      inFlight[place] = { deadline: monotonic() + timeoutMs, giveUp };
      // The bytes are written in this same turn, after this call.
      queueMicrotask(sent);
    },
    onResponseStart: (_controller, status, headers) => {
      head = responseHead(status, headers);
      requestId = REQUEST_IDS.map((name) => firstOf(headers[name])).find(
        (value) => value !== undefined && value !== '',
      );
      encoding = [headers['content-encoding'] ?? []].flat().join();
    },
    onResponseData: (controller, chunk) => {
      size += chunk.length;
      if (size <= LONGEST_ANSWER) return void chunks.push(chunk);
      finish({ kind: 'answer', body: null, ...head });
      controller.abort(new Error(`the answer is longer than ${LONGEST_ANSWER} bytes`));
    },
    onResponseEnd: () => {
      const came = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
      const bytes = encoding === '' ? came : decodeBody(came, encoding, LONGEST_ANSWER);
      if (bytes === 'cut') return finish({ kind: 'broken', reason: 'the compressed answer is cut off or damaged' });
      // A byte order mark is not part of the text (RFC 8259, 8.1).
      const body = bytes === null ? null : bytes.toString('utf8').replace(/^\ufeff/, '');
      finish({ kind: 'answer', body, ...head });
    },
    onResponseError: (_controller, failure) => finish(failureResult(failure, place >= 0, tls)),
  };
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

function responseHead(status: number, headers: Headers): ResponseHead {
  const location = isSuccess(status) || isRedirect(status) ? firstOf(headers['location']) : undefined;
  const retryAfter = firstOf(headers['retry-after']) ?? null;
  return location === undefined ? { status, retryAfter } : { status, retryAfter, location };
}

/** The headers in which services name a request, the likeliest first. */
const REQUEST_IDS = ['x-request-id', 'request-id', 'x-correlation-id', 'traceparent'];

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** @param started the request had begun to leave; before that, it cannot have had any effect */
function failureResult(failure: Error, started: boolean, tls: ClientOptions['tls']): AttemptResult {
  const reason = networkReason(failure);
  if (started ? isRefusedByTls(failure) : isTlsFailure(failure))
    return { kind: 'tls', reason: tlsReason(failure, reason, tls) };
  return { kind: started ? 'broken' : 'not-connected', reason };
}
