import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalMark, readFactor, readNumber } from '../../../src/input/numbers.js';

const SEPARATORS = [',', '.', "'", '’', ' ', '\u00a0', '\u202f'];

/** What the number says: its JSON text, or the code of its refusal. */
function reading(cell: string, mark: DecimalMark | null): string {
  const found = readNumber(cell, mark);
  return found.ok ? found.text : found.code;
}

describe('undeclared', () => {
  it.each<[string, string]>([
    ['1234', '1234'],
    ['12.5', '12.5'],
    ['-0.25', '-0.25'],
    ['0', '0'],
    ['-0', '-0'],
    ['0.1', '0.1'],
    ['1.10', '1.10'],
    ['20.00', '20.00'],
    ['0.123', '0.123'],
    ['-0.123', '-0.123'],
    ['1.2345', '1.2345'],
    ['1234.567', '1234.567'],
    ['1.23', '1.23'],
    ['100000', '100000'],
    [' 12.5 ', '12.5'],
    ['\u00a012.5\t', '12.5'],
  ])('%j is read', (cell, text) => {
    expect(reading(cell, null)).toBe(text);
  });

  it.each(['1.234', '-12.345', '123.456', '-1.000', '999.999', ' 1.234 '])('%j has two readings', (cell) => {
    const found = readNumber(cell, null);
    expect(found).toMatchObject({ ok: false, code: 'ambiguous-number' });
    const typed = cell.trim();
    expect(!found.ok && found.message).toContain(`read as ${typed} (`);
    expect(!found.ok && found.message).toContain(`or as ${typed.replace('.', '')} (`);
    expect(!found.ok && found.message).toMatch(/--decimal point.*--decimal comma/);
  });

  it.each<[string, DecimalMark[]]>([
    ['12,50', ['comma']],
    ['-0,25', ['comma']],
    ['1,234', ['point', 'comma']],
    ['1.234,56', ['comma']],
    ['1,234.56', ['point']],
    ["1'234.50", ['point']],
    ["1'234", ['point', 'comma']],
    ['1 234', ['point', 'comma']],
    ['1 234,56', ['comma']],
    ['1.234.567', ['comma']],
    ['1,234,567', ['point']],
    ['€ 5', []],
    ['5 €', []],
    ['1E+15', []],
    ['1e2', []],
    ['007', []],
    ['00', []],
    ['+5', []],
    ['.5', []],
    ['5.', []],
    ['-', []],
    ['--5', []],
    ['- 5', []],
    ['−5', []],
    ['5-', []],
    ['(5)', []],
    ['1.2.3', []],
    ['1,2,3', []],
    ['12 34', []],
    ['1  234', []],
    ["1'234 567", []],
    ['0x10', []],
    ['NaN', []],
    ['Infinity', []],
    ['４２', []],
    ['1_000', []],
    ['4 h', []],
    ['TRUE', []],
    ['12.5.', []],
  ])('%j is refused; read by %j', (cell, marks) => {
    const found = readNumber(cell, null);
    expect(found).toMatchObject({ ok: false, code: 'bad-number' });
    const named = (['point', 'comma'] as const).filter(
      (mark) => !found.ok && found.message.includes(`--decimal ${mark} reads`),
    );
    expect(named).toEqual(marks);
    for (const mark of marks) expect(readNumber(cell, mark).ok).toBe(true);
  });
});

