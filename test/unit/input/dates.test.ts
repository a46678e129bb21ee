import { describe, expect, it } from 'vitest';
import { type DateOrder, readDate } from '../../../src/input/dates.js';

/** Each text and the date that it is, under each order that reads it. */
const READ: Readonly<Record<string, Partial<Record<DateOrder, string>>>> = {
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
};

function same(date: string): Partial<Record<DateOrder, string>> {
  return { ymd: date, dmy: date, mdy: date };
}

const UNREAD = [
  ...'01.11.026 01.11.6 31/4/26 01-Jul.-2026 01-Jul/2026 01-Juillet-2026 01-ma-2026 30-Feb-2026 Jul-Aug-2026'.split(
    ' ',
  ),
  ...'2026-Jul-01 2026-11-01T08:00:00 2026-11-01T00 2026-11-01T00:00:00.001Z 2026-11-01T24:00:00'.split(' '),
  ...'2026-02-30T00:00:00 2026-02-30 31.02.2026 1.11/2026 20261101 46327'.split(' '),
  '01 Jul 2026',
  '5. Juli 2026',
  '2026-11-01 00:00:01',
  '01.11.2026 00:00:00',
  '1 11 2026',
  '',
];

describe('dates in cells', () => {
  const texts = [...Object.keys(READ), ...UNREAD];
  it.each(texts)('%j is read under the orders that fit it, and else left as it was typed, to be refused', (cell) => {
    for (const order of ['ymd', 'dmy', 'mdy'] as const)
      expect(readDate(cell, order), order).toBe(READ[cell]?.[order] ?? cell);
  });
});
