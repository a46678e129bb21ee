/** What a report file shows: the facts about its runs, and its records, gathered in one pass so that all of it agrees. */
import type { RunFile, SignedDecision } from '../journal/payment.js';
import type { FilteredGroup } from '../input/filtered-rows.js';
import { parseDecimal } from '../money/decimal.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import { MoneyGroups } from '../prepare/paged-arrays.js';
import type { Person } from '../world.js';
import { type GigOverview, GigTally } from './gig-overview.js';
import type { PayeeChanges } from './payee-changes-text.js';
import type { DisplayState, RecordReport } from './record-report.js';
import { NO_RECORDS, type RecordCounts } from './reporter.js';
import { needsAttention } from './status-text.js';
import type { FilePieces } from './table-formats.js';

/** The facts about a run that a page shows; for one that is not in the journal, of the present call. */
export interface ReportedRun {
  readonly command: string;
  readonly files: readonly RunFile[];
  readonly by: Person;
  /** Of the program. */
  readonly version: string;
  readonly closed: SignedDecision | null;
  /** Null if nobody did before it was sent. */
  readonly approvedBy: SignedDecision | null;
  readonly name: string | null;
  readonly digest: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
}

/** The facts about a run, or all runs of a batch, in a report file. */
export interface ReportHead {
  /** Oldest first; at least one. */
  readonly runs: readonly ReportedRun[];
  readonly target: string | null;
  readonly batchId: string;
  readonly dryRun: boolean;
  /** Why the run was refused; empty if it was not. */
  readonly refusal: readonly string[];
  /** What is new since the last batch of the profile; null if there is nothing to compare with, and for earlier runs. */
  readonly changes: PayeeChanges | null;
  /** Rows of the input that `--only` filters out, by rule; empty for an earlier run. */
  readonly filtered: readonly FilteredGroup[];
  /** When the report was made, milliseconds since 1970. */
  readonly madeAt: number;
}

export type ReportFormat = (head: ReportHead, rows: AsyncIterable<RecordReport>) => FilePieces;

/** A page with more rows helps nobody; the CSV report has them all. */
const MOST_RECORDS = 10_000;

/** The first of some records, and the number of all. */
export class LimitedList {
  readonly rows: RecordReport[] = [];
  count = 0;

  add(row: RecordReport): void {
    if (this.count++ < MOST_RECORDS) this.rows.push(row);
  }
}

/** Counts by state, and money. */
export interface CountsAndTotals {
  readonly records: Readonly<Record<string, number>>;
  readonly totals: readonly TotalRow[];
}

export interface ReportData extends CountsAndTotals {
  /** By the name of the run whose records these are. */
  readonly ofRun: (name: string | null) => CountsAndTotals;
  /** Of the gigs that are created or planned, as far as their contents are known; null if there are none. */
  readonly gigs: GigOverview | null;
  readonly all: LimitedList;
  /** Those that need a person. */
  readonly needed: LimitedList;
  readonly givenUp: LimitedList;
  readonly corrected: LimitedList;
}

/** The states of gigs that are offered to workers, or would be. */
const COUNTED_GIGS: ReadonlySet<DisplayState> = new Set(['planned', 'created', 'already_created']);

/** @param rows in the order of the page */
export async function collectReportData(rows: AsyncIterable<RecordReport>): Promise<ReportData> {
  const sums = new Tally();
  const byRun = new Map<string | null, Tally>();
  const gigs = new GigTally();
  const all = new LimitedList();
  const needed = new LimitedList();
  const givenUp = new LimitedList();
  const corrected = new LimitedList();
  for await (const row of rows) {
    const { state } = row;
    sums.add(row, state);
    if (row.type === 'gig' && row.body !== null && COUNTED_GIGS.has(state)) gigs.add(row.body);
    let ofRun = byRun.get(row.run);
    if (ofRun === undefined) byRun.set(row.run, (ofRun = new Tally()));
    ofRun.add(row, state);
    // An answer may be long, and no page shows it.
    const short = { ...row, outcome: null, request: null };
    all.add(short);
    if (needsAttention(state)) needed.add(short);
    else if (state === 'given_up') givenUp.add(short);
    else if (state === 'corrected') corrected.add(short);
  }
  return {
    ...sums.snapshot(),
    ofRun: (name) => (byRun.get(name) ?? new Tally()).snapshot(),
    gigs: gigs.overview(),
    all,
    needed,
    givenUp,
    corrected,
  };
}

/** Counts and money by the states in machine output. */
export async function tallyRecords(rows: AsyncIterable<RecordReport>): Promise<CountsAndTotals> {
  const sums = new Tally();
  for await (const row of rows) sums.add(row, row.status);
  return sums.snapshot();
}

/** The counts that programs are told. */
export function recordCounts(byStatus: Readonly<Record<string, number>>): RecordCounts {
  const read = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  return { ...NO_RECORDS, ...byStatus, read, valid: read - (byStatus['invalid'] ?? 0) };
}

/** The money of a record. */
interface TalliedRecord {
  readonly type: string;
  readonly currency: string | null;
  readonly costCenter: string | null;
  /** Decimal text; null if not known. */
  readonly amount: string | null;
}

/** Sums up records in the states that they are added with. */
export class Tally {
  private readonly records: Record<string, number> = {};
  private readonly totals = startTotals();
  private readonly groups = new MoneyGroups();

  add({ type, currency, costCenter, amount }: TalliedRecord, state: DisplayState): void {
    this.records[state] = (this.records[state] ?? 0) + 1;
    // The money of an invalid record does not count.
    if (state === 'invalid') return;
    const group = this.groups.at(this.groups.numberOf(type, currency, costCenter));
    this.totals.add(group, state, amount === null ? null : parseDecimal(amount));
  }

  snapshot(): CountsAndTotals {
    return { records: this.records, totals: this.totals.rows() };
  }
}
