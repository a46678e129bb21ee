/** The CSV report: a line per record, in input order. Control characters in it are shown as their escapes. */
import { COLUMNS } from './columns.js';
import type { ReportFormat } from './formats.js';
import { printable } from './printable.js';
import { csvCell, defused } from './spreadsheet.js';

export const csvReport: ReportFormat = async function* (head, rows) {
  yield `${COLUMNS.map(([name]) => name).join(',')}\r\n`;
  for await (const row of rows()) {
    const cells = COLUMNS.map(([, value]) => csvCell(defused(printable(String(value(row, head) ?? ''))), ','));
    yield `${cells.join(',')}\r\n`;
  }
};
