/** Messages about earlier payments: those that were made, those that may have been, and those that are sent again. */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { PaymentId } from '../journal/payment.js';
import { pluralize, formatCount } from './table.js';
import { amountText, typeName } from './totals-table.js';
import { localDay } from '../util/local-time.js';

export type NoticeCode = 'already-created' | 'skipped' | 'paid-in-batch' | 'other-date' | 'same-payee-and-amount';

/** Earlier payments, a line for each batch: loud if sending pays them again. */
export interface Notice {
  readonly code: NoticeCode;
  readonly count: number;
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

/** `today`, `on 2026-11-20` */
function dayWords(at: number, now: number): string {
  const day = localDay(at);
  return day === localDay(now) ? 'today' : `on ${day}`;
}

/**
 * `204 payouts (19,707.09 EUR) were paid already …`
 * @param isSent they were sent by now, and not only planned
 * @param now milliseconds since 1970
 */
export function noticeWords(
  { code, count, totals, paid, batchId, at, file }: Notice,
  isSent: boolean,
  now: number,
): string {
  const sums = sumByCurrency(totals);
  const amounts = knownMoneyText(sums);
  const before = knownMoneyText(sumByCurrency(paid));
  const [sum] = sums;
  const what = `${formatCount(count)} ${sums.length > 1 ? 'records' : typeName(sum?.type ?? 'payout', count)}`;
  const them = `${what}${amounts === '' ? '' : ` (${amounts})`}`;
  const [was, it] = count === 1 ? ['was', 'it'] : ['were', 'them'];
  const when = `${count === 1 ? '' : 'most recently '}${dayWords(at, now)}`;
  const isGig = sum?.type === 'gig';
  const where = file === null ? '' : ` (${file})`;
  const as = before === amounts || before === '' ? '' : ` for ${before}`;
  const done = isGig ? 'created' : 'paid';
  const these = `${ofThese(count, sums)} ${was} already ${done}`;
  const again = isSent ? `This call sent ${it} again.` : `Sending ${it} ${isGig ? 'creates' : 'pays'} ${it} again.`;
  switch (code) {
    case 'already-created':
      return `${them} ${was} ${done} already, ${when}, in batch ${batchId}${where}. ${count === 1 ? 'It was' : 'They were'} not sent again.`;
    case 'skipped':
      return `${them} ${was} left out: ${done} already${as}, ${when}, in batch ${batchId}${where}.`;
    case 'paid-in-batch':
      return `Careful: ${these} in batch ${batchId}, ${when}${where}. ${again}`;
    case 'other-date':
      return `Careful: ${these} in this batch for another date, ${when}${where}. ${again}`;
    case 'same-payee-and-amount':
      return `Careful: in this batch, the same ${count === 1 ? 'person' : 'people'} got the same amount for another purpose, ${when}${where}: ${ofThese(count, sums)}. ${isSent ? 'This call sent these in addition.' : 'Sending pays in addition.'}`;
  }
}

/** `2 of these payments (34.05 EUR)` */
function ofThese(count: number, sums: readonly TotalRow[]): string {
  const amounts = knownMoneyText(sums);
  return `${formatCount(count)} of these ${sums[0]?.type === 'gig' ? 'gigs' : 'payments'}${amounts === '' ? '' : ` (${amounts})`}`;
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
  /** For the question: totals of the records that were sent before, or if there are none, of the similar ones. */
  readonly totals: readonly TotalRow[];
  /** The person has named another batch than theirs, so the records are for another period already. */
  readonly isElsewhere: boolean;
  /** The newest payment that has the content of one of them; null if they are only similar. */
  readonly last: { readonly run: string; readonly at: number; readonly file: string | null } | null;
}

/** The facts before a question, with the risk of each answer. @param now milliseconds since 1970 */
export function repeatsWords({ sent, inDoubt, similar, totals, last }: UndecidedRepeats, now: number): string {
  const sums = sumByCurrency(totals);
  const isGig = sums[0]?.type === 'gig';
  if (sent === 0)
    return `Careful: ${ofThese(similar, sums)} ${similar === 1 ? 'looks like an earlier one' : 'look like earlier ones'}.`;
  const done = isGig ? 'created' : 'paid';
  const ways = [
    ...(sent > inDoubt ? [`${sent === 1 ? 'was' : 'were'} already ${done}`] : []),
    ...(inDoubt > 0 ? [`may have been ${done}`] : []),
  ];
  const when =
    last === null ? '' : `, ${sent === 1 ? '' : 'most recently '}${dayWords(last.at, now)} in run ${last.run}`;
  const file = last === null || last.file === null ? '' : ` (${last.file})`;
  return `Careful: ${ofThese(sent, sums)} ${ways.join(' or ')}${when}${file}.`;
}

/** `1,200.00 EUR, 75.00 CHF`; empty if no amount is known. */
function knownMoneyText(sums: readonly TotalRow[]): string {
  const known = sums.filter(({ count, unpriced }) => count > unpriced);
  return known.map(amountText).join(', ');
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
}

/** @param isPlanned in a dry run they would be */
export function resendWords({ protected: safe, expired, gigs, rejected }: ResendCounts, isPlanned = false): string[] {
  const going = isPlanned ? 'would be sent' : 'sent';
  const all: readonly (readonly [count: number, words: string])[] = [
    [
      safe,
      `${pluralize(safe, 'record')} may have been paid. Sending again uses the same keys, so nobody is paid twice.`,
    ],
    [
      expired,
      `Careful: ${pluralize(expired, 'record')} may have been paid, and the service may have forgotten the keys. Sending again may pay twice.`,
    ],
    [
      gigs,
      `Careful: ${pluralize(gigs, 'gig')} may have been created, and gigs have no key. Sending again may create a second one.`,
    ],
    [rejected, `Refused before, and ${going} again: ${pluralize(rejected, 'record')}.`],
  ];
  return all.filter(([count]) => count > 0).map(([, words]) => words);
}
