/** Numbers as people and programs write them, each with its value or the code of its refusal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DecimalMark, isDash, readNumber, splitSign } from '../../../src/input/numbers.js';

function reading(cell: string, mark: DecimalMark | null): string {
  const found = readNumber(cell, mark);
  if (found.ok) return found.text;
  return found.code === 'bad-number' ? 'bad' : 'ambiguous';
}

/** Undeclared, under `point`, under `comma`. */
type Row = readonly [cell: string, undeclared: string, point: string, comma: string];

// prettier-ignore
const TABLE: readonly Row[] = [
  // Plain.
  ['0', '0', '0', '0'], ['7', '7', '7', '7'], ['-7', '-7', '-7', '-7'], ['1200', '1200', '1200', '1200'],
  ['12.5', '12.5', '12.5', 'bad'], ['12.50', '12.50', '12.50', 'bad'], ['-0.25', '-0.25', '-0.25', 'bad'],
  ['0.00', '0.00', '0.00', 'bad'], ['12,5', 'bad', 'bad', '12.5'], ['-0,25', 'bad', 'bad', '-0.25'],
  ['1234567.891', '1234567.891', '1234567.891', 'bad'], ['0.125', '0.125', '0.125', 'bad'],
  // A point before three digits.
  ['1.234', 'ambiguous', '1.234', '1234'], ['-12.345', 'ambiguous', '-12.345', '-12345'],
  ['123.456', 'ambiguous', '123.456', '123456'], ['1234.567', '1234.567', '1234.567', 'bad'],
  ['1.2345', '1.2345', '1.2345', 'bad'], ['(1.234)', 'bad', '-1.234', '-1234'], ['1.234-', 'bad', '-1.234', '-1234'],
  ['−1.234', 'bad', '-1.234', '-1234'], ['(0.123)', 'bad', '-0.123', 'bad'],
  // Groups of three.
  ['1,234', 'bad', '1234', '1.234'], ['1,234.56', 'bad', '1234.56', 'bad'], ['1.234,56', 'bad', 'bad', '1234.56'],
  ['1.234.567', 'bad', 'bad', '1234567'], ['1,234,567', 'bad', '1234567', 'bad'],
  ['1 234', 'bad', '1234', '1234'], ['1 234,5', 'bad', 'bad', '1234.5'], ['1 234.5', 'bad', '1234.5', 'bad'],
  ["1'234.50", 'bad', '1234.50', 'bad'], ['1’234.50', 'bad', '1234.50', 'bad'], ['1’234’567', 'bad', '1234567', '1234567'],
  ['1\u00a0234,50', 'bad', 'bad', '1234.50'], ['1\u202f234,50', 'bad', 'bad', '1234.50'],
  ['-1,234.50', 'bad', '-1234.50', 'bad'], ['-1.234,50', 'bad', 'bad', '-1234.50'],
  // Indian groups.
  ['1,00,000.00', 'bad', '100000.00', 'bad'], ['1,00,000', 'bad', '100000', 'bad'], ['12,34,567', 'bad', '1234567', 'bad'],
  ['1,23,45,678.90', 'bad', '12345678.90', 'bad'], ['-1,00,000.50', 'bad', '-100000.50', 'bad'],
  ['(1,00,000.50)', 'bad', '-100000.50', 'bad'], ['1,00,000.00-', 'bad', '-100000.00', 'bad'],
  ['123,45,678', 'bad', 'bad', 'bad'], ['1,00,00', 'bad', 'bad', 'bad'], ['1,0,000', 'bad', 'bad', 'bad'],
  ['01,00,000', 'bad', 'bad', 'bad'], ['1.00.000,00', 'bad', 'bad', 'bad'], ['1 00 000.00', 'bad', 'bad', 'bad'],
  ["1'00'000", 'bad', 'bad', 'bad'], ['1,00 000', 'bad', 'bad', 'bad'], ['1,000,00,000', 'bad', 'bad', 'bad'],
  ['1,00,000,000', 'bad', 'bad', 'bad'],
  // A minus behind.
  ['5.00-', 'bad', '-5.00', 'bad'], ['5,00-', 'bad', 'bad', '-5.00'], ['5-', 'bad', '-5', '-5'],
  ['1.234,56-', 'bad', 'bad', '-1234.56'], ['1,234.56-', 'bad', '-1234.56', 'bad'], ['0.00-', 'bad', '-0.00', 'bad'],
  ['5.00−', 'bad', '-5.00', 'bad'], [' 5.00- ', 'bad', '-5.00', 'bad'], ['1 234,56-', 'bad', 'bad', '-1234.56'],
  // Brackets.
  ['(900.23)', 'bad', '-900.23', 'bad'], ['(900,23)', 'bad', 'bad', '-900.23'], ['(5)', 'bad', '-5', '-5'],
  ['(1,234.56)', 'bad', '-1234.56', 'bad'], ['(1.234,56)', 'bad', 'bad', '-1234.56'], ['( 900.23 )', 'bad', '-900.23', 'bad'],
  ['(0.00)', 'bad', '-0.00', 'bad'], ["(1'234.50)", 'bad', '-1234.50', 'bad'], ['(\u00a05,5\u00a0)', 'bad', 'bad', '-5.5'],
  // U+2212.
  ['−5.00', 'bad', '-5.00', 'bad'], ['−5,00', 'bad', 'bad', '-5.00'], ['−5', 'bad', '-5', '-5'],
  ['−1 234,50', 'bad', 'bad', '-1234.50'], ['−1\u00a0234,50', 'bad', 'bad', '-1234.50'], ['−0.5', 'bad', '-0.5', 'bad'],
  // More than one sign, or half a bracket.
  ...[
    '--5', '-5-', '−5-', '5--', '(-5)', '(−5)', '(5-)', '-(5)', '(5)-', '((5))', '(5', '5)', '()', '(-)', '( )', '−−5', '−-5',
    '+-5', '(+5)', '5-5', '5 - 5', '−', '–', '—', '-', '- 5.00', '5.00 -', '– 5', '–5.00', '5.00–', '—5', '‐5', '‑5', '－5',
  ].map((cell): Row => [cell, 'bad', 'bad', 'bad']),
  // A dash for no cents is no minus.
  ...['5.-', '5,-', '1.200,-', "1'200.-", '5.--', '1200.–', '1.200,—', '500:-'].map((cell): Row => [cell, 'bad', 'bad', 'bad']),
  // Everything else.
  ...[
    '€ 5', '5 €', '1E+15', '1e5', '007', '00', '+5', '5+', '.5', '5.', ',5', '5,', '1..5', '1.2.3', '0x10', '0b1', '1_000', 'NaN',
    'Infinity', '∞', '４２', '٤٢', '१२', '½', '5%', '5 %', 'TRUE', 'n/a', 'k.A.', 'five', '5 CR', '5,00 S', '5,00 H', 'DR 5', '1 23',
    '1  234', '1 234 56', '12 345 6', '1,234 567', "1,234'567", '1.234 567,00', '-1 23', '0 123', '0,123,456', '1\t234', '1\n234',
    '5.00\u200b', '\u200e5', '#N/A', '=5', '$5-', '5/2', '10:30', '2026-11-03', '1,234.', '.234', '-.5', '-', '-.', '1.5.', '5 000 00',
  ].map((cell): Row => [cell, 'bad', 'bad', 'bad']),
];

