/** The NDJSON report: the CSV report's columns as an object a line. */
import type { ReportFormat } from './formats.js';
import { escapeControls } from './printable.js';

export const ndjsonReport: ReportFormat = function* (_head, rows) {
  for (const { file, record, line, type, key, status, httpStatus, id, amount, error } of rows()) {
    const fields = { file, record, line, type, key, status, http_status: httpStatus, id, amount, error };
    yield `${escapeControls(JSON.stringify(fields))}\n`;
  }
};
