/** Sums of money by type, currency, cost center and state. Never across types or currencies. */
import { type Decimal, ZERO, add } from './decimal.js';

/** What a record is totalled under. Equal groups are one row. */
export interface TotalGroup {
  readonly type: string;
  readonly currency: string | null;
  readonly costCenter: string | null;
}

export interface TotalRow extends TotalGroup {
  readonly status: string;
  readonly count: number;
  /** The sum of the known amounts. */
  readonly amount: Decimal;
  /** How many of `count` have no known price, and are not in `amount`. */
  readonly unpriced: number;
}

export interface Totals {
  /** @param amount null when the price is not known */
  add(group: TotalGroup, status: string, amount: Decimal | null): void;
  /** The same for an amount of `units / 10^scale`. @param units an integer below 2^53 */
  addUnits(group: TotalGroup, status: string, units: number, scale: number): void;
  /** Sorted by type, currency, cost center and status, those without one last. */
  rows(): TotalRow[];
}

/** A row that is still growing. */
type Sum = { -readonly [K in keyof TotalRow]: TotalRow[K] } & {
  /** By scale: what is yet to be added to `amount`, as exact integers below 2^53, since big integers cost far more. */
  readonly small: number[];
};

export function startTotals(): Totals {
  // Groups are few and mostly shared by reference, so that a record costs two look-ups and an addition.
  const sums = new Map<TotalGroup, Map<string, Sum>>();
  const named = new Map<string, Map<string, Sum>>();
  const sumOf = (group: TotalGroup, status: string): Sum => {
    let byStatus = sums.get(group);
    if (byStatus === undefined) sums.set(group, (byStatus = statesOf(group, named)));
    let sum = byStatus.get(status);
    if (sum === undefined) {
      const { type, currency, costCenter } = group;
      sum = { type, currency, costCenter, status, count: 0, amount: ZERO, unpriced: 0, small: [] };
      byStatus.set(status, sum);
    }
    return sum;
  };
  return {
    add(group, status, amount) {
      const sum = sumOf(group, status);
      sum.count++;
      if (amount === null) sum.unpriced++;
      else sum.amount = add(sum.amount, amount);
    },
    addUnits(group, status, units, scale) {
      const sum = sumOf(group, status);
      sum.count++;
      const grown = (sum.small[scale] ?? 0) + units;
      // The sum of two integers below 2^53 is below 2^54, and exact unless it is beyond 2^53: then it is not used.
      if (Number.isSafeInteger(grown)) sum.small[scale] = grown;
      else sum.amount = add(sum.amount, { units: BigInt(units), scale });
    },
    rows: () => [...named.values()].flatMap((byStatus) => [...byStatus.values()].map(rowOf)).sort(inOrder),
  };
}

function rowOf({ small, ...row }: Sum): TotalRow {
  const amount = small.reduce((sum, units, scale) => add(sum, { units: BigInt(units), scale }), row.amount);
  return { ...row, amount };
}

/** The one map of states for all groups that are equal, whichever object stands for them. */
function statesOf({ type, currency, costCenter }: TotalGroup, named: Map<string, Map<string, Sum>>): Map<string, Sum> {
  const name = JSON.stringify([type, currency, costCenter]);
  const states = named.get(name) ?? new Map<string, Sum>();
  named.set(name, states);
  return states;
}

function inOrder(a: TotalRow, b: TotalRow): number {
  return (
    byText(a.type, b.type) ||
    byText(a.currency, b.currency) ||
    byText(a.costCenter, b.costCenter) ||
    byText(a.status, b.status)
  );
}

function byText(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}

/** Adds up rows that agree in type and currency, whatever their cost center and status. */
export function sumByCurrency(rows: readonly TotalRow[]): TotalRow[] {
  const sums = new Map<string, TotalRow>();
  for (const row of rows) {
    const key = JSON.stringify([row.type, row.currency]);
    const sum = sums.get(key) ?? { ...row, costCenter: null, status: '', count: 0, amount: ZERO, unpriced: 0 };
    sums.set(key, {
      ...sum,
      count: sum.count + row.count,
      amount: add(sum.amount, row.amount),
      unpriced: sum.unpriced + row.unpriced,
    });
  }
  return [...sums.values()];
}
