/** The records of an HTML report: those that need a person, with the reason and what to do, and then all of them. */
import { parseDecimal } from '../money/decimal.js';
import { KINDS } from '../records/kinds.js';
import { placeWords } from '../records/issue.js';
import { settleWords } from '../util/shell-word.js';
import { amountTitle, commonFate, typeWords } from './html-words.js';
import { capital, CLOSE_TABLE, escaped, type HtmlColumn, inText, openTable, section, tableRow } from './markup.js';
import type { RecordReport, ReportHead } from './record-report.js';
import { FAILED_STATES, fateWords, STATES } from './state-words.js';
import { counted } from './table.js';
import { figuresOf, type Money } from './totals-table.js';

/** A page with more rows is no help to anybody; the CSV report has them all. */
const MOST_RECORDS = 10_000;
/** Records of each state that needs a person. */
const MOST_FAILED = 2000;

type Column = HtmlColumn<RecordReport>;

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
  const title = capital(
    commonFate(
      state,
      rows.map(({ type }) => type),
    ),
  );
  const columns: Column[] = [
    ...payeeColumns(typesOf(rows)),
    ...(state === 'invalid' ? [] : moneyColumns(rows.map(moneyOf))),
    { title: 'place', cell: (row) => placeInNeed(row, state, head) },
    ...(rows.some(({ error }) => error !== null)
      ? [{ title: 'reason', cell: ({ error }: RecordReport) => escaped(error ?? '') }]
      : []),
  ];
  return [
    `<h3 class="state-${state}">${escaped(title)}: ${counted(count, 'record')}</h3>\n`,
    `<p>${escaped(STATES.find(({ name }) => name === state)?.meaning ?? '')}</p>\n`,
    state === 'unknown' && head.run !== null ? waysOut(head.run, rows, head) : '',
    openTable(`${title}: records ${ofFile(head)}`, columns),
    ...rows.map((row) => tableRow(columns, row)),
    CLOSE_TABLE,
    leftOut(count - rows.length),
  ].join('');
}

/** How doubt ends: a record with a key is safely sent again. A person looks up the others, and those still in doubt. */
function waysOut(run: string, rows: readonly RecordReport[], { journalFlags, resumeFlags }: ReportHead): string {
  const command = (name: string, rest: string): string =>
    `<code>${escaped(`gigwork batch ${name} ${run}${rest}`)}</code>`;
  // A command of its own for each answer: if one line had both, a shell would run the first, and `--created` is final.
  const record = rows.every(({ line }) => line === null) ? ' --record N' : ' --line N';
  const settle = `<br>\n${command('settle', `${journalFlags}${record} --created --note TEXT`)}, or<br>\n${command('settle', `${journalFlags}${record} --not-created --note TEXT`)}`;
  if (!rows.some(({ type }) => KINDS[type].keyed))
    return `<p>Look each one up at the service, then say what you found:${settle}</p>\n`;
  return `<p>First go on: ${command('resume', resumeFlags)} sends payouts and results again under their own keys, which pays nothing twice. What stays unknown after that: look it up at the service, then say what you found:${settle}</p>\n`;
}

/** With what `batch settle` calls the record, where that is what there is to do, and with its key. */
function placeInNeed(row: RecordReport, state: string, head: ReportHead): string {
  const named =
    state === 'unknown' ? `<br><code>${escaped(settleWords(row, head.files.length, head.platform))}</code>` : '';
  const key = row.key === null ? '' : `<br><span class="key">${escaped(row.key)}</span>`;
  return `${placeOf(row, head)}${named}${key}`;
}

