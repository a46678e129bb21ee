import { expect, it } from 'vitest';
import { addressOf, columnLetters, placeOf, rangeOf } from '../../../../src/input/xlsx/cell.js';

it.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [51, 'AZ'],
  [52, 'BA'],
  [701, 'ZZ'],
  [702, 'AAA'],
  [16_383, 'XFD'],
])('column %d is %s, and back', (index, letters) => {
  expect(columnLetters(index)).toBe(letters);
  expect(placeOf(`${letters}7`)).toEqual({ index, row: 7 });
  expect(addressOf(index, 7)).toBe(`${letters}7`);
});

it.each(['', 'A', '7', 'A0', 'a1', 'A01', 'A1048577', 'XFE1', 'A1B', ' A1', 'A-1', 'AAAAAAA1', '\u00c41'])(
  '%j is no address',
  (text) => {
    expect(placeOf(text)).toBeNull();
  },
);

it('a range has two corners, or one', () => {
  expect(rangeOf('B2:C5')).toEqual({ from: { index: 1, row: 2 }, to: { index: 2, row: 5 } });
  expect(rangeOf('$B$2')).toEqual({ from: { index: 1, row: 2 }, to: { index: 1, row: 2 } });
  expect(['C5:B2', 'A1:', 'A1:B', ''].map(rangeOf)).toEqual([null, null, null, null]);
});
