/** The formats of report files. CONTRACT: "Files it writes". */
import { decimalsOf, padDecimals, parseDecimal } from '../money/decimal.js';
import { isCalendarDate } from '../records/calendar.js';
import { commonDigits, leastDigits } from '../records/currencies.js';
import { relatedPaymentDocument, timeText } from './event-reporter.js';
import { htmlReport } from './html/report.js';
import { amountUnit } from '../records/types.js';
import { printable } from './printable.js';
import type { RecordReport } from './record-report.js';
import type { ReportFormat, ReportHead } from './report-data.js';
import { csvTable, type ReportColumn, formatNamed, ndjsonTable, xlsxTable } from './table-formats.js';
import { isKeptExactly, type WrittenCell } from './written-cell.js';

/** In the order of the files. */
function columnsOf({ batchId }: ReportHead): ReportColumn<RecordReport>[] {
  return [
    { name: 'file', cell: ({ file }) => file },
    { name: 'record', cell: ({ record }) => record },
    { name: 'line', cell: ({ line }) => line },
    { name: 'type', cell: ({ type }) => type },
    { name: 'key', cell: ({ key }) => key },
    { name: 'status', cell: ({ status }) => status },
    { name: 'http_status', cell: ({ outcome }) => outcome?.httpStatus ?? null },
    { name: 'id', cell: ({ id }) => id },
    { name: 'amount', cell: ({ amount }) => amount, typed: { kind: 'number', cell: reportedAmount } },
    { name: 'error', cell: ({ error }) => error },
    { name: 'user_id', cell: ({ userId }) => userId },
    { name: 'title', cell: ({ title }) => title },
    { name: 'currency', cell: ({ currency }) => currency },
    { name: 'cost_center', cell: ({ costCenter }) => costCenter },
    { name: 'reference_id', cell: ({ referenceId }) => referenceId },
    { name: 'date', cell: ({ date }) => date, typed: { kind: 'date', cell: reportedDate } },
    { name: 'batch_id', cell: () => batchId },
    { name: 'run', cell: ({ run }) => run },
    { name: 'at', cell: ({ at }) => timeText(at) },
    { name: 'unit', cell: ({ type }) => amountUnit(type) },
  ];
}

/** The payment that a left-out record repeats, as in its event. */
const STANDS_FOR: ReportColumn<RecordReport, object | null> = {
  name: 'stands_for',
  cell: ({ standsFor, type }) => relatedPaymentDocument(standsFor, type),
};

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

/** A new format needs one line here. */
const REPORT_FORMATS: Readonly<Record<string, ReportFormat>> = {
  '.csv': (head, rows) => csvTable(columnsOf(head), rows),
  '.xlsx': (head, rows) => xlsxTable('Report', columnsOf(head), rows),
  '.ndjson': (head, rows) => ndjsonTable([...columnsOf(head), STANDS_FOR], rows),
  '.html': htmlReport,
};

/** The format for a report file's extension. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  return formatNamed('--report', path, REPORT_FORMATS);
}
