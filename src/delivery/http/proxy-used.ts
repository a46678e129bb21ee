/** Which proxy, if any, stands between this machine and the service. */
import type { ClientOptions } from './client.js';
import { isLoopback } from '../../util/loopback.js';

type Proxies = ClientOptions['proxy'];

/** A proxy is set for one scheme, as other tools have it: HTTP_PROXY says nothing about https. */
export function proxyFor(origin: string, proxy: Proxies): string | null {
  const url = (origin.startsWith('https:') ? proxy?.https : proxy?.http) ?? null;
  return url === null || wouldLeaveMachine(origin, url) ? null : url;
}

/**
 * Plain HTTP may go to this machine because nobody else can read it on its way. A proxy elsewhere would read it, and send
 * it to a loopback address of its own.
 */
function wouldLeaveMachine(origin: string, proxy: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && isLoopback(hostname) && URL.canParse(proxy) && !isLoopback(new URL(proxy).hostname);
}

/**
 * The proxy that requests to this address go through, for messages: `the proxy proxy.example:3128 (HTTPS_PROXY)`, without
 * user name and password; null where none is used.
 */
export function proxyWords(baseUrl: string, proxy: Proxies): string | null {
  const url = proxyFor(baseUrl, proxy);
  if (url === null || isExcepted(new URL(baseUrl), proxy?.no ?? '') || !URL.canParse(url)) return null;
  return `the proxy ${new URL(url).host} (${baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'})`;
}

/** Reads NO_PROXY as undici's EnvHttpProxyAgent does: the agent decides, and this repeats its decision for messages. */
function isExcepted({ protocol, hostname, port }: URL, no: string): boolean {
  if (no === '*') return true;
  const own = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  return no.split(/[,\s]/).some((entry) => {
    const [, name = entry, only = own] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const host = name.replace(/^\*?\./, '').toLowerCase();
    return entry !== '' && only === own && (hostname === host || hostname.endsWith(`.${host}`));
  });
}

/** A failure before there is a connection with the proxy itself. Any other means that the proxy opened no tunnel. */
const NO_CONNECTION = /\b(connect|getaddrinfo) E|Connect Timeout|no connection was made in time/;

/** Why there is no way through a proxy, as far as the reason shows it. @param proxy as {@link proxyWords} gives it */
export function proxyFailure(proxy: string, reason: string | null): string {
  const what = NO_CONNECTION.test(reason ?? '') ? 'cannot be reached' : 'opens no way to the service';
  return `${proxy} ${what}`;
}
