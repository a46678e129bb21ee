/** Sentences on earlier payments: those that were made, those that may have been, and those that are sent again. */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { LostOriginal } from '../journal/location.js';
import type { PaymentId } from '../journal/payment.js';
import { positionText, type RecordPlace } from '../records/issue.js';
import { ellipsize, pluralize, formatCount } from './table.js';
import { type Wording, wordingFor } from './status-text.js';
import { amountText, countRecords, typeName } from './totals-table.js';
import { localDay, localTime } from '../util/local-time.js';

export type NoticeCode = 'already-created' | 'skipped' | 'paid-in-batch' | 'other-date' | 'same-payee-and-amount';

/** A record that a sentence names. */
export interface NamedRecord extends RecordPlace {
  /** Null if the input is one file. */
  readonly file: string | null;
  /** The payee, or the title of a gig; empty if not known. */
  readonly subject: string;
}

/** `: u17 on line 4, u18 on line 9`; empty without records. */
function whoText(records: readonly NamedRecord[]): string {
  const names = records.map((record) => {
    const place = record.line === null ? 'as' : 'on';
    const of = record.file === null ? '' : ` of ${record.file}`;
    return `${ellipsize(record.subject, LONGEST_WHO)} ${place} ${positionText(record)}${of}`.trimStart();
  });
  return names.length === 0 ? '' : `: ${names.join(', ')}`;
}

const LONGEST_WHO = 32;

/** Earlier payments, a line for each batch: loud if sending pays them again. */
export interface Notice {
  readonly code: NoticeCode;
  readonly count: number;
  /** The records, if they are few and the notice is a risk. */
  readonly records: readonly NamedRecord[];
  /** Of the input's records, by type and currency and cost center. */
  readonly totals: readonly TotalRow[];
  /** Of the payments that left-out records repeat; empty for other notices. */
  readonly paid: readonly TotalRow[];
  /** The batch in which they were paid. */
  readonly batchId: string;
  /** The time of the last of them, milliseconds since 1970. */
  readonly at: number;
  readonly last: PaymentId;
  /** The file of that payment; null before it is looked up, or if it is not known. */
  readonly file: string | null;
}

/** Whether the notice is about money that is paid again. */
export function isRisky(code: NoticeCode): boolean {
  return code !== 'already-created' && code !== 'skipped';
}

/**
 * `204 payouts (19,707.09 EUR) were paid already …`
 * @param isSent they were sent by now, and not only planned
 * @param now milliseconds since 1970
 */
export function noticeText(notice: Notice, isSent: boolean, now: number): string {
  const { code, count, records, totals, paid, batchId, at, file } = notice;
  const sums = sumByCurrency(totals);
  const isOne = count === 1;
  const { pay, paid: done } = wordingFor(sums);
  const were = isOne ? 'was' : 'were';
  const it = isOne ? 'it' : 'them';
  const amounts = knownMoneyText(sums);
  const name = sums.length > 1 ? 'records' : typeName(sums[0]?.type ?? 'payout', count);
  const all = `${formatCount(count)} ${name}${amounts === '' ? '' : ` (${amounts})`} ${were}`;
  const these = ofTheseText(count, sums);
  const when = `${isOne ? '' : 'most recently '}${dayText(at, now)}`;
  const where = file === null ? '' : ` (${file})`;
  const who = whoText(records);
  const again = isSent ? `This call sent ${it} again.` : `Sending ${it} ${pay}s ${it} again.`;
  switch (code) {
    case 'already-created':
      return `${all} ${done} already, ${when}, in batch ${batchId}${where}. ${isOne ? 'It was' : 'They were'} not sent again.`;
    case 'skipped': {
      const before = knownMoneyText(sumByCurrency(paid));
      const as = before === amounts || before === '' ? '' : ` for ${before}`;
      return `${all} left out: ${done} already${as}, ${when}, in batch ${batchId}${where}.`;
    }
    case 'paid-in-batch':
      return `Careful: ${these} ${were} already ${done} in batch ${batchId}, ${when}${where}${who}. ${again}`;
    case 'other-date':
      return `Careful: ${these} ${were} already ${done} in this batch for another date, ${when}${where}${who}. ${again}`;
    case 'same-payee-and-amount':
      return `Careful: in this batch, the same ${isOne ? 'person' : 'people'} got the same amount for another purpose, ${when}${where}: ${these}${records.length === 0 ? '' : `, ${who.slice(2)}`}. ${isSent ? 'This call sent these in addition.' : 'Sending pays in addition.'}`;
  }
}

