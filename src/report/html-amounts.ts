/** Amounts in columns of an HTML report: aligned at the decimal point, with the digits that their currency has. */
import { currencyDigits } from '../records/currencies.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { escaped } from './markup.js';

/** Money as a report has it. */
export interface Money {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal;
}

/** One column of amounts. */
export interface AmountColumn {
  /** Decimals that its widest amount has. */
  readonly decimals: number;
  /** Decimals of an amount at least, where no currency says how many. */
  readonly least: number;
}

/** An amount without a currency has as many decimals as its neighbours, but one alone would look like a digit that was lost. */
const LEAST = 2;

/** Takes one amount after the other: there may be many. */
export function startColumn(): { add(money: Money): void; column(): AmountColumn } {
  let widest = 0;
  let free = 0;
  return {
    add({ type, currency, amount }) {
      const decimals = decimalsOf(amount);
      const floor = floorOf(type, currency);
      if (floor === null) free = Math.max(free, decimals);
      widest = Math.max(widest, decimals, floor ?? 0);
    },
    column: () => {
      const least = free === 0 ? 0 : LEAST;
      return { decimals: free === 0 ? widest : Math.max(widest, least), least };
    },
  };
}

export function columnOf(amounts: Iterable<Money>): AmountColumn {
  const started = startColumn();
  for (const money of amounts) started.add(money);
  return started.column();
}

/** How many decimals an amount has at least; null where no currency says it. Cents are whole, and more where they are not. */
function floorOf(type: string, currency: string | null): number | null {
  if (KINDS[type as RecordType].unit !== null) return 0;
  return currency === null ? null : currencyDigits(currency);
}

/** `1,234.50`: never fewer decimals than the amount has. */
export function figure({ type, currency, amount }: Money, { least }: Pick<AmountColumn, 'least'>): string {
  return groupThousands(amount, floorOf(type, currency) ?? least);
}

/** Decimals that a class makes up for; a column with more of them is not aligned. */
export const MOST_ALIGNED = 12;
/** Longer figures may break, or they would leave the page. */
const LONGEST = 28;

/** The cell of a column of amounts. Its text is whole; a class makes room for the decimals that others have and it has not. */
export function amountCell(money: Money, column: AmountColumn): string {
  const text = figure(money, column);
  const below = money.amount.units < 0n ? ' below' : '';
  const room = text.length > LONGEST ? ' long' : roomFor(text, column);
  return `<td class="number${below}${room}">${escaped(text)}</td>`;
}

/** `m2`: two digits fewer than others; `w2`: two digits and the point. */
function roomFor(text: string, { decimals }: AmountColumn): string {
  const point = text.indexOf('.');
  const missing = decimals - (point < 0 ? 0 : text.length - point - 1);
  if (missing === 0 || decimals > MOST_ALIGNED) return '';
  return point < 0 ? ` w${missing}` : ` m${missing}`;
}

/** `1,234.50 EUR`, `6,750 EUR cents`. */
export function moneyText(money: Money): string {
  const { unit } = KINDS[money.type as RecordType];
  const column = columnOf([money]);
  return [figure(money, column), money.currency, unit].filter((word) => word !== null).join(' ');
}
