import { describe, expect, it } from 'vitest';
import { dateOfSerial, timeOf } from '../../../../src/input/xlsx/cell.js';

const date = (serial: number, from1904 = false): string | null => {
  const found = dateOfSerial(serial, from1904);
  return found === null ? null : found.text;
};

describe('days since 1900', () => {
  it.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [25569, '1970-01-01'],
    [36526, '2000-01-01'],
    [46327, '2026-11-01'],
    [46327.5, '2026-11-01T12:00:00'],
    [46327.354166666664, '2026-11-01T08:30:00'],
    [46327.999999, '2026-11-01T23:59:59'],
    [2958465, '9999-12-31'],
  ])('%d is %s', (serial, expected) => {
    expect(date(serial)).toBe(expected);
  });

  it.each([0, 0.5, 60, 60.25, -1, 2958466, Number.NaN, 1e20])('%d is no day', (serial) => {
    expect(date(serial)).toBeNull();
  });
});

it.each([
  [0, '1904-01-01'],
  [60, '1904-03-01'],
  [44865, '2026-11-01'],
  [-1, null],
])('%d days since 1904 are %s', (serial, expected) => {
  expect(date(serial, true)).toBe(expected);
});

it('the part of a day is a time', () => {
  expect([0, 0.25, 0.999999].map(timeOf)).toEqual(['00:00:00', '06:00:00', '23:59:59']);
});
