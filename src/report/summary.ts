/** The result of a call: counts and money. */
import type { Entries, Status } from '../batch/entries.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { SummaryReport } from './reporter.js';

export type RecordCounts = Readonly<Record<'read' | 'valid' | Exclude<Status, 'pending'>, number>>;

/** In the order of the output. */
export const NO_RECORDS: RecordCounts = {
  read: 0,
  valid: 0,
  invalid: 0,
  created: 0,
  already_created: 0,
  skipped: 0,
  rejected: 0,
  unknown: 0,
  not_sent: 0,
  planned: 0,
};

/** The summary of a call that has read nothing. */
export function emptySummary(
  told: Pick<SummaryReport, 'exitCode' | 'command' | 'stopReason' | 'version' | 'startedAt' | 'durationMs'> &
    Partial<SummaryReport>,
): SummaryReport {
  return {
    dryRun: false,
    approves: false,
    sends: false,
    run: null,
    target: null,
    batchId: 'default',
    digest: null,
    records: NO_RECORDS,
    totals: [],
    warnings: 0,
    reasons: [],
    doubts: [],
    written: [],
    notices: [],
    remedies: [],
    newJournal: false,
    lastPaymentAt: null,
    next: null,
    ...told,
  };
}

/** Every valid record is in exactly one of seven states. */
export function countEntries(entries: Entries): { records: RecordCounts; totals: TotalRow[] } {
  const totals = startTotals();
  const { pending, ...counts } = entries.total(totals, shown);
  const read = entries.length;
  const valid = read - counts.invalid;
  const records = { ...NO_RECORDS, read, valid, ...counts, not_sent: counts.not_sent + pending };
  return { records, totals: totals.rows() };
}

/** The state for totals: a pending record was not sent, an invalid record's money does not count. */
function shown(status: Status): string | null {
  return status === 'invalid' ? null : status === 'pending' ? 'not_sent' : status;
}
