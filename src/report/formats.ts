/** The report files. A new one is a line in REPORTS. */
import { UsageError } from '../errors.js';
import type { Caller } from '../ledger/event.js';
import type { PersonsWord } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import { csvReport } from './csv.js';
import { htmlReport } from './html.js';
import { ndjsonReport } from './ndjson.js';
import type { RecordReport } from './reporter.js';

/** A record's outcome as a report file shows it. */
export interface ReportRow extends RecordReport {
  /** The row in a spreadsheet, where it is known and differs from the line. Only for people. */
  readonly row?: number | undefined;
}

/** What a report says of the run as a whole. */
export interface ReportHead {
  readonly command: string;
  readonly run: string | null;
  readonly target: string | null;
  readonly batchId: string;
  readonly digest: string | null;
  readonly dryRun: boolean;
  /** Why the run was refused, in words; empty when it was not. */
  readonly refusal: readonly string[];
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly records: number }[];
  readonly records: Readonly<Record<string, number>>;
  readonly totals: readonly TotalRow[];
  /** When the run began, milliseconds since 1970; null when the run is not in the journal. */
  readonly startedAt: number | null;
  /** Who began the run, on which machine; of one that is not in the journal, who has called. */
  readonly by: Caller['by'];
  /** Who approved the run before it was sent; null where nobody did. */
  readonly approvedBy: PersonsWord | null;
  /** Of the program that they called. */
  readonly version: string;
  /** When the report was made, milliseconds since 1970. */
  readonly madeAt: number;
  /** Minutes that local time is ahead of UTC at a moment, milliseconds since 1970. */
  readonly utcOffset: (at: number) => number;
  /** Options that a command on the run needs to find the journal: words with a space before them, or nothing. */
  readonly journalFlags: string;
  /** What follows the run in the command that goes on with it: words with a space before them, or nothing. */
  readonly resumeFlags: string;
  /** The platform for whose shells the report's commands are quoted. */
  readonly platform: NodeJS.Platform;
}

/** Pieces of the file's text. `rows` may be walked more than once. */
export type ReportFormat = (head: ReportHead, rows: () => AsyncIterable<ReportRow>) => AsyncIterable<string>;

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
