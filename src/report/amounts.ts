/** Amounts in the tables of a terminal, with the digits of their currencies. */
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { commonDigits, leastDigits } from '../records/money-text.js';

/** Null where it is not known. */
export interface Money {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
}

/** The texts of a column of amounts, for one that is aligned at the point. Empty where the amount is not known. */
export function amountColumn(all: readonly Money[]): (money: Money) => string {
  const most = new Map<string, number>();
  const kindOf = ({ type, currency }: Money): string => JSON.stringify([type, currency]);
  for (const money of all) {
    const kind = kindOf(money);
    most.set(kind, Math.max(most.get(kind) ?? 0, money.amount === null ? 0 : decimalsOf(money.amount)));
  }
  return (money) => {
    const { type, currency, amount } = money;
    const least = leastDigits(type, currency) ?? commonDigits(most.get(kindOf(money)) ?? 0);
    return amount === null ? '' : groupThousands(amount, least);
  };
}
