/** Failures of TLS: which failures are some, and what is wrong with which of `--ca`, `--cert` and `--key`. PURE. */
import type { ClientOptions } from './client.js';

type TlsFiles = ClientOptions['tls'];

/**
 * With TLS 1.3 the client may send its request before the service has checked the client's certificate. A service that
 * refuses the certificate has not read the request: it must not do so before the handshake is done. The code is the
 * words of OpenSSL, which are `sslv3 alert …` in older versions and `ssl/tls alert …` in newer ones.
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

/** The codes of a failure and of what caused it. */
function codesOf({ code, cause }: NodeJS.ErrnoException & { cause?: unknown }): string[] {
  return [...(code === undefined ? [] : [code]), ...(cause instanceof Error ? codesOf(cause) : [])];
}

/** The first that fits counts. */
const FAULTS: readonly (readonly [code: RegExp, words: (files: TlsFiles) => string])[] = [
  [
    /^(SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|CERT_UNTRUSTED|CERT_SIGNATURE_FAILURE|INVALID_CA)/,
    ({ ca }) =>
      ca === undefined
        ? 'the service’s certificate is signed by no authority that Node.js trusts: if it has one of its own, name that with --ca'
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

/** What an alert of the service says of the client certificate, where it says more than no. */
const ALERTS: readonly (readonly [code: RegExp, words: string])[] = [
  [/_CERTIFICATE_EXPIRED$/, ': for the service, it has ended'],
  [/_CERTIFICATE_REVOKED$/, ': for the service, it is revoked'],
  [/_UNKNOWN_CA$/, ': the service does not know the authority that signed it'],
];

/**
 * What is wrong, in words, with the system's own in brackets.
 * @param reason the system's words
 */
export function tlsReason(failure: Error, reason: string, files: TlsFiles): string {
  const codes = codesOf(failure);
  const fits = ([code]: readonly [RegExp, unknown]): boolean => codes.some((each) => code.test(each));
  const said = /:SSL routines:[^:]*:([^:]+):/.exec(reason)?.[1] ?? reason;
  const words = FAULTS.find(fits)?.[1](files);
  if (words === undefined) return said;
  const more = files.cert === undefined ? undefined : ALERTS.find(fits)?.[1];
  return `${words}${more ?? ''} [${said}]`;
}
