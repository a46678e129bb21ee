/** The proxy variables of the environment. */
import { UsageError } from '../errors.js';
import type { SendOptions } from '../options.js';
import type { World } from '../world.js';
import { decoded, withoutUserinfo } from './secrets.js';
import { type Chosen, variable } from './sources.js';

export const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const;

/** The lower-case name is the older habit, and wins where both are set, as in other tools. */
export function proxyVariable(name: string, env: World['env']): Chosen<string | undefined> {
  const lower = variable(name.toLowerCase(), env);
  return lower.value === undefined ? variable(name, env) : lower;
}

/** What the variables say; null when they name no proxy. */
export function proxySettings(env: World['env']): SendOptions['proxy'] {
  const [https, http, no] = PROXY_VARIABLES.map((name) => proxyVariable(name, env).value);
  if (http === undefined && https === undefined) return null;
  return { http, https, no };
}

/** Whether a text is the URL of a proxy that can be used. */
export function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(`${username}${password}`);
    return protocol === 'http:' || protocol === 'https:';
  } catch {
    return false;
  }
}

/** @throws UsageError when requests to this address need a proxy and its URL cannot be used */
export function checkProxyFor(baseUrl: string, proxy: SendOptions['proxy']): void {
  const isHttps = baseUrl.startsWith('https:');
  const url = isHttps ? proxy?.https : proxy?.http;
  if (url === undefined || isProxyUrl(url)) return;
  throw new UsageError(
    `${isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY'}: ${withoutUserinfo(url)} is no address of a proxy; give a URL such as http://proxy.example:3128, with user name and password percent-encoded`,
  );
}

/** The secrets in the proxy URLs: user name and password, as written and percent-decoded. */
export function proxySecrets(proxy: SendOptions['proxy']): string[] {
  return [proxy?.http, proxy?.https].flatMap((url) => {
    const userinfo = /^(?:[a-z][a-z\d+.-]*:\/+)?(.+)@/is.exec(url ?? '')?.[1];
    if (userinfo === undefined) return [];
    const writings = [userinfo, decoded(userinfo) ?? userinfo];
    return [...new Set(writings)].flatMap((text) => [text, text.slice(text.indexOf(':') + 1)]);
  });
}
