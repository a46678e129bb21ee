/** The formats of report files. CONTRACT: "Files it writes". */
import { UsageError } from '../errors.js';
import { relatedPaymentDocument, timeText } from './event-reporter.js';
import { htmlReport } from './html/report.js';
import { amountUnit } from '../records/types.js';
import { csvCell, escapeFormula, escapeControls, printable } from './printable.js';
import type { RecordReport } from './record-report.js';
import type { ReportFormat, ReportHead } from './report-data.js';

type CellOf = (row: RecordReport, head: ReportHead) => string | number | null;

/** In the order of the files. */
const CSV_COLUMNS: readonly (readonly [name: string, cellOf: CellOf])[] = [
  ['file', ({ file }) => file],
  ['record', ({ record }) => record],
  ['line', ({ line }) => line],
  ['type', ({ type }) => type],
  ['key', ({ key }) => key],
  ['status', ({ status }) => status],
  ['http_status', ({ outcome }) => outcome?.httpStatus ?? null],
  ['id', ({ id }) => id],
  ['amount', ({ amount }) => amount],
  ['error', ({ error }) => error],
  ['user_id', ({ userId }) => userId],
  ['title', ({ title }) => title],
  ['currency', ({ currency }) => currency],
  ['cost_center', ({ costCenter }) => costCenter],
  ['reference_id', ({ referenceId }) => referenceId],
  ['date', ({ date }) => date],
  ['batch_id', (_row, { batchId }) => batchId],
  ['run', ({ run }) => run],
  ['at', ({ at }) => timeText(at)],
  ['unit', ({ type }) => amountUnit(type)],
];

/** Control characters are shown as their escapes. */
const csvReport: ReportFormat = async function* (head, rows) {
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`;
  yield line(CSV_COLUMNS.map(([name]) => name));
  for await (const row of rows)
    yield line(
      CSV_COLUMNS.map(([, cellOf]) => csvCell(escapeFormula(printable(String(cellOf(row, head) ?? ''))), ',')),
    );
};

/** The same columns as members, and the payment that a left-out record repeats, as in its event. */
const ndjsonReport: ReportFormat = async function* (head, rows) {
  for await (const row of rows) {
    const members = CSV_COLUMNS.map(([name, cellOf]): [string, unknown] => [name, cellOf(row, head)]);
    members.push(['stands_for', relatedPaymentDocument(row.standsFor, row.type)]);
    yield `${escapeControls(JSON.stringify(Object.fromEntries(members)))}\n`;
  }
};

/** A new format needs one line here. */
const REPORT_FORMATS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.csv', csvReport],
  ['.ndjson', ndjsonReport],
  ['.html', htmlReport],
]);

/** The format for a report file's extension. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  const format = REPORT_FORMATS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format !== undefined) return format;
  throw new UsageError(`--report ${path}: the name must end in one of ${[...REPORT_FORMATS.keys()].join(', ')}`);
}
