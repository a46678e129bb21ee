import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalMark, isExact, readMultiplier, readNumber } from '../../../src/input/numbers.js';

const SEPARATORS = [',', '.', "'", '’', ' ', '\u00a0', '\u202f'];
const MARKS = [null, 'point', 'comma'] as const;

/** What the number says: its JSON text, or the code of its refusal. */
function reading(cell: string, mark: DecimalMark | null): string {
  const found = readNumber(cell, mark);
  return found.ok ? found.text : found.code;
}

function said(cell: string, mark: DecimalMark | null = null): string {
  const found = readNumber(cell, mark);
  return found.ok ? '' : found.message;
}

describe('a number as it is typed', () => {
  // Undeclared, with a decimal point declared, and with a comma. The independent reading below holds all the others.
  it.each<[string, string, string, string]>([
    ['1234', '1234', '1234', '1234'],
    [' -0.25\t', '-0.25', '-0.25', 'bad-number'],
    ['20.00', '20.00', '20.00', 'bad-number'],
    ['1.234', 'ambiguous-number', '1.234', '1234'],
    ['-12.345', 'ambiguous-number', '-12.345', '-12345'],
    ['0.123', '0.123', '0.123', 'bad-number'],
    ['1234.567', '1234.567', '1234.567', 'bad-number'],
    ['12,50', 'bad-number', 'bad-number', '12.50'],
    ['1,234', 'bad-number', '1234', '1.234'],
    ['1.234,56', 'bad-number', 'bad-number', '1234.56'],
    ["1'234.50", 'bad-number', '1234.50', 'bad-number'],
    ['1\u202f234\u202f567', 'bad-number', '1234567', '1234567'],
  ])('%j', (cell, ...texts) => {
    expect(MARKS.map((mark) => reading(cell, mark))).toEqual(texts);
  });

  it('with two readings is refused with both', () => {
    expect(said('-12.345')).toMatch(/read as -12\.345 \(.*--decimal point.*or as -12345 \(.*--decimal comma/);
  });

  it.each<[string, DecimalMark[]]>([
    ['12,50', ['comma']],
    ['1,234', ['point', 'comma']],
    ['1.234.567', ['comma']],
    ['1 234', ['point', 'comma']],
    ...['€ 5', '1E+15', '007', '+5', '.5', '5.', '−5', '(5)', '1.2.3', '0x10', 'NaN', '４２', '1_000', 'TRUE', ''].map(
      (cell): [string, DecimalMark[]] => [cell, []],
    ),
  ])('%j is refused undeclared, with the flags that read it: %j', (cell, marks) => {
    expect(reading(cell, null)).toBe('bad-number');
    expect((['point', 'comma'] as const).filter((mark) => said(cell).includes(`--decimal ${mark} reads`))).toEqual(
      marks,
    );
  });
});

/** Reads a number on its own, by cutting instead of matching: its value in units of 10^-scale, or null. */
function independent(cell: string, mark: DecimalMark | null): { units: bigint; scale: number } | null {
  const isDigits = (text: string): boolean =>
    text !== '' && Array.from(text).every((char) => char >= '0' && char <= '9');
  const decimalMark = mark === 'comma' ? ',' : '.';
  const typed = cell.trim();
  const { digits: unsigned, negative } = withoutMinus(typed, mark);
  const [whole = '', fraction, ...more] = unsigned.split(decimalMark);
  if (more.length > 0 || (fraction !== undefined && !isDigits(fraction))) return null;
  const used = [...new Set(whole)].filter((char) => !isDigits(char));
  if (used.length > 1) return null;
  const [separator] = used;
  const groups = separator === undefined ? [whole] : whole.split(separator);
  if (!groups.every(isDigits)) return null;
  if (separator !== undefined) {
    if (mark === null || !SEPARATORS.includes(separator) || separator === decimalMark) return null;
    const lengths = groups.map((group) => group.length);
    const [first = 0] = lengths;
    const isWestern = first <= 3 && lengths.slice(1).every((length) => length === 3);
    const middle = lengths.slice(1, -1);
    const isIndian =
      mark === 'point' && separator === ',' && first <= 2 && middle.length > 0 && middle.every((each) => each === 2);
    if (!isWestern && !(isIndian && lengths.at(-1) === 3)) return null;
  }
  const digits = groups.join('');
  if (digits.startsWith('0') && (digits.length > 1 || separator !== undefined)) return null;
  // Undeclared, one to three digits before the point and three behind have a second reading.
  if (mark === null && fraction?.length === 3 && digits.length <= 3 && digits !== '0') return null;
  return { units: BigInt(`${negative ? '-' : ''}${digits}${fraction ?? ''}`), scale: fraction?.length ?? 0 };
}

/** Cuts one minus off: in front, and where a mark is declared also behind, as brackets, or typographic. */
function withoutMinus(typed: string, mark: DecimalMark | null): { digits: string; negative: boolean } {
  if (typed.startsWith('-')) return { digits: typed.slice(1), negative: true };
  if (mark === null) return { digits: typed, negative: false };
  if (typed.startsWith('\u2212')) return { digits: typed.slice(1), negative: true };
  if (/[-\u2212]$/.test(typed)) return { digits: typed.slice(0, -1), negative: true };
  const isInBrackets = typed.startsWith('(') && typed.endsWith(')') && !typed.includes('\t');
  return isInBrackets ? { digits: typed.slice(1, -1).trim(), negative: true } : { digits: typed, negative: false };
}

describe('whatever the cell says', () => {
  const marks = fc.constantFrom<DecimalMark | null>('point', 'comma', null);
  const noise = fc.array(
    fc.constantFrom('-', '\u2212', '(', ')', '+', '0', '1', '2', '9', '12', '345', 'e', '€', '\t', ...SEPARATORS),
    {
      maxLength: 9,
    },
  );
  const numbers = fc
    .record({
      sign: fc.constantFrom('', '-', '\u2212', '('),
      first: fc.stringMatching(/^[1-9]\d{0,2}$/),
      groups: fc.array(fc.stringMatching(/^\d{2,3}$/), { maxLength: 3 }),
      separator: fc.constantFrom('', ...SEPARATORS),
      mark: fc.constantFrom('.', ','),
      fraction: fc.option(fc.stringMatching(/^\d{1,4}$/)),
      end: fc.constantFrom('', '', '-', '\u2212'),
    })
    .map(({ sign, first, groups, separator, mark, fraction, end }) =>
      [
        sign,
        [first, ...groups].join(separator),
        fraction === null ? '' : mark + fraction,
        sign === '(' ? ')' : end,
      ].join(''),
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
});

it('a cell far longer than any number is refused at once, and not repeated whole', () => {
  expect(said('0'.repeat(400_000)).length).toBeLessThan(300);
  expect(said(`${'1'.repeat(400)},5`)).toContain('; --decimal comma reads it as 1111');
  expect(said(`12${'1'.repeat(400)}\u200b`)).toContain('; it holds a hidden character, U+200B');
});

describe('a factor has one reading', () => {
  it.each<[string, DecimalMark | null, string | null]>([
    ['1.250', null, '1.250'],
    [' 1.50 ', null, '1.50'],
    ['1,250', 'comma', '1.250'],
    ['1,250', null, null],
    ['150%', null, null],
    ['1.5', 'comma', null],
    ['1,5', 'point', null],
  ])('%j with %s is %s', (cell, mark, text) => {
    const expected = text === null ? { ok: false, code: 'bad-number' } : { ok: true, text };
    expect(readMultiplier(cell, mark)).toMatchObject(expected);
  });
});

describe('numbers that a double carries exactly', () => {
  it.each([
    ...'9007199254740993 0.10000000000000000001 0.1000000000000000055511151231257827 1e400 -1e400 1e-400'.split(' '),
    ...'123456789012345678901 4e-324 1e99999 1e-99999 3.141592653589793238'.split(' '),
    `1${'0'.repeat(20)}1`,
    `0.${'1'.repeat(500)}`,
    '9'.repeat(500),
  ])('%s does not', (typed) => {
    expect(isExact(typed, Number(typed))).toBe(false);
  });

  it('are those whose value the shortest form has', () => {
    const texts = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(0|[1-9]\d{0,22})$/),
        fc.stringMatching(/^(\.\d{1,22})?$/),
        fc.integer({ min: -30, max: 30 }),
      )
      .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction}${exponent === 0 ? '' : `e${exponent}`}`);
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
    /** Digits without leading or trailing zeros, and the power of ten of the last one. */
    const normal = (text: string): string => {
      const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
      const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
      const all = `${whole}${fraction}`.replace(/^0+/, '');
      const digits = all.replace(/0+$/, '');
      if (digits === '') return '0';
      return `${text.startsWith('-') ? '-' : ''}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
    };
    fc.assert(
      fc.property(fc.oneof(texts, doubles), (typed) => {
        const value = Number(typed);
        expect(isExact(typed, value)).toBe(normal(typed) === normal(String(value)));
      }),
      { numRuns: 2_000 },
    );
  });
});
