/** The content of a page, gathered in one pass over its rows, so that everything on it agrees with them. */
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { RecordReport } from './record-report.js';
import { FAILED_STATES, shownState } from './state-words.js';

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

export interface PageContent extends Summed {
  /** By the name of the run whose records these are. */
  readonly ofRun: (name: string | null) => Summed;
  readonly all: Listed;
  /** Those that need a person. */
  readonly needed: Listed;
  readonly corrected: Listed;
}

/** @param rows in the order of the page */
export async function contentOf(rows: AsyncIterable<RecordReport>): Promise<PageContent> {
  const [all, needed, corrected] = [startList(), startList(), startList()];
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
    if (state === 'corrected') corrected.add(kept);
    else if (FAILED_STATES.includes(state)) needed.add(kept);
  }
  const ofRun = (name: string | null): Summed => (byRun.get(name) ?? startSums()).told();
  return { ...sums.told(), ofRun, all: all.told(), needed: needed.told(), corrected: corrected.told() };
}

/** Counts and money by the states in machine output. */
export async function sumsOf(rows: AsyncIterable<RecordReport>): Promise<Summed> {
  const sums = startSums();
  for await (const row of rows) sums.add(row, row.status);
  return sums.told();
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

function startSums() {
  const records: Record<string, number> = {};
  const totals = startTotals();
  return {
    add: ({ type, currency, cost_center: costCenter, amount }: RecordReport, state: string): void => {
      records[state] = (records[state] ?? 0) + 1;
      // The money of an invalid record does not count.
      if (state !== 'invalid')
        totals.add({ type, currency, costCenter }, state, amount === null ? null : parseDecimal(amount));
    },
    told: (): Summed => ({ records, totals: totals.rows() }),
  };
}
