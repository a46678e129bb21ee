/** Records for programs: events and report files. CONTRACT: "`--json`", "Files it writes". */
import { UsageError } from '../errors.js';
import { htmlReport } from './html/report.js';
import { csvCell, escapeFormula, escapeControls, printable } from './printable.js';
import type { RecordReport, ReportFormat, ReportHead } from './record-report.js';

/**
 * Bodies and answers are JSON already and are inserted unchanged. Member by member: with millions of records, building
 * an object only to write it would cost more than everything else here.
 * @param more members after all others
 */
export function recordEvent(report: RecordReport, more: Readonly<Record<string, string>> = {}): string {
  const { record, line, type, status, http_status: httpStatus, attempts, response, request } = report;
  const { file, key, error, user_id: userId, title, amount, currency, cost_center: costCenter } = report;
  const { reference_id: referenceId, id, at, stands_for: standsFor } = report;
  const place = `"file":${jsonText(file)},"record":${record},"line":${line},"type":"${type}"`;
  const sent = `"key":${jsonText(key)},"status":"${status}","http_status":${httpStatus},"attempts":${attempts}`;
  const answer = `"response":${response},"error":${jsonText(error)},"request":${request}`;
  const money = `"amount":${jsonText(amount)},"currency":${jsonText(currency)},"cost_center":${jsonText(costCenter)}`;
  const whom = `"user_id":${jsonText(userId)},"title":${jsonText(title)},${money},"reference_id":${jsonText(referenceId)}`;
  const end = `"id":${jsonText(id)},"at":${jsonText(at)},"stands_for":${standsFor === null ? null : JSON.stringify(standsFor)}`;
  const further = Object.entries(more).map(([name, text]) => `,${jsonText(name)}:${jsonText(text)}`);
  return `{"event":"record",${place},${sent},${answer},${whom},${end}${further.join('')}}`;
}

/** Text that JSON writes unchanged. */
const UNCHANGED_IN_JSON = /^[\w .,:;/@+-]*$/;

function jsonText(text: string | null): string {
  if (text === null) return 'null';
  return UNCHANGED_IN_JSON.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** In the order of the files. */
const CSV_COLUMNS = [
  ...(['file', 'record', 'line', 'type', 'key', 'status', 'http_status', 'id', 'amount', 'error', 'user_id'] as const),
  ...(['title', 'currency', 'cost_center', 'reference_id', 'date', 'batch_id', 'run', 'at'] as const),
];

function reportCells(row: RecordReport, { batchId }: ReportHead): (string | number | null)[] {
  const all = { ...row, batch_id: batchId };
  return CSV_COLUMNS.map((name) => all[name]);
}

/** Control characters are shown as their escapes. */
const csvReport: ReportFormat = async function* (head, rows) {
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(CSV_COLUMNS);
  for await (const row of rows)
    yield line(reportCells(row, head).map((cell) => csvCell(escapeFormula(printable(String(cell ?? ''))), ',')));
};

/** The same columns as members, and the payment that a left-out record repeats, as in its event. */
const ndjsonReport: ReportFormat = async function* (head, rows) {
  for await (const row of rows) {
    const members = reportCells(row, head).map((cell, i): [string, unknown] => [CSV_COLUMNS[i] ?? '', cell]);
    const line = Object.fromEntries([...members, ['stands_for', row.stands_for]]);
    yield `${escapeControls(JSON.stringify(line))}\n`;
  }
};

/** A new format needs one line here. */
const REPORTS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.csv', csvReport],
  ['.ndjson', ndjsonReport],
  ['.html', htmlReport],
]);

/** The format for a report file's extension. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  const format = REPORTS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format !== undefined) return format;
  throw new UsageError(`--report ${path}: the name must end in one of ${[...REPORTS.keys()].join(', ')}`);
}
