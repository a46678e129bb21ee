import { describe, expect, it } from 'vitest';
import { unescapeFormula } from '../../../src/input/rows.js';
import { escapeFormula, escapeFormulaLines } from '../../../src/report/printable.js';

describe('a cell that a spreadsheet would run', () => {
  const signs = ['=1', '+a', '-a', '@a', '\tx', '\rx', '\nx', '＝1', '＋1', '－a', '＠a'];
  it.each([...signs, "'＝1", "'=1", '+1+1', '-1-1', '=', '-'])('%j gets an apostrophe', (cell) => {
    expect(escapeFormula(cell)).toBe(`'${cell}`);
  });

  const grouped = ['-1.200,50', '-1.234.567', '-1,200.50', "-1'200.50", '-1 234', '-1\u00a0234,5', '-1\u202f234'];
  it.each(['', 'a=1', '-1', '+1', '-1.50', '-1,50', ...grouped, '1', "'", "'a", ' =1'])('%j stays', (cell) => {
    expect(escapeFormula(cell)).toBe(cell);
  });

  it('is the same again when it is imported', () => {
    for (const cell of [...signs, ...grouped, '-1 234 5', "'-1.200,50", "''=1", '-1'])
      expect(unescapeFormula(escapeFormula(cell))).toBe(cell);
  });
});

describe('lines above a header', () => {
  it.each<[string, string]>([
    ['sep=;\r\n', 'sep=;\r\n'],
    ['Bonuses 2026\n\n', 'Bonuses 2026\n\n'],
    ['=1+1;x;-5;-a\n', "'=1+1;x;-5;'-a\n"],
    ['"=1+1";"-5"\r', '"\'=1+1";"-5"\r'],
    ["'=1\n", "'=1\n"],
  ])('%j become %j', (lines, written) => {
    expect(escapeFormulaLines(lines, ';')).toBe(written);
    expect(escapeFormulaLines(written, ';')).toBe(written);
  });
});
