/** The report files for programs: CSV and NDJSON, a line for each record, in input order. CONTRACT: "Files it writes". */
import { standsForEvent } from './event-reporter.js';
import { escapeControls, printable } from './printable.js';
import type { RecordReport } from './record-report.js';
import type { ReportFormat, ReportHead } from './report-head.js';
import { csvCell, defused } from './spreadsheet.js';

type Cell = string | number | null;

/** In the order of the files. */
const COLUMNS: Readonly<Record<string, (row: RecordReport, head: ReportHead) => Cell>> = {
  file: (row) => row.file,
  record: (row) => row.record,
  line: (row) => row.line,
  type: (row) => row.type,
  key: (row) => row.key,
  status: (row) => row.status,
  http_status: (row) => row.httpStatus,
  id: (row) => row.id,
  amount: (row) => row.amount,
  error: (row) => row.error,
  user_id: (row) => row.userId,
  title: (row) => row.title,
  currency: (row) => row.currency,
  cost_center: (row) => row.costCenter,
  reference_id: (row) => row.referenceId,
  date: (row) => row.date,
  batch_id: (_row, head) => head.batchId,
  run: (_row, head) => head.run,
  at: ({ at }) => (at === null ? null : new Date(at).toISOString()),
};

function cellsOf(row: RecordReport, head: ReportHead): [name: string, cell: Cell][] {
  return Object.entries(COLUMNS).map(([name, value]) => [name, value(row, head)]);
}

/** Control characters are shown as their escapes. */
export const csvReport: ReportFormat = async function* (head, rows) {
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(Object.keys(COLUMNS));
  for await (const row of rows())
    yield line(cellsOf(row, head).map(([, cell]) => csvCell(defused(printable(String(cell ?? ''))), ',')));
};

/** The same columns as members, and the payment that a record was left out for, as in its event. */
export const ndjsonReport: ReportFormat = async function* (head, rows) {
  for await (const row of rows()) {
    const members = { ...Object.fromEntries(cellsOf(row, head)), stands_for: standsForEvent(row) };
    yield `${escapeControls(JSON.stringify(members))}\n`;
  }
};