describe('a written number', () => {
  it('is read with its value, or refused', () => {
    expect(TABLE.length).toBeGreaterThan(150);
    const found = TABLE.map(([cell]): Row => [
      cell,
      reading(cell, null),
      reading(cell, 'point'),
      reading(cell, 'comma'),
    ]);
    expect(found).toEqual(TABLE);
  });

  it.each<[string, DecimalMark | null, string]>([
    ['(900.23)', null, '"(900.23)" is not a plain number: write -900.23, or declare --decimal point'],
    ['5,00-', null, '"5,00-" is not a plain number: write -5.00, or declare --decimal comma'],
    ['−5', null, '"−5" is not a plain number: write -5, or declare --decimal point or --decimal comma'],
    ['1,00,000.00', null, '"1,00,000.00" is not a plain number; --decimal point reads it as 100000.00'],
    [
      '(1.234)',
      null,
      '"(1.234)" is not a plain number; --decimal point reads it as -1.234; --decimal comma reads it as -1234',
    ],
    ['(900.23)', 'comma', '"(900.23)" is not a number under --decimal comma; --decimal point reads it as -900.23'],
    ['- 5.00', null, '"- 5.00" is not a plain number: write -5.00'],
    ['–5,00', 'comma', '"–5,00" is not a number under --decimal comma: write -5,00'],
    ['- 1.234', null, '"- 1.234" is not a plain number. It can mean -1.234 or -1234: write the one that is meant'],
    ['+5.00', null, '"+5.00" is not a plain number: write 5.00'],
    ['1.200,-', null, '"1.200,-" is not a plain number: write 1200'],
    ["1'200.-", 'point', `"1'200.-" is not a number under --decimal point: write 1200`],
    ['1234.-', 'comma', '"1234.-" is not a number under --decimal comma: write 1234'],
    ['$ -', null, '"$ -" has no digits. Spreadsheets show zero like this: empty the cell, or write 0'],
    ['-   €', 'comma', '"-   €" has no digits. Spreadsheets show zero like this: empty the cell, or write 0'],
    ['5 Stück', null, '"5 Stück" is not a plain number. Write it like 1234.56'],
    ['5 CR', null, '"5 CR" is not a plain number. Write it like 1234.56, or like -1234.56 if it is negative'],
    ['(-5)', 'comma', '"(-5)" is not a plain number. Write it like 1234,56, or like -1234,56 if it is negative'],
    ['1E+15', null, '"1E+15" is not a plain number. Write it like 1234.56'],
  ])('%j under %s: the refusal says what it means, with its sign', (cell, mark, message) => {
    expect(readNumber(cell, mark)).toMatchObject({ ok: false, message });
  });
});

