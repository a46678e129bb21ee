import { describe, expect, it } from 'vitest';
import { ColumnSamples } from '../../../src/setup/column-profiles.js';
import type { Inference } from '../../../src/setup/inference.js';
import { inferDateOrder, inferDecimalMark, monthOf } from '../../../src/setup/notation-inference.js';

// How numbers and dates are written, as far as their values prove it. Whole files: test/cli/setup-files.test.ts.

/** By the name of each column, its values; the column `factor` holds multipliers. */
type Columns = Readonly<Record<string, readonly string[]>>;

function seen(values: readonly string[], isFactor = false) {
  const samples = new ColumnSamples();
  values.forEach((typed, i) => samples.see(typed, i + 2, undefined));
  return samples.profile(isFactor);
}

const marks = (columns: Columns) =>
  inferDecimalMark(
    new Map(Object.entries(columns).map(([name, values]) => [name, seen(values, name === 'factor').numbers])),
  );

const orders = (columns: Columns) =>
  inferDateOrder(new Map(Object.entries(columns).map(([name, values]) => [name, seen(values).dates])));

/** `comma`: certain; `comma?`: offered first; `?`: open; `!`: no flag reads it; nothing: read as it is. */
function brief(inference: Inference<string>): string {
  const suffixes = { certain: '', default: '', likely: '?', open: '?', contradiction: '!' };
  return `${'value' in inference ? inference.value : ''}${suffixes[inference.kind]}`;
}

describe('the decimal mark', () => {
  it.each<[values: string[], mark: string]>([
    // Plain numbers with a point are read as they stand.
    [['1200', '5'], ''],
    [['1200.50', '-12.5', '0.500'], ''],
    [['n/a'], ''],
    // One reading only.
    [['1.200,50'], 'comma'],
    [['12,50', 'n/a', '-'], 'comma'],
    [['0,500'], 'comma'],
    [["1'200,50"], 'comma'],
    [['1,200', '12.50'], 'point'],
    [['1.200', '12,50'], 'comma'],
    // Three decimals, as some currencies have them, are no surprise where every number has them.
    [['1234.500', '1.234'], 'point'],
    [['0,125', '1,234'], 'comma'],
    // Two readings, and nothing that decides.
    [['1.234', '1200'], '?'],
    [['1,234'], '?'],
    [['1,234', '1.234'], '?'],
    [['1 234'], '?'],
    // A number with three decimals among others with two may be one with thousands from another hand.
    [['1200.50', '1.234'], 'point?'],
    [['12,50', '1,234'], 'comma?'],
    // Two ways in one column.
    [['1.200,50', '1,200.50'], '!'],
    [['1.234', '12.50', '12,50'], '!'],
  ])('of %j is %s', (values, mark) => {
    expect(brief(marks({ amount: values }))).toBe(mark);
  });

  it('is proven by one value below thousands that tell nothing', () => {
    const doubtful = Array.from({ length: 3000 }, (_, i) => `${1 + (i % 9)}.${100 + (i % 900)}`);
    const amount = [...doubtful, ...doubtful.map((typed) => `1${typed}`)];
    expect(brief(marks({ amount }))).toBe('?');
    expect(brief(marks({ amount: [...amount, '12,5'] }))).toBe('comma');
  });

  it.each<[amount: string[], factor: string[], mark: string]>([
    [['3'], ['12,50', '1,5'], 'comma'],
    [['1,234.50'], ['0.5'], 'point'],
    // Another column proves nothing about this one.
    [['1.234'], ['1,5'], 'comma?'],
    [['12,50'], ['1.5'], '!'],
    // A multiplier is below ten.
    [['3'], ['1.250'], ''],
    [['3'], ['1,250'], 'comma'],
    [['12,50'], ['1.250'], '!'],
  ])('of %j beside multipliers %j is %s', (amount, factor, mark) => {
    expect(brief(marks({ amount, factor }))).toBe(mark);
  });
});

describe('the order of day and month', () => {
  it.each<[values: string[], order: string]>([
    [['2026-11-01T00:00:00', '2026-12-31'], ''],
    [['n/a', 'soon'], ''],
    [['25/12/2026', '1/2/2026'], 'dmy'],
    [['12/25/2026', '01/02/2026'], 'mdy'],
    [['05.12.2026'], '?'],
    [['05/12/2026'], '?'],
    [['05/05/2026'], '?'],
    [['25/12/2026', '12/25/2026'], '!'],
    // What a spreadsheet of another country has made of some of the dates.
    [['25/12/2026', '2026-01-12'], 'dmy?'],
    [['25.12.2026', '05/12/2026'], 'dmy?'],
    [['05/12/2026', '2026-01-12'], '?'],
    // Names of months tell which part the month is.
    [['01-Jul-2026', '02-Aug-2026'], 'dmy'],
    [['Jul-01-2026'], 'mdy'],
    [['01-Jul-10'], 'dmy'],
    // Two digits of a year may stand first, which no setting reads.
    [['05.12.25', '14.12.25', '23.12.25'], 'dmy'],
    [['30.12.25', '02.01.26'], 'dmy'],
    [['25-12-05', '25-12-14', '25-12-23'], 'dmy?'],
    [['31.12.26'], 'dmy?'],
    // With a time, and without marks: the day is certain.
    [['2026-11-03 14:22', '2026-11-04'], 'ymd'],
    [['20261103', '20261104'], 'ymd'],
    [['2026/11/3'], 'ymd'],
    [['Nov 03, 2026'], 'mdy'],
    [['13.11.2026 14:22', '03.11.2026 08:00'], 'dmy'],
    [['03.11.2026 14:22'], '?'],
    [['05.05.2026 14:22'], '?'],
  ])('of %j is %s', (values, order) => {
    expect(brief(orders({ Datum: values }))).toBe(order);
  });

  it('is one for all columns', () => {
    expect(brief(orders({ one: ['25/12/2026'], two: ['12/25/2026'] }))).toBe('!');
    expect(brief(orders({ one: ['25/12/2026'], two: ['01/02/2026'] }))).toBe('dmy?');
  });

  it.each<[values: string[], order: 'dmy' | 'mdy' | null, month: string | null]>([
    [['2026-11-01', '2026-11-30'], null, '2026-11'],
    [['11/01/2026', '11/12/2026'], 'mdy', '2026-11'],
    [['11/01/2026', '11/12/2026'], 'dmy', null],
    [['2026-11-01', '2026-12-01'], null, null],
    [['soon'], null, null],
  ])('of %j as %s tells the month %s', (values, order, month) => {
    expect(monthOf(seen(values).allDates, order)).toBe(month);
  });
});
