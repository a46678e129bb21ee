/** Headers and tokens from flags, environment and config file, which may also name the place where a secret is kept. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { version } from '../version.js';
import type { World } from '../world.js';
import type { SecretText } from './config-schema.js';
import { readNamed } from './config-file.js';
import { HIDDEN } from './secrets.js';
import { entriesOf, look, type RunFlags, type Settings, valueOf, type Written } from './sources.js';

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that belong to the request itself. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['content-type', 'content-length', 'host', 'connection', 'transfer-encoding', 'accept-encoding'],
  ...['expect', 'keep-alive', 'upgrade'],
]);

/**
 * Header names in lower case; later sources win: config, token, flags.
 * @param withSecrets false leaves out secrets that are kept elsewhere or empty: none is needed then. All else is checked
 *   as always
 * @throws UsageError
 */
export function requestHeaders(settings: Settings, world: World, withSecrets: boolean): Record<string, string> {
  const headers: Record<string, string> = { 'user-agent': `gigwork/${version()}` };
  const add = (name: string, { value: secret, folder }: Written<SecretText>, key: string, scheme = ''): void => {
    if (!withSecrets && (typeof secret !== 'string' || secret.trim() === '')) return;
    headers[name.toLowerCase()] = checkedValue(name, scheme + secretText(secret, key, folder, world));
  };
  const entries = [...entriesOf('headers', settings)];
  for (const [name] of entries) checkName(name);
  for (const [name, entry] of entries) if (entry.from !== 'flag') add(name, entry, `headers.${name}`);
  const [token, found] = [valueOf('token', settings), look('token', settings)];
  if (token !== null) add('Authorization', { ...found, value: token }, found.name, 'Bearer ');
  for (const [name, entry] of entries) if (entry.from === 'flag') add(name, entry, `--header ${name}`);
  return headers;
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
 * @returns credentials, then all other values, as `secretsOf` takes them
 */
export function secretsIn(headers: Readonly<Record<string, string>>): [credentials: string[], values: string[]] {
  const [credentials, values]: [string[], string[]] = [[], []];
  for (const [name, written] of Object.entries(headers)) {
    if (name === 'user-agent') continue;
    // Spaces around a value are no part of it (RFC 9110, 5.5), so whoever repeats it does so without them.
    const value = written.trim();
    const [, scheme = '', rest = ''] = /^(\S+)\s+(.+)$/.exec(value) ?? [];
    const isCredential = CREDENTIAL.test(name) || /^(Bearer|Basic|Token)$/i.test(scheme);
    (isCredential ? credentials : values).push(value);
    if (isCredential) credentials.push(rest);
    if (/^Basic$/i.test(scheme)) {
      const pair = Buffer.from(rest, 'base64').toString('utf8');
      credentials.push(pair, pair.slice(pair.indexOf(':') + 1));
    }
    values.push(...[rest, ...partsOf(value)].filter((part) => part.length >= SHORTEST_PART));
  }
  return [credentials, values];
}

/** `a=b; c="d"` → `a=b`, `b`, `c="d"`, `d`. */
function partsOf(value: string): string[] {
  const parts = value.split(/[;,\s]+/);
  return parts.flatMap((part) => [part, part.slice(part.indexOf('=') + 1)]).map((part) => part.replace(/^"|"$/g, ''));
}

function checkName(name: string): void {
  // The message does not repeat the name: where the colon was forgotten, it is the value.
  if (!NAME.test(name))
    throw new UsageError("the name of a header holds characters that none can have; write it as 'Name: value'");
  if (name === 'proxy-authorization')
    throw new UsageError(`the header ${name} is for a proxy; put user name and password into its URL (HTTPS_PROXY)`);
  if (RESERVED.has(name)) throw new UsageError(`the header ${name} is set by gigwork itself`);
}

function checkedValue(name: string, value: string): string {
  if (!VALUE.test(value))
    throw new UsageError(`the value of the header ${name} holds characters that no header can carry`);
  if (value.includes(HIDDEN))
    throw new UsageError(
      `the value of the header ${name} holds ${HIDDEN}, which stands for a secret; put the secret back in`,
    );
  return value;
}

/**
 * The text of a secret, wherever it is kept.
 * @param key the setting, for the message
 * @throws UsageError when it is not there or empty: without it, requests would go out as nobody's
 */
function secretText(secret: SecretText, key: string, folder: string, world: World): string {
  const [text, lack] = keptText(secret, key, folder, world);
  if (text.trim() === '') throw new UsageError(`${key}${lack}`);
  // Editors, `echo` and secret stores put one line end behind a text. Whatever else is there belongs to the secret.
  return text.replace(/(?:\r\n|\r|\n)$/, '');
}

/** What is kept, and what is lacking where that is nothing. */
function keptText(secret: SecretText, key: string, folder: string, { env }: World): [kept: string, lack: string] {
  if (typeof secret === 'string') return [secret, ' is empty: put the secret in, or leave it out'];
  if ('env' in secret) return [env[secret.env] ?? '', `: the environment variable ${secret.env} is not set, or empty`];
  const path = resolve(folder, secret.file);
  return [readNamed(key, path, folder), `: the file ${path} is empty`];
}

/** Names of the headers that are given as flags, as they were typed. */
export function headerNames({ headers = [] }: RunFlags): string[] {
  return headers.map((text) => (text.split(':', 1)[0] ?? '').trim());
}
