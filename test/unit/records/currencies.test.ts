import { expect, test } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { CURRENCIES, currencyDigits, moneyText } from '../../../src/records/currencies.js';

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

test.each([
  ['1200', 'EUR', 'payout', '1,200.00 EUR'],
  ['1234.5', 'EUR', 'payout', '1,234.50 EUR'],
  ['1234.567', 'EUR', 'payout', '1,234.567 EUR'],
  ['900', 'JPY', 'payout', '900 JPY'],
  ['12.5', 'KWD', 'payout', '12.500 KWD'],
  ['1.5', 'XAU', 'payout', '1.50 XAU'],
  ['17', null, 'payout', '17'],
  ['17.5', 'no code', 'payout', '17.50 no code'],
  ['6750', 'EUR', 'result', '6,750 EUR cents'],
  ['462.5', null, 'gig', '462.50 cents per seat'],
])('%s %s of a %s is %s', (amount, currency, type, text) => {
  expect(moneyText(parseDecimal(amount), currency, type)).toBe(text);
});

test('the active currencies of ISO 4217 are known, and no others', () => {
  expect(CURRENCIES.size).toBeGreaterThan(150);
  for (const code of CURRENCIES) expect(code).toMatch(/^[A-Z]{3}$/);
  for (const code of 'EUR USD CHF GBP JPY PLN CZK DKK SEK NOK HUF RON TRY UAH CNY INR'.split(' ')) {
    expect(CURRENCIES.has(code)).toBe(true);
  }
  for (const code of 'DEM FRF ITL ATS BTC ABC HRK'.split(' ')) expect(CURRENCIES.has(code)).toBe(false);
});
