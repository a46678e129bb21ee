import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldId, foldKey, foldReference, foldText } from '../../../src/records/fold.js';

describe('folded texts', () => {
  it.each<[what: string, one: string, other: string]>([
    ['with more spaces', 'Bonus  November ', 'Bonus November'],
    ['with narrow and wide spaces', 'Bonus\u202fNov\u3000ember\u2028', 'Bonus November'],
    ['decomposed, in capitals', 'ZULAGE RENE\u0301', 'Zulage René'],
    ['in full-width characters', 'Ｂｏｎｕｓ　２０２６', 'Bonus 2026'],
    ['with circled and superscript digits', '① m²', '1 m2'],
    ['with a zero-width space', 'Bo\u200bnus', 'Bonus'],
    ['with a soft hyphen', 'Bo\u00adnus', 'Bonus'],
    ['with control characters', '\0Bonus\u0085', 'Bonus'],
    ['with a joiner before a combining accent', 'cafe\u200d\u0301', 'café'],
    ['with ss for ß', 'Strasse', 'Straße'],
    ['with a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['with a sigma that only a space made final', 'οδος α', 'ΟΔΟΣΑ'],
    ['in Turkish capitals', 'İZİN', 'izin'],
  ])('are the same %s', (_, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it.each<[one: string, other: string]>([
    ['Bonus 1', 'Bonus 2'],
    ['usr_1', 'usr-1'],
    ['Bonus', 'Bonus.'],
    ['Müller', 'Muller'],
    ['Rene', 'René'],
    ['PP-7', 'PP7'],
    // A Latin and a Cyrillic letter that look alike are no matter of NFKC.
    ['Bonus', 'Bоnus'],
    ['奖金', '獎金'],
  ])('are not the same: %j and %j', (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  const printable = fc.string({
    unit: fc
      .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xc0, max: 0xff }))
      .map((code) => String.fromCodePoint(code)),
  });

  it('are the same for plain texts on the short way and on the long one', () => {
    fc.assert(
      // The word joiner, which folding drops, leads the long way.
      fc.property(printable, (text) => {
        expect(foldText(`\u2060${text}`)).toBe(foldText(text));
      }),
    );
  });

  it('are the same whatever the composition, and folded only once', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(text, (any) => {
        const folded = foldText(any);
        expect(foldText(any.normalize('NFD'))).toBe(folded);
        expect(foldText(any.normalize('NFKC'))).toBe(folded);
        expect(foldText(folded)).toBe(folded);
      }),
      { numRuns: 3000 },
    );
  });

  it('of every letter are those of its capital and of its small letter', () => {
    const differing: string[] = [];
    for (let code = 0; code < 0x1f000; code++) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const letter = String.fromCodePoint(code);
      const folded = foldText(letter);
      if ([letter.toUpperCase(), letter.toLowerCase()].some((cased) => foldText(cased) !== folded))
        differing.push(letter);
    }
    expect(differing).toEqual([]);
  });
});

it.each([
  ['00123', '123'],
  ['0', '0'],
  ['００１２', '12'],
  [' 00 12', '12'],
  ['0012-3', '0012-3'],
  ['', ''],
])('of the ID %j is %j: digits lose their leading zeros', (id, folded) => {
  expect(foldId(id)).toBe(folded);
});

describe('a folded reference', () => {
  it.each<[one: string, other: string]>([
    ['INV 7', 'INV-7'],
    ['INV-7', 'inv/7'],
    ['INV-2026-07', 'INV 2026.07'],
    ['ＩＮＶ－７', 'INV-7'],
    ['0045', '45'],
    ['00-45', '45'],
    ['GIG_51c2', 'GIG 51C2'],
    ['(7)', '7'],
  ])('is the same of %j and %j', (one, other) => {
    expect(foldReference(one)).toBe(foldReference(other));
  });

  it.each<[one: string, other: string]>([
    ['INV-7', 'INV-8'],
    ['INV-07', 'INV-7'],
    ['A+7', 'A7'],
    ['7', '70'],
  ])('is not the same of %j and %j', (one, other) => {
    expect(foldReference(one)).not.toBe(foldReference(other));
  });

  it('is folded only once', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const folded = foldReference(text);
        expect(foldReference(folded)).toBe(folded);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('a folded key', () => {
  it.each<[one: string, other: string]>([
    ['Pay A', 'pay a'],
    ['pay-a', 'pay.a'],
    ['pay_a', 'paya'],
    ['0045', '45'],
    ['00a', 'a'],
    ['nov-7', 'NOV 7'],
    ['7-nov', '7 nov'],
    [' k1 ', 'k1'],
    ['Ｋ１', 'k1'],
    ["'0045", '45'],
  ])('is the same of %j and %j', (one, other) => {
    expect(foldKey(one)).toBe(foldKey(other));
  });

  it.each<[one: string, other: string]>([
    ['2026-11', '2026-1-1'],
    ['2026-11', '202611'],
    ['1.2', '12'],
    ['a1', 'a2'],
    ['10', '1'],
    ['0', ''],
    ['a0', 'a'],
    ['1+2', '12'],
  ])('is not the same of %j and %j', (one, other) => {
    expect(foldKey(one)).not.toBe(foldKey(other));
  });
});
