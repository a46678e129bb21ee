/**
 * The totals of an HTML report: a table for each type, in which bars compare the amounts of a currency. Never a sum or a
 * bar across types or currencies.
 */
import { formatDecimal } from '../money/decimal.js';
import { closingSums, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { columnOf } from './amount-columns.js';
import { stateMark } from './html-records.js';
import { amountTitle, typeWords } from './html-words.js';
import { amountCell, capital, cell, escaped, type HtmlColumn, inText, wideTable } from './markup.js';
import { counted, countText } from './table.js';

/** Rows of one table; the sums below them count everything. */
const MOST_ROWS = 1000;

export function* totalsSections(types: readonly RecordType[], totals: readonly TotalRow[]): Iterable<string> {
  if (types.length === 0) return;
  yield '<section aria-labelledby="totals">\n<h2 id="totals">Totals by cost center</h2>\n';
  for (const type of types) {
    if (types.length > 1) yield `<h3>${escaped(capital(typeWords(type)))}</h3>\n`;
    yield totalsTable(
      type,
      totals.filter((row) => row.type === type),
    );
  }
  yield '</section>\n';
}

function totalsTable(type: RecordType, rows: readonly TotalRow[]): string {
  const withUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  const sums = closingSums(rows);
  const column = columnOf([...rows, ...sums]);
  const longest = longestBars(rows);
  const columns: HtmlColumn[] = [
    ...[{ title: 'currency' }, { title: 'cost center' }, { title: 'state' }, { title: 'compared' }],
    { title: 'records', isNumber: true },
    { title: amountTitle(type), isNumber: true },
    ...(withUnpriced ? [{ title: 'without price', isNumber: true }] : []),
  ];
  const number = (count: number): string => cell(countText(count), { title: '', isNumber: true });
  const line = (row: TotalRow, name: string, bar: string): string =>
    [
      cell(row.currency === null ? 'none' : inText(row.currency)),
      `<th scope="row">${name}</th>`,
      cell(row.status === '' ? '' : stateMark(row.status, type)),
      `<td class="bar">${bar}</td>`,
      number(row.count) + amountCell(row, column) + (withUnpriced ? number(row.unpriced) : ''),
    ].join('');
  const lines = rows
    .slice(0, MOST_ROWS)
    .map((row) => line(row, row.costCenter === null ? 'none' : inText(row.costCenter), barOf(row, longest)));
  const hidden = rows.length - lines.length;
  const note =
    hidden === 0
      ? ''
      : `<p class="note">${counted(hidden, 'more row is', 'more rows are')} not shown; the sums count them.</p>\n`;
  const all = [
    ...lines.map((cells) => `<tr>${cells}</tr>\n`),
    ...sums.map((sum) => `<tr class="sum">${line(sum, 'all', '')}</tr>\n`),
  ];
  return wideTable(`Totals of ${KINDS[type].plural}`, columns, all) + note;
}

/** By currency: the largest amount. None where an amount is below zero, which no length shows. */
function longestBars(rows: readonly TotalRow[]): ReadonlyMap<string | null, number> {
  const longest = new Map<string | null, number>();
  for (const row of rows) longest.set(row.currency, Math.max(longest.get(row.currency) ?? 0, lengthOf(row)));
  for (const { currency, amount } of rows) if (amount.units < 0n) longest.delete(currency);
  return longest;
}

/** A picture, not a figure: the one place where an amount may lose digits. */
function lengthOf({ amount }: TotalRow): number {
  return Number(formatDecimal(amount));
}

function barOf(row: TotalRow, longest: ReadonlyMap<string | null, number>): string {
  const share = (lengthOf(row) / (longest.get(row.currency) ?? 0)) * 100;
  if (!(share > 0 && share <= 100)) return '';
  const rect = `<rect class="state-${escaped(row.status)}" width="${share.toFixed(3)}" height="10"></rect>`;
  return `<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${rect}</svg>`;
}
