import { describe, expect, it } from 'vitest';
import { filteredAmountsText, FilteredRows, filteredText, joinFiltered } from '../../../src/input/filtered-rows.js';
import { parseFilter } from '../../../src/input/row-filter.js';
import { parseDecimal } from '../../../src/money/decimal.js';

const RULES = ['Type=Hourly', 'Betrag>0'].map((written) => parseFilter('--only', written));
const [HOURLY, PAID] = RULES as [(typeof RULES)[0], (typeof RULES)[0]];

/** Of so many rows, every third is filtered by the first rule, and the next one by the second. */
function filteredOf(rows: number): FilteredRows {
  const filtered = new FilteredRows(RULES);
  for (let row = 0; row < rows; row++) {
    filtered.read++;
    if (row % 3 === 0) filtered.add(HOURLY);
    if (row % 3 === 1) filtered.add(PAID);
  }
  return filtered;
}

function withAmounts(...amounts: readonly [string | null, string | null][]): FilteredRows {
  const filtered = filteredOf(0);
  for (const [amount, currency] of amounts) {
    filtered.read++;
    filtered.add(HOURLY);
    filtered.addAmount(HOURLY, 'payout', { amount: amount === null ? null : parseDecimal(amount), currency });
  }
  return filtered;
}

describe('filtered rows', () => {
  it('keep the rule of each, however many there are', () => {
    const filtered = filteredOf(5000);
    const rules = Array.from({ length: 5001 }, (_, place) => filtered.ruleAt(place));
    expect(rules).toEqual(rules.map((_, place) => (place === 5000 ? null : [HOURLY, PAID, null][place % 3])));
    expect(filtered.groups().map(({ rule, count }) => [rule, count])).toEqual([
      ['Type=Hourly', 1667],
      ['Betrag>0', 1667],
    ]);
  });

  it('of several files are told by rule and currency, without the rules that filter nothing', () => {
    const files = [withAmounts(['1.50', 'EUR'], ['2', 'USD']), withAmounts(['3', 'EUR'], [null, 'CHF'])];
    const groups = joinFiltered([...files.map((filtered) => ({ filtered })), {}]);
    expect(groups).toMatchObject([{ rule: 'Type=Hourly', count: 4, unreadable: 1 }]);
    expect(filteredAmountsText(groups)).toBe(', 4.50 EUR, 2.00 USD, 1 without a readable amount');
  });

  it('of many currencies are told in a short line', () => {
    const codes = ['AUD', 'CAD', 'CHF', 'EUR', 'GBP', 'JPY', 'USD'];
    const filtered = withAmounts(...codes.map((code): [string, string] => ['1', code]));
    expect(filteredText(filtered, RULES)).toBe(
      '7 of 7 rows filtered out, 1.00 AUD, 1.00 CAD, 1.00 CHF, 1.00 EUR, 1.00 GBP, 2 other currencies, by --only "Type=Hourly" and "Betrag>0"',
    );
  });
});
