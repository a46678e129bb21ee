/** What was paid before, a line for each batch: loud where sending pays it again. */
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import type { PaymentId } from '../ledger/payment.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { moneyText } from '../records/money-text.js';
import { countText } from './table.js';
import { shownName } from './totals-table.js';

export type NoticeCode = 'already-created' | 'skipped' | 'paid-in-batch' | 'other-date';

export interface Notice {
  readonly code: NoticeCode;
  readonly count: number;
  /** Of the input's records, by type and currency and cost center. */
  readonly totals: readonly TotalRow[];
  /** Of the payments that records were left out for; empty for other notices. */
  readonly paid: readonly TotalRow[];
  /** The batch in which they were paid. */
  readonly batchId: string;
  /** When the last of them was, milliseconds since 1970. */
  readonly at: number;
  /** The last of them. */
  readonly last: PaymentId;
  /** The file in which that stands; null while nobody has looked it up, or where it is not known. */
  readonly file: string | null;
}

/** Whether the notice is about money that is paid once more. */
export function isRisk(code: NoticeCode): boolean {
  return code === 'paid-in-batch' || code === 'other-date';
}

/** `204 payouts (19,707.09 EUR) were created already …` @param isSent they were sent by now, and not only planned */
export function noticeWords({ code, count, totals, paid, batchId, at, file }: Notice, isSent: boolean): string {
  const sums = sumByCurrency(totals);
  const [amounts, before] = [moneyOf(sums), moneyOf(sumByCurrency(paid))];
  const [sum] = sums;
  const { type: name, plural } = KINDS[(sum?.type ?? 'payout') as RecordType];
  const what = `${countText(count)} ${sums.length > 1 ? 'records' : count === 1 ? name : plural}`;
  const them = `${what}${amounts === '' ? '' : ` (${amounts})`}`;
  const [was, it] = count === 1 ? ['was', 'it'] : ['were', 'them'];
  const when = `${count === 1 ? 'on' : 'the last on'} ${new Date(at).toISOString().slice(0, 10)}`;
  const where = file === null ? '' : ` (${file})`;
  const as = before === amounts || before === '' ? '' : ` for ${before}`;
  const again = isSent ? `${count === 1 ? 'It was' : 'They were'} sent again.` : `Sending ${it} now pays ${it} again.`;
  switch (code) {
    case 'already-created':
      return `${them} ${was} created already, ${when}, in batch ${batchId}${where}. Nothing was sent again.`;
    case 'skipped':
      return `${them} ${was} left out: created already${as}, ${when}, in batch ${batchId}${where}.`;
    case 'paid-in-batch':
      return `Careful: ${them} ${was} already paid in batch ${batchId}, ${when}${where}. ${again}`;
    case 'other-date':
      return `Careful: ${them} ${was} already paid in this batch for another date, ${when}${where}. ${again}`;
  }
}

/** `1,200.00 EUR, 75.00 CHF`; empty where no amount is known. */
function moneyOf(sums: readonly TotalRow[]): string {
  const known = sums.filter(({ count, unpriced }) => count > unpriced);
  const texts = known.map(({ amount, currency, type }) =>
    moneyText(amount, currency === null ? null : shownName(currency), type),
  );
  return texts.join(', ');
}
