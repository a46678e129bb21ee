/** The records of an HTML report: those that need a person, with the reason and what to do, and then all of them. */
import { parseDecimal } from '../money/decimal.js';
import { placeWords } from '../records/issue.js';
import { capital, CLOSE_TABLE, openTable, paragraph, tableRow } from './markup.js';
import type { RecordReport, ReportHead } from './record-report.js';
import { commonFate, FAILED_STATES, fateWords, STATES } from './state-words.js';
import { counted, type TableColumn } from './table.js';
import { figuresOf, unitText } from './totals-table.js';

/** A page with more rows is no help to anybody; the CSV report has them all. */
const MOST_RECORDS = 10_000;

type Column = TableColumn<RecordReport>;

/** The records that need a person, after what each of their states means. @param all in input order */
export async function* recordsInNeed(all: AsyncIterable<RecordReport>, head: ReportHead): AsyncIterable<string> {
  const states = STATES.filter(({ name }) => FAILED_STATES.includes(name) && (head.records[name] ?? 0) > 0);
  if (states.length === 0) return;
  const meanings = states.map(({ name, meaning }) => `${capital(commonFate(name, head.totals))}: ${meaning}`);
  const further: Column[] = [
    { title: 'key', cell: ({ key }) => key ?? '' },
    { title: 'reason', cell: ({ error }) => error ?? '' },
  ];
  yield `<section id="failed">\n<h2>Records that need attention</h2>\n`;
  yield meanings.map((text) => paragraph(text, 'meaning')).join('');
  yield* tableOf(all, states, further, head);
}

/** @param all in input order */
export async function* allRecords(all: AsyncIterable<RecordReport>, head: ReportHead): AsyncIterable<string> {
  const further: Column[] = [
    { title: 'cost center', cell: (row) => row.cost_center ?? '' },
    { title: 'id', cell: ({ id }) => id ?? '' },
  ];
  yield '<section id="records">\n<h2>All records</h2>\n';
  yield* tableOf(all, STATES, further, head);
}

/** The records in these states, up to a number that a page can hold, to the end of the section. */
async function* tableOf(
  all: AsyncIterable<RecordReport>,
  states: readonly { readonly name: string }[],
  further: readonly Column[],
  head: ReportHead,
): AsyncIterable<string> {
  const columns = [...firstColumns(head), ...further];
  const count = states.reduce((sum, { name }) => sum + (head.records[name] ?? 0), 0);
  yield openTable(`${counted(count, 'record')}, in input order`, columns);
  let shown = 0;
  for await (const row of all) {
    if (!states.some(({ name }) => name === row.status)) continue;
    if (shown++ === MOST_RECORDS) break;
    yield tableRow(columns, row);
  }
  const hidden = counted(count - MOST_RECORDS, 'more record is', 'more records are');
  const note = `${hidden} not shown here. The CSV report has them all: give --report a name that ends in .csv.`;
  yield `${CLOSE_TABLE}${count > MOST_RECORDS ? paragraph(note, 'note') : ''}</section>\n`;
}

/** Whom a record is for, what for, how much it is, where it stands and what became of it. A gig is for nobody yet. */
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
    { title: 'state', cell: ({ status, type }) => fateWords(status, type) },
  ];
}
