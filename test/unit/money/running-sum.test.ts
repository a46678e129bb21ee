import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, parseDecimal, parsePlainNumber } from '../../../src/money/decimal.js';
import { RunningSum } from '../../../src/money/running-sum.js';

function sumOf(amounts: readonly (string | Decimal)[]): RunningSum {
  const sum = new RunningSum();
  for (const amount of amounts) sum.add(typeof amount === 'string' ? parseDecimal(amount) : amount);
  return sum;
}

/** At a scale of its own, without the code under test. */
const SCALE = 40;
const units = ({ units: own, scale }: Decimal): bigint => own * 10n ** BigInt(SCALE - scale);

describe('a running sum', () => {
  it.each([
    [['0.1', '0.2'], '0.3'],
    [['9007199254740991', '9007199254740991'], '18014398509481982'],
    [['9007199254740993', '1'], '9007199254740994'],
    // Beyond 2^53 only at the scale of both.
    [['900719925474099.3', '0.01', '-900719925474000'], '99.31'],
    [['0.0000001', '3'], '3.0000001'],
    [['1e30', '0.5', '-1e30'], '0.5'],
  ])('of %j is %s and nothing else', (amounts, expected) => {
    const sum = sumOf(amounts);
    expect(sum.equals(parseDecimal(expected))).toBe(true);
    for (const off of ['1', '-1', '1e-9']) expect(sum.equals(sumOf([expected, off]).value())).toBe(false);
    expect(sum.count).toBe(amounts.length);
  });

  it('is exact whatever is added', () => {
    const decimal = fc
      .record({
        digits: fc.oneof(
          fc.bigInt({ min: -100_000n, max: 100_000n }),
          fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }),
          fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
        ),
        scale: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 12 })),
      })
      .map(({ digits, scale }): Decimal => ({ units: digits, scale }));
    const typed = fc
      .record({ whole: fc.nat(999_999), fraction: fc.nat(99) })
      .map(({ whole, fraction }) => parsePlainNumber(`${whole}.${String(fraction).padStart(2, '0')}`, '.'))
      .filter((plain) => plain !== null);
    fc.assert(
      fc.property(fc.array(fc.oneof(typed, decimal), { maxLength: 30 }), decimal, (amounts, other) => {
        const sum = sumOf(amounts);
        const expected = amounts.reduce((total, amount) => total + units(amount), 0n);
        expect(units(sum.value())).toBe(expected);
        expect(sum.equals(sum.value())).toBe(true);
        expect(sum.equals(other)).toBe(units(other) === expected);
        expect(sum.isMoney).toBe(amounts.some(({ units: own }) => own !== 0n));
      }),
    );
  });
});
