/** How many rows, and how much money: in the words of questions. */
import type { Decimal } from '../money/decimal.js';
import { moneyText } from '../records/currencies.js';
import { pluralize } from '../report/table.js';
import type { RowGroup } from './row-statistics.js';

/** `12 rows, 1,290.40 EUR and 5.00 USD` */
export function groupText(group: RowGroup): string {
  return `${pluralize(group.count, 'row')}, ${groupSumText(group)}`;
}

/** `1,290.40 EUR and 5.00 USD` */
export function groupSumText({ sums }: RowGroup): string {
  return sumsText(Array.from(sums, ([currency, sum]) => [currency, sum.value()]));
}

/** One sum for each currency. @param sums a currency may be '' */
export function sumsText(sums: readonly (readonly [currency: string, sum: Decimal])[]): string {
  if (sums.length === 0) return 'no amount';
  const texts = sums.map(([currency, sum]) => moneyText(sum, currency === '' ? null : currency, 'payout'));
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}