/** All records, up to a number that a page can hold, one after the other. @param all in input order */
export async function* allRecords(all: AsyncIterable<RecordReport>, head: ReportHead): AsyncIterable<string> {
  const count = head.records['read'] ?? 0;
  if (count === 0) return;
  const columns: Column[] = [
    ...payeeColumns(typesOf(head.totals)),
    // Sums have the digits of what they are the sums of.
    ...moneyColumns(head.totals.map((row) => (row.count === row.unpriced ? { ...row, amount: null } : row))),
    { title: 'cost center', cell: (row) => inText(row.cost_center ?? '') },
    { title: 'state', cell: ({ status, type }) => stateMark(status, fateWords(status, type)) },
    { title: 'place', cell: (row) => placeOf(row, head) },
    { title: 'id', cell: ({ id }) => `<span class="key">${escaped(id ?? '')}</span>` },
  ];
  const most = Math.min(count, MOST_RECORDS);
  const caption = `${most < count ? `The first ${counted(most, 'record')}` : counted(count, 'record')} ${ofFile(head)}, in input order`;
  yield `<section aria-labelledby="records">\n<h2 id="records">All records</h2>\n${openTable(caption, columns)}`;
  let written = 0;
  for await (const row of all) {
    if (written++ === most) break;
    yield tableRow(columns, row);
  }
  yield `${CLOSE_TABLE}${leftOut(count - most)}</section>\n`;
}

function typesOf(rows: readonly { readonly type: string }[]): string[] {
  return [...new Set(rows.map(({ type }) => type))];
}

/** Whom the record is for, and what for. A gig is for nobody yet. */
function payeeColumns(types: readonly string[]): Column[] {
  const text = (words: string | null): string =>
    words === null ? '<span class="aside">not known</span>' : inText(words);
  const title = (row: RecordReport): string => text(row.title);
  if (types.length > 0 && types.every((type) => type === 'gig')) return [{ title: 'title', kind: 'head', cell: title }];
  const payee = ({ user_id, type }: RecordReport): string => (type === 'gig' ? '–' : text(user_id));
  return [
    { title: 'payee', kind: 'head', cell: payee },
    { title: 'title', cell: title },
  ];
}

function moneyOf({ type, currency, amount }: RecordReport): Money {
  return { type, currency, amount: amount === null ? null : parseDecimal(amount) };
}

/** The amount, and the currency beside it where that is not the same for all. @param amounts of all rows, or their sums */
function moneyColumns(amounts: readonly Money[]): Column[] {
  const figure = figuresOf(amounts);
  const [type = 'payout', ...otherTypes] = typesOf(amounts);
  const [currency, ...others] = new Set(amounts.flatMap((money) => (money.amount === null ? [] : money.currency)));
  const title = otherTypes.length === 0 ? amountTitle(type) : 'amount';
  const isOne = others.length === 0 && typeof currency === 'string';
  const money = (row: RecordReport): string => {
    if (row.amount !== null) return figure(moneyOf(row));
    return row.status === 'invalid' ? '' : '<span class="aside">no known price</span>';
  };
  return [
    { title: isOne ? `${title}, ${currency}` : title, kind: 'number', cell: money },
    ...(others.length === 0
      ? []
      : [{ title: 'currency', cell: (row: RecordReport) => inText(row.currency ?? 'none') }]),
    ...(otherTypes.length === 0
      ? []
      : [{ title: 'type', cell: ({ type: of }: RecordReport) => escaped(typeWords(of)) }]),
  ];
}

/** Names the file only where there are several. */
function placeOf(row: RecordReport, { files }: ReportHead): string {
  const where = placeWords(row);
  return files.length > 1 ? `${inText(row.file)}, ${where}` : where;
}

export function stateMark(status: string, words: string): string {
  return `<span class="state state-${escaped(status)}">${escaped(words)}</span>`;
}

function leftOut(count: number): string {
  if (count <= 0) return '';
  return `<p class="note">${counted(count, 'more record is', 'more records are')} not shown here. The CSV report has them all: give --report a name that ends in .csv.</p>\n`;
}

function ofFile({ files }: ReportHead): string {
  return files.length === 1 ? `of ${files[0]?.path ?? ''}` : 'of all files';
}
