import { describe, expect, it } from 'vitest';
import { formatDecimal, ZERO } from '../../../src/money/decimal.js';
import { assess, type AssessRules } from '../../../src/preflight/assess.js';
import type { PlaceOf } from '../../../src/preflight/repeat-words.js';
import { reviewOf } from '../../../src/preflight/review-figures.js';
import type { UndecidedOptions } from '../../../src/preflight/undecided-repeats.js';
import type { Part, ReviewReport } from '../../../src/report/reporter.js';
import { assessRules, goesOn, history, input, type Lists, lookedUp, type Past, type Row, SKIP } from './kit.js';

const FACTS = { target: null, batchId: 'default', digest: null, files: [], warnings: 0, approves: false };
const FILES = [{ path: 'pay.csv', sha256: 'f1', records: 1 }];

interface Asked {
  readonly rows: readonly Row[];
  readonly past?: readonly Past[];
  readonly lists?: readonly Lists[];
  readonly skip?: boolean;
  readonly over?: Partial<AssessRules>;
  /** Default: the input can be read again. */
  readonly isReadable?: boolean;
}

/** What only words depend on. */
const OPTIONS = {
  now: () => Date.parse('2026-12-01'),
  safety: { batchId: 'default' },
  onward: { resume: ['--state-dir', 'x'] },
  platform: 'linux',
} as unknown as UndecidedOptions['options'];

async function review({
  rows,
  past = [],
  lists,
  skip = false,
  over = {},
  isReadable = true,
}: Asked): Promise<ReviewReport> {
  const prepared = input(...rows);
  const known = history(...past);
  const looked = lists === undefined ? lookedUp(prepared, known) : goesOn(prepared, known, lists);
  const assessment = assess(prepared, looked, assessRules({ ...(skip ? { decisions: SKIP } : {}), ...over }));
  const subjectsOf = (indexes: readonly number[]): Promise<string[]> =>
    Promise.resolve(indexes.map((index) => prepared.entries.keyText(index)));
  const placeOf: PlaceOf = () => ({ file: 'old.csv', record: 1, line: 2, files: 1, by: null, isOther: false });
  const options = { prepared, assessment, known: looked, placeOf, subjectsOf, isReadable, options: OPTIONS };
  return reviewOf({ ...FACTS, files: FILES }, options);
}

/** `2 = 150` */
function words({ count, totals }: Part): string {
  return `${count} = ${totals.map(({ amount }) => formatDecimal(amount)).join(' ')}`.trim();
}

function parts({ inFile, before, unknown, staysRejected, open, similar, toSend }: ReviewReport): string[] {
  return [inFile, before, unknown, staysRejected, open, similar, toSend].map(words);
}

/** `sent 2, similar 1` */
function undecidedWords({ undecided }: ReviewReport): string {
  if (undecided === null) return '';
  const { sent, open, similar } = undecided;
  return Object.entries({ sent, open, similar })
    .flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]))
    .join(', ');
}

const A: Row = { key: 'a', says: 'A', amount: '1' };
const B: Row = { key: 'b', says: 'B', amount: '10' };
const C: Row = { key: 'c', says: 'C', amount: '100' };
const D: Row = { key: 'd', says: 'D', amount: '1000' };

interface Case extends Asked {
  readonly says: string;
  /** In the input, before, unknown, stays rejected, open elsewhere, similar, to send. */
  readonly parts: readonly string[];
  readonly undecided?: string;
  readonly again?: readonly [inDoubt: number, rejected: number];
}

const CASES: readonly Case[] = [
  {
    says: 'all of a new input is to be sent',
    rows: [A, B],
    parts: ['2 = 11', '0 =', '0 =', '0 =', '0 =', '0 =', '2 = 11'],
  },
  {
    says: 'an invalid record is in no sum',
    rows: [A, { ...B, valid: false }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '0 =', '0 =', '1 = 1'],
  },
  {
    says: 'what was sent before is not to be sent, before anybody has decided',
    rows: [A, B, C],
    past: [
      { key: 'a', says: 'A' },
      { key: 'q', says: 'B', state: 'unknown' },
    ],
    parts: ['3 = 111', '1 = 1', '1 = 10', '0 =', '0 =', '0 =', '1 = 100'],
    undecided: 'sent 2',
  },
  {
    says: 'when somebody has decided, it is counted where it went, and asked about no more',
    rows: [A, B, C],
    past: [
      { key: 'a', says: 'A' },
      { key: 'q', says: 'B', state: 'unknown' },
    ],
    skip: true,
    parts: ['3 = 111', '1 = 1', '1 = 10', '0 =', '0 =', '0 =', '1 = 100'],
  },
  {
    says: 'what is open in another run is not to be sent before somebody says so',
    rows: [A],
    past: [{ key: 'a', says: 'A', state: 'not_sent', ended: false }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '1 = 1', '0 =', '0 ='],
    undecided: 'open 1',
  },
  {
    says: 'similar ones are not to be sent before somebody says so',
    rows: [{ ...A, like: 'L' }],
    past: [{ key: 'q', says: 'other', like: 'L' }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '0 =', '1 = 1', '0 ='],
    undecided: 'similar 1',
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
    parts: ['4 = 1111', '1 = 1', '0 =', '1 = 100', '0 =', '0 =', '2 = 1010'],
    again: [1, 0],
  },
  {
    says: 'rejected before, and sent again by a new run',
    rows: [A],
    past: [{ key: 'a', says: 'A', state: 'rejected' }],
    parts: ['1 = 1', '0 =', '0 =', '0 =', '0 =', '0 =', '1 = 1'],
    again: [0, 1],
  },
];

