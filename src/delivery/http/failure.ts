/** Failures of the network and of TLS as sentences, with the system's message at the end. PURE. */
import type { SendOptions } from '../../options.js';

/** By the code of the system or of undici. */
const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at this address and port',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the connection was closed before the answer was complete',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up at present',
  ETIMEDOUT: 'no connection was made in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection was made in time',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this network',
};
/** undici's message, and ours. */
const CLOSED = ['other side closed', 'the connection was closed before the answer was complete'] as const;
/** The other side does not speak HTTP: the codes of undici's parser. */
const PARSER = /^HPE_/;

/** `nothing answers at this address and port (connect ECONNREFUSED 127.0.0.1:1)` */
export function networkReason(failure: Error): string {
  const inmost = innermost(failure);
  const { code = '' } = inmost as NodeJS.ErrnoException;
  const said = inmost.message.replace(/\s+/g, ' ').trim();
  if (said === CLOSED[0]) return CLOSED[1];
  const words = PARSER.test(code) ? 'the server that answered does not speak HTTP' : NETWORK_REASONS[code];
  if (words === undefined) return said === '' ? code || 'the connection failed' : said;
  return `${words} (${said.includes(code) ? said : `${said} ${code}`.trim()})`;
}

/** Whether waiting does not help, because no host has this name. @param reason from {@link networkReason} */
export function isNoHost(reason: string | null): boolean {
  return reason !== null && /\bENOTFOUND\b/.test(reason);
}

/** The innermost failure with a message: undici wraps the system's. */
function innermost(failure: Error): Error {
  const inner = failure instanceof AggregateError ? (failure.errors as unknown[])[0] : failure.cause;
  return inner instanceof Error && inner.message !== '' ? innermost(inner) : failure;
}

/**
 * With TLS 1.3 the client may send its request before the service has checked the client's certificate. A service that
 * refuses the certificate has not read the request: it must not do so before the handshake is done. The code is the
 * message of OpenSSL: `sslv3 alert …` in older versions, `ssl/tls alert …` in newer ones.
 */
const REFUSED_BY_TLS =
  /^ERR_SSL_[\w/]+_ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/;

/** Whether the service has refused this client by TLS, judged by the code of the failure or of its cause. */
export function isRefusedByTls(failure: Error): boolean {
  return codesOf(failure).some((code) => REFUSED_BY_TLS.test(code));
}

const TLS_CODES =
  /^(CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|INVALID_PURPOSE|ERR_OSSL_)/;

/** Whether no trusted connection could be made, judged by the code of the failure or of its cause. */
export function isTlsFailure(failure: Error): boolean {
  return codesOf(failure).some((code) => TLS_CODES.test(code));
}

/** The codes of a failure and of its causes. */
function codesOf({ code, cause }: NodeJS.ErrnoException & { cause?: unknown }): string[] {
  return [...(code === undefined ? [] : [code]), ...(cause instanceof Error ? codesOf(cause) : [])];
}

/** The first match counts. */
const TLS_FAILURES: readonly (readonly [code: RegExp, words: (files: SendOptions['tls']) => string])[] = [
  [
    /^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA)/,
    ({ ca }) =>
      ca === undefined
        ? 'the service’s certificate is signed by no authority that Node.js trusts: if it has a separate authority, name that with --ca'
        : 'the service’s certificate is signed by no authority in the file of --ca: name the one that signed it',
  ],
  [/ALTNAME_INVALID$|^HOSTNAME_MISMATCH/, () => 'the service’s certificate is for another host: check the base URL'],
  [
    /^CERT_HAS_EXPIRED/,
    ({ ca }) =>
      `the service’s certificate${ca === undefined ? '' : ', or the authority of --ca,'} has ended: ask those who run it`,
  ],
  [/^CERT_NOT_YET_VALID/, () => 'the service’s certificate is not valid yet: check the clock of this machine'],
  [
    REFUSED_BY_TLS,
    ({ cert }) =>
      cert === undefined
        ? 'the service asks for a client certificate: name yours with --cert, and its key with --key'
        : 'the service does not accept the client certificate of --cert',
  ],
  [
    /^EPROTO|_WRONG_VERSION_NUMBER$|_PACKET_LENGTH_TOO_LONG$/,
    () => 'no TLS is spoken there: check the base URL and its port',
  ],
];

/** Node 24 and newer advise those who start Node.js themselves. */
const HINT = /; if the root CA is installed locally.*$/;

/** The problem as a sentence, with the system's message in brackets. @param reason the system's message */
export function tlsReason(failure: Error, reason: string, files: SendOptions['tls']): string {
  const codes = codesOf(failure);
  const said = /:SSL routines:[^:]*:([^:]+):/.exec(reason)?.[1] ?? reason.replace(HINT, '');
  const words = TLS_FAILURES.find(([code]) => codes.some((each) => code.test(each)))?.[1](files);
  return words === undefined ? said : `${words} [${said}]`;
}
