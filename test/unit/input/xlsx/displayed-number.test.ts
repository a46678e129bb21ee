import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readFormat, plainDecimal, shownNumber } from '../../../../src/input/xlsx/displayed-number.js';

const ACCOUNTING = '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-';

const shown = (number: number, code: string) => shownNumber(plainDecimal(number), readFormat(code));

describe('a number is seen as it is stored', () => {
  it.each([
    [1200, 'General', '1200', true],
    [0, 'General', '0', true],
    [1234.5, '', '1234.5', true],
    [0.123456789, 'General', '0.123456789', true],
    [123, '@', '123', true],
    [1234, '#,##0', '1234', false],
    [1234, '# ##0', '1234', false],
    [12.3, '0.00', '12.30', false],
    [12, '#.##', '12', false],
    [12.34, '#,##0.00', '12.34', true],
    [123, '00000', '00123', false],
    [-5, '#,##0.00;-#,##0.00', '-5.00', false],
    [-5, '#,##0.00_);(#,##0.00)', '-5.00', false],
    [-5, '0.00;[Red]-0.00', '-5.00', false],
    [-5, '0.00;0.00-', '-5.00', false],
    [5, '[>100]0.00;0', '5', true],
    [0, '_(* #,##0_);_(* (#,##0);_(* "-"_);_(@_)', '-', false],
    [123456789012345, '0', '123456789012345', true],
  ])('%d as %s shows %s, the same characters: %s', (number, code, text, isSame) => {
    expect(shown(number, code)).toEqual({ text, isSame, problem: null, currency: null });
  });

  it.each([
    ['#,##0.00 €', '€', 'EUR'],
    ['[$€-407]\\ #,##0.00', '€', 'EUR'],
    ['"CHF" #,##0.00', 'CHF', 'CHF'],
    ['"$"#,##0.00', '$', 'USD'],
    ['[$$-409]#,##0.00', '$', 'USD'],
    ['[$$-80A]#,##0.00', '$', 'MXN'],
    ['#,##0.00 [$EUR]', 'EUR', 'EUR'],
    ['#,##0.00 [$kr-41D]', 'kr', 'SEK'],
    ['[$Rp-421]#,##0.00', 'Rp', 'IDR'],
    ['"Rp"#,##0.00', 'Rp', 'IDR'],
    ['#,##0.00\\ "Rs."', 'Rs.', 'INR'],
    ['[$ر.س.\u200f-401]\\ #,##0.00', 'ر.س.', 'SAR'],
    ['[$XYZ]#,##0.00', 'XYZ', 'XYZ'],
    ['[$Taler]#,##0.00', 'Taler', 'Taler'],
    [ACCOUNTING, '€', 'EUR'],
  ])('%s shows the currency %s', (code, sign, one) => {
    const { text, problem, currency } = shown(1234.5, code);
    expect({ text, problem, sign: currency?.sign }).toEqual({ text: '1234.50', problem: null, sign });
    expect(currency?.codes).toContain(one);
  });

  it('two currencies in one format are not read, and a language alone is none', () => {
    expect(shown(5, '[$€-407]0.00;[$$-409]-0.00').problem?.code).toBe('bad-number');
    expect(shown(5, '[$€-407]0.00\\ "CHF"').problem?.code).toBe('bad-number');
    expect(shown(-5, '[$-407]0.00;[Red]-0.00')).toMatchObject({ text: '-5.00', problem: null, currency: null });
  });

  it('a dash stands for nothing in accounts', () => {
    expect(shown(0, ACCOUNTING)).toMatchObject({ text: '-', problem: null });
  });
});

describe('fewer decimals are seen than are stored', () => {
  it.each([
    [12.299999999999999, '0.00', '12.30'],
    [12.299999999999999, '0.0000000000000000', '12.3000000000000000'],
    [0.1 + 0.2, 'General', '0.3'],
    [12.345, '0.00', '12.35'],
    [-12.345, '0.00', '-12.35'],
    [0.005, '0', '0'],
    [123456789.12, 'General', '123456789.1'],
    [9007199254740991, '0', '9007199254740990'],
    [1.005, ACCOUNTING, '1.01'],
  ])('%d as %s shows %s', (number, code, text) => {
    const { problem, isSame } = shown(number, code);
    expect(problem).toEqual({
      code: 'inexact-number',
      words: `shows ${text}, and ${plainDecimal(number)} is stored`,
    });
    expect(isSame).toBe(false);
  });
});

