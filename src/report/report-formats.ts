/** The report files. A new one is a line in REPORTS. */
import { UsageError } from '../errors.js';
import { htmlReport } from './html.js';
import type { ReportFormat } from './report-head.js';
import { csvReport, ndjsonReport } from './row-reports.js';

const REPORTS: ReadonlyMap<string, ReportFormat> = new Map([
  ['.csv', csvReport],
  ['.ndjson', ndjsonReport],
  ['.html', htmlReport],
]);

/** The format that a report file's extension names. @throws UsageError for any other */
export function reportFormat(path: string): ReportFormat {
  const format = REPORTS.get(/\.[^./\\]+$/.exec(path)?.[0].toLowerCase() ?? '');
  if (format !== undefined) return format;
  throw new UsageError(`--report ${path}: the extension says the format; known are ${[...REPORTS.keys()].join(', ')}`);
}
