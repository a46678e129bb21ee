import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import { columnLines } from '../../../src/report/table.js';
import { total } from './reviews.js';
import { figuresOf, type MoneyAmount, totalsLines } from '../../../src/report/totals-table.js';

const row = (costCenter: string | null, amount: string, change: Partial<TotalRow> = {}): TotalRow =>
  total(amount, { costCenter, status: 'planned', ...change });

describe('totals', () => {
  it('are a row for each currency, and below them those of several cost centers', () => {
    expect(
      totalsLines([row('PP-1', '1200.5'), row('PP-2', '34'), row(null, '5', { currency: null, count: 1234 })]),
    ).toEqual([
      'payouts',
      '  currency     cost center  state          records    amount',
      '  EUR          all          would be sent        2  1,234.50',
      '  no currency  all          would be sent    1,234      5',
      '  by cost center:',
      '  currency     cost center  state          records    amount',
      '  EUR          PP-1         would be sent        1  1,200.50',
      '  EUR          PP-2         would be sent        1     34.00',
      '  no currency  none         would be sent    1,234      5',
    ]);
  });

  it('have one row for each state and currency, and all rows again by cost center, which add up there', () => {
    const lines = totalsLines([
      row('PP-1', '10', { status: 'created' }),
      row('PP-1', '3', { status: 'rejected' }),
      row('PP-2', '5', { status: 'created' }),
      row('PP-1', '7', { status: 'created', currency: 'USD' }),
    ]);
    expect(lines.slice(2).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['EUR', 'all', 'paid', '2', '15.00'],
      ['EUR', 'all', 'refused', '1', '3.00'],
      ['USD', 'all', 'paid', '1', '7.00'],
      ['by cost center:'],
      ['currency', 'cost center', 'state', 'records', 'amount'],
      ['EUR', 'PP-1', 'paid', '1', '10.00'],
      ['EUR', 'PP-2', 'paid', '1', '5.00'],
      ['EUR', 'PP-1', 'refused', '1', '3.00'],
      ['USD', 'PP-1', 'paid', '1', '7.00'],
    ]);
  });

  it('stand apart by type, and are never added up across types', () => {
    const lines = totalsLines([row('PP-1', '5'), row('PP-1', '7', { type: 'result' })]);
    expect(lines.filter((line) => line.includes('PP-1')).map((line) => line.split(/ +/).at(-1))).toEqual(['5.00', '7']);
    expect(lines).toContain('gig results (amounts in cents: quantity × base price × multiplier)');
  });

  it('of gigs have neither currencies nor cost centers', () => {
    const gig = (status: string) => row(null, '450', { type: 'gig', currency: null, status });
    expect(totalsLines([gig('created')]).slice(1)).toEqual([
      '  state    records  amount',
      '  created        1     450',
    ]);
    expect(totalsLines([gig('created'), gig('rejected')]).slice(2)).toEqual([
      '  created        1     450',
      '  refused        1     450',
    ]);
  });

  it('show results without a price apart', () => {
    const lines = totalsLines([row('PP-1', '7', { type: 'result', count: 3, unpriced: 2 })]);
    expect(lines[1]).toMatch(/records +amount +without price$/);
    expect(lines[2]).toMatch(/ 3 +7 +2$/);
  });

  it('show every decimal, and line up at the point', () => {
    const lines = totalsLines([row('A', '1874.953125'), row('B', '24000'), row('C', '0.5')]);
    expect(lines.slice(5).map((line) => line.slice(line.indexOf('1  ') + 3))).toEqual([
      ' 1,874.953125',
      '24,000.00',
      '     0.50',
    ]);
  });

  it('of many rows show the sums of each state and currency', () => {
    const rows = Array.from({ length: 30 }, (_, i) =>
      row(`PP-${i}`, '2', { status: i === 0 ? 'rejected' : 'created', currency: i < 20 ? 'EUR' : 'JPY' }),
    );
    const lines = totalsLines(rows).slice(2);
    expect(lines.slice(0, -1).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['EUR', 'all', 'refused', '1', '2.00'],
      ['EUR', 'all', 'paid', '19', '38.00'],
      ['JPY', 'all', 'paid', '10', '20'],
    ]);
    expect(lines.at(-1)).toMatch(/30 rows .*--report/);
  });

  it('cut long names in the middle, and show no control characters', () => {
    const [, , line = ''] = totalsLines([row(`PP-${'x'.repeat(200)}\u001b[2J-END`, '5')]);
    expect(line).toMatch(/PP-x+….*-END/);
    expect(line).not.toContain('\u001b');
    expect(line.length).toBeLessThan(90);
  });
});

function money(amount: string | null, currency: string | null, type = 'payout'): MoneyAmount {
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
  const figure = figuresOf(all);
  expect(
    columnLines(
      all.map((each) => [figure(each), '|']),
      ['point', undefined],
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
