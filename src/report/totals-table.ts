/**
 * Amounts in the columns of tables, at a terminal and on a page; and the table of totals, for people to compare with
 * their own sheet.
 */
import { compare, type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { commonDigits, leastDigits, moneyText } from '../records/money-text.js';
import { printable } from './printable.js';
import { FAILED_STATES, stateLabel } from './state-words.js';
import { countText, shortened, type TableColumn, tableLines } from './table.js';

/** The amount is null where it is not known. */
export interface Money {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
}

/** How the amounts of one column are shown: `1,234.50`, with the digits of their currency and never fewer than they need. */
export function figuresOf(amounts: Iterable<Money>): (money: Money) => string {
  /** By type and currency: decimals of the amount that has most. */
  const most = new Map<string, number>();
  const kindOf = ({ type, currency }: Money): string => JSON.stringify([type, currency]);
  for (const money of amounts)
    if (money.amount !== null)
      most.set(kindOf(money), Math.max(most.get(kindOf(money)) ?? 0, decimalsOf(money.amount)));
  return (money) => {
    if (money.amount === null) return '';
    const least = leastDigits(money.type, money.currency) ?? commonDigits(most.get(kindOf(money)) ?? 0);
    return groupThousands(money.amount, least);
  };
}

/** `EUR`, `EUR cents`, `cents`, or nothing. */
export function unitText(type: string, currency: string | null): string {
  const { unit } = KINDS[type as RecordType];
  return [currency === null ? null : shownName(currency), unit].filter((word) => word !== null).join(' ');
}

/** `payout` for one, else `payouts`. */
export function nameOf(type: string, count: number): string {
  const { plural } = KINDS[type as RecordType];
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

/** `204 payouts, 19,707.09 EUR` */
export function sumText({ type, currency, amount, count, unpriced }: TotalRow): string {
  const name = `${countText(count)} ${nameOf(type, count)}`;
  const money = count === unpriced ? [] : [moneyText(amount, currency === null ? null : shownName(currency), type)];
  const without = unpriced === 0 ? [] : [`${countText(unpriced)} without a known price`];
  return [name, ...money, ...without].join(', ');
}

/** `payouts in EUR`, `gig results in EUR cents`. */
export function kindText({ type, currency }: Pick<Money, 'type' | 'currency'>): string {
  const unit = unitText(type, currency);
  return `${KINDS[type as RecordType].plural}${unit === '' ? '' : ` in ${unit}`}`;
}

/** The column of records without a known price, where there are any. */
export function unpricedColumn(rows: readonly TotalRow[]): TableColumn<TotalRow>[] {
  if (rows.every(({ unpriced }) => unpriced === 0)) return [];
  return [{ title: 'without price', align: 'right', cell: ({ unpriced }) => countText(unpriced) }];
}

const LONGEST_NAME = 40;

/** The name of a currency or a cost center as it is shown. */
export function shownName(name: string | null): string {
  return shortened(printable(name ?? 'none'), LONGEST_NAME);
}

/** How many rows of one type a person still looks through. Further rows are summed up; the report has them all. */
const MOST_ROWS = 24;
const INDENT = '  ';

/**
 * One block of lines per type. Never a sum across currencies or types.
 * @param width columns of the terminal
 */
export function totalsLines(totals: readonly TotalRow[], width = Infinity): string[] {
  const types = (Object.keys(KINDS) as RecordType[]).filter((type) => totals.some((row) => row.type === type));
  return types.flatMap((type, i) => [
    ...(i === 0 ? [] : ['']),
    ...typeLines(
      type,
      totals.filter((row) => row.type === type),
      width,
    ),
  ]);
}

function typeLines(type: RecordType, rows: readonly TotalRow[], width: number): string[] {
  const { shown, hidden } = mostTelling(rows);
  const sums = closingSums(rows).map((sum) => ({ ...sum, name: 'all' }));
  const figure = figuresOf([...shown, ...sums]);
  const columns: TableColumn<ShownRow>[] = [
    { title: 'currency', cell: ({ currency }) => shownName(currency) },
    { title: 'cost center', cell: ({ name }) => name },
    ...(rows.every(({ status }) => status === '')
      ? []
      : [{ title: 'state', cell: ({ status }: ShownRow) => stateLabel(status) }]),
    { title: 'records', align: 'right', cell: ({ count }) => countText(count) },
    { title: 'amount', align: 'point', cell: figure },
    ...unpricedColumn(rows),
  ];
  const note =
    hidden === 0
      ? []
      : [`${INDENT}${countText(hidden)} rows are summed up as "more"; the report (--report) and --json have each`];
  const table = tableLines(columns, [...shown, ...sums], width - INDENT.length);
  const { plural, unit, unitWords } = KINDS[type];
  // A unit that is not known is doubted in the documents, and not over every table.
  const heading = unit === null ? plural : `${plural} (${unitWords})`;
  return [heading, ...table.map((line) => `${INDENT}${line}`), ...note];
}

/** A row with the name that stands for its cost center. */
interface ShownRow extends TotalRow {
  readonly name: string;
}

/** If there are many rows: the failed ones, the largest of each currency, a row per currency and state for the rest. */
function mostTelling(rows: readonly TotalRow[]): { shown: ShownRow[]; hidden: number } {
  const named = (row: TotalRow): ShownRow => ({ ...row, name: shownName(row.costCenter) });
  if (rows.length <= MOST_ROWS) return { shown: rows.map(named), hidden: 0 };
  const kept = new Set(byWeight(rows).slice(0, MOST_ROWS));
  const rest = rows.filter((row) => !kept.has(row));
  const shown = sumByCurrency(rows).flatMap(({ currency }) => {
    const others = rest.filter((row) => row.currency === currency);
    const states = [...new Set(others.map(({ status }) => status))];
    const more = states.flatMap((status) => {
      const same = others.filter((row) => row.status === status);
      return sumByCurrency(same).map((sum) => ({ ...sum, status, name: `${countText(same.length)} more` }));
    });
    return [...rows.filter((row) => row.currency === currency && kept.has(row)).map(named), ...more];
  });
  return { shown, hidden: rest.length };
}

/** Failed rows first, then the largest of each currency and state in turn: amounts of two currencies cannot be compared. */
function byWeight(rows: readonly TotalRow[]): TotalRow[] {
  const seen = new Map<string, number>();
  const largestFirst = [...rows].sort((a, b) => compare(b.amount, a.amount));
  const ranked = largestFirst.map((row) => {
    const group = JSON.stringify([row.currency, row.status]);
    const rank = seen.get(group) ?? 0;
    seen.set(group, rank + 1);
    return { row, rank, failed: FAILED_STATES.includes(row.status) };
  });
  return ranked.sort((a, b) => Number(b.failed) - Number(a.failed) || a.rank - b.rank).map(({ row }) => row);
}