/** `2 of these payments (34.05 EUR)` */
function ofTheseText(count: number, sums: readonly TotalRow[]): string {
  const amounts = knownMoneyText(sums);
  return `${formatCount(count)} of these ${wordingFor(sums).noun}s${amounts === '' ? '' : ` (${amounts})`}`;
}

/** `1,200.00 EUR, 75.00 CHF`; empty if no amount is known. */
function knownMoneyText(sums: readonly TotalRow[]): string {
  return sums
    .filter(({ count, unpriced }) => count > unpriced)
    .map(amountText)
    .join(', ');
}

/** `today`, `on 2026-11-20` */
function dayText(at: number, now: number): string {
  const day = localDay(at);
  return day === localDay(now) ? 'today' : `on ${day}`;
}

/**
 * What is known of earlier payments at the target.
 * @param lastPaymentAt milliseconds since 1970; null for nothing
 * @param records those of the call
 */
export function lastPaymentText(lastPaymentAt: number | null, records: readonly TotalRow[]): string {
  const { noun, paid } = wordingFor(records);
  // The newest one may be of another type.
  if (lastPaymentAt !== null) return `newest ${noun === 'payment' ? noun : 'record'} here: ${localTime(lastPaymentAt)}`;
  return `careful: gigwork does not know what was ${paid} before`;
}

/** @param lost see {@link Journal.lostOriginal} */
export function lostHistoryText({ journal, at }: LostOriginal): string {
  return `Careful: the journal comes from a copy of ${journal}, which was lost. It does not know what was paid between ${localDay(at)} and its restoring: look for these payments in the service before you send`;
}

/** What later runs have paid in the batch of an unfinished run: its open rows may be among that. */
export interface LaterPayments {
  readonly runs: number;
  /** Of what they have paid. */
  readonly totals: readonly TotalRow[];
  readonly newest: { readonly name: string; readonly startedAt: number };
}

/** @param run the unfinished one */
export function laterPaymentsText({ runs, totals, newest }: LaterPayments, run: string, batchId: string): string {
  const later = runs === 1 ? '1 later run has' : `${runs} later runs have`;
  const records = pluralize(countRecords(totals), 'record');
  return `Careful: ${later} ${wordingFor(totals).paid} ${records} in batch ${batchId}, most recently run ${newest.name} on ${localDay(newest.startedAt)}. Check that the open records of run ${run} are not among them.`;
}

/** Repeats without a decision. */
export interface UndecidedRepeats {
  /** How many have the content of a payment that was created, or is in doubt. */
  readonly sent: number;
  /** How many of these are in doubt. */
  readonly inDoubt: number;
  /** How many need something else first: a run that has them open, or the rejects of another run. */
  readonly blocked: number;
  /** How many are similar to an earlier payment. */
  readonly similar: number;
  /** How many of these resemble only payments that other records are left out for. */
  readonly taken: number;
  /** The records of the question, if they are few. */
  readonly records: readonly NamedRecord[];
  /** For the question: totals of the records that were sent before, or if there are none, of the similar ones. */
  readonly totals: readonly TotalRow[];
  /** The person has named another batch than theirs, so the records are for another period already. */
  readonly isElsewhere: boolean;
  /** The newest payment that has the content of one of them; null if they are only similar. */
  readonly last: { readonly run: string; readonly at: number; readonly file: string | null } | null;
}

