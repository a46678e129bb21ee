import { expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import { columnOf, type Money } from '../../../src/report/amount-columns.js';
import { columnLines } from '../../../src/report/table.js';

function money(amount: string | null, currency: string | null, type = 'payout'): Money {
  return { type, currency, amount: amount === null ? null : parseDecimal(amount) };
}

it('amounts of a column have the digits of their currencies, never fewer than they need, and stand at the point', () => {
  const all = [
    money('1200', 'EUR'),
    money('122.5', 'EUR'),
    money('-0.125', 'EUR'),
    money('50000', 'JPY'),
    money('50000.5', 'KRW'),
    money('12.5', 'KWD'),
    money('17', null),
    money('6750', 'EUR', 'result'),
    money('462.5', null, 'gig'),
    money('1000', null, 'gig'),
    money(null, 'EUR'),
  ];
  const { figure } = columnOf(all);
  expect(
    columnLines(
      all.map((each) => [figure(each), '|']),
      ['point', 'left'],
    ),
  ).toEqual([
    ' 1,200.00   |',
    '   122.50   |',
    '    -0.125  |',
    '50,000      |',
    '50,000.5    |',
    '    12.500  |',
    '    17      |',
    ' 6,750      |',
    '   462.50   |',
    ' 1,000.00   |',
    '            |',
  ]);
});

it('a column has its units below one another, and other words at its right edge', () => {
  const cells = ['1,200.50 EUR', '300 JPY', '+7.125 KWD', 'not known', '6,750 EUR cents', '', '12'].map((cell) => [
    cell,
  ]);
  expect(columnLines([['amount'], ...cells], ['point'])).toEqual([
    '             amount',
    '1,200.50  EUR',
    '  300     JPY',
    '   +7.125 KWD',
    '          not known',
    '6,750     EUR cents',
    '',
    '   12',
  ]);
});
