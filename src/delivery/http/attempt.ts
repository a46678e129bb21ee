/** What one attempt to send a record came to. */
import { isObject } from '../../records/field.js';

export type AttemptResult =
  /** An answer was read to its end, or to the limit. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** The body as text; null when it was longer than the limit. */
      readonly body: string | null;
      readonly retryAfter: string | null;
      /** Where a redirect leads, as the service writes it; absent in other answers. */
      readonly location?: string;
    }
  /** No byte of the request left: no connection could be made. */
  | { readonly kind: 'not-connected'; readonly reason: string }
  /** No byte of the request left: once there was a connection, the request was no longer allowed to leave. */
  | { readonly kind: 'withheld'; readonly reason: string }
  /** TLS failed before the service read the request: we do not trust the other side, or it does not accept us. */
  | { readonly kind: 'tls'; readonly reason: string }
  /** The request may have arrived; no complete answer came back. */
  | { readonly kind: 'broken'; readonly reason: string };

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
