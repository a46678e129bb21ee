/** The records of an HTML report: first those that need a person, then all. */
import { parseDecimal } from '../money/decimal.js';
import { placeWords } from '../records/issue.js';
import { KINDS, unitLabel } from '../records/kinds.js';
import type { RecordType } from '../records/kind.js';
import type { ReportHead, ReportRow } from './formats.js';
import { capital, cell, escaped, type HtmlColumn, wideTable } from './markup.js';
import { settleWords } from '../util/shell-word.js';
import { FAILED_STATES, stateLabel, STATES } from './states.js';
import { counted } from './table.js';
import { amountText, commonDecimals } from './totals-table.js';

/** A page with more rows is no help to anybody; the CSV report has them all. */
const MOST_RECORDS = 2000;
/** Records of each state that needs a person. */
const MOST_FAILED = 500;

/** What a page shows of the records, and how many there are. */
export interface GatheredRows {
  readonly count: number;
  readonly first: readonly ReportRow[];
  readonly failed: ReadonlyMap<string, { count: number; readonly rows: ReportRow[] }>;
}

export async function gatherRows(rows: AsyncIterable<ReportRow>): Promise<GatheredRows> {
  const first: ReportRow[] = [];
  const failed = new Map(FAILED_STATES.map((state) => [state, { count: 0, rows: [] as ReportRow[] }]));
  let count = 0;
  for await (const row of rows) {
    if (count++ < MOST_RECORDS) first.push(row);
    const group = failed.get(row.status);
    if (group !== undefined && group.count++ < MOST_FAILED) group.rows.push(row);
  }
  return { count, first, failed };
}

export function* failedRecords({ failed }: GatheredRows, head: ReportHead): Iterable<string> {
  const groups = [...failed].filter(([, { count }]) => count > 0);
  if (groups.length === 0) return;
  yield '<section aria-labelledby="failed">\n<h2 id="failed">Records that need attention</h2>\n';
  for (const [state, { count, rows }] of groups) {
    const meaning = STATES.find(({ name }) => name === state)?.meaning ?? '';
    yield `<h3 class="state-${state}">${escaped(capital(stateLabel(state)))}: ${counted(count, 'record')}</h3>\n<p>${escaped(meaning)}</p>\n`;
    if (state === 'unknown' && head.run !== null) yield waysOut(head.run, rows, head);
    yield failedTable(state, rows, head);
    if (count > rows.length) yield leftOut(count - rows.length);
  }
  yield '</section>\n';
}

/** How doubt ends: a record with a key is safely sent again. A person looks up the others, and those still in doubt. */
function waysOut(run: string, rows: readonly ReportRow[], { journalFlags, resumeFlags }: ReportHead): string {
  const command = (name: string, rest: string): string =>
    `<code>${escaped(`gigwork batch ${name} ${run}${rest}`)}</code>`;
  // A command of its own for each answer: if one line had both, a shell would run the first, and `--created` is final.
  const record = rows.every(({ line }) => line === null) ? ' --record N' : ' --line N';
  const settle = `<br>\n${command('settle', `${journalFlags}${record} --created --note TEXT`)}, or<br>\n${command('settle', `${journalFlags}${record} --not-created --note TEXT`)}`;
  if (!rows.some(({ type }) => KINDS[type as RecordType].keyed))
    return `<p>Look each one up at the service, then say what you found:${settle}</p>\n`;
  return `<p>First go on: ${command('resume', resumeFlags)} sends payouts and results again under their own keys, which pays nothing twice. What stays unknown after that: look it up at the service, then say what you found:${settle}</p>\n`;
}

