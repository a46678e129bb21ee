/** Totals as people hold them against their own sheet: by currency and cost center, with a sum per currency. */
import { decimalsOf, groupThousands } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { printable } from './printable.js';
import { tableLines } from './table.js';

const UNITS: Readonly<Record<RecordType, string>> = {
  payout: 'amounts as given: the service does not say their unit',
  result: 'amounts in cents: quantity × base price × multiplier',
  gig: 'amounts in cents per seat: sum of the tasks’ base prices',
};

/** One block of lines per type. Never a sum across currencies or types. */
export function totalsLines(totals: readonly TotalRow[]): string[] {
  const types = (Object.keys(KINDS) as RecordType[]).filter((type) => totals.some((row) => row.type === type));
  return types.flatMap((type, i) => [...(i === 0 ? [] : ['']), ...typeLines(type, totals.filter((row) => row.type === type))]);
}

function typeLines(type: RecordType, rows: readonly TotalRow[]): string[] {
  const withUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  const decimals = Math.max(...rows.map(({ amount }) => decimalsOf(amount)));
  const columns = [
    { title: 'currency' },
    { title: 'cost center' },
    { title: 'state' },
    { title: 'records', align: 'right' as const },
    { title: 'amount', align: 'right' as const },
    ...(withUnpriced ? [{ title: 'without price', align: 'right' as const }] : []),
  ];
  const cells = (row: TotalRow, costCenter: string, status: string): string[] => [
    printable(row.currency ?? 'none'),
    printable(costCenter),
    status.replaceAll('_', ' '),
    String(row.count),
    groupThousands(row.amount, decimals),
    ...(withUnpriced ? [String(row.unpriced)] : []),
  ];
  const details = rows.map((row) => cells(row, row.costCenter ?? 'none', row.status));
  const sums = sumByCurrency(rows).map((row) => cells(row, 'all', ''));
  const lines = tableLines(columns, [...details, ...sums]);
  return [`${KINDS[type].plural} (${UNITS[type]})`, ...lines.map((line) => `  ${line}`)];
}
