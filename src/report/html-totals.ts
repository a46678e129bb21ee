/** The totals of an HTML report, as tables and as bars. Never a sum or a bar across types or currencies. */
import { add, type Decimal, formatDecimal, ZERO } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { type AmountColumn, amountCell, columnOf, figure } from './html-amounts.js';
import { stateMark } from './html-records.js';
import { amountTitle, fateWords, groupWords, typeWords } from './html-words.js';
import { capital, cell, escaped, type HtmlColumn, inText, wideTable } from './markup.js';
import { STATES } from './states.js';
import { counted, countText } from './table.js';

/** Rows of one table, and bars of one chart; the sums below them count everything. */
const MOST_ROWS = 1000;
const MOST_BARS = 40;
const MOST_CHARTS = 6;

export function* totalsSections(types: readonly RecordType[], totals: readonly TotalRow[]): Iterable<string> {
  if (types.length === 0) return;
  yield '<section aria-labelledby="totals">\n<h2 id="totals">Totals by cost center</h2>\n';
  for (const type of types) {
    const rows = totals.filter((row) => row.type === type);
    if (types.length > 1) yield `<h3>${escaped(capital(typeWords(type)))}</h3>\n`;
    yield totalsTable(type, rows);
    const sums = sumByCurrency(rows);
    for (const sum of sums.slice(0, MOST_CHARTS))
      yield chart(
        rows.filter(({ currency }) => currency === sum.currency),
        sum,
      );
    if (sums.length > MOST_CHARTS)
      yield `<p class="note">${counted(sums.length - MOST_CHARTS, 'more currency is', 'more currencies are')} not drawn.</p>\n`;
  }
  yield '</section>\n';
}

function totalsTable(type: RecordType, rows: readonly TotalRow[]): string {
  const withUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  const sums = closingSums(rows);
  const column = columnOf([...rows, ...sums]);
  const columns: HtmlColumn[] = [
    { title: 'currency' },
    { title: 'cost center' },
    { title: 'state' },
    { title: 'records', isNumber: true },
    { title: amountTitle(type), isNumber: true },
    ...(withUnpriced ? [{ title: 'without price', isNumber: true }] : []),
  ];
  const number = (count: number): string => cell(countText(count), { title: '', isNumber: true });
  const figures = (row: TotalRow): string =>
    number(row.count) + amountCell(row, column) + (withUnpriced ? number(row.unpriced) : '');
  const line = (row: TotalRow): string =>
    `<tr>${cell(currencyText(row))}<th scope="row">${costCenterText(row)}</th>${cell(stateMark(row.status, type))}${figures(row)}</tr>\n`;
  const sum = (row: TotalRow): string =>
    `<tr class="sum">${cell(currencyText(row))}<th scope="row">all</th>${cell(row.status === '' ? '' : stateMark(row.status, type))}${figures(row)}</tr>\n`;
  const hidden = rows.length - MOST_ROWS;
  const note =
    hidden > 0
      ? `<p class="note">${counted(hidden, 'more row is', 'more rows are')} not shown; the sums count them.</p>\n`
      : '';
  const lines = [...rows.slice(0, MOST_ROWS).map(line), ...sums.map(sum)];
  return wideTable(`Totals of ${KINDS[type].plural}`, columns, lines) + note;
}

function currencyText({ currency }: TotalRow): string {
  return currency === null ? 'none' : inText(currency);
}

function costCenterText({ costCenter }: TotalRow): string {
  return costCenter === null ? 'none' : inText(costCenter);
}

interface Bar {
  readonly costCenter: TotalRow;
  readonly total: Decimal;
  readonly parts: readonly TotalRow[];
}

