import { describe, expect, it } from 'vitest';
import { type DecimalMark, readNumber } from '../../../src/input/numbers.js';

describe('a number in another notation', () => {
  const said = (cell: string, mark: DecimalMark | null): string => {
    const found = readNumber(cell, mark);
    return found.ok ? '' : (found.message.split('; it ')[1] ?? '');
  };

  it.each<[string, string]>([
    ['1234.-', '1234'],
    ['50,-', '50'],
    ['50.--', '50'],
    ['0.-', '0'],
    ["1'234.–", '1234'],
    ['1’234.—', '1234'],
    ['1.234,-', '1234'],
    ['1,234.-', '1234'],
    ['1 234 567,−', '1234567'],
    ['-50.-', '-50'],
  ])('%j has a dash for its decimals, and is %s', (cell, digits) => {
    for (const mark of [null, 'point', 'comma'] as const)
      expect(said(cell, mark)).toBe(`has a dash in place of the decimals, for whole units: write ${digits}`);
  });

  it('with decimals before the dash is no such number, and none is made up', () => {
    expect(said('12.50.-', null)).toBe('has a dash in place of the decimals, for whole units: write the number alone');
  });

  it.each<[string, DecimalMark | null, string]>([
    ['(80,00)', 'comma', 'write -80,00 with a plain minus sign in front'],
    ['(80)', null, 'write -80 with a plain minus sign in front'],
    ['80-', null, 'write -80 with a plain minus sign in front'],
    ['80 –', null, 'write -80 with a plain minus sign in front'],
    ['−80', null, 'write -80 with a plain minus sign in front'],
    ['− 80.5', 'point', 'write -80.5 with a plain minus sign in front'],
    ['- 80', null, 'write -80 with a plain minus sign in front'],
    ['(80,00)', null, 'write -80,00 with a plain minus sign in front (--decimal comma reads it as -80.00)'],
    [
      '1.234-',
      null,
      'write -1.234 with a plain minus sign in front (--decimal point reads it as -1.234; --decimal comma reads it as -1234)',
    ],
  ])('%j with %s is a negative amount: %s', (cell, mark, advice) => {
    expect(said(cell, mark)).toBe(`is a negative amount in a notation that is not read: ${advice}`);
  });

  it.each(['(1.2.3)', '(12.05.2026)', '007-'])('%j is none, and no number is made of it', (cell) => {
    expect(said(cell, null)).not.toContain('is a negative amount');
  });

  it.each(['12,5 %', '12%', '%12', '5‰'])('%j holds a percent sign', (cell) => {
    expect(said(cell, null)).toContain('holds a percent sign: write the number that is meant without it');
  });

  it.each<[string, string]>([
    ['1 234\u00a0567', 'a space and a no-break space (U+00A0)'],
    ['1\u202f234\u00a0567.5', 'a narrow no-break space (U+202F) and a no-break space (U+00A0)'],
    ["1'234 567", "' and a space"],
  ])('%j has two kinds of separators', (cell, names) => {
    for (const mark of [null, 'point', 'comma'] as const)
      expect(said(cell, mark)).toBe(
        `has separators of several kinds between its thousands, ${names}: one kind in a number is read`,
      );
  });

  it('is blamed for a hidden character only where that is in the way', () => {
    expect(said('12\u00a034', null)).toBe('holds a hidden character, U+00A0: remove it');
  });

  it('with an exponent may stand in a cell or on the command line', () => {
    expect(said('1e3', null)).toBe(
      'has an exponent: write all its digits; if a spreadsheet shortened it, format its column as a number, widen it, and save again',
    );
  });
});
