/** What a report file is made of. */
import type { Caller } from '../ledger/event.js';
import type { PersonsWord } from '../ledger/payment.js';
import type { TotalRow } from '../money/totals.js';
import type { RecordReport } from './record-report.js';

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
export type ReportFormat = (head: ReportHead, rows: () => AsyncIterable<RecordReport>) => AsyncIterable<string>;
