/** The content of a page, gathered in one pass over its rows, so that everything on it agrees with them. */
import { MoneyGroups } from '../prepare/paged-arrays.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { RecordReport } from './record-report.js';
import { needsAttention, displayStatus } from './status-text.js';
import { NO_RECORDS, type RecordCounts } from './summary.js';

/** A page with more rows helps nobody; the CSV report has them all. */
const MOST_RECORDS = 10_000;

/** The first of some records, and the number of all. */
export interface LimitedList {
  readonly rows: readonly RecordReport[];
  readonly count: number;
}

/** Counts by state, and money. */
export interface CountsAndTotals {
  readonly records: Readonly<Record<string, number>>;
  readonly totals: readonly TotalRow[];
}

type SummedRecord = Pick<RecordReport, 'type' | 'currency' | 'cost_center' | 'amount'>;

export interface ReportData extends CountsAndTotals {
  /** By the name of the run whose records these are. */
  readonly ofRun: (name: string | null) => CountsAndTotals;
  readonly all: LimitedList;
  /** Those that need a person. */
  readonly needed: LimitedList;
  readonly givenUp: LimitedList;
  readonly corrected: LimitedList;
}

/** @param rows in the order of the page */
export async function collectReportData(rows: AsyncIterable<RecordReport>): Promise<ReportData> {
  const all = startList();
  const needed = startList();
  const setAside = { given_up: startList(), corrected: startList() };
  const sums = createTally();
  const byRun = new Map<string | null, ReturnType<typeof createTally>>();
  for await (const row of rows) {
    const state = displayStatus(row);
    sums.add(row, state);
    let ofRun = byRun.get(row.run);
    if (ofRun === undefined) byRun.set(row.run, (ofRun = createTally()));
    ofRun.add(row, state);
    // An answer may be long, and no page shows it.
    const kept = { ...row, response: null, request: null };
    all.add(kept);
    if (needsAttention(state)) needed.add(kept);
    setAside[state as keyof typeof setAside]?.add(kept);
  }
  const ofRun = (name: string | null): CountsAndTotals => (byRun.get(name) ?? createTally()).told();
  const givenUp = setAside.given_up.told();
  const corrected = setAside.corrected.told();
  return { ...sums.told(), ofRun, all: all.told(), needed: needed.told(), givenUp, corrected };
}

/** Counts and money by the states in machine output. */
export async function sumsOf(rows: AsyncIterable<RecordReport>): Promise<CountsAndTotals> {
  const sums = createTally();
  for await (const row of rows) sums.add(row, row.status);
  return sums.told();
}

/** The counts that programs are told. */
export function recordCounts({ records }: CountsAndTotals): RecordCounts {
  const read = Object.values(records).reduce((sum, count) => sum + count, 0);
  return { ...NO_RECORDS, ...records, read, valid: read - (records['invalid'] ?? 0) };
}

function startList() {
  const rows: RecordReport[] = [];
  let count = 0;
  return {
    add: (row: RecordReport): void => {
      if (count++ < MOST_RECORDS) rows.push(row);
    },
    told: (): LimitedList => ({ rows, count }),
  };
}

/** Sums up records in the states that they are added with. */
export function createTally() {
  const records: Record<string, number> = {};
  const totals = startTotals();
  const groups = new MoneyGroups();
  return {
    add: ({ type, currency, cost_center: costCenter, amount }: SummedRecord, state: string): void => {
      records[state] = (records[state] ?? 0) + 1;
      // The money of an invalid record does not count.
      if (state === 'invalid') return;
      const group = groups.at(groups.numberOf(type, currency, costCenter));
      totals.add(group, state, amount === null ? null : parseDecimal(amount));
    },
    told: (): CountsAndTotals => ({ records, totals: totals.rows() }),
  };
}
