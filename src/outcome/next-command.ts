/** What to do next, in words: why a run stopped, and the command that goes on. */
import { EXIT } from '../errors.js';
import { proxyFailure, proxyWords } from '../delivery/http/proxy-used.js';
import type { RunOptions } from '../options.js';
import type { StopReason } from './summary.js';
import type { Stopped, DeliveryStop } from '../delivery/circuit-breaker.js';

const REMEDIES: Readonly<Record<DeliveryStop, string>> = {
  unauthorized:
    'the service does not accept the credentials (HTTP 401): check the token (GIGWORK_TOKEN) or the headers, then go on',
  wrong_target:
    'the target does not look like the gig work service: run the first command again with the right --base-url',
  redirected:
    'the service redirected the request, and redirects are never followed: nothing is known under another address of what was done under this one. If you trust the address that it names: settle what is of unknown outcome here, take that and what was created out of the file, and only then run it with that --base-url',
  tls: 'there is no trusted connection with the service: correct that, then go on',
  unreachable: 'the service cannot be reached: check the address and the network, then go on',
  throttled:
    'the service has answered nothing but "too many requests" or "too early" for 15 minutes: go on later, or with a lower --rate',
  too_many_rejected: 'as many records were rejected as --stop-after allows: look at the reasons before going on',
  journal: 'the journal could not be written, so nothing more was sent',
  interrupted: 'stopped: the program was told to end (Ctrl-C, or a signal)',
  internal: 'gigwork has a fault of its own, so nothing more was sent: run it again with --debug to see the details',
};

/** Why the run stopped, in one sentence with the remedy. */
export function stopWords(stopped: NonNullable<Stopped>, options: RunOptions): string {
  const remedy = stopped.remedy ?? noWay(stopped, options) ?? REMEDIES[stopped.reason];
  return stopped.detail === null ? remedy : `${remedy} (${options.secrets.hide(stopped.detail)})`;
}

/** With a proxy on the way, the proxy is what could not be reached: the service was never asked. */
function noWay({ reason, detail }: NonNullable<Stopped>, { target, send }: RunOptions): string | null {
  if (reason !== 'unreachable' || target?.kind !== 'url') return null;
  const proxy = proxyWords(target.baseUrl, send.proxy);
  if (proxy === null) return null;
  return `${proxyFailure(proxy, detail)}: check the variable, the proxy and the network, then go on`;
}

/** How a call ended. */
export interface Ended {
  readonly exitCode: number;
  readonly stopReason: StopReason | null;
  readonly run: string | null;
  readonly options: RunOptions;
}

/** The words of the command that goes on, or null when there is nothing to go on with. */
export function nextCommand({ exitCode, stopReason, run, options }: Ended): readonly string[] | null {
  if (exitCode === EXIT.ok || exitCode === EXIT.partly || exitCode === EXIT.refused || exitCode === EXIT.usage)
    return null;
  if (run !== null) return ['gigwork', 'batch', 'resume', run, ...options.onward.resume];
  return stopReason === 'interrupted' || stopReason === 'journal' ? options.onward.again : null;
}
