import { expect, test } from 'vitest';
import { CURRENCIES, currencyDigits } from '../../../src/records/currencies.js';

test.each([
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['UYW', 4],
  ['XAU', null],
  ['EURO', null],
  [null, null],
])('%s has %s decimals', (code, digits) => {
  expect(currencyDigits(code)).toBe(digits);
});

test('the digits are those that the platform knows, where ISO 4217 and CLDR agree', () => {
  // CLDR gives the digits in use: some currencies have coins of a smaller unit by law alone.
  const more = [...CURRENCIES].filter((currency) => {
    const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    return digits !== undefined && digits > (currencyDigits(currency) ?? 4);
  });
  expect(more).toEqual([]);
});
