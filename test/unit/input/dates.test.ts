import { describe, expect, it } from 'vitest';
import { DateColumns, type DateOrder, readDate } from '../../../src/input/dates.js';

/** Under each order that reads it; `none` where none is declared. */
type Readings = Partial<Record<DateOrder | 'none', string>>;

/** Each text and the date that it is. */
const READ: Readonly<Record<string, Readings>> = {
  '2026-11-01': same('2026-11-01'),
  ' 2026-11-01 ': same('2026-11-01'),
  '01.11.2026': {
    dmy: '2026-11-01',
    mdy: '2026-01-11',
  },
  ' 1.11.2026 ': {
    dmy: '2026-11-01',
    mdy: '2026-01-11',
  },
  '31/12/2026': { dmy: '2026-12-31' },
  '12-31-2026': { mdy: '2026-12-31' },
  '29.02.2028': { dmy: '2028-02-29' },
  '29.02.28': { dmy: '2028-02-29' },
  '1.2.99': {
    dmy: '2099-02-01',
    mdy: '2099-01-02',
  },
  '01-Jul-10': { dmy: '2010-07-01' },
  '1/JULY/2026': { dmy: '2026-07-01' },
  'july/1/10': { mdy: '2010-07-01' },
  '05-Mär-2026': { dmy: '2026-03-05' },
  '05.März.2026': { dmy: '2026-03-05' },
  'Sept-30-2026': { mdy: '2026-09-30' },
  '05-Okt-26': { dmy: '2026-10-05' },
  '05-Dez-26': { dmy: '2026-12-05' },
  '05-MAI-26': { dmy: '2026-05-05' },

  '2026-11-01T00:00:00': same('2026-11-01'),
  '2026-11-01 00:00': same('2026-11-01'),

  ' 2026-11-01T00:00:00+02:00 ': same('2026-11-01'),
  '2026-11-01 00:00:00.0000000-05': same('2026-11-01'),

  // A time of day does not count where an order is declared. The date is the written one, whatever the offset.
  '2026-11-03 14:22': declared('2026-11-03'),
  '2026-11-03 14:22:10': declared('2026-11-03'),
  '2026-11-03T14:22:10': declared('2026-11-03'),
  '2026-11-03T14:22:10.123Z': declared('2026-11-03'),
  '2026-11-03T23:59:59-08:00': declared('2026-11-03'),
  '2026-11-03T00:30:00+14:00': declared('2026-11-03'),
  '2026-11-03 14:22:10 +0100': declared('2026-11-03'),
  '2026-11-03 14:22:10 UTC': declared('2026-11-03'),
  '2026-11-03 2:22 PM': declared('2026-11-03'),
  '2026-11-03 12:00 AM': declared('2026-11-03'),
  '2026-11-01 00:00:01': declared('2026-11-01'),
  '2026-11-01T08:00:00': declared('2026-11-01'),
  '2026-11-01T00:00:00.001Z': declared('2026-11-01'),
  '03.11.2026 14:22:10': { dmy: '2026-11-03', mdy: '2026-03-11' },
  '13.11.2026 14:22:10': { dmy: '2026-11-13' },
  '3.11.2026, 14:22': { dmy: '2026-11-03', mdy: '2026-03-11' },
  '13.11.26 09:05': { dmy: '2026-11-13' },
  '01.11.2026 00:00:00': { dmy: '2026-11-01', mdy: '2026-01-11' },
  '11/3/2026 2:22 PM': { dmy: '2026-03-11', mdy: '2026-11-03' },
  '11/30/2026, 2:22:10\u202fPM': { mdy: '2026-11-30' },
  '11/30/2026 12:00 a.m.': { mdy: '2026-11-30' },
  '30-Nov-2026 23:59': { dmy: '2026-11-30' },

  // The year first.
  '20261103': { ymd: '2026-11-03' },
  '20261103 14:22': { ymd: '2026-11-03' },
  '2026/11/03': { ymd: '2026-11-03' },
  '2026/11/3 9:05': { ymd: '2026-11-03' },
  '2026.1.3': { ymd: '2026-01-03' },
  '20280229': { ymd: '2028-02-29' },

  // The name of the month first.
  'Nov 03, 2026': { mdy: '2026-11-03' },
  'Nov 3, 2026': { mdy: '2026-11-03' },
  'November 3, 2026': { mdy: '2026-11-03' },
  'Nov. 3, 2026': { mdy: '2026-11-03' },
  'DEC 31 2026': { mdy: '2026-12-31' },
  'Dez 31, 2026': { mdy: '2026-12-31' },
  'März 3, 2026': { mdy: '2026-03-03' },
  'Nov 3, 2026, 2:22:10 PM': { mdy: '2026-11-03' },
};

function declared(date: string): Readings {
  return { ymd: date, dmy: date, mdy: date };
}

function same(date: string): Readings {
  return { ...declared(date), none: date };
}

const UNREAD = [
  ...'01.11.026 01.11.6 31/4/26 01-Jul.-2026 01-Jul/2026 01-Juillet-2026 01-ma-2026 30-Feb-2026 Jul-Aug-2026'.split(
    ' ',
  ),
  ...'2026-Jul-01 2026-11-01T00 2026-11-01T24:00:00 2026-11-01T12:60 2026-11-01T12:00:60 2026-11-01T1200'.split(' '),
  ...'2026-02-30T00:00:00 2026-02-30 31.02.2026 1.11/2026 46327 20261301 20260230 202611 2026110 2026/11-03'.split(' '),
  ...'261103 0000-00-00 20260000 2026-1-3T'.split(' '),
  '01 Jul 2026',
  '5. Juli 2026',
  'Nov 31, 2026',
  'Nov 3, 26',
  'Novembre 3, 2026',
  '3 November, 2026',
  '03.11.2026 25:00',
  '03.11.2026 13:00 PM',
  '03.11.2026 0:10 AM',
  '03.11.2026 14.22',
  '03.11.2026 14',
  '31.02.2026 10:00',
  '14:22',
  '14:22 03.11.2026',
  '2026-11-03 14:22 CET+1',
  '1 11 2026',
  `${' '.repeat(70)}x${' '.repeat(70)}2026-11-03`,
  '',
];

describe('dates in cells', () => {
  const texts = [...Object.keys(READ), ...UNREAD];
  it.each(texts)('%j is read under the orders that fit it, and else left as it was typed, to be refused', (cell) => {
    for (const order of ['ymd', 'dmy', 'mdy'] as const)
      expect(readDate(cell, order), order).toBe(READ[cell]?.[order] ?? cell);
    expect(readDate(cell, null), 'no order').toBe(READ[cell]?.none ?? cell);
  });
});

describe('a column of dates', () => {
  const ordersOf = (...cells: string[]): string[] => {
    const columns = new DateColumns();
    for (const cell of cells) columns.see('billing_date', cell);
    return ['ymd', 'dmy', 'mdy'].filter((order) => columns.reads('billing_date', order));
  };

  it.each<[string[], string[]]>([
    [['20261103'], ['ymd']],
    [['2026-11-03 14:22'], ['ymd', 'dmy', 'mdy']],
    [['2026-11-03 14:22', '13.11.2026'], ['dmy']],
    [['Nov 03, 2026', '11/30/2026 2:22 PM'], ['mdy']],
    [
      ['03.11.2026 14:22', '04.11.26'],
      ['dmy', 'mdy'],
    ],
    [['20261103', '03.11.2026'], []],
  ])('%j is read under %j', (cells, orders) => {
    expect(ordersOf(...cells)).toEqual(orders);
  });
});
