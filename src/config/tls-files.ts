/** The files of `ca`, `cert` and `key`: what can be known to be wrong with them is said before anything is sent. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { SendOptions } from '../options.js';
import { shellWord } from '../util/shell-word.js';
import type { World } from '../world.js';
import { readNamed } from './named-file.js';
import { choose, folderOf, type Settings, valueOf, writtenName } from './sources.js';

type TlsName = keyof SendOptions['tls'];

interface PemFile {
  /** The flag, or the setting and where it stands, for messages. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/**
 * @param withSecrets false where nothing is connected: then a file that only the settings name need not be there. One
 *   that a flag names must be, as every file of the command line
 * @throws UsageError for a file that cannot be used, or a certificate without its key
 */
export function tlsFiles(settings: Settings, world: World, withSecrets: boolean): SendOptions['tls'] {
  const [hasCert, hasKey] = [valueOf('cert', settings) !== null, valueOf('key', settings) !== null];
  if (hasCert !== hasKey) {
    const given = writtenName(hasCert ? 'cert' : 'key', settings);
    throw new UsageError(`--cert and --key belong together: ${given} is given, and no ${hasCert ? '--key' : '--cert'}`);
  }
  const read = (name: TlsName): PemFile | null => pemOf(name, settings, world, withSecrets);
  const [ca, cert, key] = [read('ca'), read('cert'), read('key')];
  const certificates = cert === null ? null : certificatesIn(cert);
  const own = key === null ? null : privateKeyIn(key, world.platform);
  if (cert !== null && certificates !== null && key !== null && own !== null)
    refuseStranger({ ...cert, text: certificates }, key, own.object);
  return {
    ...(ca === null ? {} : { ca: certificatesIn(ca) }),
    ...(certificates === null ? {} : { cert: certificates }),
    ...(own === null ? {} : { key: own.text }),
  };
}

function pemOf(setting: TlsName, settings: Settings, world: World, withSecrets: boolean): PemFile | null {
  const path = valueOf(setting, settings);
  const { origin } = choose(setting, settings);
  if (path === null || !(withSecrets || origin.from === 'flag')) return null;
  const shown = origin.from === 'flag' ? path : resolve(folderOf(origin, settings, world), path);
  const name = writtenName(setting, settings);
  // Latin-1, since only letters of ASCII matter: the comments between may be in any encoding.
  return { name, path: shown, text: readNamed(name, shown, world.cwd(), 'latin1') };
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \1-----/gs;

/** The blocks of a PEM file whose label ends so, without the comments between them. */
function blocksIn({ text }: PemFile, label: 'CERTIFICATE' | 'PRIVATE KEY'): string[] {
  return [...text.matchAll(BLOCK)].filter(([, found = '']) => found.endsWith(label)).map(([block]) => block);
}

/** All certificates in the file: an authority may have several, and a client's may come with those that signed it. */
function certificatesIn(file: PemFile): string {
  const blocks = blocksIn(file, 'CERTIFICATE');
  if (blocks.length === 0) throw new UsageError(noPem(file, 'certificate', 'CERTIFICATE'));
  for (const block of blocks) {
    try {
      void new X509Certificate(block);
    } catch (cause) {
      throw new UsageError(
        `${file.name}: a certificate in the file ${file.path} cannot be read: it may be cut off or damaged; get it anew`,
        { cause },
      );
    }
  }
  return `${blocks.join('\n')}\n`;
}

function privateKeyIn(file: PemFile, platform: NodeJS.Platform): { readonly text: string; readonly object: KeyObject } {
  const [block] = blocksIn(file, 'PRIVATE KEY');
  if (block === undefined) throw new UsageError(noPem(file, 'private key', 'PRIVATE KEY'));
  // PKCS #8 says so in its label, the older form in a line below it.
  if (/-----BEGIN ENCRYPTED |^Proc-Type: 4,ENCRYPTED/m.test(block))
    throw new UsageError(
      `${file.name}: the key in the file ${file.path} is encrypted, and gigwork asks for no password; write it out decrypted, readable by its owner only (openssl pkey -in ${shellWord(file.path, platform)} -out NEW.pem), and name that file`,
    );
  try {
    return { text: `${block}\n`, object: createPrivateKey(block) };
  } catch (cause) {
    throw new UsageError(
      `${file.name}: the key in the file ${file.path} cannot be read: it may be cut off or damaged, or of a kind that Node.js does not know`,
      { cause },
    );
  }
}

/** @param cert the client's own certificate is the first in its file (RFC 8446, 4.4.2) */
function refuseStranger(cert: PemFile, key: PemFile, object: KeyObject): void {
  if (new X509Certificate(cert.text).checkPrivateKey(object)) return;
  throw new UsageError(
    `${key.name}: the key in the file ${key.path} does not belong to the certificate in ${cert.path} (${cert.name}): name the key that it was made for`,
  );
}

function noPem({ name, path }: PemFile, what: string, label: string): string {
  return `${name}: the file ${path} holds no ${what} in PEM, which begins with -----BEGIN ${label}-----; have a file in another form (.der, .p12) written out as PEM`;
}