describe('with a decimal point declared', () => {
  it.each<[string, string]>([
    ['1234', '1234'],
    ['1.234', '1.234'],
    ['1,234', '1234'],
    ['1,234.56', '1234.56'],
    ["1'234.50", '1234.50'],
    ['1’234.50', '1234.50'],
    ['1 234.5', '1234.5'],
    ['1\u00a0234.5', '1234.5'],
    ['1\u202f234\u202f567', '1234567'],
    ['-1,234,567.890', '-1234567.890'],
    ['12,345', '12345'],
    ['999,999', '999999'],
    ['1,000.123456', '1000.123456'],
    [' 1,234 ', '1234'],
    ['0.125', '0.125'],
  ])('%j is read', (cell, text) => {
    expect(reading(cell, 'point')).toBe(text);
  });

  it.each([
    ...['12,50', '1,23', '1,2345', '1234,567', '0,123', '01,234', ',123', '1,', '1,,234', '1.234,56', '1,234 567'],
    ...["1'234,567", '1.234.567', '1.5,000', '12 50', '1234 567', '1,234.', '+1,234', '1E3', '€ 5', '007', '1\t234'],
    ...['1,234.567,890', '1.000 000', ''],
  ])('%j is refused', (cell) => {
    expect(reading(cell, 'point')).toBe('bad-number');
  });
});

describe('with a decimal comma declared', () => {
  it.each<[string, string]>([
    ['1234', '1234'],
    ['12,50', '12.50'],
    ['-0,25', '-0.25'],
    ['1,234', '1.234'],
    ['1.234', '1234'],
    ['-12.345', '-12345'],
    ['1.234,56', '1234.56'],
    ['1 234,56', '1234.56'],
    ['1\u00a0234,56', '1234.56'],
    ['1\u202f234,56', '1234.56'],
    ["1'234,56", '1234.56'],
    ['1’234’567', '1234567'],
    ['1.234.567,8', '1234567.8'],
  ])('%j is read', (cell, text) => {
    expect(reading(cell, 'comma')).toBe(text);
  });

  it.each([
    ...['12.5', '1.23', '0.123', '1234.567', '1,234.56', '1.2345', '01.234', '.5', ',5', '5,', '1.234.56', '1.234 567'],
    ...['1,5,5', '1,234,567', '1 23', '+1', '1e5', '7 €', ''],
  ])('%j is refused', (cell) => {
    expect(reading(cell, 'comma')).toBe('bad-number');
  });

  it('names the flag that would read it', () => {
    const found = readNumber('12.5', 'comma');
    expect(!found.ok && found.message).toContain('--decimal point reads it as 12.5');
  });
});

/** Reads a number on its own, by cutting instead of matching: its value in units of 10^-scale, or null. */
function independent(cell: string, mark: DecimalMark | null): { units: bigint; scale: number } | null {
  const isDigits = (text: string): boolean =>
    text !== '' && Array.from(text).every((char) => char >= '0' && char <= '9');
  const decimalMark = mark === 'comma' ? ',' : '.';
  const typed = cell.trim();
  const negative = typed.startsWith('-');
  const [whole = '', fraction, ...more] = (negative ? typed.slice(1) : typed).split(decimalMark);
  if (more.length > 0 || (fraction !== undefined && !isDigits(fraction))) return null;
  const used = [...new Set(whole)].filter((char) => !isDigits(char));
  if (used.length > 1) return null;
  const [separator] = used;
  const groups = separator === undefined ? [whole] : whole.split(separator);
  if (!groups.every(isDigits)) return null;
  if (separator !== undefined) {
    if (mark === null || !SEPARATORS.includes(separator) || separator === decimalMark) return null;
    if ((groups[0] ?? '').length > 3 || groups.slice(1).some((group) => group.length !== 3)) return null;
  }
  const digits = groups.join('');
  if (digits.startsWith('0') && (digits.length > 1 || separator !== undefined)) return null;
  // Undeclared, one to three digits before the point and three behind have a second reading.
  if (mark === null && fraction?.length === 3 && digits.length <= 3 && digits !== '0') return null;
  return { units: BigInt(`${negative ? '-' : ''}${digits}${fraction ?? ''}`), scale: fraction?.length ?? 0 };
}

