/** The CSV report: a line per record, in input order. Control characters in it are shown as their escapes. */
import { type ReportFormat, type ReportRow } from './formats.js';
import { printable } from './printable.js';
import { csvCell, defused } from './spreadsheet.js';

const COLUMNS: readonly (readonly [name: string, value: (row: ReportRow) => string | number | null])[] = [
  ['file', (row) => row.file],
  ['record', (row) => row.record],
  ['line', (row) => row.line],
  ['type', (row) => row.type],
  ['key', (row) => row.key],
  ['status', (row) => row.status],
  ['http_status', (row) => row.httpStatus],
  ['id', (row) => row.id],
  ['amount', (row) => row.amount],
  ['error', (row) => row.error],
];

export const csvReport: ReportFormat = function* (_head, rows) {
  yield `${COLUMNS.map(([name]) => name).join(',')}\r\n`;
  for (const row of rows()) {
    const cells = COLUMNS.map(([, value]) => csvCell(defused(printable(String(value(row) ?? ''))), ','));
    yield `${cells.join(',')}\r\n`;
  }
};
