import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { isTotal } from '../../../src/report/dialog.js';

describe('a total that is typed', () => {
  it.each<[string, string, string | null, boolean]>([
    ['19707.09', '19707.09', 'EUR', true],
    ['19,707.09', '19707.09', 'EUR', true],
    ['19.707,09', '19707.09', 'EUR', true],
    ["19'707.09", '19707.09', 'CHF', true],
    ['19’707.09', '19707.09', 'CHF', true],
    ['19\u202f707,09', '19707.09', 'EUR', true],
    ['19 707,09 EUR', '19707.09', 'EUR', true],
    ['eur 19,707.09', '19707.09', 'EUR', true],
    ['19707.090', '19707.09', 'EUR', true],
    ['5.00', '5', 'EUR', true],
    ['-1,234.5', '-1234.5', 'EUR', true],
    ['1234567', '1234567', null, true],
    ['1970709', '19707.09', 'EUR', false],
    ['19707.9', '19707.09', 'EUR', false],
    ['19707', '19707.09', 'EUR', false],
    ['19707.091', '19707.09', 'EUR', false],
    ['19707.09 CHF', '19707.09', 'EUR', false],
    ['CHF 19707.09', '19707.09', 'EUR', false],
    ['50', '5', 'EUR', false],
    ['5.0.0', '5', 'EUR', false],
    ['', '0', 'EUR', false],
    ['.*', '5', 'EUR', false],
  ])('%j for %s %s: %s', (typed, amount, currency, same) => {
    expect(isTotal(typed, parseDecimal(amount), currency)).toBe(same);
  });
});
