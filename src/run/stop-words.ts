/** Why a run stopped, in words with the remedy. */
import type { DeliveryStop, Stopped } from '../delivery/circuit-breaker.js';
import { isNoHost } from '../delivery/http/failure.js';
import { proxyFailure, proxyWords } from '../delivery/http/proxy-used.js';
import type { RunOptions } from '../options.js';

const REMEDIES: Readonly<Record<DeliveryStop, string>> = {
  unauthorized:
    'The service does not accept the credentials (HTTP 401). Correct the token (GIGWORK_TOKEN) or the headers, then continue',
  wrong_target:
    'The answers do not look like those of the gig work service. Nothing more was sent. Check the address: if it is wrong, run the first command again with the right --base-url',
  redirected:
    'The service redirected the request. gigwork never follows redirects, and keeps a separate history for each address. If you trust the other address: first settle here what may have been paid, then remove that and everything created from the file, and only then run it with that --base-url',
  tls: 'There is no trusted connection with the service. Correct that, then continue',
  unreachable: 'The service cannot be reached. Check the network, or wait, then continue',
  throttled:
    'For 15 minutes the service has only answered "too many requests" or "too early". Continue later, or with a lower --rate',
  too_many_rejected:
    'The service rejected as many records as --stop-after allows. Look at the reasons before you continue',
  journal: 'The journal could not be used, so nothing more was sent',
  interrupted: 'Stopped by Ctrl-C or a signal',
  internal: 'Internal error in gigwork, so nothing more was sent. Run it again with --debug to see the details',
};

const NO_HOST = 'There is no host with this name. Correct the address or the name service, then continue';

/** Why the run stopped, in one sentence with the remedy. */
export function stopWords(stopped: NonNullable<Stopped>, options: RunOptions): string {
  const remedy = stopped.remedy ?? noWay(stopped, options) ?? REMEDIES[stopped.reason];
  return stopped.detail === null ? remedy : `${remedy} (${options.secrets.hide(stopped.detail)})`;
}

/** With a proxy on the way, the proxy is what could not be reached: the service was never asked. */
function noWay({ reason, detail }: NonNullable<Stopped>, { target, send }: RunOptions): string | null {
  if (reason !== 'unreachable' || target?.kind !== 'url') return null;
  const proxy = proxyWords(target.baseUrl, send.proxy);
  if (proxy !== null)
    return `${proxyFailure(proxy, detail)}: check the variable, the proxy and the network, then continue`;
  return isNoHost(detail) ? NO_HOST : null;
}