describe('the review', () => {
  it.each(CASES)('$says', async ({ parts: expected, undecided = '', again = [0, 0], ...asked }) => {
    const report = await review(asked);
    expect(parts(report)).toEqual(expected);
    expect(undecidedWords(report)).toBe(undecided);
    expect([report.inDoubt, report.rejected]).toEqual(again);
  });

  it('counts the invalid records, and those that repeat payments of other batches', async () => {
    const past = [{ key: 'q', says: 'A', batchId: 'default' }];
    const report = await review({ rows: [A, { ...B, valid: false }], past, over: { batchId: 'b', batchNamed: true } });
    expect([report.invalid, report.undecided, report.otherBatches.map((text) => text.split(', the last')[0])]).toEqual([
      1,
      null,
      ['1 record was paid, or one like it, in batch default'],
    ]);
  });

  it('counts amounts of zero, and below, apart from the others that are to be sent', async () => {
    const rows = ['0', '-3', '-1.5', '7', null].map((amount, i) => ({ key: `k${i}`, says: `k${i}`, amount }));
    const report = await review({ rows: [...rows, { ...A, amount: '-100' }], past: [{ key: 'a', says: 'A' }] });
    expect([report.zero, report.negative, report.toSend].map(words)).toEqual(['1 = 0', '2 = -4.5', '5 = 2.5']);
  });
});

describe('what is told of similar records', () => {
  const LIKE = { like: 'L', currency: 'EUR' };

  it('are both amounts and their difference, with whom it is for and where both stand', async () => {
    const past = [{ key: 'q', says: 'other', ...LIKE, amount: '1200.5' }];
    const { undecided } = await review({ rows: [{ ...A, ...LIKE, amount: '1300' }], past });
    const [one] = undecided?.alike ?? [];
    expect(one).toMatchObject({ subject: 'a', file: 'pay.csv', line: 2, currency: 'EUR' });
    expect([one?.amount, one?.earlier.amount, one?.difference].map((each) => formatDecimal(each ?? ZERO))).toEqual([
      '1300',
      '1200.5',
      '99.5',
    ]);
    expect(one?.earlier).toMatchObject({ currency: 'EUR', place: { line: 2 } });
    expect(one?.earlier.day).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each([
    ['of another currency', { currency: 'CHF', amount: '5' }],
    ['of no known amount', { currency: 'EUR', amount: null }],
  ])('is no difference to a payment %s', async (_name, change) => {
    const past = [{ key: 'q', says: 'other', ...LIKE, ...change }];
    const { undecided } = await review({ rows: [{ ...A, ...LIKE, amount: '7' }], past });
    expect(undecided?.alike.map(({ difference }) => difference)).toEqual([null]);
  });

  it('are the eight that differ most, where there are more', async () => {
    const numbers = Array.from({ length: 12 }, (_, i) => i);
    const rows = numbers.map((i) => ({ key: `k${i}`, says: `k${i}`, like: `L${i}`, amount: String(10 - i) }));
    const past = numbers.map((i) => ({ key: `q${i}`, says: `q${i}`, like: `L${i}`, amount: '5' }));
    const { undecided } = await review({ rows, past });
    expect(undecided?.alike.map(({ difference }) => formatDecimal(difference ?? ZERO))).toEqual([
      '-6',
      '5',
      '-5',
      '4',
      '-4',
      '3',
      '-3',
      '2',
    ]);
  });
});

describe('the way for another period', () => {
  const past = [{ key: 'a', says: 'A' }];
  it.each<[string, Asked, string | null]>([
    ['is a name where all others are new', { rows: [A, B], past }, 'name'],
    ['is the same command where the input cannot be read again', { rows: [A, B], past, isReadable: false }, 'again'],
    [
      'is a file of their own where others were paid, too',
      { rows: [A, { ...B, source: 'own' }], past: [...past, { key: 'b', says: 'B' }] },
      'apart',
    ],
  ])('%s', async (_name, asked, way) => {
    const { undecided } = await review(asked);
    expect([undecided?.otherPurpose, undecided?.exampleName]).toEqual([way, '2026-12']);
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

  it('are told apart by currency, those with most records first, and not all of them where there are many', async () => {
    const rows = ['A', 'B', 'B', 'C', 'D', 'E', 'F', 'G'].map((currency, i) => ({
      key: `k${i}`,
      says: `k${i}`,
      amount: String(i),
      currency,
    }));
    const { extremes } = await review({ rows });
    expect(extremes.map(({ currency }) => currency)).toEqual(['B', 'A', 'C', 'D', 'E', 'F']);
    expect(extremes[0]?.largest.map(({ amount }) => formatDecimal(amount))).toEqual(['2', '1']);
  });

  it('are of what is to be sent, and of nothing else', async () => {
    const report = await review({ rows: [{ ...D }, A], past: [{ key: 'd', says: 'D' }], skip: true });
    expect(report.extremes.map(({ largest }) => largest.map(({ subject }) => subject))).toEqual([['a']]);
  });
});
