/** Amounts in the columns of tables, at a terminal and on a page, with the digits of their currencies; and their units. */
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { commonDigits, leastDigits } from '../records/money-text.js';
import { printable } from './printable.js';
import { shortened } from './table.js';

/** Null where it is not known. */
export interface Money {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
}

/** Money whose amount is known. */
export interface KnownMoney extends Money {
  readonly amount: Decimal;
}

/** One column of amounts. */
export interface AmountColumn {
  /** Decimals that its widest amount has. */
  readonly decimals: number;
  /** `1,234.50`: never fewer decimals than the amount has. Empty where the amount is not known. */
  readonly figure: (money: Money) => string;
}

/** Takes one amount after the other: there may be many. */
export function startColumn(): { add(money: Money): void; column(): AmountColumn } {
  /** By type and currency: decimals of the amount that has most. */
  const most = new Map<string, number>();
  const kindOf = ({ type, currency }: Money): string => JSON.stringify([type, currency]);
  const leastOf = (money: Money): number =>
    leastDigits(money.type, money.currency) ?? commonDigits(most.get(kindOf(money)) ?? 0);
  const kinds: Money[] = [];
  return {
    add(money) {
      const kind = kindOf(money);
      if (!most.has(kind)) kinds.push(money);
      most.set(kind, Math.max(most.get(kind) ?? 0, money.amount === null ? 0 : decimalsOf(money.amount)));
    },
    column: () => ({
      decimals: Math.max(0, ...kinds.map((money) => Math.max(most.get(kindOf(money)) ?? 0, leastOf(money)))),
      figure: (money) => (money.amount === null ? '' : groupThousands(money.amount, leastOf(money))),
    }),
  };
}

export function columnOf(amounts: Iterable<Money>): AmountColumn {
  const started = startColumn();
  for (const money of amounts) started.add(money);
  return started.column();
}

/** `EUR`, `EUR cents`, `cents`, or nothing. */
export function unitText(type: RecordType, currency: string | null): string {
  const { unit } = KINDS[type];
  return [currency === null ? null : shownName(currency), unit].filter((word) => word !== null).join(' ');
}

/** `payout` for one, else `payouts`. */
export function nameOf(type: RecordType, count: number): string {
  const { plural } = KINDS[type];
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

const LONGEST_NAME = 40;

/** The name of a currency or a cost center as it is shown. */
export function shownName(name: string | null): string {
  return shortened(printable(name ?? 'none'), LONGEST_NAME);
}