function failedTable(state: string, rows: readonly ReportRow[], head: ReportHead): string {
  const decimals = decimalsOf(rows);
  const withAmount = state !== 'invalid';
  const withReason = rows.some(({ error }) => error !== null);
  const amount = amountColumn(rows);
  const columns = [{ title: 'record' }, ...(withAmount ? [amount] : []), ...(withReason ? [{ title: 'reason' }] : [])];
  const lines = rows.map((row) => {
    const key = row.key === null ? '' : `<br><span class="key">${escaped(row.key)}</span>`;
    const named =
      state === 'unknown' ? `<br><code>${escaped(settleWords(row, head.files.length, head.platform))}</code>` : '';
    const cells = [
      ...(withAmount ? [cell(money(row, decimals), amount)] : []),
      ...(withReason ? [cell(escaped(row.error ?? ''))] : []),
    ];
    return `<tr><th scope="row">${place(row, head)}${named}${key}</th>${cells.join('')}</tr>\n`;
  });
  return wideTable(`Records ${ofFile(head)} (${stateLabel(state)})`, columns, lines);
}

export function* allRecords({ count, first }: GatheredRows, head: ReportHead): Iterable<string> {
  if (count === 0) return;
  const several = hasSeveralTypes(first);
  const decimals = decimalsOf(first);
  const amount = amountColumn(first);
  const columns = [
    { title: 'record' },
    ...(several ? [{ title: 'type' }] : []),
    { title: 'state' },
    amount,
    { title: 'cost center' },
    { title: 'id and key' },
  ];
  yield '<section aria-labelledby="records">\n<h2 id="records">All records</h2>\n';
  const lines = first.map((row) => {
    const names = [row.id, row.key]
      .filter((name) => name !== null)
      .map((name) => `<span class="key">${escaped(name)}</span>`);
    const cells = [
      ...(several ? [cell(`${escaped(row.type)}<br><span class="aside">${escaped(unitOf(row.type))}</span>`)] : []),
      cell(stateCell(row)),
      cell(money(row, decimals), amount),
      cell(escaped(row.costCenter ?? '')),
      cell(names.join('<br>')),
    ];
    return `<tr><th scope="row">${place(row, head)}</th>${cells.join('')}</tr>\n`;
  });
  const shown = count > first.length ? `The first ${counted(first.length, 'record')}` : 'Records';
  yield wideTable(`${shown} ${ofFile(head)}, in input order`, columns, lines);
  if (count > first.length) yield leftOut(count - first.length);
  yield '</section>\n';
}

function hasSeveralTypes(rows: readonly ReportRow[]): boolean {
  return rows.some(({ type }) => type !== rows[0]?.type);
}

/** The title names the unit, or each row where types differ: cents and other units must not look the same. */
function amountColumn(rows: readonly ReportRow[]): HtmlColumn {
  const [first] = rows;
  const title = first === undefined || hasSeveralTypes(rows) ? 'amount' : `amount, ${unitOf(first.type)}`;
  return { title, isNumber: true };
}

function unitOf(type: string): string {
  return unitLabel(type as RecordType);
}

function leftOut(count: number): string {
  return `<p class="note">${counted(count, 'more record is', 'more records are')} not shown here. The CSV report has them all: give --report a name that ends in .csv.</p>\n`;
}

/** Names the file only where there are several. */
function place(row: ReportRow, { files }: ReportHead): string {
  const where = placeWords(row);
  return files.length > 1 ? `${escaped(row.file)}, ${where}` : where;
}

function ofFile({ files }: ReportHead): string {
  return files.length === 1 ? `of ${files[0]?.path ?? ''}` : 'of all files';
}

function stateCell({ status, httpStatus }: ReportRow): string {
  const answer = httpStatus === null ? '' : ` <span class="aside">HTTP ${httpStatus}</span>`;
  return `<span class="state state-${escaped(status)}">${escaped(stateLabel(status))}</span>${answer}`;
}

function decimalsOf(rows: readonly ReportRow[]): number {
  return commonDecimals(rows.flatMap(({ amount }) => (amount === null ? [] : [parseDecimal(amount)])));
}

function money({ amount, currency, status }: ReportRow, decimals: number): string {
  if (amount === null) return status === 'invalid' ? '' : 'no known price';
  const figure = amountText(parseDecimal(amount), decimals);
  return currency === null ? figure : `${figure}<br><span class="aside">${escaped(currency)}</span>`;
}
