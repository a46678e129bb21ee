/** The named states of records, in words for people. CONTRACT: "Record states". */
import type { TotalRow } from '../money/totals.js';
import { moneyIn, type RecordReport } from './record-report.js';
import { printable } from './printable.js';
import { formatCount } from './table.js';

/** The outcome of a record, in the order in which people see them. @param paid the verb for a confirmed record */
const STATUS_TEXT: Readonly<Record<string, (paid: string) => string>> = {
  planned: () => 'would be sent',
  created: (paid) => paid,
  already_created: (paid) => `already ${paid}`,
  skipped: (paid) => `left out (${paid} before)`,
  rejected: () => 'refused',
  corrected: () => 'corrected since',
  unknown: (paid) => `may have been ${paid}`,
  not_sent: () => 'not sent',
  given_up: () => 'given up',
  invalid: () => 'with faults',
};

/** The states of records that need a person: their meaning, and what to do. */
export const ATTENTION_ADVICE: Readonly<Record<string, string>> = {
  rejected: 'The service has refused them; they were not carried out. Correct what it names and import them again.',
  unknown:
    'They may have been paid or created. Do not enter them again by other means before that is known. First resume the run: payouts and results keep their keys, so nobody is paid twice. If some are still not confirmed, look them up in the service and record the result with batch settle; batch show prints both commands.',
  not_sent: 'Once the cause is gone, the same command or batch resume sends them, each once.',
  invalid: 'They have faults, so they were not sent. Correct them in the file and import it again.',
};

export function needsAttention(state: string): boolean {
  return Object.hasOwn(ATTENTION_ADVICE, state);
}

/**
 * The state of a record for people. One that was corrected, or given up with its run, needs nobody any more. One that an
 * earlier call of the same run has sent was sent by that run.
 */
export function displayStatus({
  status,
  corrected_by: correction,
  is_closed: isClosed,
  is_own: isOwn,
}: Pick<RecordReport, 'status' | 'is_closed' | 'is_own'> & { readonly corrected_by: object | null }): string {
  if (correction !== null) return 'corrected';
  if (status === 'already_created' && isOwn) return 'created';
  return status === 'not_sent' && isClosed ? 'given_up' : status;
}

/** The replacement of a record as text; empty if there is none. */
export function correctionWords({ corrected_by: by, type }: RecordReport): string {
  if (by === null) return '';
  const whom = [by.user_id, by.title].filter((text) => text !== null).join(', ');
  return `Now ${[moneyIn({ ...by, type }), whom].filter((text) => text !== '').join(' to ')}: ${statusText(by.status, type)}`;
}

/** Why a record is not paid, and its replacement. */
export function reasonWords(report: RecordReport): string {
  return printable([report.error ?? '', correctionWords(report)].filter((text) => text !== '').join('. '));
}

/** `3 paid`, `1 refused`. @param rows of all their types and states */
export function statusCounts(
  records: Readonly<Record<string, number>>,
  rows: readonly Pick<TotalRow, 'type' | 'status'>[],
): string[] {
  return Object.keys(STATUS_TEXT).flatMap((name) => {
    const count = records[name] ?? 0;
    const text = commonStatusText(
      name,
      rows.filter(({ status }) => status === name),
    );
    return count === 0 ? [] : [`${formatCount(count)} ${text}`];
  });
}

/** The outcome of a record of this type in this state: `paid`, `may have been paid`. A gig is created. */
export function statusText(state: string, type: string): string {
  return STATUS_TEXT[state]?.(type === 'gig' ? 'created' : 'paid') ?? state;
}

/** The common outcome of these rows, of whatever types, in this state. */
export function commonStatusText(state: string, rows: readonly { readonly type: string }[]): string {
  return statusText(state, rows.find(({ type }) => type === 'gig')?.type ?? 'payout');
}
