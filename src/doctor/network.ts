/** The connection to the service: proxy, certificates, and the answers of its API's paths. */
import { X509Certificate } from 'node:crypto';
import type { SendOptions } from '../options.js';
import type { NoResponse } from '../delivery/http/attempt.js';
import { openClient } from '../delivery/http/client.js';
import { RECORD_INFO } from '../records/types.js';
import { proxyFailure, proxyText } from '../delivery/http/proxy-used.js';
import { isProxyUrl } from '../config/tls-and-proxy.js';
import { withoutUserinfo } from '../config/secrets.js';
import type { World } from '../world.js';
import { type Check, fail, ok, warn } from './finding.js';

const PROXY = 'proxy';
const TLS = 'TLS';
const SERVICE = 'service';

/** Whether the URLs of the configured proxies can be used. */
export function checkProxy(proxy: SendOptions['proxy']): Check {
  if (proxy === null) return ok(PROXY, 'none is set');
  const given = [proxy.https, proxy.http].filter((url) => url !== undefined);
  const wrong = given.find((url) => !isProxyUrl(url));
  if (wrong !== undefined) {
    const remedy = 'set HTTPS_PROXY to a URL such as http://proxy.example:3128';
    return fail(PROXY, `${withoutUserinfo(wrong)} is not a valid proxy address`, remedy);
  }
  const { https, http, no } = proxy;
  const ways = [
    https === undefined ? '' : `https through ${withoutUserinfo(https)}`,
    http === undefined ? '' : `http through ${withoutUserinfo(http)}`,
    no === undefined ? '' : `not for ${no}`,
  ];
  return ok(PROXY, ways.filter((way) => way !== '').join(', '));
}

/** A certificate that expires sooner gives a warning; days. */
const SOON_DAYS = 30;
const MS_PER_DAY = 86_400_000;

/** Which authorities are trusted, and whether certificates are still valid. @param world for clock and environment */
export function checkTls({ ca, cert }: SendOptions['tls'], world: World): Check[] {
  const found = [
    ...(ca === undefined ? [] : [checkCertificate('--ca', ca, world.now())]),
    ...(cert === undefined ? [] : [checkCertificate('--cert', cert, world.now())]),
  ];
  if (world.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    const message = 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: certificates are not checked';
    found.push(warn(TLS, message, 'unset the variable. To trust your own authority, name it with --ca'));
  }
  const extra = world.env['NODE_EXTRA_CA_CERTS'];
  const trusted = ca === undefined ? 'the authorities that Node.js trusts' : 'the authority of --ca';
  if (found.length === 0)
    found.push(ok(TLS, `${trusted}${extra ? `, and those in ${extra}` : ''}; no client certificate`));
  return found;
}

/** @param pem contains at least one: the settings have been read */
function checkCertificate(flag: string, pem: string, now: number): Check {
  const { validFrom, validTo } = new X509Certificate(pem);
  if (Date.parse(validFrom) > now)
    return fail(
      TLS,
      `${flag}: not valid before ${validFrom}`,
      'check the clock of this machine, or get another certificate',
    );
  const days = Math.floor((Date.parse(validTo) - now) / MS_PER_DAY);
  const until = `${flag}: valid until ${validTo}`;
  if (days < 0) return fail(TLS, `${flag}: ended on ${validTo}`, 'get a new certificate');
  return days < SOON_DAYS ? warn(TLS, until, 'get a new certificate soon') : ok(TLS, until);
}

/** Asks each path of the API with HEAD, which creates nothing. Paths that answer alike are one check. */
export async function checkService(baseUrl: string, send: SendOptions, { monotonic }: World): Promise<Check[]> {
  const client = await openClient({ ...send, baseUrl, monotonic, sent: () => undefined });
  const answers = new Map<number, { location: string | undefined; paths: string[] }>();
  try {
    for (const { path } of Object.values(RECORD_INFO)) {
      const result = await client.probe(path);
      if (result.kind !== 'answer') return [notReached(baseUrl, send, result)];
      const { status, location } = result;
      answers.set(status, { location, paths: [...(answers.get(status)?.paths ?? []), path] });
    }
  } finally {
    await client.close();
  }
  return [...answers].map(([status, { location, paths }]) => {
    const answered = `${baseUrl}: ${paths.join(', ')} ${paths.length === 1 ? 'answers' : 'answer'} HEAD with ${status}`;
    return checkAnswer(status, location, answered, send);
  });
}

function notReached(baseUrl: string, { proxy }: SendOptions, { kind, reason }: NoResponse): Check {
  if (kind === 'tls') return fail(SERVICE, `no trusted connection with ${baseUrl}: ${reason}`, null);
  const through = proxyText(baseUrl, proxy);
  const why = through === null ? reason : `${proxyFailure(through, reason)}: ${reason}`;
  const remedy =
    through === null
      ? 'check the base URL and the network, and whether a proxy is needed (HTTPS_PROXY)'
      : 'check the proxy variable, the proxy and the network; NO_PROXY names hosts that need none';
  return fail(SERVICE, `${baseUrl} cannot be reached: ${why}`, remedy);
}

function checkAnswer(
  status: number,
  location: string | undefined,
  answered: string,
  { credentialPlaces }: SendOptions,
): Check {
  // Every record of a run would get this answer.
  if (status === 401 || status === 403) {
    const remedy =
      credentialPlaces.length === 0
        ? 'give a token with GIGWORK_TOKEN, or a header with --header'
        : `check ${credentialPlaces.join(' and ')}, and what it allows`;
    return fail(SERVICE, `${answered}: the service does not accept these credentials`, remedy);
  }
  if (status >= 300 && status < 400) {
    const found = `${answered}, a redirect${location === undefined ? '' : ` to ${location}`}`;
    return warn(SERVICE, found, 'redirects are never followed; check the base URL');
  }
  if (status === 404 || status === 405) {
    const found = `${answered}: this does not prove that the gig work service is there, or that it accepts the credentials`;
    return warn(SERVICE, found, 'check the base URL; gigwork cannot test the rest without sending a real record');
  }
  if (status < 500) return ok(SERVICE, answered);
  const found = `${answered}: the service is in trouble, or does not know HEAD`;
  return warn(SERVICE, found, 'ask those who run it, if runs fail too');
}
