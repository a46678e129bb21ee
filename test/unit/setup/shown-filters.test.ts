import { expect, it } from 'vitest';
import { applyAnswer, type Answers } from '../../../src/setup/answers.js';
import { filteredRows, decidedValues } from '../../../src/setup/shown-filters.js';
import { analyzerOf } from './file-analyzer.js';
import { NO_ANSWERS } from './no-answers.js';

const HEADER = 'user_id;title;amount;cost_center_key;Type';

const rowsOf = (...types: string[]): string =>
  [HEADER, ...types.map((type, i) => `u${i};Bonus;${i + 1}.50;PP;${type}`)].join('\n');

const withOnly = (...only: string[]): Answers =>
  only.reduce((answers, each) => applyAnswer(answers, { only: each }), NO_ANSWERS);

const HOURLY = rowsOf('Hourly', 'Fixed-price', '', 'Hourly');
const TWENTY = Array.from({ length: 20 }, (_, i) => `T${i}`);

it.each<[name: string, text: string, answers: Answers, known: Record<string, string[]>]>([
  ['those of a column with =', HOURLY, withOnly('Type=Hourly'), { Type: ['Hourly', 'Fixed-price', ''] }],
  ['those of a column with !=', HOURLY, withOnly('Type!='), { Type: ['Hourly', 'Fixed-price', ''] }],
  [
    'also in rows that another condition filters out',
    HOURLY,
    withOnly('user_id!=u1', 'Type=Hourly'),
    {
      Type: ['Hourly', 'Fixed-price', ''],
    },
  ],
  ['the one that all rows have now', rowsOf('Paid', 'Paid'), withOnly(), { Type: ['Paid'] }],
  ['20 values', rowsOf(...TWENTY), withOnly('Type=T1'), { Type: TWENTY }],
  ['never 21 values', rowsOf(...TWENTY, 'T20'), withOnly('Type=T1'), {}],
  [
    'never those of a total',
    `${rowsOf('Paid', 'Open')}\n;Summe;12;;`,
    withOnly('title!=Summe', 'Type=Paid'),
    { Type: ['Paid', 'Open'] },
  ],
  ['never amounts', HOURLY, withOnly('amount!=1.50', 'amount>0'), {}],
  ['never payees', HOURLY, withOnly('user_id!=u1'), {}],
  ['never a column in which a total stands', `${HOURLY}\n;Summe;12;;`, withOnly('title!=Summe'), {}],
])('the known values are %s', async (_name, text, answers, known) => {
  expect(decidedValues(await analyzerOf(text)(answers))).toEqual(known);
});

it('shows the rows that are filtered out, each with its reason', async () => {
  const shown = filteredRows(await analyzerOf(HOURLY)(withOnly('Type=Hourly', 'amount>0')));
  expect(shown).toEqual({
    title: '2 of 4 rows are left out, and not paid:',
    lines: ['line 3  u1  2.50  Type is Fixed-price, not Hourly', 'line 4  u2  3.50  Type is empty, not Hourly'],
  });
  const many = await analyzerOf(rowsOf('A', ...TWENTY))(withOnly('Type=A'));
  expect(filteredRows(many)?.lines.at(-1)).toBe('… and 12 more rows');
  expect(filteredRows(await analyzerOf(HOURLY)(NO_ANSWERS))).toBeNull();
});
