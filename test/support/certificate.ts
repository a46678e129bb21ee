import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

// Node can read certificates but not make them, and a key that lies in the repository is one more secret to explain.

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');

/** A DER element: tag, length, content. */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  if (body.length < 256) return Buffer.concat([Buffer.of(tag, 0x81, body.length), body]);
  return Buffer.concat([Buffer.of(tag, 0x82, body.length >> 8, body.length & 255), body]);
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content);

function extensions(host: string | null): Buffer {
  const here = [der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1))];
  const names = sequence(...(host === null ? here : [der(0x82, Buffer.from(host))]));
  const authority = sequence(der(0x01, Buffer.of(0xff)));
  return der(
    0xa3,
    sequence(
      sequence(ALTERNATIVE_NAME, der(0x04, names)),
      sequence(BASIC_CONSTRAINTS, der(0x01, Buffer.of(0xff)), der(0x04, authority)),
    ),
  );
}

/** A certificate that is not as it should be: for another host, or past its end (`YYMMDDhhmmssZ`). */
export interface Blemish {
  readonly host?: string;
  readonly end?: string;
}

/**
 * Makes a self-signed certificate for 127.0.0.1 and localhost, valid from 2000 to 2049.
 * Gives key and certificate as PEM; the certificate is also the authority to trust, for a server and for a client.
 */
export function selfSigned(
  commonName = 'localhost',
  { host, end = '491231235959Z' }: Blemish = {},
): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
  const validity = sequence(der(0x17, Buffer.from('000101000000Z')), der(0x17, Buffer.from(end)));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    // A leading 01 keeps the serial number positive and without a superfluous zero.
    der(0x02, Buffer.of(1), randomBytes(8)),
    sequence(ECDSA_WITH_SHA256),
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    extensions(host ?? null),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  const lines = sequence(content, sequence(ECDSA_WITH_SHA256), signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`,
  };
}
