/** The embedded gig work service: HTTP on loopback, written from service-interface.md alone. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyHash, MAX_BODY_BYTES, parseBody, readBody } from './body.js';
import { pickFault, NO_FAULTS, createThrottle } from './faults.js';
import type { SandboxFaults } from './faults.js';
import { checkBody, withDefaults } from './rules.js';
import type { JsonObject, SandboxRecordType } from './rules.js';
import { openStore } from './store.js';
import type { Store } from './store.js';

export interface Sandbox {
  /** Without a slash at its end. */
  readonly url: string;
  /** The data file's identity. */
  readonly id: string;
  /** Finishes open requests, then closes connections and file. May be called again. */
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Path of the data file; created when it is missing. */
  file: string;
  /** Port on 127.0.0.1; default: a free one. */
  port?: number;
  faults?: Partial<SandboxFaults>;
  /** Clock, milliseconds since 1970: creation times and the rate limit. */
  now: () => number;
  /** Uniform in [0, 1). */
  random: () => number;
}

const HOST = '127.0.0.1';
/** Longer than clients usually keep connections: a connection must not close just as a client sends over it. */
const KEEP_ALIVE_MS = 60_000;
/** How long close() waits for requests whose bodies are still arriving, milliseconds. */
const CLOSE_MS = 2000;

const ROUTES: ReadonlyMap<string, SandboxRecordType> = new Map([
  ['/api/v2/gigs', 'gig'],
  ['/api/v2/gig_results', 'gig_result'],
  ['/api/v2/payouts', 'payout'],
]);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Service {
  readonly now: () => number;
  readonly random: () => number;
  readonly store: Store;
  readonly faults: SandboxFaults;
  readonly admit: () => boolean;
  /** Aborted by close(): waits end at once, connections are not kept. */
  readonly closing: AbortSignal;
}

/**
 * Starts the service of service-interface.md ("Endpoints") on 127.0.0.1.
 *
 * @returns the running sandbox; it keeps the process alive until it is closed
 * @throws an Error that says what to do when the port is taken or the file is not a sandbox data file
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const faults = { ...NO_FAULTS, ...options.faults };
  const store = openStore(options.file);
  const closing = new AbortController();
  const { now, random } = options;
  const admit = createThrottle(faults.rateLimit, now);
  const service: Service = { store, faults, admit, now, random, closing: closing.signal };
  const underWay = new Set<Promise<void>>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const handled = serve(service, request, response).finally(() => underWay.delete(handled));
    underWay.add(handled);
  });
  try {
    await listen(server, options.port ?? 0);
  } catch (error) {
    store.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    closing.abort();
    const closed = new Promise((resolve) => server.close(resolve));
    await Promise.race([Promise.all(underWay), delay(CLOSE_MS, null, { ref: false })]);
    server.closeAllConnections();
    await closed;
    store.close();
  };
  let closed: Promise<void> | undefined;
  const { port } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${port}`, id: store.id, close: () => (closed ??= close()) };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.message})`;
      const what = 'Choose another with --port, or leave --port out for a free one.';
      reject(new Error(`Port ${port} on ${HOST} ${why}. ${what}`, { cause: error }));
    });
    server.listen(port, HOST, resolve);
  });
}

/** Answers one request, or cuts its connection. Resolves when the answer is sent. Never rejects. */
async function serve(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let answer: Answer | 'cut';
  try {
    answer = await answerTo(service, request);
  } catch (error) {
    // The sandbox could not write its file: nothing was created.
    answer = failure(500, `the sandbox could not store the record: ${(error as Error).message}`);
  }
  if (answer === 'cut') {
    request.socket.destroy();
    return;
  }
  const ended = finished(response).catch(() => undefined);
  response.writeHead(answer.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(answer.text),
    ...(service.closing.aborted ? { Connection: 'close' } : {}),
    ...answer.headers,
  });
  response.end(answer.text);
  await ended;
}

async function answerTo(service: Service, request: IncomingMessage): Promise<Answer | 'cut'> {
  const { faults } = service;
  if (!service.admit()) return failure(429, `more than ${faults.rateLimit} requests a second`, { 'Retry-After': '1' });
  const type = ROUTES.get(request.url?.split('?', 1)[0] ?? '');
  if (type === undefined) return failure(404, `no such path; there are: ${[...ROUTES.keys()].join(', ')}`);
  if (request.method !== 'POST') return failure(405, 'only POST is documented here', { Allow: 'POST' });
  const bytes = await readBody(request);
  if (bytes === 'cut') return 'cut';
  if (faults.latency > 0) await wait(faults.latency, service.closing);
  const mishap = pickFault(faults, service.random);
  if (mishap === 'fail') return failure(503, 'failed on request (--fail-rate)');
  if (bytes === 'too-large') return failure(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
  const parsed = parseBody(bytes);
  if ('fault' in parsed) return failure(400, parsed.fault);
  const answer = create(service, type, parsed.body);
  return mishap === 'drop' && answer.status === 201 ? 'cut' : answer;
}

async function wait(ms: number, closing: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: closing }).catch(() => undefined);
}

/** Creates the record, or repeats the first answer ("Rules", 4). Committed when this returns. */
function create(service: Service, type: SandboxRecordType, body: JsonObject): Answer {
  const details = checkBody(type, body);
  if (details.length > 0) return { status: 422, text: JSON.stringify({ error: 'the body breaks the rules', details }) };
  const key = (body['idempotency_key'] as string | undefined) ?? null;
  const hash = key === null ? null : bodyHash(body);
  const createdAt = new Date(service.now()).toISOString();
  const fields = JSON.stringify({ ...withDefaults(type, body, createdAt), created_at: createdAt });
  const answer = service.store.create(type, key, hash, fields);
  // The documentation does not show what the service does with a used key and other content: the sandbox refuses it.
  return answer === null
    ? failure(409, 'this idempotency_key was used with another body')
    : { status: 201, text: answer };
}

function failure(status: number, error: string, headers?: Readonly<Record<string, string>>): Answer {
  return { status, text: JSON.stringify({ error }), ...(headers ? { headers } : {}) };
}
