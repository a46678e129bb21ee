/** The result of one attempt to send a record, and how its parts are read. PURE. */
import { isObject } from '../../records/types.js';

/** `requestId` is the ID that the service, or a proxy in front of it, gives the request in its answer. */
export type AttemptResult = HttpResponse | NoResponse;

/** An answer was read to its end, or to the limit. */
export interface HttpResponse extends ResponseHead {
  readonly kind: 'answer';
  /** The body as text; null when it was longer than the limit. */
  readonly body: string | null;
  readonly requestId?: string;
}

export interface ResponseHead {
  readonly status: number;
  readonly retryAfter: string | null;
  /** Target of a redirect, or the record's place in a 2xx, as the service writes it. */
  readonly location?: string;
}

export type NoResponse =
  /** No byte of the request left: no connection could be made. */
  | { readonly kind: 'not-connected'; readonly reason: string }
  /** No byte of the request left: once there was a connection, the request was no longer allowed to leave. */
  | { readonly kind: 'withheld'; readonly reason: string }
  /** TLS failed before the service read the request: we do not trust the other side, or it does not accept us. */
  | { readonly kind: 'tls'; readonly reason: string }
  /** The request may have arrived; no complete answer came back. */
  | { readonly kind: 'broken'; readonly reason: string; readonly requestId?: string };

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** 3xx: never followed. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** An answer as a JSON object, or null: only a complete object counts as a confirmation. */
export function objectIn(body: string | null): Record<string, unknown> | null {
  if (body === null) return null;
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The value at a dot path; undefined if there is none. A number steps into a list. */
export function valueAtPath(object: Readonly<Record<string, unknown>>, path: string): unknown {
  // Most paths are a name.
  if (!path.includes('.')) return Object.hasOwn(object, path) ? object[path] : undefined;
  let value: unknown = object;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    // JavaScript lists have a member that JSON lists do not have: their length.
    if (Array.isArray(value) ? !/^\d+$/.test(step) : !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
}

/** No body, or only white space: a service that sends no body may still end a line. */
export function isEmpty(body: string): boolean {
  return body.trim() === '';
}
