/** What the cells of a column show together: currencies, where the records have none; real dates, or texts too. */
import { type Finding, error } from '../../records/issue.js';
import type { ColumnCurrency, ColumnDates, DateCell } from '../read-options.js';
import type { ExpectedValue } from '../rows.js';
import type { SheetCell, TypedCell } from './cell.js';
import type { ShownCurrency } from './format-currency.js';

interface SeenCurrency extends ColumnCurrency {
  /** The codes that fit all cells so far. */
  codes: readonly string[];
}

interface SeenDates {
  readonly path: string;
  realDates: number;
  texts: number;
  real: DateCell | null;
  swapped: string | null;
  text: DateCell | null;
}

/** Takes note of the cells that are read as records, in order. */
export class ColumnFacts {
  private readonly currenciesByColumn = new Map<number, SeenCurrency>();
  private readonly datesByColumn = new Map<number, SeenDates>();

  /** Columns with amounts whose records have no currency, although their formats show one. */
  get currencies(): readonly ColumnCurrency[] {
    return [...this.currenciesByColumn.values()];
  }

  get mixedDates(): readonly ColumnDates[] {
    return [...this.datesByColumn.values()].flatMap(({ path, real, swapped, text, realDates, texts }) =>
      real === null || text === null ? [] : [{ path, real, swapped, text, realDates, texts }],
    );
  }

  /** Null for a cell that agrees with those above it. @param address `C17`. @param row from 1 */
  see(cell: SheetCell, wanted: ExpectedValue, currency: string | null, address: string, row: number): Finding | null {
    const { kind, isAmount = false } = wanted;
    if (kind === 'date') this.seeDate(cell, wanted, address, row);
    const shown = typeof cell !== 'string' && cell.is === 'number' ? cell.shown.currency : null;
    return isAmount && currency === null && shown !== null
      ? this.seeCurrency(shown, cell as TypedCell, wanted, address)
      : null;
  }

  private seeCurrency(
    shown: ShownCurrency,
    cell: TypedCell,
    { index, path }: ExpectedValue,
    address: string,
  ): Finding | null {
    const { sign, codes } = shown;
    const known = this.currenciesByColumn.get(index);
    if (known === undefined) {
      this.currenciesByColumn.set(index, { path, sign, address, codes });
      return null;
    }
    const both = known.codes.filter((code) => codes.includes(code));
    if (both.length > 0) {
      known.codes = both;
      return null;
    }
    const found = `${address} shows ${JSON.stringify(sign)}, and ${known.address} shows ${JSON.stringify(known.sign)}`;
    const remedy = 'and no column gives their currency. Add a column with the currency of each row';
    return error('bad-number', path, `${path}: ${found}, ${remedy}`, cell.text);
  }

  private seeDate(cell: SheetCell, { index, path }: ExpectedValue, address: string, row: number): void {
    const isText = typeof cell === 'string';
    if (isText ? cell.trim() === '' : cell.is !== 'date') return;
    let seen = this.datesByColumn.get(index);
    if (seen === undefined) {
      seen = { path, realDates: 0, texts: 0, real: null, swapped: null, text: null };
      this.datesByColumn.set(index, seen);
    }
    const found = { address, row, text: isText ? cell.trim() : cell.text.slice(0, DAY_LENGTH) };
    if (isText) {
      seen.texts++;
      seen.text ??= found;
      return;
    }
    seen.realDates++;
    // Day and month of the one that is shown may be swapped.
    if (seen.real === null || (seen.swapped === null && swappedDate(found.text) !== null)) {
      seen.real = found;
      seen.swapped = swappedDate(found.text);
    }
  }
}

const DAY_LENGTH = 'YYYY-MM-DD'.length;
const LAST_MONTH = 12;

/** The date with day and month swapped; null if that is the same date, or none. */
function swappedDate(date: string): string | null {
  const [year = '', month = '', day = ''] = date.split('-');
  return Number(day) <= LAST_MONTH && day !== month ? `${year}-${day}-${month}` : null;
}
