/** How many rows, and how much money: in the words of questions. */
import { add, type Decimal, ZERO } from '../money/decimal.js';
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

/** What these rows pay, without money received: `pays 4 rows, 3,225.17 EUR`. @param isTurned negative amounts are paid */
export function paymentText(groups: readonly RowGroup[], isTurned: boolean): string {
  return countedText(
    groups.map((group) => [group, null]),
    isTurned,
  );
}

/** The same, in other currencies. @param groups each with its currency; null for its own */
export function countedText(
  groups: readonly (readonly [group: RowGroup, currency: string | null])[],
  isTurned: boolean,
): string {
  const sums = new Map<string, Decimal>();
  let count = 0;
  for (const [group, currency] of groups) {
    const paid = isTurned ? group.negative : group.positive;
    count += paid.count;
    for (const [own, sum] of paid.sums) {
      const code = currency ?? own;
      sums.set(code, add(sums.get(code) ?? ZERO, isTurned ? negated(sum.value()) : sum.value()));
    }
  }
  return count === 0 ? 'pays nothing' : `pays ${pluralize(count, 'row')}, ${sumsText([...sums])}`;
}

function negated({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

/** One sum for each currency. @param sums a currency may be '' */
function sumsText(sums: readonly (readonly [currency: string, sum: Decimal])[]): string {
  if (sums.length === 0) return 'no amount';
  const texts = sums.map(([currency, sum]) => {
    const text = moneyText(sum, currency === '' ? null : currency, 'payout');
    return currency === '' && sums.length > 1 ? `${text} without a currency` : text;
  });
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} and ${last}`;
}
