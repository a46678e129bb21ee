import { expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { moneyText } from '../../../src/records/money-text.js';

it.each([
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
