/** Pages of records that no run has brought about, for tests of the HTML report. */
import { Readable } from 'node:stream';
import { parseDecimal } from '../../../src/money/decimal.js';
import { startTotals } from '../../../src/money/totals.js';
import type { RecordReport, ReportHead } from '../../../src/report/record-report.js';
import { htmlReport } from '../../../src/report/html.js';
import { type Element, parsePage } from './page.js';

export const ROW: RecordReport = {
  file: 'bonus.csv',
  record: 1,
  line: 2,
  type: 'payout',
  key: 'key-1',
  status: 'created',
  http_status: 201,
  attempts: 1,
  response: '{"id":"id-1"}',
  request: null,
  user_id: 'usr_1',
  title: 'Bonus',
  reference_id: null,
  date: null,
  at: '2026-11-01T00:00:00.000Z',
  id: 'id-1',
  amount: '100',
  currency: 'EUR',
  cost_center: 'PP-1',
  error: null,
  stands_for: null,
};

/** A head whose figures are those of the rows. */
export function headOf(rows: readonly RecordReport[], change: Partial<ReportHead> = {}): ReportHead {
  const totals = startTotals();
  const records: Record<string, number> = { read: rows.length, valid: 0, invalid: 0 };
  for (const { type, currency, cost_center: costCenter, status, amount } of rows) {
    records[status] = (records[status] ?? 0) + 1;
    if (status === 'invalid') continue;
    records['valid'] = (records['valid'] ?? 0) + 1;
    totals.add({ type, currency, costCenter }, status, amount === null ? null : parseDecimal(amount));
  }
  return {
    command: 'payout create',
    run: '20261101-aa',
    target: 'https://gigs.example/base',
    batchId: '2026-11',
    digest: 'd1'.repeat(32),
    dryRun: false,
    refusal: [],
    files: [{ path: 'bonus.csv', sha256: 'f5'.repeat(32), records: rows.length }],
    records,
    totals: totals.rows(),
    startedAt: Date.UTC(2026, 10, 1, 8, 0),
    by: { user: 'clerk', host: '<payroll-1>' },
    approvedBy: null,
    version: '1.2.3',
    madeAt: Date.UTC(2026, 10, 1, 8, 5),
    ...change,
  };
}

export async function htmlOf(rows: readonly RecordReport[], change?: Partial<ReportHead>): Promise<string> {
  let html = '';
  for await (const piece of htmlReport(headOf(rows, change), () => Readable.from(rows))) html += piece;
  return html;
}

export async function pageOf(rows: readonly RecordReport[], change?: Partial<ReportHead>): Promise<Element> {
  return parsePage(await htmlOf(rows, change));
}

/** So many rows, each changed by its place from 0. */
export const several = (n: number, change: (n: number) => Partial<RecordReport>): RecordReport[] =>
  Array.from({ length: n }, (_, i) => ({ ...ROW, record: i + 1, line: i + 2, key: `key-${i + 1}`, ...change(i) }));
