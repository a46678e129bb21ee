/** The totals of an HTML report, as tables and as bars. Never a sum or a bar across types or currencies. */
import { add, type Decimal, formatDecimal, ZERO } from '../money/decimal.js';
import { closingSums, sumByCurrency, type TotalRow } from '../money/totals.js';
import { KINDS, unitLabel } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import { capital, cell, escaped, type HtmlColumn, wideTable } from './markup.js';
import { stateLabel, STATES } from './states.js';
import { counted, countText } from './table.js';
import { amountText, commonDecimals } from './totals-table.js';

/** Rows of one table, and bars of one chart; the sums below them count everything. */
const MOST_ROWS = 1000;
const MOST_BARS = 40;

export function* totalsSections(types: readonly RecordType[], totals: readonly TotalRow[]): Iterable<string> {
  if (types.length === 0) return;
  yield '<section aria-labelledby="totals">\n<h2 id="totals">Totals</h2>\n';
  for (const type of types) {
    const rows = totals.filter((row) => row.type === type);
    yield `<h3>${escaped(capital(KINDS[type].plural))}</h3>\n<p>${escaped(capital(KINDS[type].unitWords))}.</p>\n`;
    yield totalsTable(type, rows);
    for (const sum of sumByCurrency(rows))
      yield chart(
        rows.filter(({ currency }) => currency === sum.currency),
        sum,
      );
  }
  yield '</section>\n';
}

function totalsTable(type: RecordType, rows: readonly TotalRow[]): string {
  const withUnpriced = rows.some(({ unpriced }) => unpriced > 0);
  const decimals = commonDecimals(rows.map(({ amount }) => amount));
  const columns: HtmlColumn[] = [
    { title: 'currency' },
    { title: 'cost center' },
    { title: 'state' },
    { title: 'records', isNumber: true },
    { title: `amount, ${unitLabel(type)}`, isNumber: true },
    ...(withUnpriced ? [{ title: 'without price', isNumber: true }] : []),
  ];
  const figures = ({ count, amount, unpriced }: TotalRow): string =>
    [countText(count), amountText(amount, decimals), ...(withUnpriced ? [countText(unpriced)] : [])]
      .map((text) => cell(text, { title: '', isNumber: true }))
      .join('');
  const line = (row: TotalRow): string =>
    `<tr>${cell(currencyText(row))}<th scope="row">${costCenterText(row)}</th>${cell(stateMark(row.status))}${figures(row)}</tr>\n`;
  const sum = (row: TotalRow): string =>
    `<tr class="sum">${cell(currencyText(row))}<th scope="row">all</th>${cell(row.status === '' ? '' : stateMark(row.status))}${figures(row)}</tr>\n`;
  const hidden = rows.length - MOST_ROWS;
  const note =
    hidden > 0
      ? `<p class="note">${counted(hidden, 'more row is', 'more rows are')} not shown; the sums count them.</p>\n`
      : '';
  const lines = [...rows.slice(0, MOST_ROWS).map(line), ...closingSums(rows).map(sum)];
  return wideTable(`Totals of ${KINDS[type].plural}`, columns, lines) + note;
}

function currencyText({ currency }: TotalRow): string {
  return currency === null ? 'none' : escaped(currency);
}

function costCenterText({ costCenter }: TotalRow): string {
  return costCenter === null ? 'none' : escaped(costCenter);
}

function stateMark(status: string): string {
  return `<span class="state state-${escaped(status)}">${escaped(stateLabel(status))}</span>`;
}

interface Bar {
  readonly costCenter: TotalRow;
  readonly total: Decimal;
  readonly parts: readonly TotalRow[];
}

/** A bar for each cost center of one type and currency, the longest first. */
function chart(rows: readonly TotalRow[], sum: TotalRow): string {
  const type = sum.type as RecordType;
  const of = `${KINDS[type].plural} ${sum.currency === null ? 'without currency' : `in ${sum.currency}`}`;
  // A length cannot show a negative amount: the bars would not be as long as their sums.
  if (rows.some(({ amount }) => amount.units < 0n))
    return `<p class="note">No bars for ${escaped(of)}: some of the amounts are below zero.</p>\n`;
  const bars = barsOf(rows);
  const longest = Math.max(...bars.map(({ total }) => length(total)));
  // Without an amount above zero there is nothing to compare.
  if (!(longest > 0)) return '';
  const states = STATES.filter(({ name }) => rows.some(({ status }) => status === name));
  const legend = states.map(({ name }) => `<li>${stateMark(name)}</li>`).join('');
  const hidden = bars.length - MOST_BARS;
  const note = hidden > 0 ? `<p class="note">${counted(hidden, 'smaller cost center')} not drawn.</p>\n` : '';
  const decimals = commonDecimals(rows.map(({ amount }) => amount));
  const lines = bars.slice(0, MOST_BARS).map((bar) => barLine(bar, longest, decimals, states.length > 1));
  return `<figure>
<figcaption>Amounts by cost center and state: ${escaped(`${of}, ${unitLabel(type)}`)}</figcaption>
<ul class="legend" aria-label="States">${legend}</ul>
<ul class="bars">
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
function barLine({ costCenter, total, parts }: Bar, longest: number, decimals: number, named: boolean): string {
  let at = 0;
  const pieces = parts.map(({ status, amount }) => {
    const width = (100 * length(amount)) / longest;
    const piece = `<rect class="state-${escaped(status)}" x="${at.toFixed(3)}" y="0" width="${width.toFixed(3)}" height="10"></rect>`;
    at += width;
    return piece;
  });
  const figure = (part: TotalRow): string => (parts.length === 1 ? '' : ` ${amountText(part.amount, decimals)}`);
  const words = parts
    .map((part) => `${named ? stateLabel(part.status) : ''}${figure(part)}${priceless(part)}`.trim())
    .join(', ');
  return `<li><span class="name">${costCenterText(costCenter)}</span> <span class="figure">${amountText(total, decimals)}</span>
<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">${pieces.join('')}</svg>${words === '' ? '' : `\n<span class="parts">${escaped(words)}</span>`}</li>
`;
}

function priceless({ unpriced }: TotalRow): string {
  return unpriced === 0 ? '' : ` (${countText(unpriced)} without a price)`;
}

export function howComputed(types: readonly RecordType[]): string {
  if (types.length === 0) return '';
  const items = types.map((type) => `<p>${escaped(KINDS[type].howComputed)}</p>\n`).join('');
  return `<section aria-labelledby="how">
<h2 id="how">How amounts are computed</h2>
${items}<p>All sums are exact decimals, never rounded; how the service rounds is not documented. A record counts under its cost_center_key, else its partner_project_code, else its customer_id. Amounts of different types or currencies are never added up.</p>
</section>
`;
}
