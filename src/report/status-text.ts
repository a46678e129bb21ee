/** The states of records in words for people. CONTRACT: "Record states". */
import type { CommandText } from '../follow-up/commands.js';
import { positionText } from '../records/issue.js';
import type { UnpaidRecords } from './call-records.js';
import { printable } from './printable.js';
import { recordMoneyText, type RecordReport } from './record-report.js';
import { ellipsize, formatCount } from './table.js';

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

/** How people speak of what is sent: money is paid, a gig is created. */
export interface Wording {
  readonly noun: 'payment' | 'gig' | 'record';
  readonly pay: 'pay' | 'create';
  readonly paid: 'paid' | 'created';
}

const OF_MONEY: Wording = { noun: 'payment', pay: 'pay', paid: 'paid' };
const OF_GIGS: Wording = { noun: 'gig', pay: 'create', paid: 'created' };
/** A payment is created too. */
const OF_BOTH: Wording = { noun: 'record', pay: 'create', paid: 'created' };

/** The words that are right for all of these. */
export function wordingFor(rows: readonly { readonly type: string }[]): Wording {
  if (!rows.some(({ type }) => type === 'gig')) return OF_MONEY;
  return rows.every(({ type }) => type === 'gig') ? OF_GIGS : OF_BOTH;
}

/** The outcome of a record of this type in this state: `paid`, `may have been paid`. */
export function statusText(state: string, type: string): string {
  return commonStatusText(state, [{ type }]);
}

/** The common outcome of these rows, of whatever types, in this state. */
export function commonStatusText(state: string, rows: readonly { readonly type: string }[]): string {
  return STATUS_TEXT[state]?.(wordingFor(rows).paid) ?? state;
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

const RESUME_FIRST =
  'First resume the run: it sends payouts and results again only while their keys protect them, so nobody is paid twice. If some are still not confirmed, look';
/** A guess pays somebody twice, or not at all. */
const LOOK_UP =
  'them up in the service, do not guess, and record the result with batch settle; batch show prints the commands.';

/** The states of records that need a person: their meaning, and what to do. */
const ATTENTION_ADVICE: Readonly<Record<string, (wording: Wording) => string>> = {
  rejected: () =>
    'The service has refused them; they were not carried out. Correct them in a copy of the rejects file, and import the copy.',
  unknown: ({ noun, paid }) =>
    `They may have been ${paid}. Do not enter them again by other means before that is known. ${noun === 'gig' ? 'Look' : RESUME_FIRST} ${LOOK_UP}`,
  not_sent: () => 'Once the cause is gone, the same command or batch resume sends them, each once.',
  invalid: () => 'They have faults, so they were not sent. Correct them in the file and import it again.',
};

/** For each of these states that needs a person, in the order of their weight. */
export const STATES_IN_NEED: readonly string[] = Object.keys(ATTENTION_ADVICE);

/** What a state means that needs a person, and what to do. @param rows of that state */
export function attentionAdvice(state: string, rows: readonly { readonly type: string }[]): string {
  return ATTENTION_ADVICE[state]?.(wordingFor(rows)) ?? '';
}

export function needsAttention(state: string): boolean {
  return STATES_IN_NEED.includes(state);
}

/** `Not paid (refused or with faults): u17, 12.00 EUR (line 4); u18 (line 9); and 11 more`. @param rest where the others are named */
export function unpaidText({ first, count, isOneFile }: UnpaidRecords, rest: string): string {
  const names = first.map((record) => {
    const { file, line, userId, title } = record;
    const what = [ellipsize(userId ?? title ?? '', LONGEST_UNPAID), recordMoneyText(record)];
    const place = `(${positionText({ record: record.record, line })}${isOneFile ? '' : ` of ${file}`})`;
    return `${what.filter((text) => text !== '').join(', ')} ${place}`.trimStart();
  });
  const more = count - first.length;
  if (more > 0) names.push(`and ${formatCount(more)} more (${rest})`);
  return `Not ${wordingFor(first).paid} (refused or with faults): ${names.join('; ')}`;
}

const LONGEST_UNPAID = 32;

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
export function leftOutReason(type: string): string {
  return `left out for an earlier ${type === 'gig' ? 'gig that may have been created' : 'payment that may have been made'}`;
}

/**
 * Why a rejected record is not sent again.
 * @param error of its payment
 * @param run the run of its last correction
 */
export function replacedText(error: string | null, run: string): string {
  const reason = `replaced by a corrected record in run ${run}, so it is never sent again`;
  return error === null ? reason : `${error}; ${reason}`;
}

/** Rows that are still open stay with their run: a corrected file has them too, under other keys. */
export function openRecordsText(run: string, command: CommandText): string {
  return `That continues with the file as it is. If you change the file, close this run first, or both the old and the changed records are sent: ${command(`batch close ${run}`)} --note TEXT`;
}
