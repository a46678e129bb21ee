import { describe, expect, it } from 'vitest';
import { type Decimal, formatDecimal } from '../../../src/money/decimal.js';
import { sumByCurrency } from '../../../src/money/totals.js';
import { doubtRules } from '../../../src/review/disposition.js';
import type { ReviewContext } from '../../../src/review/review-context.js';
import type { RunOptions } from '../../../src/options.js';
import type { IssueLog } from '../../../src/review/issue-log.js';
import { buildReviewReport } from '../../../src/review/review-report.js';
import type { ReviewGroup } from '../../../src/report/reporter.js';
import { countRecords } from '../../../src/report/totals-table.js';
import {
  assessed,
  computed,
  DAY,
  DECISIONS,
  HOUR,
  type Over,
  own,
  type Past,
  type Row,
  rulesOf,
  START,
} from './review-fixtures.js';

function review(rows: readonly Row[], past: readonly Past[] = [], over: Over = {}) {
  const input = { style: { timeZone: null } };
  const options = { target: null, input, safety: { approve: null } } as unknown as RunOptions;
  const issues = { warnings: 0 } as unknown as IssueLog;
  return buildReviewReport(assessed(rows, past, over), {
    options,
    issues,
    journal: null,
    rules: rulesOf(over).doubt,
    before: { lastPaymentAt: null },
    paidBefore: () => Promise.resolve(null),
  } as unknown as ReviewContext);
}

/** `2 = 150` */
function figure(part: ReviewGroup): string {
  return `${countRecords(part)} = ${sumByCurrency(part)
    .map(({ amount }) => formatDecimal(amount))
    .join(' ')}`.trim();
}

const [A, B, C, D]: Row[] = ['a', 'b', 'c', 'd'].map((key, i) => ({ key, like: key, amount: `${10 ** i}`, ...own }));
const X: Row = { ...A, key: computed('x'), source: 'content' };
const skipSimilar = { decisions: { ...DECISIONS, skipSimilar: true } };
const PARTS = ['inFile', 'before', 'unknown', 'staysRejected', 'open', 'similar', 'toSend'] as const;

