import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Decimal,
  add,
  compare,
  decimalOf,
  formatDecimal,
  groupThousands,
  multiply,
  parseDecimal,
} from '../../../src/money/decimal.js';

/** A rational number: what the decimals are checked against. */
interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

const rationalOf = ({ units, scale }: Decimal): Rational => ({ top: units, bottom: 10n ** BigInt(scale) });
const isEqual = (a: Rational, b: Rational): boolean => a.top * b.bottom === b.top * a.bottom;

/** Reads JSON's notation digit by digit, on its own. */
function rationalOfText(text: string): Rational {
  let top = 0n;
  let bottom = 1n;
  let afterPoint = false;
  const [mantissa = '', exponent = '0'] = text.replace(/^-/, '').split(/e/i);
  for (const char of mantissa) {
    if (char === '.') {
      afterPoint = true;
      continue;
    }
    top = top * 10n + BigInt(char);
    if (afterPoint) bottom *= 10n;
  }
  for (let i = 0; i < Math.abs(Number(exponent)); i++) {
    if (exponent.startsWith('-')) bottom *= 10n;
    else top *= 10n;
  }
  return { top: text.startsWith('-') ? -top : top, bottom };
}

const decimals = fc.record({ units: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), scale: fc.nat(30) });
const texts = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.bigInt(0n, 10n ** 25n),
    fc.option(fc.stringMatching(/^\d{1,20}$/)),
    fc.option(fc.integer({ min: -400, max: 400 })),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${exponent === null ? '' : `e${exponent}`}`,
  );

describe('reading a decimal', () => {
  it.each(['', ' ', '1,5', '.5', '5.', '+5', '1 234', '0x10', 'NaN', 'Infinity', '1e', '--1', '1e99999', '１'])(
    'refuses %j',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(RangeError);
    },
  );

  it('loses nothing, whatever the digits', () => {
    fc.assert(fc.property(texts, (text) => isEqual(rationalOf(parseDecimal(text)), rationalOfText(text))));
  });
});

describe('the decimal of a double', () => {
  it('is the number that its shortest form says', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, (value) => {
        expect(isEqual(rationalOf(decimalOf(value)), rationalOfText(String(value)))).toBe(true);
        expect(Number(formatDecimal(decimalOf(value)))).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds and multiplies exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const x = rationalOf(a);
        const y = rationalOf(b);
        const sum = { top: x.top * y.bottom + y.top * x.bottom, bottom: x.bottom * y.bottom };
        const product = { top: x.top * y.top, bottom: x.bottom * y.bottom };
        expect(isEqual(rationalOf(add(a, b)), sum)).toBe(true);
        expect(isEqual(rationalOf(multiply(a, b)), product)).toBe(true);
      }),
    );
  });

  it('compares by value, not by digits', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.nat(10), (a, b, more) => {
        const difference = a.units * 10n ** BigInt(b.scale) - b.units * 10n ** BigInt(a.scale);
        expect(compare(a, b)).toBe(Number(difference > 0n) - Number(difference < 0n));
        expect(compare(a, { units: a.units * 10n ** BigInt(more), scale: a.scale + more })).toBe(0);
      }),
    );
  });
});

describe('writing a decimal', () => {
  it('has no exponent, no trailing zeros after the point and no trailing point, and reads back', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const text = formatDecimal(value);
        expect(text).toMatch(/^(0|-?(0|[1-9]\d*)\.\d*[1-9]|-?[1-9]\d*)$/);
        expect(compare(parseDecimal(text), value)).toBe(0);
      }),
    );
  });

  it.each<[string, string]>([
    ['999', '999'],
    ['-1000', '-1,000'],
    ['1234567.5', '1,234,567.5'],
    ['100000.123456', '100,000.123456'],
  ])('groups the thousands of %s for people', (text, grouped) => {
    expect(groupThousands(parseDecimal(text))).toBe(grouped);
  });
});