/** The facts before a question, with the risk of each answer. @param now milliseconds since 1970 */
export function undecidedText(
  { sent, inDoubt, similar, records, totals, last }: UndecidedRepeats,
  now: number,
): string {
  const sums = sumByCurrency(totals);
  if (sent === 0) return resemblanceText(similar, sums, whoText(records));
  const done = wordingFor(sums).paid;
  const states: string[] = [];
  if (sent > inDoubt) states.push(`${sent === 1 ? 'was' : 'were'} already ${done}`);
  if (inDoubt > 0) states.push(`may have been ${done}`);
  const head = `Careful: ${ofTheseText(sent, sums)} ${states.join(' or ')}`;
  const who = whoText(records);
  if (last === null) return `${head}${who}.`;
  const when = `${sent === 1 ? '' : 'most recently '}${dayText(last.at, now)} in run ${last.run}`;
  return `${head}, ${when}${last.file === null ? '' : ` (${last.file})`}${who}.`;
}

/**
 * What `--skip-created` does with records that were sent before: those in doubt are not left out, but sent again while
 * their keys protect them. Gigs have no keys.
 */
export function leaveOutText(count: number, inDoubt: number, { noun, paid }: Wording): string {
  if (inDoubt === 0) return `leave ${count === 1 ? 'it' : 'them'} out`;
  const doubtful = noun === 'gig' ? 'stays in doubt' : 'is sent again with its old key, while that protects it';
  return `leave out what was ${paid}; what may have been ${paid} (${formatCount(inDoubt)}) ${doubtful}`;
}

/** `Careful: 2 of these payments (34.05 EUR) look like earlier ones` @param who names the records, if they are few */
export function resemblanceText(count: number, sums: readonly TotalRow[], who = ''): string {
  const { pay } = wordingFor(sums);
  const [look, they, them] =
    count === 1 ? ['looks like an earlier one', 'it is', 'it'] : ['look like earlier ones', 'they are', 'them'];
  return `Careful: ${ofTheseText(count, sums)} ${look}${who}. If ${they} the same, sending ${them} ${pay}s twice`;
}

/** Before the question of a call that knows of no payment at its target. @param records those of the call */
export function unknownPastText(records: readonly TotalRow[]): string {
  const { noun, paid } = wordingFor(records);
  return `Careful: gigwork knows of no ${noun}s here. Were some made elsewhere? Then stop, or they are ${paid} twice`;
}

/** The risk of sending records again: true for each case, and loud only if there is a risk. */
export interface ResendCounts {
  /** In doubt, and their keys still protect them. */
  readonly protected: number;
  /** In doubt, and their keys are older than the service is trusted to remember them. */
  readonly expired: number;
  /** In doubt, and sent without a key. */
  readonly gigs: number;
  readonly rejected: number;
  /** Those that may be paid or created twice, if they are few. */
  readonly named: readonly NamedRecord[];
}

/** A sentence for each count. @param isPlanned in a dry run they would be */
export function resendTexts(counts: ResendCounts, isPlanned = false): string[] {
  const { protected: safe, expired, gigs, rejected, named } = counts;
  const who = whoText(named);
  const texts: string[] = [];
  if (safe > 0)
    texts.push(
      `${pluralize(safe, 'record')} may have been paid. Sending again uses the same keys, so nobody is paid twice.`,
    );
  if (expired > 0)
    texts.push(
      `Careful: ${pluralize(expired, 'record')} may have been paid, and the service may have forgotten the keys. Sending again may pay twice${who}.`,
    );
  if (gigs > 0)
    texts.push(
      `Careful: ${pluralize(gigs, 'gig')} may have been created, and gigs have no key. Sending again may create a second one${who}.`,
    );
  if (rejected > 0)
    texts.push(`Refused before, and ${isPlanned ? 'would be sent' : 'sent'} again: ${pluralize(rejected, 'record')}.`);
  return texts;
}
