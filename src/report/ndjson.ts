/** The NDJSON report: the CSV report's columns as an object a line. */
import { COLUMNS } from './columns.js';
import type { ReportFormat } from './formats.js';
import { escapeControls } from './printable.js';

export const ndjsonReport: ReportFormat = async function* (head, rows) {
  for await (const row of rows()) {
    const fields = Object.fromEntries(COLUMNS.map(([name, value]) => [name, value(row, head)]));
    yield `${escapeControls(JSON.stringify(fields))}\n`;
  }
};
