import { expect, it } from 'vitest';
import { addressOf, columnLetters, parseAddress, parseRange } from '../../../../src/input/xlsx/cell-address.js';
import { dateOfSerial } from '../../../../src/input/xlsx/cell.js';
import { readFormat } from '../../../../src/input/xlsx/displayed-number.js';

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('column %d is %s, and back', (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
  expect(parseAddress(`${letters}7`)).toEqual({ index, row: 7 });
  expect(addressOf(index, 7)).toBe(`${letters}7`);
});

it.each(['', 'A', '7', 'A0', 'a1', 'A01', 'A1048577', 'XFE1', 'A1B', ' A1', 'A-1', 'AAAAAAA1', '\u00c41'])(
  '%j is no address',
  (text) => {
    expect(parseAddress(text)).toBeNull();
  },
);

it('a range has two corners, or one', () => {
  expect(parseRange('B2:C5')).toEqual({ from: { index: 1, row: 2 }, to: { index: 2, row: 5 } });
  expect(parseRange('$B$2')).toEqual({ from: { index: 1, row: 2 }, to: { index: 1, row: 2 } });
  expect(['C5:B2', 'A1:', 'A1:B', ''].map(parseRange)).toEqual([null, null, null, null]);
});

it.each<[serial: number, date: string | null, from1904?: boolean]>([
  [1, '1900-01-01'],
  [59, '1900-02-28'],
  [61, '1900-03-01'],
  [46327, '2026-11-01'],
  [46327.5, '2026-11-01T12:00:00'],
  [46327.354166666664, '2026-11-01T08:30:00'],
  [46327.999999, '2026-11-01T23:59:59'],
  [2958465, '9999-12-31'],
  ...[0, 0.5, 60, 60.25, -1, 2958466, Number.NaN, 1e20].map((serial) => [serial, null] as [number, null]),
  [0, '1904-01-01', true],
  [60, '1904-03-01', true],
  [44865, '2026-11-01', true],
  [-1, null, true],
])('day %d is %s', (serial, date, from1904 = false) => {
  expect(dateOfSerial(serial, from1904, readFormat('yyyy-mm-dd'))?.text ?? null).toBe(date);
});

/** 46361 is 2026-12-05. */
it.each<[serial: number, format: string, date: string]>([
  [46361 + 8 / 24 - 1e-11, 'yyyy-mm-dd hh:mm', '2026-12-05T08:00:00'],
  [46361.33333, 'yyyy-mm-dd hh:mm', '2026-12-05T08:00:00'],
  [46361.99999999994, 'yyyy-mm-dd hh:mm', '2026-12-06'],
  [46361.9999999, 'yyyy-mm-dd hh:mm', '2026-12-06'],
  [46362 - 7e-12, 'dd.mm.yyyy hh:mm:ss', '2026-12-06'],
  [46361.9999999, 'm/d/yy h:mm', '2026-12-06'],
  [46361.99999, 'yyyy-mm-dd hh:mm:ss', '2026-12-05T23:59:59'],
  [46361.99999999994, 'yyyy-mm-dd', '2026-12-06'],
  // The day that is shown is the fifth.
  [46361.9999999, 'yyyy-mm-dd', '2026-12-05T23:59:59'],
  [46361.9999999, 'yyyy-mm-dd hh:mm:ss.000', '2026-12-05T23:59:59'],
  [46361.00000000001, 'yyyy-mm-dd hh:mm', '2026-12-05'],
  [46361.00000000001, 'yyyy-mm-dd', '2026-12-05'],
  [59.99999999999, 'yyyy-mm-dd hh:mm', 'none'],
  [60.99999999999, 'yyyy-mm-dd hh:mm', '1900-03-01'],
  [2958465.9999999, 'yyyy-mm-dd hh:mm', 'none'],
])('%d as %s is %s', (serial, format, date) => {
  expect(dateOfSerial(serial, false, readFormat(format))?.text ?? 'none').toBe(date);
});
