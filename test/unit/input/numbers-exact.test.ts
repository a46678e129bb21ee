import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExact } from '../../../src/input/numbers.js';

describe('numbers that a double carries exactly', () => {
  it.each([
    ...['0', '-0', '0.0', '0e5', '0.1', '1.10', '1e2', '1E2', '1200.00', '-12.50', '9007199254740992', '1e21', '1e-7'],
    ...['0.30000000000000004', '5e-324', '1.7976931348623157e308', '100000000000000000000', '0.000000000000000000001'],
    ...['123456789012345680000', '1.000000000000000000000000000000', '1e0000005', '1000e-3', '0.00001e5'],
  ])('%s passes', (typed) => {
    expect(isExact(typed, Number(typed))).toBe(true);
  });

  it.each([
    ...[
      '9007199254740993',
      '0.10000000000000000001',
      '0.1000000000000000055511151231257827',
      '1e400',
      '-1e400',
      '1e-400',
    ],
    ...['1.00000000000000000001', '123456789012345678901', '4e-324', '1e99999', '1e-99999', '3.141592653589793238'],
    ...[`1${'0'.repeat(20)}1`, `0.${'1'.repeat(500)}`, '9'.repeat(500)],
  ])('%s does not', (typed) => {
    expect(isExact(typed, Number(typed))).toBe(false);
  });

  it('are those whose value the shortest form has', () => {
    const texts = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9]\d{0,22})$/),
        fc.stringMatching(/^(\.\d{1,22})?$/),
        fc.integer({ min: -30, max: 30 }),
      )
      .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction}${exponent === 0 ? '' : `e${exponent}`}`);
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
    /** Digits without leading or trailing zeros, and the power of ten of the last one. */
    const normal = (text: string): string => {
      const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
      const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
      const all = `${whole}${fraction}`.replace(/^0+/, '');
      const digits = all.replace(/0+$/, '');
      if (digits === '') return '0';
      return `${text.startsWith('-') ? '-' : ''}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
    };
    fc.assert(
      fc.property(fc.oneof(texts, doubles), (typed) => {
        const value = Number(typed);
        expect(isExact(typed, value)).toBe(normal(typed) === normal(String(value)));
      }),
      { numRuns: 2_000 },
    );
  });
});
