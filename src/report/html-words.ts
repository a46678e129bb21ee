/** The words of an HTML report. Paid is what the service has confirmed, of payouts alone; all else is created. */
import type { TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { capital } from './markup.js';
import type { ReportHead } from './record-report.js';
import { confirmedWord, fateWords } from './state-words.js';
import { counted, countText } from './table.js';

/** What states of records of several types have in common. */
export function commonFate(state: string, types: readonly string[]): string {
  const [type = '', ...others] = new Set(types);
  return fateWords(state, others.length === 0 ? type : '');
}

/** `Payouts in EUR`, `Gig results in EUR, in cents`, `Gigs without a currency, in cents per seat`. */
export function groupWords({ type, currency }: Pick<TotalRow, 'type' | 'currency'>): string {
  const { plural, unit } = KINDS[type as RecordType];
  const named = currency === null ? `${plural} without a currency` : `${plural} in ${currency}`;
  return `${capital(named)}${unit === null ? '' : `, in ${unit}`}`;
}

/** `gig results, in cents`. */
export function typeWords(type: string): string {
  const { plural, unit } = KINDS[type as RecordType];
  return unit === null ? plural : `${plural}, in ${unit}`;
}

/** The title of a column of amounts of one type. */
export function amountTitle(type: string): string {
  const { unit } = KINDS[type as RecordType];
  return unit === null ? 'amount' : `amount in ${unit}`;
}

/** A call that sent nothing, because it was only to look or to approve; null for a run. */
export function rehearsed({
  dryRun,
  records,
}: Pick<ReportHead, 'dryRun' | 'records'>): 'REHEARSAL' | 'APPROVAL' | null {
  if (dryRun) return 'REHEARSAL';
  return (records['planned'] ?? 0) > 0 ? 'APPROVAL' : null;
}

/** What stands across the head of the page where nobody is really paid by this run; null where somebody is. */
export function bandWords(head: ReportHead): string | null {
  const kind = rehearsed(head);
  const isSandbox = head.target === 'sandbox';
  if (kind !== null) return `${kind}${isSandbox ? ', SANDBOX' : ''}: nothing was sent`;
  return isSandbox ? 'SANDBOX: a trial, nobody was paid' : null;
}

/** The outcome of all records in one sentence. */
export function verdict(head: ReportHead): string {
  const { records, refusal, totals, target } = head;
  const of = (state: string): number => records[state] ?? 0;
  const [read, skipped] = [of('read'), of('skipped')];
  const done = of('created') + of('already_created');
  if (read === 0) return 'The input holds no record.';
  if (rehearsed(head) !== null) {
    if (of('not_sent') > 0 || of('planned') + done + skipped === 0) return 'As it stands, nothing would be sent.';
    return `${counted(of('planned'), 'record')} of ${countText(read)} would be sent.`;
  }
  if (refusal.length > 0) return `Refused: nothing was sent of ${counted(read, 'record')}.`;
  if (of('not_sent') + of('invalid') === read) return `Nothing was sent of ${counted(read, 'record')}.`;
  const types = [...new Set(totals.map(({ type }) => type))];
  const paid = `${types.length === 1 ? confirmedWord(types[0] ?? '') : 'created'}${target === 'sandbox' ? ' in the sandbox' : ''}`;
  const left = skipped > 0 ? `, ${countText(skipped)} left out as decided` : '';
  if (done === read) return read === 1 ? `The record is ${paid}.` : `All ${countText(read)} records are ${paid}.`;
  return `${countText(done)} of ${counted(read, 'record')} ${done === 1 ? 'is' : 'are'} ${paid}${left}.`;
}

/** `2026-11-01 09:05 +01:00` as HTML, with its moment for programs. @param at milliseconds since 1970 */
export function moment(at: number, { utcOffset }: Pick<ReportHead, 'utcOffset'>): string {
  const offset = utcOffset(at);
  const local = new Date(at + offset * 60_000).toISOString();
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const text = `${local.slice(0, 10)} ${local.slice(11, 16)} ${offset < 0 ? '-' : '+'}${hours}:${minutes}`;
  return `<time datetime="${new Date(at).toISOString()}">${text}</time>`;
}
