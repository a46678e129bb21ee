import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, add, compare, decimalOf, formatDecimal, parseDecimal } from '../../../src/money/decimal.js';
import { type TotalGroup, startTotals, sumByCurrency } from '../../../src/money/totals.js';

const group = (type: string, currency: string | null, costCenter: string | null): TotalGroup => ({
  type,
  currency,
  costCenter,
});
const ZERO = decimalOf(0);

/** A row as one line, to compare whole tables by. */
function line(row: ReturnType<ReturnType<typeof startTotals>['rows']>[number]): string {
  const { type, currency, costCenter, status, count, amount, unpriced } = row;
  return `${type} ${currency} ${costCenter} ${status} ${count} ${formatDecimal(amount)} ${unpriced}`;
}

describe('totals', () => {
  it('are per type, currency, cost center and state, those without one last', () => {
    const totals = startTotals();
    const count = (of: TotalGroup, status: string, amount: string) => totals.add(of, status, parseDecimal(amount));
    count(group('result', 'EUR', 'PP-1'), 'created', '10');
    count(group('payout', null, 'PP-1'), 'created', '1');
    count(group('payout', 'EUR', null), 'created', '2');
    count(group('payout', 'EUR', 'PP-2'), 'rejected', '3');
    count(group('payout', 'EUR', 'PP-2'), 'created', '4');
    count(group('payout', 'CHF', 'PP-2'), 'created', '5');
    count(group('payout', 'EUR', 'PP-1'), 'created', '6');
    expect(totals.rows().map(line)).toEqual([
      'payout CHF PP-2 created 1 5 0',
      'payout EUR PP-1 created 1 6 0',
      'payout EUR PP-2 created 1 4 0',
      'payout EUR PP-2 rejected 1 3 0',
      'payout EUR null created 1 2 0',
      'payout null PP-1 created 1 1 0',
      'result EUR PP-1 created 1 10 0',
    ]);
  });

  it('add small units as exactly as decimals, beyond what a double holds too', () => {
    const amount = fc.record({
      units: fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constantFrom(2 ** 53 - 1, -(2 ** 53 - 1))),
      scale: fc.nat(6),
    });
    const payouts = group('payout', 'EUR', null);
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), (amounts) => {
        const small = startTotals();
        const large = startTotals();
        for (const { units, scale } of amounts) {
          small.sum(payouts, 'created').addUnits(units, scale);
          large.add(payouts, 'created', { units: BigInt(units), scale });
        }
        expect(small.rows().map(line)).toEqual(large.rows().map(line));
      }),
    );
  });

  it('count each record once, and lose no money', () => {
    const name = fc.constantFrom('a', 'b', null);
    const record = fc.record({
      type: fc.constantFrom('payout', 'result'),
      currency: name,
      costCenter: name,
      status: fc.constantFrom('created', 'rejected'),
      cents: fc.option(fc.integer()),
    });
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const totals = startTotals();
        const amounts = records.map(({ cents }): Decimal | null =>
          cents === null ? null : { units: BigInt(cents), scale: 2 },
        );
        records.forEach(({ status, ...of }, i) => totals.add(of, status, amounts[i] ?? null));
        const rows = totals.rows();
        const names = rows.map(({ type, currency, costCenter, status }) =>
          JSON.stringify([type, currency, costCenter, status]),
        );
        expect(new Set(names).size).toBe(names.length);
        expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(records.length);
        expect(rows.reduce((sum, row) => sum + row.unpriced, 0)).toBe(
          amounts.filter((amount) => amount === null).length,
        );
        const expected = amounts.reduce((sum: Decimal, amount) => (amount === null ? sum : add(sum, amount)), ZERO);
        expect(compare(rows.map(({ amount }) => amount).reduce(add, ZERO), expected)).toBe(0);
      }),
    );
  });
});

describe('sums by currency', () => {
  it('add up cost centers and states, never types or currencies', () => {
    const totals = startTotals();
    totals.add(group('payout', 'EUR', 'PP-1'), 'created', parseDecimal('1.5'));
    totals.add(group('payout', 'EUR', 'PP-2'), 'rejected', parseDecimal('2.25'));
    totals.add(group('payout', 'CHF', 'PP-2'), 'created', parseDecimal('5'));
    totals.add(group('payout', null, 'PP-2'), 'created', parseDecimal('7'));
    totals.add(group('result', 'EUR', 'PP-1'), 'created', null);
    totals.add(group('result', 'EUR', null), 'created', parseDecimal('4'));
    expect(sumByCurrency(totals.rows()).map(line)).toEqual([
      'payout CHF null  1 5 0',
      'payout EUR null  2 3.75 0',
      'payout null null  1 7 0',
      'result EUR null  2 4 1',
    ]);
  });
});
