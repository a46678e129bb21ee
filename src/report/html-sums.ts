/** The money of a page, in tables whose columns add up: every due amount is paid, still open, or was left out. */
import { ZERO } from '../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../money/totals.js';
import { chartOf } from './html-chart.js';
import { note, section, wholeTable } from './markup.js';
import type { CountsAndTotals } from './report-data.js';
import { commonStatusText } from './status-text.js';
import { pluralize, formatCount, type TableColumn } from './table.js';
import { figuresOf, kindText, shownName, sumText, unpricedColumn } from './totals-table.js';

/** For one type and currency, and for one cost center or all. */
interface Line {
  readonly due: TotalRow;
  readonly costCenter: string;
  /** The part of the due amount with this name; null for none. */
  readonly part: (name: string) => TotalRow | null;
}

/** The states of each part, in order; other states count as still open. */
const PARTS = {
  paid: ['created', 'already_created'],
  planned: ['planned'],
  leftOut: ['skipped'],
} as const;
/** They count in no sum: the replacements of the first count themselves, and nobody sends the others. */
const SET_ASIDE = { corrected: 'Corrected since', given_up: 'Given up with a closed run' } as const;
const OPEN = 'still open';

export function isRehearsal({ records }: CountsAndTotals, dryRun: boolean): boolean {
  return dryRun || (records['planned'] ?? 0) > 0;
}

/** The paid totals by type and currency, with their name; in a rehearsal, the totals to send. */
export function paidOf({ totals, records }: CountsAndTotals, dryRun = false): { word: string; sums: TotalRow[] } {
  const states: readonly string[] = isRehearsal({ totals, records }, dryRun) ? PARTS.planned : PARTS.paid;
  const sums = sumByCurrency(totals.filter(({ status }) => states.includes(status)));
  return { word: commonStatusText(states[0] ?? '', totals), sums };
}

/** The first page has room for this many above its signatures. */
const MOST_SUMS = 12;
/** Lines by cost center; the sums below them count everything. */
const MOST_LINES = 1000;

/** A line for each type and currency. */
export function grandTotals(content: CountsAndTotals): string {
  const { records, totals } = content;
  const sums = linesOf(totals, () => 'all');
  const hidden = sums.length - MOST_SUMS;
  const invalid = records['invalid'] ?? 0;
  const notes = [
    invalid === 0 ? '' : `The amounts of ${pluralize(invalid, 'record')} with faults do not count.`,
    ...Object.entries(SET_ASIDE).flatMap(([state, words]) =>
      sumByCurrency(totals.filter(({ status }) => status === state)).map(
        (sum) => `${words}, and not counted here: ${sumText(sum)}.`,
      ),
    ),
    hidden > 0 ? `${pluralize(hidden, 'more sum stands', 'more sums stand')} below.` : '',
  ];
  const table = wholeTable('Every payment, once', columnsOf(content, sums), sums.slice(0, MOST_SUMS));
  return section(
    'money',
    'Grand totals',
    table +
      notes
        .filter((text) => text !== '')
        .map(note)
        .join(''),
  );
}

/** Never a sum across types or currencies. */
export function byCostCenter(content: CountsAndTotals): string {
  const lines = linesOf(content.totals, ({ costCenter }) => shownName(costCenter));
  const sums = linesOf(content.totals, () => 'all');
  const columns = columnsOf(content, sums).toSpliced(1, 0, { title: 'cost center', cell: (line) => line.costCenter });
  const hidden = lines.length - MOST_LINES;
  const more = `${pluralize(hidden, 'more row is', 'more rows are')} not shown; the sums count them.`;
  const table = wholeTable('By cost center', columns, [...lines.slice(0, MOST_LINES), ...sums]);
  return section('totals', 'Totals by cost center', table + (hidden > 0 ? note(more) : '') + charts(content, lines));
}

/** A chart for each type and currency. */
function charts({ totals }: CountsAndTotals, lines: readonly Line[]): string {
  const kinds = new Set(lines.map(({ due }) => kindText(due)));
  return [...kinds]
    .map((kind) => {
      const own = lines.filter(({ due }) => kindText(due) === kind);
      const isPlanned = own.some(({ part }) => part('planned') !== null);
      const bars = own.map(({ costCenter, due, part }) => {
        return { name: costCenter, due: due.amount, done: part(isPlanned ? 'planned' : 'paid')?.amount ?? ZERO };
      });
      return chartOf(kind, isPlanned ? 'would be sent' : commonStatusText('created', totals), bars);
    })
    .join('');
}

/** Rows of one type, currency and name form a line. */
function linesOf(totals: readonly TotalRow[], nameOf: (row: TotalRow) => string): Line[] {
  const groups = new Map<string, TotalRow[]>();
  for (const row of totals) {
    if (Object.hasOwn(SET_ASIDE, row.status)) continue;
    const name = JSON.stringify([row.type, row.currency, nameOf(row)]);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()].flatMap((rows) =>
    sumByCurrency(rows).map((due) => ({
      due,
      costCenter: nameOf(rows[0] as TotalRow),
      part: (name) => sumByCurrency(rows.filter(({ status }) => partOf(status) === name))[0] ?? null,
    })),
  );
}

function partOf(state: string): string {
  const parts: readonly (readonly [string, readonly string[]])[] = Object.entries(PARTS);
  return parts.find(([, states]) => states.includes(state))?.[0] ?? OPEN;
}

function columnsOf(content: CountsAndTotals, sums: readonly Line[]): TableColumn<Line>[] {
  const figure = figuresOf(content.totals);
  const titles = [
    ['planned', 'would be sent'],
    ['paid', commonStatusText('created', content.totals)],
    [OPEN, OPEN],
    ['leftOut', 'left out'],
  ] as const;
  const isThere = (part: string): boolean => sums.some((sum) => sum.part(part) !== null);
  const shown = titles.filter(([part]) => isThere(part) || (part === 'paid' && !isThere('planned')));
  return [
    { title: 'what', cell: ({ due }) => kindText(due) },
    { title: 'records', align: 'right', cell: ({ due }) => formatCount(due.count) },
    { title: 'amount', align: 'right', cell: ({ due }) => figure(due) },
    ...unpricedColumn(sums.map(({ due }) => due)).map(({ cell, ...column }) => ({
      ...column,
      cell: ({ due }: Line) => cell(due),
    })),
    ...shown.map(([part, title]): TableColumn<Line> => ({
      title,
      align: 'right',
      cell: ({ due, part: partOfDue }) =>
        figure(
          partOfDue(part) ?? {
            ...due,
            amount: ZERO,
          },
        ),
    })),
  ];
}
