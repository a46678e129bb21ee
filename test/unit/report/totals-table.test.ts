import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import { columnLines } from '../../../src/report/table.js';
import { figuresOf, type Money, totalsLines } from '../../../src/report/totals-table.js';

function row(costCenter: string | null, amount: string, change: Partial<TotalRow> = {}): TotalRow {
  return {
    type: 'payout',
    currency: 'EUR',
    costCenter,
    status: 'planned',
    count: 1,
    amount: parseDecimal(amount),
    unpriced: 0,
    ...change,
  };
}

describe('totals', () => {
  it('are a row for each cost center, and a sum for each currency', () => {
    expect(
      totalsLines([row('PP-1', '1200.5'), row('PP-2', '34'), row(null, '5', { currency: null, count: 1234 })]),
    ).toEqual([
      'payouts',
      '  currency  cost center  state    records    amount',
      '  EUR       PP-1         planned        1  1,200.50',
      '  EUR       PP-2         planned        1     34.00',
      '  none      none         planned    1,234      5',
      '  EUR       all                         2  1,234.50',
      '  none      all                     1,234      5',
    ]);
  });

  it('stand apart by type, and are never added up across types', () => {
    const lines = totalsLines([row('PP-1', '5'), row('PP-1', '7', { type: 'result' })]);
    expect(lines.filter((line) => line.includes('all')).map((line) => line.split(/ +/).at(-1))).toEqual(['5.00', '7']);
    expect(lines).toContain('gig results (amounts in cents: quantity × base price × multiplier)');
  });

  it('show results without a price apart', () => {
    const lines = totalsLines([row('PP-1', '7', { type: 'result', count: 3, unpriced: 2 })]);
    expect(lines[1]).toMatch(/records +amount +without price$/);
    expect(lines[2]).toMatch(/ 3 +7 +2$/);
  });

  it('show every decimal, and line up at the point', () => {
    const lines = totalsLines([row('A', '1874.953125'), row('B', '24000'), row('C', '0.5')]);
    expect(lines.slice(2, 5).map((line) => line.slice(line.indexOf('1  ') + 3))).toEqual([
      ' 1,874.953125',
      '24,000.00',
      '     0.50',
    ]);
  });

  it('show endless names by their ends', () => {
    const lines = totalsLines([row('P'.repeat(5000), '5', { currency: 'X'.repeat(5000) })]);
    expect(lines).toHaveLength(4);
    expect(lines.filter((line) => line.length > 150)).toEqual([]);
  });

  it('have no state where none is told', () => {
    expect(totalsLines([row('PP-1', '5', { status: '' })])[1]).toBe('  currency  cost center  records  amount');
  });

  it('of many rows show the failed ones and the largest; the others are summed up', () => {
    const rows = Array.from({ length: 200 }, (_, i) =>
      row(`PP-${String(i).padStart(3, '0')}`, String(i), { status: 'created' }),
    );
    const failed = row('PP-000', '0.01', { status: 'rejected' });
    const lines = totalsLines([...rows, failed]);
    expect(lines.length).toBe(2 + 24 + 1 + 2 + 1 + 1);
    expect(lines.some((line) => line.includes('PP-000') && line.includes('rejected'))).toBe(true);
    expect(lines.filter((line) => /PP-1(7[7-9]|8\d|9\d)/.test(line))).toHaveLength(23);
    const hidden = (176 * 177) / 2;
    expect(lines.at(-5)).toMatch(new RegExp(`177 more +created +177 +${hidden.toLocaleString('en')}\\.00$`));
    expect(lines.slice(-4, -2).map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['EUR', 'all', 'created', '200', '19,900.00'],
      ['EUR', 'all', 'rejected', '1', '0.01'],
    ]);
    expect(lines.at(-2)).toMatch(/all +201 +19,900\.01$/);
    expect(lines.at(-1)).toContain('177 rows are summed up');
  });

  it('share the rows that are shown between currencies', () => {
    const rows = Array.from({ length: 60 }, (_, i) =>
      row(`PP-${i}`, String(i + 1), { currency: i < 30 ? 'EUR' : 'JPY' }),
    );
    const lines = totalsLines(rows);
    expect(lines.filter((line) => /^ {2}EUR +PP/.test(line))).toHaveLength(12);
    expect(lines.filter((line) => /^ {2}JPY +PP/.test(line))).toHaveLength(12);
    expect(lines.filter((line) => /18 more/.test(line))).toHaveLength(2);
  });

  it('cut long names in the middle, and show no control characters', () => {
    const [, , line = ''] = totalsLines([row(`PP-${'x'.repeat(200)}\u001b[2J-END`, '5')]);
    expect(line).toMatch(/PP-x+….*-END/);
    expect(line).not.toContain('\u001b');
    expect(line.length).toBeLessThan(80);
  });
});

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
  const figure = figuresOf(all);
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