describe('another number is seen, or none', () => {
  it.each([
    [0.125, '0%', 'shows "13%", and 0.125 is stored (its format is "0%")'],
    [1200, '0.00E+00', 'shows "1.20E+03"'],
    [123456789012, 'General', 'shows "1.23457E+11"'],
    [0.5, '# ?/?', 'shows "1/2"'],
    [1200000, '0.0,,', 'shows "1.2"'],
    [1234, '0","00', 'shows "12,34"'],
    [1234, '0"."00', 'shows "12.34"'],
    [12, '0"00"', 'shows "1200"'],
    [12, '0.00" Tsd. €"', 'shows "12.00 Tsd. €"'],
    [123456789, '000-00-0000', 'shows "123-45-6789"'],
    [5, ';;;', 'does not show its number 5'],
    [0, '0.00;-0.00;', 'does not show its number 0'],
    [5, '"paid"', 'does not show its number 5'],
    [-5, '0.00;0.00', 'shows "5.00", and -5 is stored'],
    [5, '-0.00', 'shows "-5.00", and 5 is stored'],
    [5, '[DBNum1]0', 'which is not read'],
    [5, '0*0', 'which is not read'],
    [5, '0;0;0;0;0', 'which is not read'],
    [5, '0"', 'which is not read'],
  ])('%d as %s: %s', (number, code, words) => {
    expect(shown(number, code).problem?.code).toBe('bad-number');
    expect(shown(number, code).problem?.words).toContain(words);
    expect(shown(number, code).isSame).toBe(false);
  });
});

it.each([
  ['dd.mm.yyyy', 'date'],
  ['[$-407]d. mmmm yyyy;@', 'date'],
  ['m/d/yy h:mm', 'date'],
  ['mmm-yy', 'date'],
  ['dddd', 'date'],
  ['h:mm', 'time'],
  ['[h]:mm:ss', 'time'],
  ['mm:ss.0', 'time'],
  ...['"year" 0', '\\d0', '[Red]0.00', '0 "m"', '@', ''].map((code) => [code, 'number']),
])('%s shows a %s', (code, is) => {
  expect(readFormat(code).is).toBe(is);
});

it.each([
  ['@', false],
  ['General', false],
  ['0.00', false],
  ['0.00;-0.00;0;@', false],
  ['_-@_-', false],
  [ACCOUNTING, false],
  ['dd.mm.yyyy;@', false],
  [';;;', true],
  ['0;0;0;"text"', true],
  ['"ID-"@', true],
  ['0;0;0;', true],
])('%s shows something else than a text: %s', (code, hides) => {
  expect(readFormat(code).hidesText).toBe(hides);
});

it('whatever is rounded is called inexact, and nothing else is', () => {
  const amount = fc.tuple(fc.integer({ min: -10_000_000, max: 10_000_000 }), fc.integer({ min: 0, max: 4 }));
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 5 }), ([units, scale], places) => {
      const number = units / 10 ** scale;
      const decimals = plainDecimal(number).split('.')[1]?.length ?? 0;
      const { problem, text } = shown(number, `#,##0${places === 0 ? '' : `.${'0'.repeat(places)}`}`);
      expect(problem === null).toBe(decimals <= places);
      if (problem === null) expect(Number(text)).toBe(number === 0 ? 0 : number);
    }),
  );
});

it('any text is a format or none, and says so in bounded time', () => {
  const piece = fc.constantFrom(' ', ...'0 # ? . , ; " \\ [ ] $ € % E+ / @ y m General - * _ ('.split(' '));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (code, number) => {
        const { problem, isSame } = shown(number, code);
        expect(isSame && problem !== null).toBe(false);
      },
    ),
  );
});

it.each([
  [1e21, '1000000000000000000000'],
  [-1.5e-7, '-0.00000015'],
  [1.25e22, '12500000000000000000000'],
  [-0, '0'],
  [0.1, '0.1'],
])('%d written out is %s', (number, text) => {
  expect(plainDecimal(number)).toBe(text);
});
