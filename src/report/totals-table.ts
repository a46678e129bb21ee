/** Amounts in columns, at a terminal and on a page; the table of totals, for people to compare with their own sheet. */
import { filteredAmountsText, type FilteredGroup } from '../input/filtered-rows.js';
import { type Decimal, decimalsOf, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { excerpt } from '../records/issue.js';
import { RECORD_INFO, type RecordType } from '../records/types.js';
import { commonDigits, leastDigits, moneyText } from '../records/currencies.js';
import { printable } from './printable.js';
import { statusText } from './status-text.js';
import { formatCount, ellipsize, pluralize, type TableColumn, tableLines } from './table.js';

/** The amount is null if not known. */
export interface MoneyAmount {
  readonly type: string;
  readonly currency: string | null;
  readonly amount: Decimal | null;
}

/** Formats the amounts of one column: `1,234.50`, with the digits of their currency and never fewer than they need. */
export function figuresOf(amounts: Iterable<MoneyAmount>): (money: MoneyAmount) => string {
  /** By type and currency: the most decimals of any amount. */
  const most = new Map<string, number>();
  const kindOf = ({ type, currency }: MoneyAmount): string => JSON.stringify([type, currency]);
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
  const { unit } = RECORD_INFO[type as RecordType];
  return [currency === null ? null : shownName(currency), unit].filter((word) => word !== null).join(' ');
}

/** `payout` for one, else `payouts`. */
export function typeName(type: string, count: number): string {
  const { plural } = RECORD_INFO[type as RecordType];
  return count === 1 ? plural.replace(/s$/, '') : plural;
}

/** `1,200.50 EUR`, with as many digits as the amount has. */
export function amountText({ type, currency, amount }: MoneyAmount): string {
  return amount === null ? 'not known' : moneyText(amount, currency === null ? null : shownName(currency), type);
}

/** The number of records in all rows. */
export function countRecords(rows: readonly TotalRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** `204 payouts, 19,707.09 EUR` */
export function sumText(sum: TotalRow): string {
  const { type, count, unpriced } = sum;
  const name = `${formatCount(count)} ${typeName(type, count)}`;
  const money = count === unpriced ? [] : [amountText(sum)];
  const without = unpriced === 0 ? [] : [`${formatCount(unpriced)} without a known price`];
  return [name, ...money, ...without].join(', ');
}

/** `payouts in EUR`, `gig results in EUR cents`. */
export function kindText({ type, currency }: { readonly type: string; readonly currency: string | null }): string {
  const unit = unitText(type, currency);
  return `${RECORD_INFO[type as RecordType].plural}${unit === '' ? '' : ` in ${unit}`}`;
}

export function hasUnpriced(rows: readonly TotalRow[]): boolean {
  return rows.some(({ unpriced }) => unpriced > 0);
}

const LONGEST_SHOWN_NAME = 40;

/** The name of a currency or a cost center for people. */
export function shownName(name: string | null): string {
  return ellipsize(printable(name ?? 'none'), LONGEST_SHOWN_NAME);
}

/** The most rows by cost center that a person still reads. With more, only the report has them. */
const MOST_CENTER_ROWS = 24;
const ROW_INDENT = '  ';

/** A block of lines for each type. Never a sum across currencies or types. @param width columns of the terminal */
export function totalsLines(totals: readonly TotalRow[], width = Infinity): string[] {
  const types = (Object.keys(RECORD_INFO) as RecordType[]).filter((type) => totals.some((row) => row.type === type));
  return types.flatMap((type, i) => {
    const rows = totals.filter((row) => row.type === type);
    return [...(i === 0 ? [] : ['']), ...typeLines(type, rows, width)];
  });
}

/** A sum, and the rows by cost center that it consists of. */
interface StateSum extends TotalRow {
  readonly parts: readonly TotalRow[];
}

/**
 * A row for each currency and state. Where one has several cost centers, a second table splits all of them up, so that
 * the sums of a center add up there. No table has both sums and their parts: a person would add them together.
 */
function typeLines(type: RecordType, rows: readonly TotalRow[], width: number): string[] {
  const sums = sumsByState(rows);
  const isSplit = sums.some(({ parts }) => parts.length > 1);
  const split = isSplit ? sums.flatMap(({ parts }) => parts) : [];
  const isLong = split.length > MOST_CENTER_ROWS;
  const centersOf = ({ parts }: StateSum): string => (isSplit ? 'all' : shownName(parts[0]?.costCenter ?? null));
  const figure = figuresOf(rows.concat(sums));
  const columnsWith = <Row extends TotalRow>(centerOf: (row: Row) => string): TableColumn<Row>[] => [
    // Gigs have neither.
    ...(type === 'gig' ? [] : [CURRENCY_COLUMN, { title: 'cost center', cell: centerOf }]),
    ...(rows.every(({ status }) => status === '') ? [] : [STATE_COLUMN]),
    { title: 'records', align: 'right', cell: ({ count }) => formatCount(count) },
    { title: 'amount', align: 'point', cell: figure },
    ...(hasUnpriced(rows) ? [UNPRICED_COLUMN] : []),
  ];
  const room = width - ROW_INDENT.length;
  const { plural, unit, unitWords } = RECORD_INFO[type];
  const lines = tableLines(columnsWith(centersOf), sums, room);
  if (isLong) lines.push(`${formatCount(split.length)} rows by cost center are in the report (--report) and in --json`);
  else if (split.length > 0) {
    const columns = columnsWith<TotalRow>(({ costCenter }) => shownName(costCenter));
    lines.push('by cost center:', ...tableLines(columns, split, room));
  }
  // The documents explain that a unit is unknown; not every table repeats it.
  const heading = unit === null ? plural : `${plural} (${unitWords})`;
  return [heading, ...lines.map((line) => `${ROW_INDENT}${line}`)];
}

const CURRENCY_COLUMN: TableColumn<TotalRow> = {
  title: 'currency',
  cell: ({ currency }) => (currency === null ? 'no currency' : shownName(currency)),
};
const STATE_COLUMN: TableColumn<TotalRow> = {
  title: 'state',
  cell: ({ status, type }) => statusText(status, type),
};
const UNPRICED_COLUMN: TableColumn<TotalRow> = {
  title: 'without price',
  align: 'right',
  cell: ({ unpriced }) => formatCount(unpriced),
};

/** In the order of the currencies, and of their states in the rows. */
function sumsByState(rows: readonly TotalRow[]): StateSum[] {
  return sumByCurrency(rows).flatMap(({ currency }) => {
    const own = rows.filter((row) => row.currency === currency);
    const states = [...new Set(own.map(({ status }) => status))];
    return states.flatMap((status) => {
      const parts = own.filter((row) => row.status === status);
      return sumByCurrency(parts).map((sum) => ({ ...sum, status, parts }));
    });
  });
}

/**
 * Rows that `--only` filters out: they are no records, so no total counts them. `Filtered out by --only "Type=Hourly": 2 rows, 330.95 EUR`
 * @param most lines with a rule of their own
 */
export function filteredLines(groups: readonly FilteredGroup[], most = Infinity): string[] {
  const lines = groups.slice(0, most).map((group) => {
    const rows = pluralize(group.count, 'row');
    return `Filtered out by --only ${JSON.stringify(excerpt(group.rule))}: ${rows}${filteredAmountsText([group])}`;
  });
  const others = groups.slice(most);
  if (others.length === 0) return lines;
  const count = others.reduce((sum, group) => sum + group.count, 0);
  const words = `Filtered out by ${pluralize(others.length, 'more rule')} of --only`;
  return [...lines, `${words}: ${pluralize(count, 'row')}${filteredAmountsText(others)}`];
}
