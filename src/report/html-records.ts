/** The records of an HTML report: what has to be known before the first is written, and all of them. */
import { add, type Decimal, parseDecimal } from '../money/decimal.js';
import { placeWords } from '../records/issue.js';
import type { RecordReport } from './record-report.js';
import type { ReportHead } from './report-head.js';
import { type AmountColumn, type KnownMoney, startColumn } from './amount-columns.js';
import { amountTitle, fateWords, typeWords } from './html-words.js';
import { amountCell, cell, CLOSE_TABLE, escaped, type HtmlColumn, inText, openTable, wideTable } from './markup.js';
import { FAILED_STATES } from './state-words.js';
import { counted } from './table.js';

/** A page with more rows is no help to anybody; the CSV report has them all. */
const MOST_RECORDS = 10_000;
/** Records of each state that needs a person. */
const MOST_FAILED = 2000;

/** Amounts of a type and currency that are zero or less. */
export interface Below extends KnownMoney {
  readonly count: number;
}

/** A record without what a page does not show. */
export type ShownRow = Omit<RecordReport, 'response' | 'request'>;

/** What has to be known of the records before the first of them is written. */
export interface GatheredRows {
  readonly count: number;
  readonly failed: ReadonlyMap<string, { count: number; readonly rows: ShownRow[] }>;
  readonly below: readonly Below[];
  /** Of the records that are shown. */
  readonly column: AmountColumn;
  readonly types: readonly string[];
  readonly currencies: readonly (string | null)[];
}

export async function gatherRows(rows: AsyncIterable<RecordReport>): Promise<GatheredRows> {
  const failed = new Map(FAILED_STATES.map((state) => [state, { count: 0, rows: [] as ShownRow[] }]));
  const below = new Map<string, Below>();
  const column = startColumn();
  const types = new Set<string>();
  const currencies = new Set<string | null>();
  let count = 0;
  for await (const row of rows) {
    const money = moneyOf(row);
    if (count++ < MOST_RECORDS) {
      types.add(row.type);
      if (money !== null) column.add(money);
      if (money !== null) currencies.add(money.currency);
    }
    if (money !== null && money.amount.units <= 0n) addBelow(below, money);
    const group = failed.get(row.status);
    const { response: _response, request: _request, ...shown } = row;
    if (group !== undefined && group.count++ < MOST_FAILED) group.rows.push(shown);
  }
  const found = { count, failed, below: [...below.values()], column: column.column() };
  return { ...found, types: [...types], currencies: [...currencies] };
}

function addBelow(below: Map<string, Below>, money: KnownMoney): void {
  const name = JSON.stringify([money.type, money.currency]);
  const known = below.get(name);
  const amount: Decimal = known === undefined ? money.amount : add(known.amount, money.amount);
  below.set(name, { ...money, count: (known?.count ?? 0) + 1, amount });
}

/** Null for an amount that is not known, or does not count. */
export function moneyOf({
  type,
  currency,
  amount,
}: Pick<RecordReport, 'type' | 'currency' | 'amount'>): KnownMoney | null {
  return amount === null ? null : { type, currency, amount: parseDecimal(amount) };
}

/** A column of a table of records. */
export interface RecordColumn extends HtmlColumn {
  /** The whole cell. */
  readonly cell: (row: ShownRow) => string;
}

/** Whom the record is for, and what for. A gig is for nobody yet. */
export function payeeColumns(types: readonly string[]): RecordColumn[] {
  const text = (words: string | null): string =>
    words === null ? '<span class="aside">not known</span>' : inText(words);
  const title = (head: (html: string) => string): RecordColumn => ({
    title: 'title',
    cell: (row) => head(text(row.title)),
  });
  const rowHead = (html: string): string => `<th scope="row">${html}</th>`;
  if (types.every((type) => type === 'gig')) return [title(rowHead)];
  const payee = ({ userId, type }: ShownRow): string => (type === 'gig' ? '–' : text(userId));
  return [{ title: 'payee', cell: (row) => rowHead(payee(row)) }, title((html) => cell(html))];
}

/** The amount, and the currency beside it where that is not the same for all. */
export function moneyColumns(rows: {
  readonly column: AmountColumn;
  readonly types: readonly string[];
  readonly currencies: readonly (string | null)[];
}): RecordColumn[] {
  const [type = 'payout', ...otherTypes] = rows.types;
  const [currency, ...others] = rows.currencies;
  const title = otherTypes.length === 0 ? amountTitle(type) : 'amount';
  const isOne = others.length === 0 && typeof currency === 'string';
  return [
    {
      title: isOne ? `${title}, ${currency}` : title,
      isNumber: true,
      cell: (row) => {
        const money = moneyOf(row);
        if (money !== null) return amountCell(money, rows.column);
        return row.status === 'invalid' ? '<td></td>' : '<td class="number aside">no known price</td>';
      },
    },
    ...(others.length === 0
      ? []
      : [{ title: 'currency', cell: (row: ShownRow) => cell(inText(row.currency ?? 'none')) }]),
    ...(otherTypes.length === 0
      ? []
      : [{ title: 'type', cell: ({ type: of }: ShownRow) => cell(escaped(typeWords(of))) }]),
  ];
}

/** Names the file only where there are several. */
export function placeOf(row: ShownRow, { files }: ReportHead): string {
  const where = placeWords(row);
  return files.length > 1 ? `${inText(row.file)}, ${where}` : where;
}

export function recordTable(caption: string, columns: readonly RecordColumn[], rows: readonly ShownRow[]): string {
  return wideTable(
    caption,
    columns,
    rows.map((row) => lineOf(row, columns)),
  );
}

function lineOf(row: ShownRow, columns: readonly RecordColumn[]): string {
  return `<tr>${columns.map((column) => column.cell(row)).join('')}</tr>\n`;
}

/** All records, up to a number that a page can hold, one after the other. @param rows in input order, from the first */
export async function* allRecords(
  { count, ...shown }: GatheredRows,
  rows: AsyncIterable<RecordReport>,
  head: ReportHead,
): AsyncIterable<string> {
  if (count === 0) return;
  const columns: RecordColumn[] = [
    ...payeeColumns(shown.types),
    ...moneyColumns(shown),
    { title: 'cost center', cell: ({ costCenter }) => cell(inText(costCenter ?? '')) },
    { title: 'state', cell: ({ status, type }) => cell(stateMark(status, type)) },
    { title: 'place', cell: (row) => cell(placeOf(row, head)) },
    { title: 'id', cell: ({ id }) => cell(`<span class="key">${escaped(id ?? '')}</span>`) },
  ];
  const most = Math.min(count, MOST_RECORDS);
  const caption = `${most < count ? `The first ${counted(most, 'record')}` : counted(count, 'record')} ${ofFile(head)}, in input order`;
  yield '<section aria-labelledby="records">\n<h2 id="records">All records</h2>\n';
  yield openTable(caption, columns);
  let written = 0;
  for await (const row of rows) {
    if (written++ === most) break;
    yield lineOf(row, columns);
  }
  yield CLOSE_TABLE;
  if (most < count) yield leftOut(count - most);
  yield '</section>\n';
}

export function stateMark(status: string, type: string): string {
  return `<span class="state state-${escaped(status)}">${escaped(fateWords(status, type))}</span>`;
}

export function leftOut(count: number): string {
  return `<p class="note">${counted(count, 'more record is', 'more records are')} not shown here. The CSV report has them all: give --report a name that ends in .csv.</p>\n`;
}

export function ofFile({ files }: ReportHead): string {
  return files.length === 1 ? `of ${files[0]?.path ?? ''}` : 'of all files';
}