describe('the review', () => {
  it.each<
    [
      says: string,
      rows: readonly Row[],
      past: readonly Past[],
      parts: object,
      undecided?: readonly number[],
      over?: Over,
    ]
  >([
    ['all of a new input is to be sent', [A!, B!], [], { inFile: '2 = 11', toSend: '2 = 11' }],
    ['an invalid record is in no sum', [A!, { ...B!, valid: false }], [], { inFile: '1 = 1', toSend: '1 = 1' }],
    [
      'what the table settles is not to be sent',
      [A!, B!, C!, D!],
      [A!, { ...B!, state: 'rejected' }, { ...C!, state: 'unknown', type: 'payout' }],
      { inFile: '4 = 1111', before: '1 = 1', staysRejected: '1 = 10', unknown: '1 = 100', toSend: '1 = 1000' },
      undefined,
      { doubt: doubtRules(0, 0, false, () => START) },
    ],
    [
      'nor what was paid, before anybody has decided',
      [X, B!],
      [X],
      { inFile: '2 = 11', before: '1 = 1', toSend: '1 = 10' },
      [1, 0, 0],
    ],
    [
      'nor what is open in another run',
      [X],
      [{ ...X, state: 'not_sent' }],
      { inFile: '1 = 1', open: '1 = 1' },
      [0, 0, 1],
    ],
    [
      'nor what is similar',
      [A!],
      [{ key: computed('q'), like: 'a' }],
      { inFile: '1 = 1', similar: '1 = 1' },
      [0, 1, 0],
    ],
    [
      'which is told as paid once it is left out',
      [A!],
      [{ key: computed('q'), like: 'a' }],
      { inFile: '1 = 1', before: '1 = 1' },
      undefined,
      skipSimilar,
    ],
    [
      'a run that goes on',
      [A!, B!],
      [A!, { ...B!, state: 'not_sent' }],
      { inFile: '2 = 11', before: '1 = 1', toSend: '1 = 10' },
      undefined,
      { accepted: [1, 2] },
    ],
  ])('%s', async (_, rows, past, expected, undecided, over) => {
    const report = await review(rows, past, over);
    const parts = PARTS.map((part) => [part, figure(report[part])]).filter(([, words]) => words !== '0 =');
    expect(Object.fromEntries(parts)).toEqual(expected);
    const { sent, similar, blocked } = report.undecided ?? {};
    expect(report.undecided === null ? undefined : [sent, similar, blocked]).toEqual(undecided);
    expect(report.invalid).toBe(rows.filter(({ valid }) => valid === false).length);
  });

  it('tells apart what it means to send something again', async () => {
    const past: readonly Past[] = [
      { ...A!, state: 'unknown', at: START },
      { ...B!, state: 'unknown', at: START - DAY },
      { ...C!, state: 'unknown', type: 'gig' },
      { ...D!, state: 'rejected' },
    ];
    const over: Over = { doubt: doubtRules(null, 0, true, () => START + HOUR), retryRejected: true };
    const { again } = await review([A!, B!, { ...C!, type: 'gig' }, D!], past, over);
    expect(again).toEqual({ protected: 1, expired: 1, gigs: 1, rejected: 1, named: [] });
  });

  it('names what may be paid or created twice, if that is one kind and few', async () => {
    const over: Over = { doubt: doubtRules(null, 0, true, () => START + HOUR), retryRejected: true };
    const namedOf = async (past: readonly Past[]) => (await review([A!, B!, C!, D!], past, over)).again.named;
    const doubt = { state: 'unknown', at: START - DAY } as const;
    const two = [
      { ...A!, ...doubt },
      { ...B!, ...doubt },
      { ...C!, state: 'rejected' },
    ] as const;
    expect(await namedOf(two)).toEqual([
      { record: 1, line: 2, file: null, subject: 'of 0' },
      { record: 2, line: 3, file: null, subject: 'of 1' },
    ]);
    expect(await namedOf([A!, B!, C!, D!].map((row) => ({ ...row, ...doubt })))).toEqual([]);
  });

  it('counts amounts of zero, and below, apart', async () => {
    const rows = ['0', '-3', '-1.5', '7', null].map((amount, i) => ({ key: `k${i}`, like: `k${i}`, amount }));
    const report = await review(rows);
    expect([report.zero, report.negative, report.toSend].map(figure)).toEqual(['1 = 0', '2 = -4.5', '5 = 2.5']);
  });
});

describe('the extremes', () => {
  const rowsOf = (amounts: readonly (string | null)[], over: Row = {}): Row[] =>
    amounts.map((amount, i) => ({ key: `${over.type ?? 'k'}${i}`, like: `${i}`, amount, ...over }));

  it('are the five largest of each type, the first of equal ones first, and the smallest', async () => {
    const { extremes } = await review([
      ...rowsOf(['3', '7', '7', '-1', '5', '6', '4', null]),
      ...rowsOf(['2'], { type: 'result' }),
    ]);
    const text = ({ amount, subject }: { amount: Decimal; subject: string }): string =>
      `${formatDecimal(amount)} ${subject}`;
    expect(
      extremes.map(({ type, largest, smallest }) => [type, largest.map(text), text(smallest), smallest.line]),
    ).toEqual([
      ['payout', ['7 of 1', '7 of 2', '6 of 5', '5 of 4', '4 of 6'], '-1 of 3', 5],
      ['result', ['2 of 8'], '2 of 8', 10],
    ]);
  });

  it('are told apart by currency, those with most records first, and of what is to be sent alone', async () => {
    const rows = 'ABBCDEFG'.split('').map((currency, i) => ({
      ...A!,
      key: `k${i}`,
      like: `${i}`,
      amount: `${i}`,
      currency,
    }));
    const { extremes } = await review([...rows, D!], [D!]);
    expect(extremes.map(({ currency }) => currency)).toEqual(['B', 'A', 'C', 'D', 'E', 'F']);
    expect(extremes[0]?.largest.map(({ amount }) => formatDecimal(amount))).toEqual(['2', '1']);
  });
});
