/** Sums of money by type, currency, cost center and state. Never across types or currencies. */
import { type Decimal, ZERO, add } from './decimal.js';

/** Equal groups share one row of totals. */
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
  /** The part of `count` without a known price; `amount` does not include these. */
  readonly unpriced: number;
}

export interface Totals {
  /** @param amount null when the price is not known */
  add(group: TotalGroup, status: string, amount: Decimal | null): void;
  /** The row of a group and status, for many additions to it. */
  sum(group: TotalGroup, status: string): Sum;
  /** Sorted by type, currency, cost center and status. Rows without one come last. */
  rows(): TotalRow[];
}

/** Amounts with more decimals use the slower exact addition. */
const SMALL_SCALES = 8;

export class Sum {
  readonly group: TotalGroup;
  readonly status: string;
  private count = 0;
  private unpriced = 0;
  private amount = ZERO;
  /** Sums that `amount` does not include yet, by scale: exact integers below 2^53, because BigInts cost far more. */
  private readonly small = new Float64Array(SMALL_SCALES);

  constructor(group: TotalGroup, status: string) {
    this.group = group;
    this.status = status;
  }

  /** @param amount null when the price is not known */
  add(amount: Decimal | null): void {
    this.count++;
    if (amount === null) this.unpriced++;
    else this.amount = add(this.amount, amount);
  }

  /** Adds `units / 10^scale`. @param units an integer below 2^53 */
  addUnits(units: number, scale: number): void {
    this.count++;
    const grown = scale < SMALL_SCALES ? (this.small[scale] as number) + units : Number.NaN;
    // A sum beyond 2^53 may be inexact and is not used.
    if (Number.isSafeInteger(grown)) this.small[scale] = grown;
    else this.amount = add(this.amount, { units: BigInt(units), scale });
  }

  row(): TotalRow {
    const { type, currency, costCenter } = this.group;
    const { status, count, unpriced } = this;
    let { amount } = this;
    for (const [scale, units] of this.small.entries())
      if (units !== 0) amount = add(amount, { units: BigInt(units), scale });
    return { type, currency, costCenter, status, count, amount, unpriced };
  }
}

export function startTotals(): Totals {
  // There are few groups, and records mostly share their objects: a record costs two look-ups and an addition.
  const sums = new Map<TotalGroup, Map<string, Sum>>();
  const named = new Map<string, Map<string, Sum>>();
  const sumOf = (group: TotalGroup, status: string): Sum => {
    let byStatus = sums.get(group);
    if (byStatus === undefined) sums.set(group, (byStatus = sumsByStatus(group, named)));
    let sum = byStatus.get(status);
    if (sum === undefined) byStatus.set(status, (sum = new Sum(group, status)));
    return sum;
  };
  return {
    add: (group, status, amount) => sumOf(group, status).add(amount),
    sum: sumOf,
    rows: () =>
      [...named.values()].flatMap((byStatus) => [...byStatus.values()].map((sum) => sum.row())).sort(compareRows),
  };
}

/** Equal groups share one map of states, even if they are different objects. */
function sumsByStatus(
  { type, currency, costCenter }: TotalGroup,
  named: Map<string, Map<string, Sum>>,
): Map<string, Sum> {
  const name = JSON.stringify([type, currency, costCenter]);
  const states = named.get(name) ?? new Map<string, Sum>();
  named.set(name, states);
  return states;
}

function compareRows(a: TotalRow, b: TotalRow): number {
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

/** Adds rows of the same type and currency, whatever their cost center and status. */
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
