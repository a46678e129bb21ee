/**
 * The connection to the service: the files of `ca`, `cert` and `key`, and the proxy variables of the environment.
 * Checks them as far as possible before anything is sent.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { SendOptions } from '../options.js';
import { isLoopback } from '../util/loopback.js';
import type { World } from '../world.js';
import { readNamed } from './named-file.js';
import { percentDecoded, withoutUserinfo } from './secrets.js';
import { type Resolved, resolveSetting, type SettingSources, settingValue, variable } from './resolve.js';

type TlsName = keyof SendOptions['tls'];

/** A kind of file: its name for people, the end of its label in PEM, and Node's reader, which throws. */
interface Form {
  readonly noun: string;
  readonly label: string;
  readonly read: (block: string) => unknown;
}

const CERTIFICATE: Form = { noun: 'certificate', label: 'CERTIFICATE', read: (block) => new X509Certificate(block) };
const PRIVATE_KEY: Form = { noun: 'private key', label: 'PRIVATE KEY', read: (block) => createPrivateKey(block) };
const FORMS: Readonly<Record<TlsName, Form>> = { ca: CERTIFICATE, cert: CERTIFICATE, key: PRIVATE_KEY };

interface PemFile {
  /** The flag, or the setting with its source, for messages. */
  readonly name: string;
  readonly path: string;
  /** Its blocks, without the comments between them. */
  readonly text: string;
}

/**
 * @param withSecrets false if nothing is connected: then a file from the settings may be missing. A file on the command
 *   line must always exist
 * @throws UsageError for a file that cannot be used, or a certificate without its key
 */
export function tlsFiles(settings: SettingSources, withSecrets: boolean): SendOptions['tls'] {
  const hasCert = settingValue('cert', settings) !== null;
  const hasKey = settingValue('key', settings) !== null;
  if (hasCert !== hasKey) {
    const given = resolveSetting(hasCert ? 'cert' : 'key', settings).name;
    throw new UsageError(`--cert and --key belong together: ${given} is given, and no ${hasCert ? '--key' : '--cert'}`);
  }
  const read = (name: TlsName): PemFile | null => pemOf(name, settings, withSecrets);
  const ca = read('ca');
  const cert = read('cert');
  const key = read('key');
  // The client's own certificate is the first in its file (RFC 8446, 4.4.2).
  if (cert !== null && key !== null && !new X509Certificate(cert.text).checkPrivateKey(createPrivateKey(key.text)))
    throw new UsageError(
      `${key.name}: the key in the file ${key.path} does not belong to the certificate in ${cert.path} (${cert.name}): name the key that it was made for`,
    );
  return { ...(ca && { ca: ca.text }), ...(cert && { cert: cert.text }), ...(key && { key: key.text }) };
}

function pemOf(setting: TlsName, settings: SettingSources, withSecrets: boolean): PemFile | null {
  const written = settingValue(setting, settings);
  const { from, name, folder } = resolveSetting(setting, settings);
  if (written === null || !(withSecrets || from === 'flag')) return null;
  const path = from === 'flag' ? written : resolve(folder, written);
  // Latin-1, since only letters of ASCII matter: the comments between may be in any encoding.
  const blocks = blocksIn(readNamed(name, path, folder, 'latin1'), FORMS[setting], `${name}: the file ${path}`);
  return { name, path, text: `${blocks.join('\n')}\n` };
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----/gs;

/** All of them: an authority may have several certificates, and a client's may come with those that signed it. */
function blocksIn(text: string, { noun, label, read }: Form, file: string): string[] {
  const blocks = [...text.matchAll(BLOCK)].flatMap(([block, found = '']) => (found.endsWith(label) ? [block] : []));
  if (blocks.length === 0)
    throw new UsageError(
      `${file} holds no ${noun} in PEM, which begins with -----BEGIN ${label}-----; have a file in another form (.der, .p12) written out as PEM`,
    );
  for (const block of blocks) {
    // PKCS #8 shows this in its label, the older form in a line below it.
    if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(block))
      throw new UsageError(
        `${file} holds an encrypted key, and gigwork asks for no password; write it out decrypted, readable by its owner only (openssl pkey -in OLD.pem -out NEW.pem), and name that file`,
      );
    try {
      read(block);
    } catch (cause) {
      throw new UsageError(
        `${file} holds a ${noun} that cannot be read: it may be cut off or damaged, or of a kind that Node.js does not know`,
        { cause },
      );
    }
  }
  return blocks;
}

export const PROXY_VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'] as const;

/** The lower-case name is the older habit, and wins if both are set, as in other tools. */
export function proxyVariable(name: string, env: World['env']): Resolved<string | undefined> {
  const lower = variable(name.toLowerCase(), env);
  return lower.value === undefined ? variable(name, env) : lower;
}

/** Null when the variables name no proxy. */
export function proxySettings(env: World['env']): SendOptions['proxy'] {
  const [https, http, no] = PROXY_VARIABLES.map((name) => proxyVariable(name, env).value);
  if (http === undefined && https === undefined) return null;
  return { http, https, no };
}

export function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search, hash } = new URL(text);
    decodeURIComponent(`${username}${password}`);
    // The proxy is a host and a port: undici refuses anything behind them.
    return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
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
    `${isHttps ? 'HTTPS_PROXY' : 'HTTP_PROXY'}: ${withoutUserinfo(url)} is not a valid proxy address; use a URL such as http://proxy.example:3128, with user name and password percent-encoded`,
  );
}

/** @throws UsageError if Node.js would not check the certificate of this service */
export function checkCertificates(baseUrl: string, env: World['env']): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0' || isLoopback(new URL(baseUrl).hostname)) return;
  throw new UsageError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: certificates are not checked, so anybody could answer in place of the service. Unset the variable. If the service has a certificate authority that Node.js does not know, name its certificate with --ca FILE',
  );
}

/** The secrets in the proxy URLs: user name and password, as written and percent-decoded. */
export function proxySecrets(proxy: SendOptions['proxy']): string[] {
  return [proxy?.http, proxy?.https].flatMap((url) => {
    const userinfo = /^(?:[a-z][a-z\d+.-]*:\/+)?(.+)@/is.exec(url ?? '')?.[1];
    if (userinfo === undefined) return [];
    const writings = [userinfo, percentDecoded(userinfo) ?? userinfo];
    return [...new Set(writings)].flatMap((text) => [text, text.slice(text.indexOf(':') + 1)]);
  });
}
