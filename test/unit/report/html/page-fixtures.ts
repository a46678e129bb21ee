/** Pages of records that no run has brought about, for tests of the HTML report. */
import { Readable } from 'node:stream';
import { displayState, type RecordReport } from '../../../../src/report/record-report.js';
import type { ReportedRun, ReportHead } from '../../../../src/report/report-data.js';
import { htmlReport } from '../../../../src/report/html/report.js';
import { type Element, parsePage } from './page.js';

export const ROW: RecordReport = {
  file: 'bonus.csv',
  record: 1,
  line: 2,
  type: 'payout',
  key: 'key-1',
  status: 'created',
  state: 'created',
  outcome: null,
  request: null,
  body: null,
  userId: 'usr_1',
  title: 'Bonus',
  referenceId: null,
  date: null,
  at: Date.UTC(2026, 10, 1),
  id: 'id-1',
  requestId: null,
  amount: '100',
  currency: 'EUR',
  costCenter: 'PP-1',
  error: null,
  standsFor: null,
  correction: null,
  run: '20261101-aa',
};

/** What a head may say otherwise: of the batch, or of its one run. */
export type Change = Partial<ReportHead & ReportedRun>;

export const FILE = { path: 'bonus.csv', sha256: 'f5'.repeat(32), records: 5, sheetName: null, reference: null };

function headOf(change: Change = {}): ReportHead {
  const run: ReportedRun = {
    command: 'payout create',
    name: '20261101-aa',
    digest: 'd1'.repeat(32),
    files: [FILE],
    startedAt: Date.UTC(2026, 10, 1, 8, 0),
    by: { user: 'clerk', host: '<payroll-1>' },
    approvedBy: null,
    closed: null,
    version: '1.2.3',
    ...change,
  };
  return {
    runs: [run],
    target: 'https://gigs.example/base',
    batchId: '2026-11',
    dryRun: false,
    refusal: [],
    filtered: [],
    changes: null,
    madeAt: Date.UTC(2026, 10, 1, 8, 5),
    ...change,
  };
}

/** @param rows their `state` follows from their status and correction */
export async function htmlOf(rows: readonly RecordReport[], change?: Change): Promise<string> {
  const shown = rows.map((row): RecordReport => {
    return { ...row, state: displayState(row.status, row.correction !== null, false) };
  });
  let html = '';
  for await (const piece of htmlReport(headOf(change), Readable.from(shown))) html += piece;
  return html;
}

export async function pageOf(rows: readonly RecordReport[], change?: Change): Promise<Element> {
  return parsePage(await htmlOf(rows, change));
}

/** So many rows, each changed by its place from 0. */
export const several = (n: number, change: (n: number) => Partial<RecordReport>): RecordReport[] =>
  Array.from({ length: n }, (_, i) => ({ ...ROW, record: i + 1, line: i + 2, key: `key-${i + 1}`, ...change(i) }));
