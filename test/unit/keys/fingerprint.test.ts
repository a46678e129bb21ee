import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hash64 } from '../../../src/keys/fingerprint.js';

test('a hash of 64 bits is the beginning of a SHA-256, signed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(hash64(text)).toBe(createHash('sha256').update(text).digest().readBigInt64BE());
    }),
  );
});

test.each([
  // SHA-256 of the empty text begins with e3b0c44298fc1c14, that of "abc" with ba7816bf8f01cfea.
  ['', -0x1c4f3bbd6703e3ecn],
  ['abc', -0x4587e94070fe3016n],
  // That of "hello" begins with 2cf24dba5fb0a30e.
  ['hello', 0x2cf24dba5fb0a30en],
])('the hash of %j is %s', (text, hash) => {
  expect(hash64(text)).toBe(hash);
});
