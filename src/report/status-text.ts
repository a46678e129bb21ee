/** The states of records in words for people, and payments in doubt. CONTRACT: "Record states". */
import { localDay } from '../util/local-time.js';
import { printable } from './printable.js';
import { recordMoneyText, type RecordReport } from './record-report.js';
import { formatCount, pluralize } from './table.js';

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

/** The outcome of a record of this type in this state: `paid`, `may have been paid`. A gig is created. */
export function statusText(state: string, type: string): string {
  return STATUS_TEXT[state]?.(type === 'gig' ? 'created' : 'paid') ?? state;
}

/** The common outcome of these rows, of whatever types, in this state. */
export function commonStatusText(state: string, rows: readonly { readonly type: string }[]): string {
  return statusText(state, rows.some(({ type }) => type === 'gig') ? 'gig' : 'payout');
}

/** `3 paid`, `1 refused`. @param rows of all their types and states */
export function statusCounts(records: Readonly<Record<string, number>>, rows: readonly StatusRow[]): string[] {
  return Object.keys(STATUS_TEXT)
    .filter((state) => (records[state] ?? 0) > 0)
    .map((state) => {
      const own = rows.filter(({ status }) => status === state);
      return `${formatCount(records[state] ?? 0)} ${commonStatusText(state, own)}`;
    });
}

/**
 * Files that could not be written once the records were sent: a person must not take it for a failed payment, and pay
 * again.
 * @param rows of all types and states
 */
export function missingFileText(
  failure: string,
  records: Readonly<Record<string, number>>,
  rows: readonly StatusRow[],
): string {
  const { created = 0, read = 0 } = records;
  if (created < read) return `${statusCounts(records, rows).join(', ')}; that does not change. ${failure}`;
  const paid = commonStatusText('created', rows);
  const all = read === 1 ? `The record is ${paid}` : `All ${formatCount(read)} records are ${paid}`;
  return `${all}. Only output is missing: ${failure}`;
}

interface StatusRow {
  readonly type: string;
  readonly status: string;
}

/** The states of records that need a person: their meaning, and what to do. */
export const ATTENTION_ADVICE: Readonly<Record<string, string>> = {
  rejected:
    'The service has refused them; they were not carried out. Correct them in a copy of the rejects file, and import the copy.',
  unknown:
    'They may have been paid or created. Do not enter them again by other means before that is known. First resume the run: it sends payouts and results again only while their keys protect them, so nobody is paid twice. If some are still not confirmed, look them up in the service and record the result with batch settle; batch show prints both commands.',
  not_sent: 'Once the cause is gone, the same command or batch resume sends them, each once.',
  invalid: 'They have faults, so they were not sent. Correct them in the file and import it again.',
};

export function needsAttention(state: string): boolean {
  return Object.hasOwn(ATTENTION_ADVICE, state);
}

/** Why a record is not paid, and its replacement. */
export function reasonText(report: RecordReport): string {
  return printable([report.error ?? '', correctionText(report)].filter((text) => text !== '').join('. '));
}

/** The replacement of a record; empty if there is none. */
export function correctionText({ correction, type }: RecordReport): string {
  if (correction === null) return '';
  const { userId, title, amount, currency, state } = correction;
  const whom = [userId, title].filter((text) => text !== null).join(', ');
  const payment = [recordMoneyText({ type, amount, currency }), whom].filter((text) => text !== '').join(' to ');
  return `Now ${payment}: ${statusText(state, type)}`;
}

/** Why a record that was left out is not confirmed. */
export const LEFT_OUT_REASON = 'left out for an earlier payment that may have been made';

/**
 * Why a rejected record is not sent again.
 * @param error of its payment
 * @param run the run of its last correction
 */
export function replacedText(error: string | null, run: string): string {
  const reason = `replaced by a corrected record in run ${run}, so it is never sent again`;
  return error === null ? reason : `${error}; ${reason}`;
}

/** Payments in doubt that a person has to look up in the service, by the run that has them. */
export interface InDoubtSummary {
  readonly run: string;
  /** The day when the first of them came into doubt, YYYY-MM-DD. */
  readonly since: string;
  readonly count: number;
  readonly areGigs: boolean;
  /** The key of the payment; null if there are several. */
  readonly key: string | null;
}

