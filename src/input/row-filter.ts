/** Which rows of a table are read. CONTRACT: `--only`. */
import { UsageError } from '../errors.js';
import { parseDecimal } from '../money/decimal.js';
import { error, excerpt, type Finding } from '../records/issue.js';
import { isSpreadsheetError } from '../records/spreadsheet-errors.js';
import { didYouMean } from '../records/nearest.js';
import type { CellNotation } from './cells.js';
import { columnPlace, columnsNamed } from './column-places.js';
import { columnName } from './columns.js';
import { FilteredRows, type FilterRule, type TypedAmount } from './filtered-rows.js';
import { isDash, splitSign, readNumber } from './numbers.js';
import type { ColumnBinding } from './raw-record.js';
import type { Row } from './rows.js';

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

/** What the rules make of a row. */
export interface RowVerdict {
  /** The first rule that filters it out; null for a row that is read. */
  readonly rule: FilterRule | null;
  /** The cells that leave it open, by index: they make it a record with errors. */
  readonly refusals: ReadonlyMap<number, Finding>;
}

export const NO_REFUSALS: ReadonlyMap<number, Finding> = new Map();
const IS_READ: RowVerdict = { rule: null, refusals: NO_REFUSALS };

export class RowFilter {
  readonly filtered: FilteredRows;
  private readonly rules: readonly { readonly rule: FilterRule; readonly index: number }[];
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
    this.filtered = new FilteredRows(rules);
    this.rules = rules.map((rule) => {
      const { column, source, written } = rule;
      return { rule, index: requireColumn(column, names, `${path}: ${source} ${JSON.stringify(excerpt(written))}`) };
    });
    this.style = style;
    this.numbers = new Set(columns.filter(({ field }) => field.kind === 'number').map(({ index }) => index));
    this.amount = columns.find(({ field }) => field.money === true)?.index ?? -1;
    this.currencyOf = currencyOf;
  }

  /** To be called for every row, in order. A row that does not fit the header is read: its cells may be misplaced. */
  judge(row: Row, isMisfit: boolean): RowVerdict {
    this.filtered.read++;
    if (isMisfit) return IS_READ;
    let refusals: Map<number, Finding> | null = null;
    for (const { rule, index } of this.rules) {
      const found = this.holds(rule, index, row);
      if (found === false) {
        this.filtered.add(rule);
        return { rule, refusals: NO_REFUSALS };
      }
      if (found !== true) (refusals ??= new Map()).set(index, found);
    }
    return refusals === null ? IS_READ : { rule: null, refusals };
  }

  /**
   * Nobody sees the spaces around a cell. If they counted, `Status!=Paid` would pay a row with `Paid ` again, and
   * `Type=Hourly` would leave out one with `Hourly `.
   */
  private holds({ test, text, column, written }: FilterRule, index: number, row: Row): boolean | Finding {
    const cell = (row.cells[index] ?? '').trim();
    const isNumber = test === '<' || test === '>';
    const kind = isNumber ? 'number' : null;
    const refusal = row.refusalOf?.({ index, path: column, kind }, null) ?? null;
    if (refusal !== null) return refusal;
    if (!isNumber && cell !== text && isSpreadsheetError(cell)) return lostValue(column, cell, written);
    if (!isNumber) return (cell === text) === (test === '=');
    if (cell === '' || isDash(cell)) return false;
    const { currencySigns, decimal } = this.style;
    const reading = readNumber((currencySigns ? splitSign(cell)?.number : undefined) ?? cell, decimal);
    if (reading.ok) return /[1-9]/.test(reading.text) && reading.text.startsWith('-') === (test === '<');
    if (this.numbers.has(index)) return true;
    const message = `${column}: ${reading.message}. --only ${JSON.stringify(excerpt(written))} needs a number in this cell`;
    return error('bad-number', null, message, cell);
  }

  /** The cell of a row's amount, with or without the sign of a currency; null if it is empty. */
  amountOf(cells: readonly string[]): TypedAmount | null {
    const cell = (cells[this.amount] ?? '').trim();
    if (cell === '' || isDash(cell)) return null;
    const signed = splitSign(cell);
    const reading = readNumber(signed?.number ?? cell, this.style.decimal);
    const currency = this.currencyOf(cells) ?? signed?.sign ?? null;
    return { amount: reading.ok ? parseDecimal(reading.text) : null, currency };
  }
}

/** Nobody knows which value the spreadsheet would have shown. */
function lostValue(column: string, cell: string, written: string): Finding {
  const found = `${column} is ${JSON.stringify(excerpt(cell))}, an error of the spreadsheet and not a value.`;
  const rule = `--only ${JSON.stringify(excerpt(written))} cannot decide about this row`;
  const message = `${found} ${rule}. Correct the cell in the spreadsheet, and save the file again`;
  return error('spreadsheet-error', null, message, cell);
}

/**
 * The column that a person names, by its position or its name.
 * @param names as {@link openNames} gives them
 * @param said where the column is named: for the message
 * @throws UsageError for a column that the file lacks, and for a name that two columns have
 */
export function requireColumn(column: string, names: readonly string[], said: string): number {
  const [index, twin] = columnsNamed(column, names);
  if (index === undefined)
    throw new UsageError(`${said}: the file has no column ${JSON.stringify(column)}.${didYouMean(column, names)}`);
  if (twin === undefined) return index;
  const one = columnPlace(index);
  const other = columnPlace(twin);
  throw new UsageError(
    `${said}: two columns have this name, ${one} and ${other}. Name the column by its position: ${one} instead of ${column}`,
  );
}
