/** A gig work service on loopback that does what a test tells it to. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import type { Socket } from 'node:net';
import { freePort } from './ports.js';
import { executesByDefault, type Fault, faults } from './service-faults.js';
import { type Body, type RecordType, ServiceLedger } from './service-ledger.js';

export { businessRow } from './service-ledger.js';
export type { Fault } from './service-faults.js';

/** One request, as it arrived; `n` counts from 1, `json` is undefined when the body is no JSON. */
export interface SeenRequest {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly json: unknown;
}

/**
 * How one request is answered. `execute` says whether the record is carried out (written to the ledger) first.
 * Its default is true for a 2xx status and for every fault except `reset-before` and `hang`. The default of `body` is
 * the normal answer under 2xx and a short JSON error otherwise. A remembered key never executes again, scripted or not.
 */
export type Reply =
  | { status: number; headers?: Record<string, string>; body?: string; execute?: boolean }
  | { fault: Fault; execute?: boolean }
  | { default: true };

export type Responder = (request: SeenRequest) => Reply | undefined | Promise<Reply | undefined>;

export interface ServiceOptions {
  /** Default: a free port of 127.0.0.1, kept for this service as long as the tests run. */
  port?: number;
  /** In front of `/api/v2/…`, for example `/base`. */
  basePath?: string;
  /** Default true: the same key and body get the first answer again, the same key with another body a 409. */
  keyMemory?: boolean;
  /** Default true: keep every request in `requests`; false for bulk tests. */
  record?: boolean;
  /** A record with this text in it is never carried out: 422 where nothing else is told. */
  refuses?: string;
  /** Speak HTTPS; `requestCert` and `ca` ask the client for a certificate. */
  tls?: Pick<ServerOptions, 'key' | 'cert' | 'ca' | 'requestCert' | 'rejectUnauthorized'>;
  respond?: Responder;
}

/** A server closes idle and slow connections by itself unless told not to: only the test may do that here. */
const PATIENT = { keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 };

const PATHS: Readonly<Record<string, RecordType>> = {
  '/api/v2/gigs': 'gig',
  '/api/v2/gig_results': 'result',
  '/api/v2/payouts': 'payout',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(json: unknown): json is Body {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function executes(reply: Reply): boolean {
  if ('fault' in reply) return reply.execute ?? executesByDefault(reply.fault);
  if ('status' in reply) return reply.execute ?? (reply.status >= 200 && reply.status < 300);
  return true;
}

/** The status of a normal answer. */
function normalStatus(method: string, type: RecordType | undefined, settled?: { conflict: boolean }): number {
  if (!type) return 404;
  if (method !== 'POST') return 405;
  if (!settled) return 400;
  return settled.conflict ? 409 : 201;
}

export class Service {
  /** Base URL, with the base path and without a trailing slash. */
  url = '';
  /** 0 before it listens. */
  port: number;
  /** In order of arrival; empty with `record: false`. */
  readonly requests: SeenRequest[] = [];
  /** How many requests arrived, recorded or not. */
  requestCount = 0;
  /** How many connections were opened since the start. */
  connectionCount = 0;
  private readonly options: ServiceOptions;
  private readonly ledger: ServiceLedger;
  private readonly connections = new Set<Socket>();
  private readonly errors: unknown[] = [];
  private respond: Responder | undefined;
  private server: ReturnType<typeof createHttpServer> | null = null;

  constructor(options: ServiceOptions) {
    this.options = options;
    this.ledger = new ServiceLedger(options.keyMemory ?? true);
    this.respond = options.respond;
    this.port = options.port ?? 0;
  }

  /** The ledger: how often each business row was carried out, whatever its key. See `businessRow`. */
  get executions(): ReadonlyMap<string, number> {
    return this.ledger.executions;
  }

  /** How many records were carried out: the sum of `executions`. */
  ledgerTotal(): number {
    return this.ledger.total();
  }

  /** Replaces the responder; no reply from it means normal behaviour. */
  responder(respond: Responder | undefined): void {
    this.respond = respond;
  }

  /** Stops listening. Requests under way are still answered, then their connections close; idle ones close now. */
  async refuse(): Promise<void> {
    // Not awaited: closing ends with the last connection, and a responder that waits for that would wait for itself.
    this.server?.close();
    this.server = null;
  }

  /** Listens; after `refuse` again, on the same port. */
  async accept(): Promise<void> {
    if (this.server !== null) return;
    const { tls, basePath = '' } = this.options;
    if (this.port === 0) this.port = await freePort();
    const handle = (request: IncomingMessage, response: ServerResponse): void => this.receive(request, response);
    const server = tls ? createHttpsServer({ ...tls, ...PATIENT }, handle) : createHttpServer(PATIENT, handle);
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => this.keep(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.server = server;
    this.url = `${tls ? 'https' : 'http'}://127.0.0.1:${this.port}${basePath}`;
  }

  /** Ends everything, also hanging requests. Throws the first error that a responder threw, so that it is seen. */
  async close(): Promise<void> {
    await this.refuse();
    for (const socket of this.connections) socket.destroy();
    if (this.errors.length > 0) throw this.errors[0];
  }

  private keep(socket: Socket): void {
    this.connectionCount += 1;
    this.connections.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.connections.delete(socket));
  }

  /** Collects the body. A request whose client leaves before its end does not count. */
  private receive(request: IncomingMessage, response: ServerResponse): void {
    const { socket, method = '', url: path = '', headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const seen = { n: ++this.requestCount, method, path, headers, body, json: parse(body) };
      if (this.options.record ?? true) this.requests.push(seen);
      if (this.respond) void this.answerAsTold(this.respond, seen, response, socket);
      else this.answer(seen, { default: true }, response, socket);
    });
  }

  /** Asks the responder. A mistake in it must fail the test, not look like a fault: close() throws it. */
  private async answerAsTold(respond: Responder, seen: SeenRequest, response: ServerResponse, socket: Socket) {
    try {
      this.answer(seen, (await respond(seen)) ?? { default: true }, response, socket);
    } catch (error) {
      this.errors.push(error);
      socket.destroy();
    }
  }

  /** Carries out first and answers then, as the service would. */
  private answer(seen: SeenRequest, reply: Reply, response: ServerResponse, socket: Socket): void {
    const { basePath = '', refuses } = this.options;
    const { method, path, json, body } = seen;
    const type = path.startsWith(basePath) ? PATHS[path.slice(basePath.length).replace(/\?.*$/, '')] : undefined;
    const isRefused = refuses !== undefined && body.includes(refuses);
    const isRecord = type && method === 'POST' && isObject(json) && !isRefused;
    const settled = isRecord ? this.ledger.settle(type, json, body, executes(reply)) : undefined;
    if ('fault' in reply) return faults[reply.fault](socket, settled?.answer ?? '{}');
    const scripted = 'status' in reply ? reply : null;
    const status = scripted?.status ?? (isRefused ? 422 : normalStatus(method, type, settled));
    const usual = settled && status >= 200 && status < 300 ? settled.answer : `{"error":"answered ${status}"}`;
    this.send(response, status, scripted?.body ?? usual, scripted?.headers);
  }

  private send(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
    const all: Record<string, string | number> = { 'content-type': 'application/json', ...headers };
    if (status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(body);
    if (this.server === null) all['connection'] = 'close';
    response.writeHead(status, all).end(body);
  }
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = new Service(options);
  await service.accept();
  return service;
}
