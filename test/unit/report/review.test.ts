import { describe, expect, it } from 'vitest';
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import type { Notable, Part, ReviewReport } from '../../../src/report/reporter.js';
import { reviewLines } from '../../../src/report/review.js';

function total(amount: string, change: Partial<TotalRow> = {}): TotalRow {
  return {
    type: 'payout',
    currency: 'EUR',
    costCenter: 'PP-1',
    status: '',
    count: 1,
    amount: parseDecimal(amount),
    unpriced: 0,
    ...change,
  };
}

function part(...totals: TotalRow[]): Part {
  return { count: totals.reduce((sum, { count }) => sum + count, 0), totals };
}

function notable(amount: string, line: number | null, change: Partial<Notable> = {}): Notable {
  return { currency: 'EUR', amount: parseDecimal(amount), file: 'pay.csv', subject: 'u1', record: 7, line, ...change };
}

const NOTHING = part();
const REPORT: ReviewReport = {
  target: 'https://gigs.example/base#desk',
  batchId: '2026-11',
  digest: 'd'.repeat(64),
  files: [{ path: 'pay.csv', sha256: 'a'.repeat(64), records: 3 }],
  invalid: 0,
  warnings: 0,
  inDoubt: 0,
  rejected: 0,
  inFile: part(total('40', { count: 3 })),
  before: part(total('10')),
  unknown: NOTHING,
  staysRejected: NOTHING,
  toSend: part(total('30', { count: 2 })),
  extremes: [{ type: 'payout', largest: [notable('20.5', 4), notable('9.5', 12)], smallest: notable('9.5', 12) }],
  repeats: {},
  goesOn: false,
  approves: false,
};

describe('the review', () => {
  it('names the row of a spreadsheet where it is another number than the line', () => {
    const extremes = [{ type: 'payout', largest: [], smallest: notable('1', 9, { row: 7 }) }];
    expect(reviewLines({ ...REPORT, extremes })).toContain('  1 EUR  line 9 (row 7 in a spreadsheet), u1');
  });

  it('says where, what, how much, and how it adds up', () => {
    expect(reviewLines(REPORT)).toEqual([
      '',
      'Target   https://gigs.example/base',
      'Account  desk',
      'Batch    2026-11',
      'File     pay.csv, 3 records',
      `SHA-256  ${'a'.repeat(64)}`,
      `Digest   ${'d'.repeat(64)}`,
      '',
      'payouts',
      '  currency  cost center  records  amount',
      '  EUR       PP-1               2      30',
      '  EUR       all                2      30',
      '',
      '                                records  amount',
      'In the input    payouts in EUR        3      40',
      'Created before  payouts in EUR        1      10',
      'To send now     payouts in EUR        2      30',
      '',
      'Largest payouts',
      '  20.50 EUR  line 4, u1',
      '   9.50 EUR  line 12, u1',
      'Smallest payout',
      '   9.50 EUR  line 12, u1',
      '',
    ]);
  });

  it('has a row for each currency and type, and no sum over them', () => {
    const several = part(total('5', { currency: 'CHF' }), total('7'), total('11', { type: 'result', currency: null }));
    const lines = reviewLines({ ...REPORT, inFile: several, toSend: several, before: NOTHING });
    const start = lines.findIndex((line) => line.startsWith('In the input'));
    expect(lines.slice(start, start + 4)).toEqual([
      'In the input    payouts in CHF        1       5',
      '                payouts in EUR        1       7',
      '                gig results           1      11',
      'Created before                        0',
    ]);
  });

  it('counts what a person has to know beside the money', () => {
    const lines = reviewLines({
      ...REPORT,
      invalid: 1,
      warnings: 1234,
      repeats: { 'created-before': 2, 'open-before': 1, 'similar-record': 1, 'other-batches': 3 },
    });
    expect(lines.slice(-8)).toEqual([
      '',
      '1 invalid record is left out',
      '1,234 warnings, shown above',
      '2 records were sent before',
      '1 record is still open in another run',
      '1 record is similar to an earlier one',
      '3 records were sent before, in other batches',
      '',
    ]);
  });

  it('says what is not sent of what earlier calls left: in doubt, or rejected', () => {
    const one = part(total('5'));
    const lines = reviewLines({ ...REPORT, unknown: one, staysRejected: one });
    const start = lines.findIndex((line) => line.startsWith('In the input'));
    expect(lines.slice(start, start + 5).map((line) => line.replace(/ {2,}/g, '  '))).toEqual([
      'In the input  payouts in EUR  3  40',
      'Created before  payouts in EUR  1  10',
      'Of unknown outcome, not sent  payouts in EUR  1  5',
      'Rejected before, not sent  payouts in EUR  1  5',
      'To send now  payouts in EUR  2  30',
    ]);
  });

  it('names the file of an amount where there are several, and the record where there is no line', () => {
    const files = [...REPORT.files, { path: 'more.json', sha256: 'b'.repeat(64), records: 1 }];
    const largest = [notable('5', null, { file: 'more.json', currency: null })];
    const lines = reviewLines({ ...REPORT, files, extremes: [{ type: 'result', largest, smallest: notable('5', 3) }] });
    expect(lines.slice(-5, -1)).toEqual([
      'Largest gig results',
      '  5  more.json, record 7, u1',
      'Smallest gig result',
      '  5 EUR  pay.csv, line 3, u1',
    ]);
  });

  it('shows nothing of a file that could move the cursor', () => {
    const lines = reviewLines({
      ...REPORT,
      batchId: 'a\u001b[2Jb',
      target: 'https://x#\u202e',
      files: [{ path: '\r.csv', sha256: '', records: 0 }],
    });
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('shows endless names by their ends', () => {
    const currency = 'X'.repeat(5000);
    const one = part(total('5', { currency, costCenter: 'P'.repeat(5000) }));
    const largest = [notable('5', 3, { currency, subject: 'u'.repeat(5000) })];
    const extremes = [{ type: 'payout', largest, smallest: notable('5', 3, { currency }) }];
    const lines = reviewLines({ ...REPORT, inFile: one, before: NOTHING, toSend: one, extremes });
    expect(lines.filter((line) => line.length > 150)).toEqual([]);
  });

  it('of a narrow terminal has no table line that is wider', () => {
    const lines = reviewLines({ ...REPORT, inFile: part(total('1234567.89', { count: 1000 })) }, 40);
    expect(lines.filter((line) => line.length > 40 && !/^(SHA|Digest|payouts)/.test(line))).toEqual([]);
    expect(lines).toContain('In the input, payouts in EUR');
    expect(lines).toContain('    records 1,000  amount 1,234,567.89');
  });
});
