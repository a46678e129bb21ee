/** Totals for people to compare with their own sheet: by currency and cost center, with a sum per currency. */
import { compare } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { columnOf, shownName } from './amount-columns.js';
import { FAILED_STATES, stateLabel } from './state-words.js';
import { countText, type TableColumn, tableLines } from './table.js';

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
  const { figure } = columnOf([...shown, ...sums]);
  const columns: (TableColumn & { readonly cell: (row: ShownRow) => string })[] = [
    { title: 'currency', cell: ({ currency }) => shownName(currency) },
    { title: 'cost center', cell: ({ name }) => name },
    ...(rows.every(({ status }) => status === '')
      ? []
      : [{ title: 'state', cell: ({ status }: ShownRow) => stateLabel(status) }]),
    { title: 'records', align: 'right', cell: ({ count }) => countText(count) },
    { title: 'amount', align: 'point', cell: figure },
    ...(rows.every(({ unpriced }) => unpriced === 0)
      ? []
      : [{ title: 'without price', align: 'right' as const, cell: ({ unpriced }: ShownRow) => countText(unpriced) }]),
  ];
  const cells = [...shown, ...sums].map((row) => columns.map(({ cell }) => cell(row)));
  const note =
    hidden === 0
      ? []
      : [`${INDENT}${countText(hidden)} rows are summed up as "more"; the report (--report) and --json have each`];
  const table = tableLines(columns, cells, width - INDENT.length);
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
