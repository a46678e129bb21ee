/** The result of a call: counts and money. */
import type { RecordTable, Status } from '../prepare/record-table.js';
import { EXIT } from '../errors.js';
import { DEFAULT_BATCH } from '../keys/key.js';
import { startTotals, type TotalRow } from '../money/totals.js';
import type { RunSummary } from './reporter.js';

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

export type CalledSummary = Pick<RunSummary, 'command' | 'version' | 'started_at' | 'duration_ms'>;

/** In the order of the event. What is not told is that of a call that has read nothing. */
export function summaryOf(
  told: CalledSummary & Pick<RunSummary, 'exit_code' | 'stop_reason'> & Partial<RunSummary>,
): RunSummary {
  const { exit_code, command, stop_reason, version, started_at, duration_ms, ...others } = told;
  return {
    exit_code,
    command,
    dry_run: false,
    run: null,
    target: null,
    batch_id: DEFAULT_BATCH,
    digest: null,
    stop_reason,
    records: NO_RECORDS,
    totals: [],
    warnings: 0,
    version,
    started_at,
    duration_ms,
    reasons: [],
    next: null,
    retry: exit_code === EXIT.again,
    remedies: [],
    notices: [],
    held: 0,
    new_journal: false,
    last_payment_at: null,
    people: {
      approves: false,
      sends: false,
      doubts: [],
      written: [],
      choices: [],
      later: [],
    },
    ...others,
  };
}

/** Every valid record is in exactly one of seven states. */
export function countEntries(entries: RecordTable): { records: RecordCounts; totals: TotalRow[] } {
  const totals = startTotals();
  const { pending, ...counts } = entries.total(totals, countedStatus);
  const read = entries.length;
  const valid = read - counts.invalid;
  const records = { ...NO_RECORDS, read, valid, ...counts, not_sent: counts.not_sent + pending };
  return { records, totals: totals.rows() };
}

/** The state for totals: a pending record was not sent, an invalid record's money does not count. */
function countedStatus(status: Status): string | null {
  return status === 'invalid' ? null : status === 'pending' ? 'not_sent' : status;
}
