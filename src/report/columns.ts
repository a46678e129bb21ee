/** The columns of the report files for programs. CONTRACT: "Files it writes". */
import type { ReportRow } from './formats.js';

/** In the order of the files. */
export const COLUMNS: readonly (readonly [name: string, value: (row: ReportRow) => string | number | null])[] = [
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
