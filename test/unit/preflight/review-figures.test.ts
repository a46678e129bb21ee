import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../src/money/decimal.js';
import { assess } from '../../../src/preflight/assess.js';
import { reviewOf } from '../../../src/preflight/review-figures.js';
import type { Part, ReviewReport } from '../../../src/report/reporter.js';
import { assessRules, goesOn, history, input, type Lists, lookedUp, type Past, type Row, SKIP } from './kit.js';

const FACTS = {
  target: null,
  batchId: 'default',
  digest: null,
  files: [],
  warnings: 0,
  goesOn: false,
  approves: false,
};
const FILES = [{ path: 'pay.csv', sha256: 'f1', records: 1 }];

interface Asked {
  readonly rows: readonly Row[];
  readonly past?: readonly Past[];
  readonly lists?: readonly Lists[];
  readonly skip?: boolean;
}

async function review({ rows, past = [], lists, skip = false }: Asked): Promise<ReviewReport> {
  const prepared = input(...rows);
  const known = history(...past);
  const looked = lists === undefined ? lookedUp(prepared, known) : goesOn(prepared, known, lists);
  const assessment = assess(prepared, looked, assessRules(skip ? { decisions: SKIP } : {}));
  const subjectsOf = (indexes: readonly number[]): Promise<string[]> =>
    Promise.resolve(indexes.map((index) => prepared.entries.keyText(index)));
  return reviewOf({ ...FACTS, files: FILES }, { prepared, assessment, subjectsOf });
}

/** `2 = 150` */
function words({ count, totals }: Part): string {
  return `${count} = ${totals.map(({ amount }) => formatDecimal(amount)).join(' ')}`.trim();
}

function parts({ inFile, before, unknown, staysRejected, toSend }: ReviewReport): string[] {
  return [inFile, before, unknown, staysRejected, toSend].map(words);
}

const A: Row = { key: 'a', says: 'A', amount: '1' };
const B: Row = { key: 'b', says: 'B', amount: '10' };
const C: Row = { key: 'c', says: 'C', amount: '100' };
const D: Row = { key: 'd', says: 'D', amount: '1000' };

interface Case extends Asked {
  readonly says: string;
  /** In the input, before, unknown, stays rejected, to send. */
  readonly parts: readonly string[];
  readonly repeats?: Readonly<Record<string, number>>;
  readonly again?: readonly [inDoubt: number, rejected: number];
}

const CASES: readonly Case[] = [
  { says: 'all of a new input is to be sent', rows: [A, B], parts: ['2 = 11', '0 =', '0 =', '0 =', '2 = 11'] },
  {
    says: 'an invalid record is in no sum',
    rows: [A, { ...B, valid: false }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '1 = 1'],
  },
  {
    says: 'what was sent before is not to be sent, before anybody has decided',
    rows: [A, B, C],
    past: [
      { key: 'a', says: 'A' },
      { key: 'q', says: 'B', state: 'unknown' },
    ],
    parts: ['3 = 111', '1 = 1', '1 = 10', '0 =', '1 = 100'],
    repeats: { 'created-before': 1, 'same-content': 1 },
  },
  {
    says: 'when somebody has decided, it is counted where it went, and asked about no more',
    rows: [A, B, C],
    past: [
      { key: 'a', says: 'A' },
      { key: 'q', says: 'B', state: 'unknown' },
    ],
    skip: true,
    parts: ['3 = 111', '1 = 1', '1 = 10', '0 =', '1 = 100'],
    repeats: {},
  },
  {
    says: 'what is open in another run is sent by this one when somebody says so',
    rows: [A],
    past: [{ key: 'a', says: 'A', state: 'not_sent', ended: false }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '1 = 1'],
    repeats: { 'open-before': 1 },
  },
  {
    says: 'similar ones are to be sent, as long as nobody leaves them out',
    rows: [{ ...A, like: 'L' }],
    past: [{ key: 'q', says: 'other', like: 'L' }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '1 = 1'],
    repeats: { 'similar-record': 1 },
  },
  {
    says: 'a run that goes on: created, in doubt and sent again, rejected, open',
    rows: [A, B, C, D],
    past: [
      { key: 'a', says: 'A' },
      { key: 'b', says: 'B', state: 'unknown' },
      { key: 'c', says: 'C', state: 'rejected' },
      { key: 'd', says: 'D', state: 'not_sent' },
    ],
    lists: [{ payment: 1 }, { payment: 2 }, { payment: 3 }, { payment: 4 }],
    parts: ['4 = 1111', '1 = 1', '0 =', '1 = 100', '2 = 1010'],
    again: [1, 0],
  },
  {
    says: 'rejected before, and sent again by a new run',
    rows: [A],
    past: [{ key: 'a', says: 'A', state: 'rejected' }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '1 = 1'],
    again: [0, 1],
  },
];

describe('the review', () => {
  it.each(CASES)('$says', async ({ parts: expected, repeats = {}, again = [0, 0], ...asked }) => {
    const report = await review(asked);
    expect(parts(report)).toEqual(expected);
    expect(report.repeats).toEqual(repeats);
    expect([report.inDoubt, report.rejected]).toEqual(again);
  });

  it('counts the invalid records, and those that repeat payments of other batches', async () => {
    const prepared = input(A, { ...B, valid: false });
    const looked = lookedUp(prepared, history({ key: 'q', says: 'A', batchId: 'default' }));
    const assessment = assess(prepared, looked, assessRules({ batchId: 'b', batchNamed: true }));
    const report = await reviewOf(FACTS, { prepared, assessment, subjectsOf: () => Promise.resolve([]) });
    expect([report.invalid, report.repeats]).toEqual([1, { 'other-batches': 1 }]);
  });
});

describe('the extremes', () => {
  const amounts = (values: readonly (string | null)[], type: 'payout' | 'result' = 'payout'): Row[] =>
    values.map((amount, i) => ({ key: `${type}${i}`, says: `${type} ${i}`, amount, type }));

  it('are the five largest of each type, the first of equal ones first, and the smallest', async () => {
    const report = await review({
      rows: [...amounts(['3', '7', '7', '-1', '5', '6', '4', null]), ...amounts(['2'], 'result')],
    });
    const shown = report.extremes.map(({ type, largest, smallest }) => [
      type,
      largest.map(({ amount, subject }) => `${formatDecimal(amount)} ${subject}`),
      `${formatDecimal(smallest.amount)} ${smallest.subject} line ${smallest.line}`,
    ]);
    expect(shown).toEqual([
      ['payout', ['7 payout1', '7 payout2', '6 payout5', '5 payout4', '4 payout6'], '-1 payout3 line 5'],
      ['result', ['2 result0'], '2 result0 line 10'],
    ]);
  });

  it('are of what is to be sent, and of nothing else', async () => {
    const report = await review({ rows: [{ ...D }, A], past: [{ key: 'd', says: 'D' }], skip: true });
    expect(report.extremes.map(({ largest }) => largest.map(({ subject }) => subject))).toEqual([['a']]);
  });
});
