/** The content of a page, gathered in one pass over its rows, so that everything on it agrees with them. */
import { Groups } from '../batch/pages.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { RecordReport } from './record-report.js';
import { needsPerson, shownState } from './state-words.js';
import { NO_RECORDS, type RecordCounts } from './summary.js';

/** A page with more rows helps nobody; the CSV report has them all. */
const MOST_RECORDS = 10_000;

/** The first of some records, and the number of all. */
export interface Listed {
  readonly rows: readonly RecordReport[];
  readonly count: number;
}

/** Counts by state, and money. */
export interface Summed {
  readonly records: Readonly<Record<string, number>>;
  readonly totals: readonly TotalRow[];
}

type SummedRecord = Pick<RecordReport, 'type' | 'currency' | 'cost_center' | 'amount'>;

export interface PageContent extends Summed {
  /** By the name of the run whose records these are. */
  readonly ofRun: (name: string | null) => Summed;
  readonly all: Listed;
  /** Those that need a person. */
  readonly needed: Listed;
  readonly givenUp: Listed;
  readonly corrected: Listed;
}

/** @param rows in the order of the page */
export async function contentOf(rows: AsyncIterable<RecordReport>): Promise<PageContent> {
  const [all, needed] = [startList(), startList()];
  const setAside = { given_up: startList(), corrected: startList() };
  const sums = startSums();
  const byRun = new Map<string | null, ReturnType<typeof startSums>>();
  for await (const row of rows) {
    const state = shownState(row);
    sums.add(row, state);
    let ofRun = byRun.get(row.run);
    if (ofRun === undefined) byRun.set(row.run, (ofRun = startSums()));
    ofRun.add(row, state);
    // An answer may be long, and no page shows it.
    const kept = { ...row, response: null, request: null };
    all.add(kept);
    if (needsPerson(state)) needed.add(kept);
    setAside[state as keyof typeof setAside]?.add(kept);
  }
  const ofRun = (name: string | null): Summed => (byRun.get(name) ?? startSums()).told();
  const [givenUp, corrected] = [setAside.given_up.told(), setAside.corrected.told()];
  return { ...sums.told(), ofRun, all: all.told(), needed: needed.told(), givenUp, corrected };
}

/** Counts and money by the states in machine output. */
export async function sumsOf(rows: AsyncIterable<RecordReport>): Promise<Summed> {
  const sums = startSums();
  for await (const row of rows) sums.add(row, row.status);
  return sums.told();
}

/** The counts that programs are told. */
export function recordCounts({ records }: Summed): RecordCounts {
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
    told: (): Listed => ({ rows, count }),
  };
}

/** Sums up records in the states that they are added with. */
export function startSums() {
  const records: Record<string, number> = {};
  const totals = startTotals();
  const groups = new Groups();
  return {
    add: ({ type, currency, cost_center: costCenter, amount }: SummedRecord, state: string): void => {
      records[state] = (records[state] ?? 0) + 1;
      // The money of an invalid record does not count.
      if (state === 'invalid') return;
      const group = groups.at(groups.numberOf(type, currency, costCenter));
      totals.add(group, state, amount === null ? null : parseDecimal(amount));
    },
    told: (): Summed => ({ records, totals: totals.rows() }),
  };
}