/** A bar for each cost center of one type and currency, the longest first. */
function chart(rows: readonly TotalRow[], sum: TotalRow): string {
  const type = sum.type as RecordType;
  const of = groupWords(sum);
  // A length cannot show a negative amount: the bars would not be as long as their sums.
  if (rows.some(({ amount }) => amount.units < 0n))
    return `<p class="note">No bars for ${escaped(of.charAt(0).toLowerCase() + of.slice(1))}: some of the amounts are below zero.</p>\n`;
  const bars = barsOf(rows);
  const longest = Math.max(...bars.map(({ total }) => length(total)));
  // Without an amount above zero there is nothing to compare.
  if (!(longest > 0)) return '';
  const states = STATES.filter(({ name }) => rows.some(({ status }) => status === name));
  const items = states.map(({ name }) => `<li>${stateMark(name, type)}</li>`).join('');
  const legend = states.length === 1 ? '' : `<ul class="legend" aria-label="States">${items}</ul>\n`;
  const hidden = bars.length - MOST_BARS;
  const note = hidden > 0 ? `<p class="note">${counted(hidden, 'smaller cost center')} not drawn.</p>\n` : '';
  const column = columnOf(rows);
  const lines = bars.slice(0, MOST_BARS).map((bar) => barLine(bar, longest, column, states.length > 1));
  return `<figure>
<figcaption>${escaped(of)}, by cost center${states.length === 1 ? '' : ' and state'}</figcaption>
${legend}<ul class="bars">
${lines.join('')}</ul>
${note}</figure>
`;
}

function barsOf(rows: readonly TotalRow[]): Bar[] {
  const bars = new Map<string | null, TotalRow[]>();
  for (const row of rows) bars.set(row.costCenter, [...(bars.get(row.costCenter) ?? []), row]);
  const sums = [...bars.values()].map((parts) => ({
    costCenter: parts[0] as TotalRow,
    total: parts.map(({ amount }) => amount).reduce(add, ZERO),
    parts: STATES.flatMap(({ name }) => parts.filter(({ status }) => status === name)),
  }));
  return sums.sort((a, b) => length(b.total) - length(a.total));
}

/** For drawing only: the figures beside the bars are exact. */
function length(amount: Decimal): number {
  const value = Number(formatDecimal(amount));
  return Number.isFinite(value) ? value : 0;
}

/** @param longest length of the longest bar, as an amount. @param named whether to name the states */
function barLine({ costCenter, total, parts }: Bar, longest: number, column: AmountColumn, named: boolean): string {
  let at = 0;
  const pieces = parts.map(({ status, amount }) => {
    const width = (100 * length(amount)) / longest;
    const piece = `<rect class="state-${escaped(status)}" x="${at.toFixed(3)}" y="0" width="${width.toFixed(3)}" height="10"></rect>`;
    at += width;
    return piece;
  });
  const part = (row: TotalRow): string => (parts.length === 1 ? '' : ` ${figure(row, column)}`);
  const words = parts
    .map((row) => `${named ? fateWords(row.status, row.type) : ''}${part(row)}${priceless(row)}`.trim())
    .join(', ');
  return `<li><span class="name">${costCenterText(costCenter)}</span> <span class="figure">${figure({ ...costCenter, amount: total }, column)}</span>
<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>${words === '' ? '' : `\n<span class="parts">${escaped(words)}</span>`}</li>
`;
}

function priceless({ unpriced }: TotalRow): string {
  return unpriced === 0 ? '' : ` (${countText(unpriced)} without a price)`;
}

/** What can be said of amounts for sure. The unit of a payout's is nobody's to say, so a page of them has nothing of this. */
export function howComputed(types: readonly RecordType[]): string {
  const computed = types.filter((type) => KINDS[type].unit !== null);
  if (types.length === 0) return '';
  const items = computed.map((type) => `<p>${escaped(KINDS[type].howComputed)}</p>\n`).join('');
  return `<section aria-labelledby="how">
<h2 id="how">How the sums are made</h2>
${items}<p>All sums are exact decimals, never rounded. A record counts under its cost_center_key, else its partner_project_code, else its customer_id. Amounts of different types or currencies are never added up.</p>
</section>
`;
}
