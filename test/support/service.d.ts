import type { ServerOptions } from 'node:https';

/** One request, as it arrived; `n` counts from 1, `json` is undefined when the body is no JSON. */
export interface SeenRequest {
  readonly n: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly json: unknown;
}

/**
 * What goes wrong on the wire:
 * - `reset-before`, `reset-after`: the TCP connection is reset, before or after the record was carried out
 * - `truncate`: half of the announced body, then the connection ends
 * - `hang`: no byte, ever
 * - `dribble`: status and headers at once, then one byte of a valid body every 100 milliseconds, for an hour
 * - `garbage`: bytes that are no HTTP, then the connection ends
 * - `bad-chunk`: a 201 whose chunk size is no number
 * - `huge`: a 201 whose JSON body never ends
 * - `endless-headers`: a 201 whose headers never end
 */
export type Fault =
  | 'reset-before'
  | 'reset-after'
  | 'truncate'
  | 'hang'
  | 'dribble'
  | 'garbage'
  | 'bad-chunk'
  | 'huge'
  | 'endless-headers';

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

/** Settings of a service as plain data, for a service in another process too. */
export interface ServiceSettings {
  /** Default 0: any free port of 127.0.0.1. */
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
}

export interface ServiceOptions extends ServiceSettings {
  respond?: Responder;
}

export interface Service {
  /** Base URL, with the base path and without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** In order of arrival; empty with `record: false`. */
  readonly requests: readonly SeenRequest[];
  /** How many requests arrived, recorded or not. */
  readonly requestCount: number;
  /** How many connections were opened since the start. */
  readonly connectionCount: number;
  /** The ledger: how often each business row was carried out, whatever its key. See `businessRow`. */
  readonly executions: ReadonlyMap<string, number>;
  /** How many records were carried out: the sum of `executions`. */
  ledgerTotal(): number;
  /** Replaces the responder; no reply from it means normal behaviour. */
  responder(respond: Responder | undefined): void;
  /** Stops listening. Requests under way are still answered, then their connections close; idle ones close now. */
  refuse(): Promise<void>;
  /** Listens again on the same port. */
  accept(): Promise<void>;
  /** Ends everything, also hanging requests. Throws the first error that a responder threw, so that it is seen. */
  close(): Promise<void>;
}

/** Starts a gig work service on loopback that does what a test tells it to. */
export function startService(options?: ServiceOptions): Promise<Service>;

/**
 * The ledger's key of a record: the JSON of what makes it one business event, without its idempotency key, so that a
 * changed key cannot hide a second payment.
 */
export function businessRow(type: 'gig' | 'result' | 'payout', body: Readonly<Record<string, unknown>>): string;
