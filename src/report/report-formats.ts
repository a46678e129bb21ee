/** How records are written for programs: as events, and in report files. CONTRACT: "`--json`", "Files it writes". */
import { UsageError } from '../errors.js';
import { htmlReport } from './html.js';
import { csvCell, defused, escapeControls, printable } from './printable.js';
import type { RecordReport, ReportFormat, ReportHead } from './record-report.js';

/** Bodies and answers are JSON already; they are put in as they are. @param more members behind all others */
export function recordEvent(report: RecordReport, more: Readonly<Record<string, string>> = {}): string {
  const { file, record, line, type, key, status, http_status, attempts, response, error, request } = report;
  const { user_id, title, amount, currency, cost_center, reference_id, id, at, stands_for } = report;
  const head = JSON.stringify({ event: 'record', file, record, line, type, key, status, http_status, attempts });
  const tail = JSON.stringify({
    user_id,
    title,
    amount,
    currency,
    cost_center,
    reference_id,
    id,
    at,
    stands_for,
    ...more,
  });
  return `${head.slice(0, -1)},"response":${response ?? 'null'},"error":${JSON.stringify(error)},"request":${request ?? 'null'},${tail.slice(1)}`;
}

/** In the order of the files. */
const COLUMNS = [
  ...(['file', 'record', 'line', 'type', 'key', 'status', 'http_status', 'id', 'amount', 'error', 'user_id'] as const),
  ...(['title', 'currency', 'cost_center', 'reference_id', 'date', 'batch_id', 'run', 'at'] as const),
];

function cellsOf(row: RecordReport, { batchId, run }: ReportHead): (string | number | null)[] {
  const all = { ...row, batch_id: batchId, run };
  return COLUMNS.map((name) => all[name]);
}

/** Control characters are shown as their escapes. */
const csvReport: ReportFormat = async function* (head, rows) {
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(COLUMNS);
  for await (const row of rows())
    yield line(cellsOf(row, head).map((cell) => csvCell(defused(printable(String(cell ?? ''))), ',')));
};

/** The same columns as members, and the payment that a record was left out for, as in its event. */
const ndjsonReport: ReportFormat = async function* (head, rows) {
  for await (const row of rows()) {
    const members = cellsOf(row, head).map((cell, i): [string, unknown] => [COLUMNS[i] ?? '', cell]);
    const line = Object.fromEntries([...members, ['stands_for', row.stands_for]]);
    yield `${escapeControls(JSON.stringify(line))}\n`;
  }
};

/** A new one is a line here. */
const REPORTS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.csv', csvReport],
  ['.ndjson', ndjsonReport],
  ['.html', htmlReport],
]);

/** The format that a report file's extension names. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  const format = REPORTS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format !== undefined) return format;
  throw new UsageError(`--report ${path}: the extension says the format; known are ${[...REPORTS.keys()].join(', ')}`);
}
