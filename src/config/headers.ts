/** Headers and tokens from flags, environment and config file, which may also name the place where a secret is kept. */
import { UsageError } from '../errors.js';
import { version } from '../version.js';
import type { SecretText } from './setting.js';
import { secretOrigin, type InterruptListener, isRotating, secretText } from './kept-secret.js';
import { REDACTED } from './secrets.js';
import { resolveTable, resolveSetting, type RunFlags, type SettingSources, settingValue } from './resolve.js';

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that the request itself sets. */
const RESERVED: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'keep-alive',
  'upgrade',
]);

/**
 * Header names in lower case; later sources win: config, token, flags.
 * @param withSecrets false leaves out secrets that are empty or kept elsewhere: none is needed then. Everything else is
 *   checked as usual
 * @param listen called when a command prints a secret; ends it
 * @throws UsageError
 */
export async function requestHeaders(
  settings: SettingSources,
  withSecrets: boolean,
  listen?: InterruptListener,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'user-agent': `gigwork/${version()}` };
  for (const { header, key, secret, folder, scheme } of secretHeaders(settings)) {
    if (!withSecrets && (typeof secret !== 'string' || secret.trim() === '')) continue;
    const text = await secretText(secret, { key, folder, env: settings.env, listen });
    headers[header.toLowerCase()] = checkedValue(key, scheme + text);
  }
  return headers;
}

/** Whether another program may change a header while a run is sending. */
export function mayHeadersChange(settings: SettingSources): boolean {
  return secretHeaders(settings).some(({ secret }) => isRotating(secret));
}

/** Where the credentials in the requests come from: the setting with its source, and where the secret is kept. */
export function credentialPlaces(settings: SettingSources): string[] {
  const found = secretHeaders(settings).map(({ header, ...kept }) => [header.toLowerCase(), kept] as const);
  // Of two sources for one header, the last one counts.
  return [...new Map(found)]
    .filter(([name]) => CREDENTIAL.test(name))
    .map(([, { key, secret, folder }]) => `${key}${secretOrigin(secret, folder)}`);
}

interface SecretHeader {
  readonly header: string;
  /** The setting, for messages. */
  readonly key: string;
  readonly secret: SecretText;
  readonly folder: string;
  readonly scheme: string;
}

/** In order of precedence. @throws UsageError for an invalid header name */
function secretHeaders(settings: SettingSources): SecretHeader[] {
  const entries = [...resolveTable('headers', settings)];
  for (const [name, { from, source }] of entries)
    checkName(name, from === 'flag' ? '--header' : `headers in ${source}`);
  const headers = entries.map(([header, { value: secret, folder, from }]) => ({
    header,
    secret,
    folder,
    from,
    scheme: '',
    key: from === 'flag' ? `--header ${header}` : `headers.${header}`,
  }));
  const token = settingValue('token', settings);
  const { folder, name: key } = resolveSetting('token', settings);
  return [
    ...headers.filter(({ from }) => from !== 'flag'),
    ...(token === null ? [] : [{ header: 'Authorization', key, secret: token, folder, scheme: 'Bearer ' }]),
    ...headers.filter(({ from }) => from === 'flag'),
  ];
}

/** Endings of header names whose values are credentials. */
const CREDENTIAL = /(?:auth|authorization|cookie|credentials?|key|password|secret|session|signature|token)$/;

/** A shorter part of a value may be a word: a unit, a language, the name of a cookie. */
const SHORTEST_PART = 8;

/**
 * The parts of headers that must never be shown:
 * - every value
 * - the text after its first word, such as the token after its scheme
 * - the decoded user name and password of `Basic`
 * - the items of a list in the value, and the values of pairs
 * @returns credentials, then all other values, as `createRedactor` takes them
 */
export function secretsIn(headers: Readonly<Record<string, string>>): [credentials: string[], values: string[]] {
  const credentials: string[] = [];
  const values: string[] = [];
  for (const [name, written] of Object.entries(headers)) {
    if (name === 'user-agent') continue;
    // Spaces around a value are not part of it (RFC 9110, 5.5), so an answer that repeats it has none.
    const value = written.trim();
    const [, scheme = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(value) ?? [];
    const isCredential = CREDENTIAL.test(name) || /^(Bearer|Basic|Token)$/i.test(scheme);
    (isCredential ? credentials : values).push(value);
    if (isCredential) credentials.push(rest);
    if (/^Basic$/i.test(scheme)) {
      const pair = Buffer.from(rest, 'base64').toString('utf8');
      credentials.push(pair, pair.slice(pair.indexOf(':') + 1));
    }
    values.push(...[rest, ...valueParts(value)].filter((part) => part.length >= SHORTEST_PART));
  }
  return [credentials, values];
}

/** `a=b; c="d"` → `a=b`, `b`, `c="d"`, `d`. */
function valueParts(value: string): string[] {
  const parts = value.split(/[;,\s]+/);
  return parts.flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]).map((part) => part.replace(/^"|"$/g, ''));
}

/** @param said the flag, or the setting with its source, for messages */
function checkName(name: string, said: string): void {
  // The message does not repeat the name: if the colon is missing, it is the value.
  if (!HEADER_NAME.test(name))
    throw new UsageError(
      `${said}: the name of a header holds characters that none can have; write it as 'Name: value'`,
    );
  if (name === 'proxy-authorization')
    throw new UsageError(
      `${said}: the header ${name} is for a proxy; put user name and password into its URL (HTTPS_PROXY)`,
    );
  if (RESERVED.has(name)) throw new UsageError(`${said}: the header ${name} is set by gigwork itself`);
}

function checkedValue(key: string, value: string): string {
  if (!HEADER_VALUE.test(value)) throw new UsageError(`${key}: the value holds characters that no header can carry`);
  if (value.includes(REDACTED))
    throw new UsageError(`${key}: the value holds ${REDACTED}, a placeholder. Put the original value back`);
  return value;
}

/** As typed. */
export function typedHeaderNames({ headers = [] }: RunFlags): string[] {
  return headers.map((text) => (text.split(':', 1)[0] ?? '').trim());
}
