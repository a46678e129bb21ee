import { describe, expect, it } from 'vitest';
import { type DateOrder, readDate } from '../../../src/input/dates.js';

describe('dates in cells', () => {
  it.each<[string, DateOrder, string]>([
    ['2026-11-01', 'ymd', '2026-11-01'],
    ['2026-11-01', 'dmy', '2026-11-01'],
    ['2026-11-01', 'mdy', '2026-11-01'],
    [' 2026-11-01 ', 'ymd', '2026-11-01'],
    [' 2026-11-01 ', 'dmy', '2026-11-01'],
    ['01.11.2026', 'dmy', '2026-11-01'],
    ['1.11.2026', 'dmy', '2026-11-01'],
    ['1/11/2026', 'dmy', '2026-11-01'],
    ['01-11-2026', 'dmy', '2026-11-01'],
    [' 1.11.2026 ', 'dmy', '2026-11-01'],
    ['31.12.2026', 'dmy', '2026-12-31'],
    ['29.02.2028', 'dmy', '2028-02-29'],
    ['11/1/2026', 'mdy', '2026-11-01'],
    ['11/01/2026', 'mdy', '2026-11-01'],
    ['11.01.2026', 'mdy', '2026-11-01'],
    ['12/31/2026', 'mdy', '2026-12-31'],
  ])('%j with %s is %s', (cell, order, date) => {
    expect(readDate(cell, order)).toBe(date);
  });

  it.each<[string, DateOrder]>([
    ['01.11.2026', 'ymd'],
    ['1/11/2026', 'ymd'],
    ['01.11.26', 'dmy'],
    ['1/11/26', 'mdy'],
    ['31.02.2026', 'dmy'],
    ['31/12/2026', 'mdy'],
    ['12/31/2026', 'dmy'],
    ['1.11/2026', 'dmy'],
    ['1 11 2026', 'dmy'],
    ['2026-02-30', 'dmy'],
    ['20261101', 'ymd'],
    ['1. November 2026', 'dmy'],
    ['46327', 'dmy'],
    ['', 'dmy'],
  ])('%j with %s is left as it was typed, to be refused', (cell, order) => {
    expect(readDate(cell, order)).toBe(cell);
  });
});