it('a dash alone is no number', () => {
  for (const cell of ['-', '–', '—', '−', ' - ', '\u00a0-']) expect(isDash(cell), cell).toBe(true);
  for (const cell of ['', ' ', '--', '- -', '-0', '0', '€ -', '_', '~', '.']) expect(isDash(cell), cell).toBe(false);
});

/** Formats by another hand: the locale, how it writes decimals, and the currency of its amounts. */
const LOCALES: readonly (readonly [locale: string, mark: DecimalMark, currency: string])[] = [
  ['en-US', 'point', 'USD'],
  ['en-GB', 'point', 'GBP'],
  ['en-IN', 'point', 'INR'],
  ['de-CH', 'point', 'CHF'],
  ['ja-JP', 'point', 'CNY'],
  ['de-DE', 'comma', 'EUR'],
  ['de-AT', 'comma', 'EUR'],
  ['fr-FR', 'comma', 'EUR'],
  ['es-ES', 'comma', 'EUR'],
  ['nl-NL', 'comma', 'EUR'],
  ['sv-SE', 'comma', 'SEK'],
  ['nb-NO', 'comma', 'NOK'],
  ['pl-PL', 'comma', 'PLN'],
  ['pt-BR', 'comma', 'BRL'],
];

describe.each(LOCALES)('what Intl writes in %s', (locale, mark, currency) => {
  const cents = fc.integer({ min: -99_999_999_99, max: 99_999_999_99 }).filter((value) => value !== 0);
  const style = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;
  const formats = [
    new Intl.NumberFormat(locale, style),
    new Intl.NumberFormat(locale, { ...style, useGrouping: false }),
    ...(['standard', 'accounting'] as const).flatMap((currencySign) =>
      (['symbol', 'code'] as const).map(
        (currencyDisplay) =>
          new Intl.NumberFormat(locale, { ...style, style: 'currency', currency, currencySign, currencyDisplay }),
      ),
    ),
  ];

  it('is read as the number that it was made from', () => {
    fc.assert(
      fc.property(cents, (value) => {
        for (const format of formats) {
          const typed = format.format(value / 100).replaceAll(/[\u200e\u200f]/g, '');
          const signed = splitSign(typed);
          if (format.resolvedOptions().style === 'currency') expect(signed?.currencies, typed).toContain(currency);
          const found = readNumber(signed?.number ?? typed, mark);
          const units = found.ok ? Number(found.text.replace('.', '')) : found.message;
          expect(units, typed).toBe(value);
        }
      }),
      { numRuns: 400, seed: 43 },
    );
  });
});