describe('whatever the cell says', () => {
  const marks = fc.constantFrom<DecimalMark | null>('point', 'comma', null);
  const noise = fc.array(fc.constantFrom('-', '+', '0', '1', '2', '9', '12', '345', 'e', '€', '\t', ...SEPARATORS), {
    maxLength: 9,
  });
  const numbers = fc
    .record({
      sign: fc.constantFrom('', '-'),
      first: fc.stringMatching(/^[1-9]\d{0,2}$/),
      groups: fc.array(fc.stringMatching(/^\d{3}$/), { maxLength: 3 }),
      separator: fc.constantFrom('', ...SEPARATORS),
      mark: fc.constantFrom('.', ','),
      fraction: fc.option(fc.stringMatching(/^\d{1,4}$/)),
    })
    .map(({ sign, first, groups, separator, mark, fraction }) =>
      [sign, [first, ...groups].join(separator), fraction === null ? '' : mark + fraction].join(''),
    );
  const cells = fc.oneof(
    noise.map((parts) => parts.join('')),
    numbers,
  );

  it('is read as an independent reading reads it, or refused', () => {
    fc.assert(
      fc.property(cells, marks, (cell, mark) => {
        const found = readNumber(cell, mark);
        const expected = independent(cell, mark);
        expect(found.ok).toBe(expected !== null);
        if (!found.ok || expected === null) return;
        expect(found.text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
        const [whole = '', fraction = ''] = found.text.split('.');
        expect({ units: BigInt(whole + fraction), scale: fraction.length }).toEqual(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  it('has one meaning undeclared: a declared mark reads it the same or not at all', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const found = readNumber(cell, null);
        if (!found.ok) return;
        for (const mark of ['point', 'comma'] as const) {
          const declared = readNumber(cell, mark);
          if (declared.ok) expect(declared.text).toBe(found.text);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('is called ambiguous just when both marks read it, as different numbers with a point', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const found = readNumber(cell, null);
        const [point, comma] = [readNumber(cell, 'point'), readNumber(cell, 'comma')];
        const twofold = point.ok && comma.ok && point.text !== comma.text && cell.includes('.');
        expect(!found.ok && found.code === 'ambiguous-number').toBe(twofold);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a cell far longer than any number', () => {
  const said = (cell: string, mark: DecimalMark | null = null): string => {
    const found = readNumber(cell, mark);
    return found.ok ? '' : found.message;
  };

  it.each([
    ['zeros', '0'.repeat(400_000)],
    ['a minus sign at the end', `${'12'.repeat(400)}-`],
    ['brackets', `(${'1'.repeat(400)})`],
    ['a currency', `${'9'.repeat(400)} EUR`],
  ])('is no number in some notation: %s', (_what, cell) => {
    expect(said(cell)).toBe(`"${cell.slice(0, 200)}…" is not a plain number, such as 1234.56`);
  });

  it('is still known for what a spreadsheet or a web page made of it', () => {
    expect(said('#'.repeat(400))).toContain('; it was too wide for its column');
    expect(said(`${'1'.repeat(400)}\u200b`)).toContain('; it holds a hidden character, U+200B');
  });

  it('is not repeated whole where a flag would read it', () => {
    const message = said(`${'1'.repeat(400)},5`);
    expect(message).toContain('; --decimal comma reads it as 1111');
    expect(message.length).toBeLessThan(600);
  });
});

describe('factors', () => {
  it.each<[string, DecimalMark | null, string]>([
    ['1.250', null, '1.250'],
    ['1.5', null, '1.5'],
    ['9.9999', null, '9.9999'],
    [' 1.50 ', null, '1.50'],
    ['1.250', 'point', '1.250'],
    ['1,250', 'comma', '1.250'],
    ['1,5', 'comma', '1.5'],
    ['0,0001', 'comma', '0.0001'],
  ])('%j with %s is %s', (cell, mark, text) => {
    expect(readFactor(cell, mark)).toEqual({ ok: true, text });
  });

  it.each<[string, DecimalMark | null]>([
    ['1,5', null],
    ['1,250', null],
    ['150%', null],
    ['1.5', 'comma'],
    ['1,5', 'point'],
    ['x', null],
  ])('%j with %s is refused', (cell, mark) => {
    expect(readFactor(cell, mark)).toMatchObject({ ok: false, code: 'bad-number' });
  });
});
