/** The named states of records, in words for people. CONTRACT: "Record states". */
import type { TotalRow } from '../money/totals.js';
import { moneyIn, type RecordReport } from './record-report.js';
import { printable } from './printable.js';
import { countText } from './table.js';

interface StateWords {
  readonly name: string;
  /** The outcome of a record. @param paid the verb for a confirmed record of its type */
  readonly fate: (paid: string) => string;
  /** Its meaning, and what to do. */
  readonly meaning: string;
}

/** In the order in which people see them. */
export const STATES: readonly StateWords[] = [
  {
    name: 'planned',
    fate: () => 'would be sent',
    meaning: 'They would be sent.',
  },
  { name: 'created', fate: (paid) => paid, meaning: 'The service has carried them out.' },
  {
    name: 'already_created',
    fate: (paid) => `already ${paid}`,
    meaning: 'An earlier run sent them, and the service has carried them out; they were not sent again.',
  },
  {
    name: 'skipped',
    fate: (paid) => `left out (${paid} before)`,
    meaning: 'A person decided that they repeat earlier payments, which were paid or created.',
  },
  {
    name: 'rejected',
    fate: () => 'refused',
    meaning: 'The service has refused them; they were not carried out. Correct what it names and import them again.',
  },
  {
    name: 'corrected',
    fate: () => 'corrected since',
    meaning:
      'The service refused them, and corrected records took their place: those count, and are listed as they are.',
  },
  {
    name: 'unknown',
    fate: (paid) => `may have been ${paid}`,
    meaning:
      'They may have been paid or created. Do not enter them again by other means before that is known. First resume the run: payouts and results keep their keys, so nobody is paid twice. If some are still not confirmed, look them up in the service and record the result with batch settle; batch show prints both commands.',
  },
  {
    name: 'not_sent',
    fate: () => 'not sent',
    meaning: 'Once the cause is gone, the same command or batch resume sends them, each once.',
  },
  {
    name: 'given_up',
    fate: () => 'given up',
    meaning: 'Their run was closed, so it does not send them.',
  },
  {
    name: 'invalid',
    fate: () => 'with faults',
    meaning: 'They break a rule and were never eligible. Correct them in the file and import it again.',
  },
];

/** The state of a record for people: one that was corrected, or given up with its run, needs nobody any more. */
export function shownState({
  status,
  corrected_by: correction,
  is_closed: isClosed,
}: Pick<RecordReport, 'status' | 'is_closed'> & { readonly corrected_by: object | null }): string {
  if (correction !== null) return 'corrected';
  return status === 'not_sent' && isClosed ? 'given_up' : status;
}

/** The replacement of a record as text; empty if there is none. */
export function correctionWords({ corrected_by: by, type }: RecordReport): string {
  if (by === null) return '';
  const whom = [by.user_id, by.title].filter((text) => text !== null).join(', ');
  return `Now ${[moneyIn({ ...by, type }), whom].filter((text) => text !== '').join(' to ')}: ${fateWords(by.status, type)}`;
}

/** Why a record is not paid, and its replacement. */
export function reasonWords(report: RecordReport): string {
  return printable([report.error ?? '', correctionWords(report)].filter((text) => text !== '').join('. '));
}

/** The states of records that need a person. */
export const FAILED_STATES: readonly string[] = ['rejected', 'unknown', 'not_sent', 'invalid'];

/** `3 paid`, `1 refused`. @param rows of all their types and states */
export function fateCounts(
  records: Readonly<Record<string, number>>,
  rows: readonly Pick<TotalRow, 'type' | 'status'>[],
): string[] {
  return STATES.flatMap(({ name }) => {
    const count = records[name] ?? 0;
    const fate = commonFate(
      name,
      rows.filter(({ status }) => status === name),
    );
    return count === 0 ? [] : [`${countText(count)} ${fate}`];
  });
}

/** The outcome of a record of this type in this state: `paid`, `may have been paid`. A gig is created. */
export function fateWords(state: string, type: string): string {
  return STATES.find(({ name }) => name === state)?.fate(type === 'gig' ? 'created' : 'paid') ?? state;
}

/** The common outcome of these rows, of whatever types, in this state. */
export function commonFate(state: string, rows: readonly { readonly type: string }[]): string {
  return fateWords(state, rows.find(({ type }) => type === 'gig')?.type ?? 'payout');
}
