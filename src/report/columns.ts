/** The columns of the report files for programs. CONTRACT: "Files it writes". */
import type { ReportHead, ReportRow } from './formats.js';

/** In the order of the files. */
export const COLUMNS: readonly (readonly [
  name: string,
  value: (row: ReportRow, head: ReportHead) => string | number | null,
])[] = [
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
  ['user_id', (row) => row.userId],
  ['title', (row) => row.title],
  ['currency', (row) => row.currency],
  ['cost_center', (row) => row.costCenter],
  ['reference_id', (row) => row.referenceId],
  ['date', (row) => row.date],
  ['batch_id', (_row, head) => head.batchId],
  ['run', (_row, head) => head.run],
  ['at', ({ at }) => (at === null ? null : new Date(at).toISOString())],
];
