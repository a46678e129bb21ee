/** The records of a page: those that need a person, those that were corrected since, and then all of them. */
import { parseDecimal } from '../../money/decimal.js';
import { sumByCurrency, type TotalRow } from '../../money/totals.js';
import { positionText } from '../../records/issue.js';
import type { RecordReport } from '../record-report.js';
import type { LimitedList, ReportData, ReportHead } from '../report-data.js';
import {
  attentionAdvice,
  commonStatusText,
  correctionText,
  STATES_IN_NEED,
  statusText,
  wordingFor,
} from '../status-text.js';
import { capitalize, pluralize, formatCount, type TableColumn } from '../table.js';
import { figuresOf, sumText, unitText } from '../totals-table.js';
import { htmlTable, footnote, paragraph, section } from './elements.js';

type RecordColumn = TableColumn<RecordReport>;

/** The records that need a person, with reason and key; empty if there are none. */
export function recordsInNeed({ needed, totals, records }: ReportData, head: ReportHead): string {
  if (needed.count === 0) return '';
  const states = STATES_IN_NEED.filter((name) => (records[name] ?? 0) > 0);
  const meanings = states.map((name) => {
    const own = totals.filter(({ status }) => status === name);
    const sums = sumByCurrency(own);
    const figures = sums.length === 0 ? pluralize(records[name] ?? 0, 'record') : sums.map(sumText).join('; ');
    const meaning = `${capitalize(commonStatusText(name, own))}: ${figures}. ${attentionAdvice(name, own)}`;
    return paragraph(meaning, 'meaning');
  });
  const details = ({ error, key }: RecordReport): string[] => [error ?? '', key === null ? '' : `Key ${key}`];
  const table = recordTable(needed, firstColumns(totals, head), details);
  return section('failed', 'Records that need attention', meanings.join('') + table);
}

/** Records that count in no sum, because nobody sends them any more: given up with their run, or corrected since. */
export function recordsSetAside({ givenUp, corrected, totals }: ReportData, head: ReportHead): string {
  const sectionOf = (id: string, title: string, reason: string, listed: LimitedList): string => {
    if (listed.count === 0) return '';
    const table = recordTable(listed, firstColumns(totals, head), (row) => [row.error ?? '', correctionText(row)]);
    return section(id, title, paragraph(`No sum counts them: ${reason}`, 'meaning') + table);
  };
  const closed = 'their runs were closed, so no run sends them. To pay one after all, import it again.';
  return [
    sectionOf('given-up', 'Records that were given up', closed, givenUp),
    sectionOf('corrected', 'Records that were corrected since', 'the sums count their corrections.', corrected),
  ].join('');
}

export function allRecords({ all, totals }: ReportData, head: ReportHead): string {
  const further: RecordColumn[] = [
    { title: 'cost center', cell: (row) => row.costCenter ?? '' },
    { title: 'id', cell: ({ id }) => id ?? '' },
  ];
  return section('records', 'All records', recordTable(all, [...firstColumns(totals, head), ...further]));
}

function recordTable(
  { rows, count }: LimitedList,
  columns: readonly RecordColumn[],
  detailOf?: (row: RecordReport) => readonly string[],
): string {
  const table = htmlTable(`${pluralize(count, 'record')}, in input order`, columns, rows, detailOf);
  if (count === rows.length) return table;
  const hidden = pluralize(count - rows.length, 'more record is', 'more records are');
  return (
    table + footnote(`${hidden} not shown here. The CSV report has them all: give --report a name that ends in .csv.`)
  );
}

/** Payee, purpose, amount, place and outcome of a record. A gig has no payee yet. */
function firstColumns(totals: readonly TotalRow[], { runs }: ReportHead): RecordColumn[] {
  const figure = figuresOf(totals);
  const amountOf = ({ type, currency, amount, status }: RecordReport): string => {
    if (amount === null) return status === 'invalid' ? '' : 'not known';
    return figure({ type, currency, amount: parseDecimal(amount) });
  };
  const hasRuns = runs.length > 1;
  const hasFiles = hasRuns || (runs[0]?.files.length ?? 0) > 1;
  const placeOf = (row: RecordReport): string => {
    const run = hasRuns ? `run ${formatCount(runs.findIndex(({ name }) => name === row.run) + 1)}` : '';
    return [run, hasFiles ? row.file : '', positionText(row)].filter((text) => text !== '').join(', ');
  };
  const payee: RecordColumn = {
    title: 'payee',
    cell: ({ userId, type }) => userId ?? (type === 'gig' ? '–' : 'not known'),
  };
  return [
    ...(wordingFor(totals).noun === 'gig' ? [] : [payee]),
    { title: 'title', cell: ({ title }) => title ?? 'not known' },
    { title: 'amount', align: 'right', cell: amountOf },
    { title: 'in', cell: ({ type, currency }) => unitText(type, currency) },
    { title: 'place', cell: placeOf },
    { title: 'state', cell: (row) => statusText(row.state, row.type) },
  ];
}
