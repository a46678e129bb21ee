import { describe, expect, it } from 'vitest';
import { isRefusedByTls, isTlsFailure, networkReason, tlsReason } from '../../../../src/delivery/http/failure.js';

function failure(message: string, code?: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });
}

describe('what the network says, in words', () => {
  it.each([
    [
      failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
      'nothing answers at this address and port (connect ECONNREFUSED 127.0.0.1:1)',
    ],
    [failure('other side closed', 'UND_ERR_SOCKET'), 'the connection was closed before the answer was complete'],
    [
      failure('fetch failed', undefined, failure('read ECONNRESET', 'ECONNRESET')),
      'the connection was cut (read ECONNRESET)',
    ],
    [
      failure('Invalid character', 'HPE_INVALID_CONSTANT'),
      'the server that answered does not speak HTTP (Invalid character HPE_INVALID_CONSTANT)',
    ],
    [failure('something  else\nhappened'), 'something else happened'],
    [failure('', 'EODD'), 'EODD'],
    [failure(''), 'the connection failed'],
  ])('%s', (given, words) => {
    expect(networkReason(given)).toBe(words);
  });
});

describe('a failure is one of TLS by its code or that of its cause', () => {
  // OpenSSL up to 3.1, and from 3.2 on.
  it.each([
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', true, true],
    ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', true, true],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', true, true],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false, true],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false, true],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false, true],
    ['ECONNRESET', false, false],
    ['ENOTFOUND', false, false],
  ])('%s: the service has refused the client %s, some failure of TLS %s', (code, isRefused, isTls) => {
    for (const each of [failure('no', code), failure('no', 'UND_ERR_SOCKET', failure('no', code))])
      expect([isRefusedByTls(each), isTlsFailure(each)]).toEqual([isRefused, isTls]);
  });

  it.each([
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', {}, /trusts: .* name that with --ca \[no\]$/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', { ca: 'A' }, /the file of --ca: name the one that signed it \[no\]$/],
    ['CERT_HAS_EXPIRED', {}, /^the service’s certificate has ended: ask those who run it \[no\]$/],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', {}, /asks for a client certificate: name yours with --cert/],
    ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', { cert: 'C', key: 'K' }, /certificate of --cert \[no\]$/],
    ['ERR_SSL_EE_KEY_TOO_SMALL', { cert: 'C', key: 'K' }, /^no$/],
  ])('%s with %j is said in words', (code, files, words) => {
    expect(tlsReason(failure('no', code), 'no', files)).toMatch(words);
  });

  it('and of OpenSSL’s words no more than tells anything', () => {
    const reason = '80DC:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../openssl/record.c:350:';
    expect(tlsReason(failure('no', 'EPROTO'), reason, {})).toBe(
      'no TLS is spoken there: check the base URL and its port [wrong version number]',
    );
  });
});
