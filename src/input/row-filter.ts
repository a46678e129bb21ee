/** Which rows of a table are read. CONTRACT: `--only`. */
import { UsageError } from '../errors.js';
import { add, type Decimal, parseDecimal, ZERO } from '../money/decimal.js';
import { moneyText } from '../records/currencies.js';
import { error, excerpt, type Finding } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import type { CellNotation } from './cells.js';
import { columnName } from './columns.js';
import { isDash, splitSign, readNumber } from './numbers.js';
import type { ColumnBinding } from './raw-record.js';
import type { Row } from './rows.js';

/** One condition: rows that do not fulfil it are left out. */
export interface FilterRule {
  /** As a person wrote it, and where: for messages. */
  readonly written: string;
  readonly source: string;
  readonly column: string;
  readonly test: '=' | '!=' | '<' | '>';
  /** The text to compare the cell with; 0 for a number. */
  readonly text: string;
}

/**
 * `Status=Paid`, `Status!=Draft`, `Betrag<0`, `Betrag>0`; cut at the first `=`.
 * @param source for messages
 * @throws UsageError
 */
export function parseFilter(source: string, written: string): FilterRule {
  const [, column, test, text] =
    /^(.+?)\s*(!=|=)(.*)$/su.exec(written) ?? /^(.+?)\s*([<>])\s*(0)\s*$/su.exec(written) ?? [];
  if (column === undefined || test === undefined || text === undefined)
    throw new UsageError(
      `${source} takes COLUMN=VALUE, COLUMN!=VALUE, COLUMN<0 or COLUMN>0; found ${JSON.stringify(written)}`,
    );
  return { written, source, test: test as FilterRule['test'], column: columnName(column).trim(), text: text.trim() };
}

export interface FilteredRows {
  /** Their places among the rows below the header, from 1: a second reading leaves out the same ones. */
  readonly rows: Set<number>;
  /** Number of all rows. */
  read: number;
  /** The sum of their amounts as typed, by currency. */
  readonly sums: Map<string | null, Decimal>;
  /** How many amounts could not be read. */
  unread: number;
}

export class RowFilter {
  readonly leftOut: FilteredRows = { rows: new Set(), read: 0, sums: new Map(), unread: 0 };
  private readonly rules: readonly (FilterRule & { readonly index: number })[];
  private readonly style: CellNotation;
  /** The cell of a row's amount, -1 for none; and the row's currency. */
  private readonly amount: number;
  private readonly currencyOf: (cells: readonly string[]) => string | null;
  /** Columns whose cells are read as numbers anyway, and refused if they are not. */
  private readonly numbers: ReadonlySet<number>;

  /**
   * @param names of the columns
   * @param columns those that map to a field
   * @throws UsageError for a column that the file lacks
   */
  constructor(
    rules: readonly FilterRule[],
    names: readonly string[],
    path: string,
    columns: readonly ColumnBinding[],
    style: CellNotation,
    currencyOf: (cells: readonly string[]) => string | null,
  ) {
    this.rules = rules.map((rule) => ({ ...rule, index: indexOf(rule, names, path) }));
    this.style = style;
    this.numbers = new Set(columns.filter(({ field }) => field.kind === 'number').map(({ index }) => index));
    this.amount = columns.find(({ field }) => field.money === true)?.index ?? -1;
    this.currencyOf = currencyOf;
  }

  /**
   * To be called for every row, in order. Keeps a row that does not fit the header: its cells may be misplaced.
   * @returns null for a row that is left out; else the cells that leave it open, which make it a record with errors
   */
  judge(row: Row, isMisfit: boolean): ReadonlyMap<number, Finding> | null {
    this.leftOut.read++;
    const unread = new Map<number, Finding>();
    for (const rule of isMisfit ? [] : this.rules) {
      const found = this.holds(rule, row);
      if (found === false) return this.leaveOut(row);
      if (found !== true) unread.set(rule.index, found);
    }
    return unread;
  }

  private holds({ index, test, text, column, written }: FilterRule & { index: number }, row: Row): boolean | Finding {
    const cell = (row.cells[index] ?? '').trim();
    const isNumber = test === '<' || test === '>';
    const refusal = row.refusalOf?.({ index, path: column, kind: isNumber ? 'number' : null, currency: null }) ?? null;
    if (refusal !== null) return refusal;
    if (!isNumber) return (cell === text) === (test === '=');
    if (cell === '' || isDash(cell)) return false;
    const { currencySigns, decimal } = this.style;
    const reading = readNumber((currencySigns ? splitSign(cell)?.number : undefined) ?? cell, decimal);
    if (reading.ok) return /[1-9]/.test(reading.text) && reading.text.startsWith('-') === (test === '<');
    if (this.numbers.has(index)) return true;
    const message = `${column}: ${reading.message}. --only ${JSON.stringify(excerpt(written))} needs a number in this cell`;
    return error('bad-number', null, message, cell);
  }

  private leaveOut({ cells }: Row): null {
    const { leftOut, amount, style } = this;
    leftOut.rows.add(leftOut.read);
    const cell = (cells[amount] ?? '').trim();
    if (cell === '' || isDash(cell)) return null;
    const signed = splitSign(cell);
    const reading = readNumber(signed?.number ?? cell, style.decimal);
    const currency = this.currencyOf(cells) ?? signed?.sign ?? null;
    if (reading.ok) leftOut.sums.set(currency, add(leftOut.sums.get(currency) ?? ZERO, parseDecimal(reading.text)));
    else leftOut.unread++;
    return null;
  }
}

function indexOf({ column, written, source }: FilterRule, names: readonly string[], path: string): number {
  const index = names.indexOf(column);
  if (index >= 0) return index;
  const found = `the file has no column ${JSON.stringify(column)}.${didYouMean(column, names)}`;
  throw new UsageError(`${path}: ${source} ${JSON.stringify(excerpt(written))}: ${found}`);
}

const MOST_SUMS = 5;

/** `4 of 10 rows left out, 330.95 EUR, by --only "Betrag<0"` */
export function leftOutText({ rows, read, sums, unread }: FilteredRows, rules: readonly FilterRule[]): string {
  const amounts = [...sums].slice(0, MOST_SUMS).map(([currency, sum]) => moneyText(sum, currency, 'payout'));
  const others = sums.size > MOST_SUMS ? [`${sums.size - MOST_SUMS} other currencies`] : [];
  const unknown = unread === 0 ? [] : [`${unread} amounts that are not numbers`];
  const money = [...amounts, ...others, ...unknown].map((words) => `, ${words}`).join('');
  const said = rules.map(({ written }) => JSON.stringify(excerpt(written))).join(' and ');
  return `${rows.size} of ${read} rows left out${money}, by --only ${said}`;
}

/** The rows that a first reading has not left out. @param batches with the header first */
export async function* withoutLeftOut(batches: AsyncIterable<Row[]>, { rows }: FilteredRows): AsyncIterable<Row[]> {
  let place = -1;
  for await (const batch of batches) yield batch.filter(() => !rows.has(++place));
}
