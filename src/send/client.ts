/** One attempt to send one record over HTTP. Never throws for what the network does: every end is an AttemptResult. */
import type { Dispatcher } from 'undici';
import { type AttemptResult, isRedirect } from './attempt.js';
import { openDispatcher } from './dispatcher.js';

export interface ClientOptions {
  /** Scheme, host and port, and the path below which the service lives; no trailing slash. */
  readonly baseUrl: string;
  /** Sent with every request; the content type is the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** From the first byte sent to the last byte read, and for connecting before that; milliseconds. */
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
   * @param mayLeave asked when there is a connection, before a byte leaves: connecting may have taken long
   */
  post(path: string, body: string, fresh: boolean, mayLeave?: () => boolean): Promise<AttemptResult>;
  close(): Promise<void>;
}

/** No answer that matters is longer; bytes. */
const LONGEST_ANSWER = 1024 * 1024;
/** How often attempts are looked at that have taken too long, milliseconds. */
const SWEEP_MS = 50;

interface Attempt {
  readonly deadline: number;
  abort(reason: Error): void;
  /** Its place among those under way. */
  place: number;
}

/**
 * The attempts under way. A list with known places and not a set: a set that things come into and go out of all the time
 * is copied again and again, and each copy, once it is old, keeps the next one and all its attempts from being collected.
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
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  const kept = await openDispatcher(origin, options);
  const unkept = await openDispatcher(origin, options);
  const underWay: UnderWay = [];
  const endOverdue = (): void => {
    const now = options.monotonic();
    // Those that are ended leave the list.
    for (const attempt of [...underWay]) {
      if (attempt.deadline <= now)
        attempt.abort(new AttemptTimeout(`no whole answer within ${options.timeoutMs / 1000} s`));
    }
  };
  // One timer for all attempts: a timer for each would cost a quarter of the throughput. Where this process stood still,
  // waiting for the journal above all, answers have arrived meanwhile: they are read before anything is given up.
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
          // A kept connection may be closed by the service at the very moment it is used again, which puts the record
          // in doubt. A record that no key protects cannot be asked again, so it gets a connection of its own: one that
          // nothing was sent over before (hence the other dispatcher), and nothing will be after.
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
 * Header names in lower case, so that none is sent twice. The body is JSON, whatever the settings say, and the answer must
 * not be compressed, which it may be unless a request says so (RFC 9110, 12.5.3).
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
  let redirect: { readonly location?: string } = {};
  let attempt: Attempt | null = null;
  let done = false;
  const finish = (result: AttemptResult): void => {
    if (done) return;
    done = true;
    if (attempt !== null) leave(underWay, attempt);
    resolve(result);
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
          // Settled at once: aborting does not always come back as an error.
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
      const location = isRedirect(statusCode) ? firstOf(headers['location']) : undefined;
      redirect = location === undefined ? {} : { location };
    },
    onResponseData: (controller, chunk) => {
      size += chunk.length;
      if (size > LONGEST_ANSWER) {
        finish({ kind: 'answer', status, body: null, retryAfter, ...redirect });
        controller.abort(new AnswerTooLong(`the answer is longer than ${LONGEST_ANSWER} bytes`));
      } else chunks.push(chunk);
    },
    onResponseEnd: () => {
      const body = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8');
      // A byte order mark is no part of the text (RFC 8259, 8.1).
      finish({ kind: 'answer', status, body: body.replace(/^\ufeff/, ''), retryAfter, ...redirect });
    },
    onResponseError: (_controller, failure) => finish(failed(failure, attempt !== null)),
  };
}

/** A header that is given several times is its first. */
function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** @param started the request had begun to leave; before that, nothing can have been carried out */
function failed(failure: Error, started: boolean): AttemptResult {
  const reason = reasonOf(failure);
  if (started) return { kind: isRefusedByTls(failure) ? 'tls' : 'broken', reason };
  return { kind: isTlsFailure(failure) ? 'tls' : 'not-connected', reason };
}

/**
 * With TLS 1.3 the client may write before the service has looked at its certificate. A service that then refuses it has
 * not read the request: it must not before the handshake is done.
 */
const REFUSED_BY_TLS =
  /^ERR_SSL_\w+_ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

function isRefusedByTls(failure: Error): boolean {
  const { code, cause } = failure as NodeJS.ErrnoException & { cause?: unknown };
  return REFUSED_BY_TLS.test(code ?? '') || (cause instanceof Error && isRefusedByTls(cause));
}

const TLS_CODES =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE|ERR_OSSL_)/;

/** Whether no trusted connection could be made, by the code of the failure or of what caused it. */
export function isTlsFailure(failure: Error): boolean {
  const { code, cause } = failure as NodeJS.ErrnoException & { cause?: unknown };
  if (code !== undefined && TLS_CODES.test(code)) return true;
  return cause instanceof Error && isTlsFailure(cause);
}

/** The innermost reason that has words: undici wraps what the system said. */
export function reasonOf(failure: Error): string {
  const { code } = failure as NodeJS.ErrnoException;
  const inner = failure instanceof AggregateError ? (failure.errors as unknown[])[0] : failure.cause;
  if (inner instanceof Error && inner.message !== '') return reasonOf(inner);
  const words = failure.message.replace(/\s+/g, ' ').trim();
  return words === '' ? (code ?? 'the connection failed') : words;
}
