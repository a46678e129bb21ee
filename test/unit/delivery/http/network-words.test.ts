import { expect, test } from 'vitest';
import { networkReason } from '../../../../src/delivery/http/network-words.js';

function failure(message: string, code?: string, cause?: Error): Error {
  return Object.assign(new Error(message, { cause }), code === undefined ? {} : { code });
}

test.each([
  [
    failure('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'),
    'nothing answers at this address and port (connect ECONNREFUSED 127.0.0.1:1)',
  ],
  [failure('other side closed', 'UND_ERR_SOCKET'), 'the connection was closed before the answer was complete'],
  [failure('write', 'EPIPE'), 'the connection was cut (write EPIPE)'],
  [
    failure('fetch failed', undefined, failure('read ECONNRESET', 'ECONNRESET')),
    'the connection was cut (read ECONNRESET)',
  ],
  [
    failure('Invalid character', 'HPE_INVALID_CONSTANT'),
    'what answered does not speak HTTP (Invalid character HPE_INVALID_CONSTANT)',
  ],
  [failure('something  else\nhappened'), 'something else happened'],
  [failure('', 'EODD'), 'EODD'],
  [failure(''), 'the connection failed'],
])('%s', (given, words) => {
  expect(networkReason(given)).toBe(words);
});
