/** Reviews to be printed and asked about. */
import { parseDecimal } from '../../../src/money/decimal.js';
import type { TotalRow } from '../../../src/money/totals.js';
import type { UndecidedRepeats } from '../../../src/report/history-text.js';
import type { Extremes, HighlightedRecord, ReviewGroup, ReviewReport } from '../../../src/report/reporter.js';

export function total(amount: string, change: Partial<TotalRow> = {}): TotalRow {
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

export function part(...totals: TotalRow[]): ReviewGroup {
  return totals;
}

export const NOTHING = part();

export function notable(
  amount: string,
  line: number | null,
  change: Partial<HighlightedRecord> = {},
): HighlightedRecord {
  return { amount: parseDecimal(amount), file: 'pay.csv', subject: 'u1', record: 7, line, ...change };
}

/** The smallest is the last of the largest, unless it is said. */
export function extremes(largest: readonly HighlightedRecord[], change: Partial<Extremes> = {}): Extremes {
  const smallest = largest.at(-1) as HighlightedRecord;
  return { type: 'payout', currency: 'EUR', largest, smallest, count: largest.length, ...change };
}

export const REVIEW: ReviewReport = {
  target: 'https://gigs.example/base#desk',
  batchId: '2026-11',
  digest: 'd'.repeat(64),
  files: [{ path: 'pay.csv', sha256: 'a'.repeat(64), records: 3 }],
  invalid: 0,
  filtered: [],
  warnings: 0,
  again: { protected: 0, expired: 0, gigs: 0, rejected: 0, named: [] },
  approves: false,
  inFile: part(total('40', { count: 3 })),
  before: part(total('10')),
  unknown: NOTHING,
  staysRejected: NOTHING,
  open: NOTHING,
  similar: NOTHING,
  toSend: part(total('30', { count: 2 })),
  gigs: null,
  sentSimilar: NOTHING,
  zero: NOTHING,
  negative: NOTHING,
  extremes: [extremes([notable('20.5', 4), notable('9.5', 12)], { count: 2 })],
  undecided: null,
  notices: [],
  lost: null,
  lastPaymentAt: Date.UTC(2026, 9, 31),
  changes: null,
};

export const UNDECIDED: UndecidedRepeats = {
  sent: 0,
  inDoubt: 0,
  blocked: 0,
  similar: 0,
  taken: 0,
  records: [],
  totals: [],
  isElsewhere: false,
  last: null,
};
