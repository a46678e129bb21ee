/** Which proxy, if any, is used between this machine and the service. PURE. */
import type { SendOptions } from '../../options.js';
import { isLoopback } from '../../util/loopback.js';

type Proxies = SendOptions['proxy'];

/** Its URL; null for none. A proxy is set for one scheme, as in other tools: HTTP_PROXY does not apply to https. */
export function proxyFor(baseUrl: string, proxy: Proxies): string | null {
  const service = new URL(baseUrl);
  const url = (service.protocol === 'https:' ? proxy?.https : proxy?.http) ?? null;
  return url === null || wouldLeaveMachine(service, url) || isExcepted(service, proxy?.no ?? '') ? null : url;
}

/**
 * Plain HTTP may go to this machine because nobody else can read it on its way. A proxy elsewhere would read it, and
 * send it to the proxy's loopback address.
 */
function wouldLeaveMachine({ protocol, hostname }: URL, proxy: string): boolean {
  return protocol === 'http:' && isLoopback(hostname) && URL.canParse(proxy) && !isLoopback(new URL(proxy).hostname);
}

/** Whether NO_PROXY names the service: `*`, or hosts with all their subdomains, perhaps with a port. */
function isExcepted({ protocol, hostname, port }: URL, no: string): boolean {
  if (no === '*') return true;
  const standard = protocol === 'https:' ? '443' : '80';
  const own = port === '' ? standard : port;
  return no.split(/[,\s]/).some((entry) => {
    const [, name = entry, only = own] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const host = name.replace(/^\*?\./, '').toLowerCase();
    return entry !== '' && only === own && (hostname === host || hostname.endsWith(`.${host}`));
  });
}

/**
 * The proxy for requests to this address, for messages: `the proxy proxy.example:3128 (HTTPS_PROXY)`, without user name
 * and password; null for none.
 */
export function proxyText(baseUrl: string, proxy: Proxies): string | null {
  const url = proxyFor(baseUrl, proxy);
  if (url === null || !URL.canParse(url)) return null;
  return `the proxy ${new URL(url).host} (${baseUrl.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'})`;
}

/** A failure before there is a connection with the proxy itself. Any other means that the proxy opened no tunnel. */
const NO_CONNECTION = /\b(connect|getaddrinfo) E|Connect Timeout|no connection was made in time/;

/** Why there is no way through a proxy, as far as the reason shows it. @param proxy from {@link proxyText} */
export function proxyFailure(proxy: string, reason: string | null): string {
  const what = NO_CONNECTION.test(reason ?? '') ? 'cannot be reached' : 'opens no way to the service';
  return `${proxy} ${isRefusedByProxy(reason) ? 'does not let this user through' : what}`;
}

/** Whether a person has to correct the credentials for the proxy, or its rules. */
export function isRefusedByProxy(reason: string | null): boolean {
  return /^Proxy response \(40[37]\)/.test(reason ?? '');
}
