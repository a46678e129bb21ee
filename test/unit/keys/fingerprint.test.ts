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
