/** Amounts in the tables of a terminal: with the digits of their currencies, lined up at the point. */
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { commonDigits, leastDigits } from '../records/money-text.js';

/** Null where it is not known. */
export interface Money {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
}

/** The texts of a column of amounts: aligned to the right, their points stand below one another. */
export function amountColumn(all: readonly Money[]): (money: Money) => string {
  const most = new Map<string, number>();
  const kindOf = ({ type, currency }: Money): string => JSON.stringify([type, currency]);
  for (const money of all) {
    const kind = kindOf(money);
    most.set(kind, Math.max(most.get(kind) ?? 0, money.amount === null ? 0 : decimalsOf(money.amount)));
  }
  const text = (money: Money): string => {
    const { type, currency, amount } = money;
    const least = leastDigits(type, currency) ?? commonDigits(most.get(kindOf(money)) ?? 0);
    return amount === null ? '' : groupThousands(amount, least);
  };
  const widest = all.reduce((width, money) => Math.max(width, fractionOf(text(money)).length), 0);
  return (money) => {
    const own = text(money);
    return own === '' ? '' : own + ' '.repeat(Math.max(0, widest - fractionOf(own).length));
  };
}

/** What stands behind the whole number: `.50`. */
function fractionOf(text: string): string {
  const point = text.indexOf('.');
  return point === -1 ? '' : text.slice(point);
}
