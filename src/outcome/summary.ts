/** What a call came to: counts, money, and why it stopped. */
import { type TotalRow, startTotals } from '../money/totals.js';
import type { SummaryReport } from '../report/reporter.js';
import type { Entries, Status } from '../batch/table.js';
import type { DeliveryStop } from '../delivery/circuit-breaker.js';
import type { RefusalReason } from '../preflight/refusal.js';

/** Why a call ended before its end. CONTRACT: `stop_reason`. */
export type StopReason = DeliveryStop | 'usage' | RefusalReason;

export interface RecordCounts {
  readonly read: number;
  readonly valid: number;
  readonly invalid: number;
  readonly created: number;
  readonly already_created: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly unknown: number;
  readonly not_sent: number;
  readonly planned: number;
}

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
  told: Pick<SummaryReport, 'exitCode' | 'command' | 'stopReason' | 'version' | 'startedAt' | 'durationMs'>,
): SummaryReport {
  return {
    ...told,
    dryRun: false,
    approves: false,
    run: null,
    target: null,
    batchId: 'default',
    digest: null,
    records: { ...NO_RECORDS },
    totals: [],
    warnings: 0,
    reasons: [],
    held: 0,
    doubts: [],
    notices: [],
    remedies: [],
    next: null,
  };
}

/** Counts the entries as they stand. Every valid record is in exactly one of seven states. */
export function countEntries(entries: Entries): { records: RecordCounts; totals: TotalRow[] } {
  const totals = startTotals();
  const counts = entries.total(totals, shown);
  const { invalid, pending, created, already_created, skipped, rejected, unknown, not_sent, planned } = counts;
  const read = entries.length;
  const valid = read - invalid;
  return {
    records: {
      read,
      valid,
      invalid,
      created,
      already_created,
      skipped,
      rejected,
      unknown,
      not_sent: not_sent + pending,
      planned,
    },
    totals: totals.rows(),
  };
}

/** The state that money is totalled under: a pending record was not sent, an invalid record's money does not count. */
function shown(status: Status): string | null {
  return status === 'invalid' ? null : status === 'pending' ? 'not_sent' : status;
}
