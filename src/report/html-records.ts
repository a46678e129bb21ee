/** The records of an HTML report: those that need a person, with the reason and what to do, and then all of them. */
import { parseDecimal } from '../money/decimal.js';
import { placeWords } from '../records/issue.js';
import { capital, CLOSE_TABLE, escaped, openTable, paragraph, section, tableRow, wholeTable } from './markup.js';
import type { RecordReport, ReportHead } from './record-report.js';
import { commonFate, FAILED_STATES, fateWords, STATES } from './state-words.js';
import { counted, type TableColumn } from './table.js';
import { figuresOf, unitText } from './totals-table.js';

/** A page with more rows is no help to anybody; the CSV report has them all. */
const MOST_RECORDS = 10_000;
/** Records of each state that needs a person. */
const MOST_FAILED = 2000;

type Column = TableColumn<RecordReport>;

/** The records that need a person: how many are in each such state, and the first of them. */
export async function* recordsInNeed(all: AsyncIterable<RecordReport>, head: ReportHead): AsyncIterable<string> {
  const failed = new Map<string, RecordReport[]>(FAILED_STATES.map((state) => [state, []]));
  for await (const row of all) {
    const rows = failed.get(row.status);
    // What a page does not show may be long.
    if (rows !== undefined && rows.length < MOST_FAILED) rows.push({ ...row, response: null, request: null });
  }
  const parts = [...failed].filter(([, rows]) => rows.length > 0).map(([state, rows]) => inNeed(state, rows, head));
  if (parts.length > 0) yield section('failed', 'Records that need attention', parts.join(''));
}

function inNeed(state: string, rows: readonly RecordReport[], head: ReportHead): string {
  const count = head.records[state] ?? 0;
  const title = `${capital(commonFate(state, rows))}: ${counted(count, 'record')}`;
  const columns: Column[] = [
    ...firstColumns(head),
    { title: 'key', cell: ({ key }) => key ?? '' },
    { title: 'reason', cell: ({ error }) => error ?? '' },
  ];
  return [
    `<h3>${escaped(title)}</h3>\n`,
    paragraph(STATES.find(({ name }) => name === state)?.meaning ?? '', 'meaning'),
    wholeTable(title, columns, rows),
    leftOut(count - rows.length),
  ].join('');
}

/** All records, up to a number that a page can hold, one after the other. @param all in input order */
export async function* allRecords(all: AsyncIterable<RecordReport>, head: ReportHead): AsyncIterable<string> {
  const count = head.records['read'] ?? 0;
  const columns: Column[] = [
    ...firstColumns(head),
    { title: 'cost center', cell: (row) => row.cost_center ?? '' },
    { title: 'state', cell: ({ status, type }) => fateWords(status, type) },
    { title: 'id', cell: ({ id }) => id ?? '' },
  ];
  yield `<section id="records">\n<h2>All records</h2>\n${openTable(`${counted(count, 'record')}, in input order`, columns)}`;
  let written = 0;
  for await (const row of all) {
    if (written++ === MOST_RECORDS) break;
    yield tableRow(columns, row);
  }
  yield `${CLOSE_TABLE}${leftOut(count - MOST_RECORDS)}</section>\n`;
}

/** Whom a record is for, what for, how much it is and where it stands. A gig is for nobody yet. */
function firstColumns({ totals, files }: ReportHead): Column[] {
  const figure = figuresOf(totals);
  const amountText = ({ type, currency, amount, status }: RecordReport): string => {
    if (amount === null) return status === 'invalid' ? '' : 'not known';
    return figure({ type, currency, amount: parseDecimal(amount) });
  };
  return [
    { title: 'payee', cell: ({ user_id: payee, type }) => payee ?? (type === 'gig' ? '–' : 'not known') },
    { title: 'title', cell: ({ title }) => title ?? 'not known' },
    { title: 'amount', align: 'right', cell: amountText },
    { title: 'in', cell: ({ type, currency }) => unitText(type, currency) },
    { title: 'place', cell: (row) => [...(files.length > 1 ? [row.file] : []), placeWords(row)].join(', ') },
  ];
}

function leftOut(count: number): string {
  if (count <= 0) return '';
  const words = `${counted(count, 'more record is', 'more records are')} not shown here. The CSV report has them all: give --report a name that ends in .csv.`;
  return paragraph(words, 'note');
}
