/** Asks whether the service can be reached, with a request that creates nothing. */
import type { ClientOptions } from './client.js';
import { networkReason } from './network-words.js';
import { openDispatcher } from './dispatcher.js';
import { isTlsFailure, tlsReason } from './tls-failure.js';

export type ProbeResult =
  /** Any answer shows that the service, or whatever stands at its address, can be reached. */
  | { readonly kind: 'answer'; readonly status: number; readonly location: string | null }
  | { readonly kind: 'tls'; readonly reason: string }
  | { readonly kind: 'not-connected'; readonly reason: string };

export type ProbeOptions = Pick<ClientOptions, 'baseUrl' | 'headers' | 'timeoutMs' | 'tls' | 'proxy'>;

/** HEAD on the base path: no service creates anything for it. Never throws for a network failure. */
export async function probe({ baseUrl, headers, timeoutMs, tls, proxy }: ProbeOptions): Promise<ProbeResult> {
  const { origin, pathname } = new URL(baseUrl);
  const dispatcher = await openDispatcher(origin, { timeoutMs, tls, proxy, connections: 1 });
  const { request } = await import('undici');
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await request(`${origin}${pathname}`, { dispatcher, method: 'HEAD', headers, signal });
    await answer.body.dump();
    const { location } = answer.headers;
    return { kind: 'answer', status: answer.statusCode, location: typeof location === 'string' ? location : null };
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    const reason = networkReason(failure);
    if (isTlsFailure(failure)) return { kind: 'tls', reason: tlsReason(failure, reason, tls) };
    return { kind: 'not-connected', reason };
  } finally {
    await dispatcher.destroy();
  }
}
