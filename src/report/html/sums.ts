/** The money of a page, in tables whose columns add up: every due amount is paid, still open, or was left out. */
import { ZERO } from '../../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../../money/totals.js';
import type { CountsAndTotals, ReportHead } from '../report-data.js';
import { commonStatusText, wordingFor } from '../status-text.js';
import { formatCount, pluralize, type TableColumn } from '../table.js';
import { filteredLines, figuresOf, hasUnpriced, kindText, shownName, sumText } from '../totals-table.js';
import { htmlChart, htmlTable, footnote, section } from './elements.js';

type MoneyPart = 'planned' | 'paid' | 'open' | 'leftOut';

/** The part of each state; all other states are still open. */
const PART_OF_STATE: Readonly<Record<string, MoneyPart>> = {
  planned: 'planned',
  created: 'paid',
  already_created: 'paid',
  skipped: 'leftOut',
};
/** They count in no sum: the replacements of the first count themselves, and nobody sends the others. */
const SET_ASIDE = { corrected: 'Corrected since', given_up: 'Given up with a closed run' } as const;

/** For one type and currency, and for one cost center or all. */
interface DueLine {
  readonly due: TotalRow;
  readonly costCenter: string;
  readonly parts: Readonly<Record<MoneyPart, TotalRow | null>>;
}

/** The first page has room for this many above its signatures. */
const MOST_GRAND_TOTALS = 12;
/** The first page has room for this many notes about filters. */
const MOST_FILTER_NOTES = 4;
/** Lines by cost center; the sums below them count everything. */
const MOST_COST_CENTERS = 1000;

export function isRehearsal({ records }: CountsAndTotals, dryRun: boolean): boolean {
  return dryRun || (records['planned'] ?? 0) > 0;
}

/** The paid totals by type and currency, with their name; in a rehearsal, the totals to send. */
export function paidOf(content: CountsAndTotals, dryRun = false): { word: string; sums: TotalRow[] } {
  const { totals } = content;
  const isPlanned = isRehearsal(content, dryRun);
  const part = isPlanned ? 'planned' : 'paid';
  return {
    word: commonStatusText(isPlanned ? 'planned' : 'created', totals),
    sums: sumByCurrency(totals.filter(({ status }) => PART_OF_STATE[status] === part)),
  };
}

/** A line for each type and currency. */
export function grandTotals({ records, totals }: CountsAndTotals, { filtered }: ReportHead): string {
  const lines = dueLines(totals, () => 'all');
  const invalid = records['invalid'] ?? 0;
  const hidden = lines.length - MOST_GRAND_TOTALS;
  const notes: string[] = [];
  if (invalid > 0) notes.push(`The amounts of ${pluralize(invalid, 'record')} with faults do not count.`);
  for (const [state, name] of Object.entries(SET_ASIDE))
    for (const sum of sumByCurrency(totals.filter(({ status }) => status === state)))
      notes.push(`${name}, and not counted here: ${sumText(sum)}.`);
  if (hidden > 0) notes.push(`${pluralize(hidden, 'more sum stands', 'more sums stand')} below.`);
  for (const line of filteredLines(filtered, MOST_FILTER_NOTES)) notes.push(`${line}. No sum counts them.`);
  const table = htmlTable(
    `Every ${wordingFor(totals).noun}, once`,
    dueColumns(totals, lines),
    lines.slice(0, MOST_GRAND_TOTALS),
  );
  return section('money', 'Grand totals', table + notes.map(footnote).join(''));
}

/** Never a sum across types or currencies. */
export function costCenterTotals({ totals: all }: CountsAndTotals): string {
  // Gigs have no cost centers.
  const totals = all.filter(({ type }) => type !== 'gig');
  if (totals.length === 0 && all.length > 0) return '';
  const lines = dueLines(totals, ({ costCenter }) => shownName(costCenter));
  const sums = dueLines(totals, () => 'all');
  const columns = dueColumns(totals, sums).toSpliced(1, 0, { title: 'cost center', cell: (line) => line.costCenter });
  const hidden = lines.length - MOST_COST_CENTERS;
  const more = `${pluralize(hidden, 'more row is', 'more rows are')} not shown; the sums count them.`;
  const table = htmlTable('By cost center', columns, [...lines.slice(0, MOST_COST_CENTERS), ...sums]);
  // A chart for each type and currency.
  const charts = [...new Set(lines.map(({ due }) => kindText(due)))].map((kind) => {
    const own = lines.filter(({ due }) => kindText(due) === kind);
    const isPlanned = own.some(({ parts }) => parts.planned !== null);
    const bars = own.map(({ costCenter, due, parts }) => {
      return { name: costCenter, due: due.amount, done: parts[isPlanned ? 'planned' : 'paid']?.amount ?? ZERO };
    });
    return htmlChart(kind, isPlanned ? 'would be sent' : commonStatusText('created', totals), bars);
  });
  return section('totals', 'Totals by cost center', table + (hidden > 0 ? footnote(more) : '') + charts.join(''));
}

/** Rows of one type, currency and name form a line. */
function dueLines(totals: readonly TotalRow[], nameOfRow: (row: TotalRow) => string): DueLine[] {
  const groups = new Map<string, TotalRow[]>();
  for (const row of totals) {
    if (Object.hasOwn(SET_ASIDE, row.status)) continue;
    const name = JSON.stringify([row.type, row.currency, nameOfRow(row)]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()].map((rows) => {
    const sumOf = (part: MoneyPart): TotalRow | null =>
      sumByCurrency(rows.filter(({ status }) => (PART_OF_STATE[status] ?? 'open') === part))[0] ?? null;
    return {
      due: sumByCurrency(rows)[0] as TotalRow,
      costCenter: nameOfRow(rows[0] as TotalRow),
      parts: { planned: sumOf('planned'), paid: sumOf('paid'), open: sumOf('open'), leftOut: sumOf('leftOut') },
    };
  });
}

/** A part that no sum has gets no column. A page shows what was paid, or what would be sent. */
function dueColumns(totals: readonly TotalRow[], sums: readonly DueLine[]): TableColumn<DueLine>[] {
  const figure = figuresOf(totals);
  const isThere = (part: MoneyPart): boolean => sums.some(({ parts }) => parts[part] !== null);
  const titles: readonly (readonly [part: MoneyPart, title: string])[] = [
    ['planned', 'would be sent'],
    ['paid', commonStatusText('created', totals)],
    ['open', 'still open'],
    ['leftOut', 'left out'],
  ];
  const unpriced: TableColumn<DueLine> = {
    title: 'without price',
    align: 'right',
    cell: ({ due }) => formatCount(due.unpriced),
  };
  return [
    { title: 'what', cell: ({ due }) => kindText(due) },
    { title: 'records', align: 'right', cell: ({ due }) => formatCount(due.count) },
    { title: 'amount', align: 'right', cell: ({ due }) => figure(due) },
    ...(hasUnpriced(sums.map(({ due }) => due)) ? [unpriced] : []),
    ...titles
      .filter(([part]) => isThere(part) || (part === 'paid' && !isThere('planned')))
      .map(([part, title]): TableColumn<DueLine> => {
        return { title, align: 'right', cell: ({ due, parts }) => figure(parts[part] ?? { ...due, amount: ZERO }) };
      }),
  ];
}
