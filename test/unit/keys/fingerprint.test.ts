import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hash64, TextHash } from '../../../src/keys/fingerprint.js';
import { foldId, foldText } from '../../../src/records/fold.js';

test('a hash of 64 bits is the beginning of a SHA-256, signed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(hash64(text)).toBe(createHash('sha256').update(text).digest().readBigInt64BE());
    }),
  );
});

function hashesOf(text: string): [wide: number, narrow: number] {
  const hash = new TextHash().start().addText(text);
  return [hash.wide(), hash.narrow()];
}

describe('the hash of a text', () => {
  // Journals keep these numbers: with others, no payment of an earlier version would be found.
  it.each([
    ['', 99542743468391, -1713551001],
    ['\0', 38465212951994, -514150982],
    ['a', 93860527771102, -1687515682],
    ['b', 68676533999822, 6936782],
    ['u1', 140470150534425, -1049848551],
    ['payout\0u1', 19906680189445, -493227515],
    ['bonusstrasse', 93672760707578, -476018182],
    ['gig\0shelfcheck\x001797318000\0{"address.city":"Bonn"}', 22176746422397, 1830273149],
    ['奖金', 113654861444640, 1436857888],
    ['\ud83d\ude00', 2749515819401, 736749961],
  ])('of %j never changes', (text, wide, narrow) => {
    expect(hashesOf(text)).toEqual([wide, narrow]);
  });

  it('is a whole number below 2^47, and a signed one of 32 bits that is not 0', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const [wide, narrow] = hashesOf(text);
        expect(Number.isInteger(wide) && wide >= 0 && wide < 2 ** 47).toBe(true);
        expect(narrow).not.toBe(0);
        expect(narrow | 0).toBe(narrow);
      }),
    );
  });

  it('is that of its parts one after the other, and starts anew each time', () => {
    const hash = new TextHash();
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (parts) => {
        hash.start();
        for (const part of parts) hash.addText(part);
        expect([hash.wide(), hash.narrow()]).toEqual(hashesOf(parts.join('')));
      }),
    );
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(' ', '0', '1', 'a', 'Z', '@', '[', '~', '\t', 'ß', 'İ', '\u00ad', '０') }),
  );

  it.each([
    ['text', foldText],
    ['ID', foldId],
  ])('that is added folded is that of the folded %s', (_, fold) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const hash = new TextHash().start().addFolded(text, fold);
        expect([hash.wide(), hash.narrow()]).toEqual(hashesOf(fold(text)));
      }),
      { numRuns: 3000 },
    );
  });
});

const COUNT = 100_000;

/** Names as they are given: they differ in few places. */
const NAMES: readonly [what: string, nameOf: (n: number) => string][] = [
  ['counted up', (n) => String(n)],
  ['counted up at the end, with zeros', (n) => `payout\0usr_${String(n).padStart(8, '0')}`],
  ['counted up at the beginning', (n) => `${n}@example.com`],
  ['of two letters in 16 bits', (n) => String.fromCharCode(0x4e00 + (n % 400), 0x4e00 + Math.floor(n / 400))],
  ['of two digits', (n) => n.toString(2).padStart(17, '0')],
  ['of one letter, repeated', (n) => 'a'.repeat(n % 317) + 'b'.repeat(Math.floor(n / 317))],
];

describe('the hashes of names', () => {
  it.each(NAMES)('%s are spread evenly', (_, nameOf) => {
    const wide = new Set<number>();
    const narrow = new Set<number>();
    /** How often each bit is set: 47 of the wide one, then 32. */
    const bits = Array.from({ length: 47 + 32 }, () => 0);
    for (let n = 0; n < COUNT; n++) {
      const [one, other] = hashesOf(nameOf(n));
      wide.add(one);
      narrow.add(other);
      for (let bit = 0; bit < 47; bit++) if (Math.floor(one / 2 ** bit) % 2 === 1) bits[bit]!++;
      for (let bit = 0; bit < 32; bit++) bits[47 + bit]! += (other >>> bit) & 1;
    }
    expect(wide.size).toBe(COUNT);
    // Of as many random numbers of 32 bits, one or two meet another one.
    expect(narrow.size).toBeGreaterThan(COUNT - 8);
    for (const count of bits) expect(Math.abs(count / COUNT - 0.5)).toBeLessThan(0.01);
  });
});
