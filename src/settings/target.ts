/** The address that records go to. */
import { UsageError } from '../exit.js';

export interface BaseUrl {
  /** As requests use it: no trailing slash. */
  readonly url: string;
  /** The target's name: the normalised URL, and the account where there is one. */
  readonly name: string;
}

/**
 * @param account name that tells apart two accounts at one URL, or null
 * @throws UsageError for an address that cannot be used safely, with the remedy; nothing is connected
 */
export function baseUrl(text: string, account: string | null, allowHttp: boolean): BaseUrl {
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(`the base URL must begin with https://; found ${url.protocol}//`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      'the base URL holds credentials; take them out, and give a token with GIGWORK_TOKEN or a header',
    );
  }
  if (text.includes('?') || text.includes('#')) {
    throw new UsageError(
      'the base URL has a query or a fragment; give only scheme, host and path (an account is named with --account)',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowHttp) {
    throw new UsageError(
      `http:// to ${url.hostname} would send pay data in the clear; use https://, or say --allow-http if the way is safe`,
    );
  }
  const plain = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
  return { url: plain, name: account === null ? plain : `${plain}#${account}` };
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch (cause) {
    // What stands before an @ may be a password.
    const shown = text.includes('@') ? '(hidden, since it may hold a password)' : JSON.stringify(text);
    const hint = /^[\w.-]+(:\d+)?(\/|$)/.test(text) ? `; did you mean https://${text}?` : '';
    throw new UsageError(`the base URL is no URL: ${shown}${hint}`, { cause });
  }
}

/** Names below localhost are not counted in: some systems ask the network for them. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
