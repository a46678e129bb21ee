/** The formats of report files. CONTRACT: "Files it writes". */
import { UsageError } from '../errors.js';
import { decimalsOf, padDecimals, parseDecimal } from '../money/decimal.js';
import { isCalendarDate } from '../records/calendar.js';
import { commonDigits, leastDigits } from '../records/currencies.js';
import { relatedPaymentDocument, timeText } from './event-reporter.js';
import { amountUnit } from '../records/types.js';
import { csvCell, escapeFormula, escapeControls, printable } from './printable.js';
import type { RecordReport } from './record-report.js';
import type { ReportFormat, ReportHead } from './report-data.js';
import { isKeptExactly, type WrittenCell, type WrittenKind } from './written-cell.js';

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

/** The cells of these columns are no texts in a workbook. */
const WORKBOOK_CELLS: ReadonlyMap<
  string,
  { readonly kind: WrittenKind; readonly cellOf: (row: RecordReport) => WrittenCell }
> = new Map([
  ['amount', { kind: 'number', cellOf: reportedAmount }],
  ['date', { kind: 'date', cellOf: reportedDate }],
]);

/** With at least the decimals of its currency, so that a column lines up. */
function reportedAmount({ type, currency, amount }: RecordReport): WrittenCell {
  if (amount === null) return '';
  const digits = leastDigits(type, currency) ?? commonDigits(decimalsOf(parseDecimal(amount)));
  const filled = padDecimals(amount, digits);
  return { kind: 'number', text: isKeptExactly(filled) ? filled : amount, sign: null };
}

/** The date of an invalid record may be any text. */
function reportedDate({ date }: RecordReport): WrittenCell {
  if (date === null) return '';
  return isCalendarDate(date) ? { kind: 'date', text: date } : printable(date);
}

/** The columns of the CSV report. */
const xlsxReport: ReportFormat = async function* (head, rows) {
  const { writeXlsx } = await import('./xlsx-writer.js');
  const columns = CSV_COLUMNS.map(([name]) => WORKBOOK_CELLS.get(name)?.kind ?? 'text');
  async function* cells(): AsyncIterable<readonly WrittenCell[]> {
    yield CSV_COLUMNS.map(([name]) => name);
    for await (const row of rows)
      yield CSV_COLUMNS.map(
        ([name, cellOf]) => WORKBOOK_CELLS.get(name)?.cellOf(row) ?? printable(String(cellOf(row, head) ?? '')),
      );
  }
  yield* writeXlsx({ name: 'Report', frozenRows: 1, columns }, cells());
};

/** The page's code is loaded where one is written. */
const pageReport: ReportFormat = async function* (head, rows) {
  const { htmlReport } = await import('./html/report.js');
  yield* htmlReport(head, rows);
};

/** A new format needs one line here. */
const REPORT_FORMATS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.csv', csvReport],
  ['.xlsx', xlsxReport],
  ['.ndjson', ndjsonReport],
  ['.html', pageReport],
]);

/** The format for a report file's extension. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  const format = REPORT_FORMATS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format !== undefined) return format;
  throw new UsageError(`--report ${path}: the name must end in one of ${[...REPORT_FORMATS.keys()].join(', ')}`);
}