export function createInDoubtTally() {
  const runs = new Map<string, { since: number; count: number; areGigs: boolean; key: string | null }>();
  return {
    /** @param run that has the payment. @param since milliseconds since 1970 */
    add: (run: string, since: number, { type, key }: { readonly type: string; readonly key: string }): void => {
      const found = runs.get(run) ?? { since: Infinity, count: 0, areGigs: true, key };
      runs.set(run, found);
      found.count++;
      found.since = Math.min(found.since, since);
      found.areGigs &&= type === 'gig';
      // Two records may be the same payment.
      if (found.key !== key) found.key = null;
    },
    snapshot: (): InDoubtSummary[] =>
      [...runs].map(([run, { since, ...found }]) => ({ run, since: localDay(since), ...found })),
  };
}

/** The number of these payments. */
export function countInDoubt(doubts: readonly InDoubtSummary[]): number {
  return doubts.reduce((sum, { count }) => sum + count, 0);
}

/** Whether all that is left of a run are doubts of other runs: to continue it would send nothing. */
export function isLeftElsewhere(
  run: string | null,
  records: { readonly unknown: number; readonly not_sent: number },
  doubts: readonly InDoubtSummary[],
): boolean {
  const others = countInDoubt(doubts.filter((doubt) => doubt.run !== run));
  return others > 0 && others === records.unknown && records.not_sent === 0;
}

/**
 * Without its end, which differs between a terminal and a program: how a person then records the result.
 * @param isAfter the run is to be resumed first
 */
export function inDoubtText({ run, since, count, areGigs }: InDoubtSummary, isAfter = false): string {
  const what = pluralize(count, areGigs ? 'gig' : 'record');
  const it = count === 1 ? 'it' : 'each';
  const look = isAfter ? `If that does not clear it up, look ${it} up` : `Look ${it} up`;
  return `${what} of run ${run} may have been ${areGigs ? 'created' : 'paid'} (in doubt since ${since}). ${look} in the service, then record the result`;
}

/** A command of this program, with the flags that name the journal: `gigwork batch show RUN --state-dir DIR`. */
export type CommandText = (words: string) => string;

/** The same with the command. */
export function settleText(doubt: InDoubtSummary, command: CommandText, isAfter = false): string {
  const settle = `${command(`batch settle ${doubt.run}`)} --line N --created --note TEXT, or --not-created --note TEXT`;
  return `${inDoubtText(doubt, isAfter)}: ${settle}`;
}

/** So many are looked up one by one. */
export const FEW_IN_DOUBT = 5;

/** How an export of the service records the results of all of them. */
function reconcileText({ run, count }: InDoubtSummary, command: CommandText): string {
  const reconcile = `${command(`batch reconcile FILE --run ${run}`)} --as-of TIME --note TEXT`;
  return `If the service can export its payments, FILE settles all ${formatCount(count)} at once: ${reconcile}`;
}

/**
 * The same, and where to find the lines.
 * @param shown the run whose records the person sees; null for none
 */
export function settleTexts(
  doubts: readonly InDoubtSummary[],
  shown: string | null,
  command: CommandText,
  isAfter = false,
): string[] {
  return doubts.flatMap((doubt) => {
    const settle = settleText(doubt, command, isAfter);
    const atOnce = doubt.count > FEW_IN_DOUBT ? [reconcileText(doubt, command)] : [];
    if (doubt.run === shown) return [settle, ...atOnce];
    const show = command(`batch show ${doubt.run}`);
    return [
      settle,
      `N is the line of the record in its file, or several: 3,5,9-12. See the lines with: ${show}`,
      ...atOnce,
    ];
  });
}

/** Rows that are still open stay with their run: a corrected file has them too, under other keys. */
export function openRecordsText(run: string, command: CommandText): string {
  return `That continues with the file as it is. If you change the file, close this run first, or both the old and the changed records are sent: ${command(`batch close ${run}`)} --note TEXT`;
}
