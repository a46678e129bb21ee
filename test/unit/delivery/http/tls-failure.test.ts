import { describe, expect, it } from 'vitest';
import { isRefusedByTls, isTlsFailure, tlsReason } from '../../../../src/delivery/http/tls-failure.js';

function failure(code: string, cause?: Error): Error {
  return Object.assign(new Error('no', cause === undefined ? {} : { cause }), { code });
}

describe('a failure is one of TLS by its code or that of its cause', () => {
  // OpenSSL up to 3.1, and from 3.2 on.
  it.each([
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  ])('%s: the service has refused the client', (code) => {
    for (const each of [failure(code), failure('UND_ERR_SOCKET', failure(code))])
      expect([isRefusedByTls(each), isTlsFailure(each)]).toEqual([true, true]);
  });

  it.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
    '%s: the client has refused the service, or neither understands the other',
    (code) => expect([isRefusedByTls(failure(code)), isTlsFailure(failure(code))]).toEqual([false, true]),
  );

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND'])('%s is none', (code) => {
    expect([isRefusedByTls(failure(code)), isTlsFailure(failure(code))]).toEqual([false, false]);
  });
});

describe('what is wrong is said in words, with those of the system in brackets', () => {
  const CERT = { cert: 'C', key: 'K' };

  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, /trusts: .* name that with --ca \[no\]$/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', { ca: 'A' }, /the file of --ca: name the one that signed it \[no\]$/],
    ['CERT_HAS_EXPIRED', {}, /^the service’s certificate has ended: ask those who run it \[no\]$/],
    ['CERT_NOT_YET_VALID', {}, /check the clock of this machine/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', {}, /asks for a client certificate: name yours with --cert/],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', {}, /asks for a client certificate/],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', CERT, /of --cert: for the service, it has ended \[no\]$/],
    ['ERR_SSL_EE_KEY_TOO_SMALL', CERT, /^no$/],
  ])('%s with %j', (code, files, words) => {
    expect(tlsReason(failure(code), 'no', files)).toMatch(words);
  });

  it('and of OpenSSL’s words no more than tells anything', () => {
    const reason = '80DC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../openssl/record.c:350:';
    expect(tlsReason(failure('EPROTO'), reason, {})).toBe(
      'no TLS is spoken there: check the base URL and its port [wrong version number]',
    );
  });
});
