/** Profiles of the columns of a file, from all of its rows, gathered in one pass, before any question. */
import type { DateOrder } from '../input/dates.js';
import { splitSign } from '../input/numbers.js';
import { FileFault } from '../input/raw-record.js';
import { CURRENCIES } from '../records/currencies.js';
import type { ReadableValue, SampleValue } from './inference.js';
import { meantCurrency, type MoneyTally, moneyTally } from './money-tally.js';
import { dateValue, numberValue, oddNotation } from './notation-inference.js';
import type { SampleRow } from './sample-source.js';

/** What the cells of one column show. Empty ones do not count. */
export interface ColumnProfile {
  readonly filled: number;
  readonly first: SampleValue | null;
  /** The different values, each with its first place; null if there are too many for a list of words. */
  readonly words: ReadonlyMap<string, SampleValue> | null;
  /** A value occurs in several rows. */
  readonly repeats: boolean;
  /** As typed, without cells that are numbers in a workbook. */
  readonly numbers: readonly ReadableValue<'point' | 'comma'>[];
  readonly money: MoneyTally;
  /** As typed; and all, with cells that are dates in a workbook. */
  readonly dates: readonly ReadableValue<DateOrder>[];
  readonly allDates: readonly ReadableValue<DateOrder>[];
  /** A cell is a number, or a date, in a notation that is read. */
  readonly hasNumber: boolean;
  readonly hasDate: boolean;
  /** The first number in a notation that no setting reads. */
  readonly odd: SampleValue | null;
  /** Most cells are numbers, in any notation. */
  readonly areNumbers: boolean;
  /** Numbers have decimals, as those of money. */
  readonly hasDecimals: boolean;
  /** Most cells are dates; and also if those count that are a plain number as well: `20261103`. */
  readonly areDates: boolean;
  readonly areAnyDates: boolean;
  /** In a workbook, the first real date, and the first one that is text. */
  readonly mixedDates: { readonly real: SampleValue; readonly text: SampleValue } | null;
  /** The first value with spaces around it. */
  readonly padded: SampleValue | null;
  /** All are times of day, as `08:30`. */
  readonly areTimes: boolean;
  /** All are codes of currencies; and also if `eur` and `€` count. */
  readonly areCurrencies: boolean;
  readonly areMeantCurrencies: boolean;
}

/** A value, and how many cells are like it. */
interface CountedSample extends SampleValue {
  /** Type of the cell in a workbook. */
  readonly is: string | undefined;
  count: number;
}

/** So many different values are kept; of further ones, the first of each shape. */
const ENOUGH_SAMPLES = 1000;
const MOST_SAMPLES = 2000;
const LONGEST_SAMPLE = 100;
/** The most different words in a column for debit and credit, a status, or a currency. */
const MOST_WORDS = 12;
const LONGEST_LISTED_WORD = 40;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?[AaPp][Mm])?$/;

/** Keeps values of one column that show everything that its other values would. */
export class ColumnSamples {
  private readonly samples = new Map<string, CountedSample>();
  private readonly shapes = new Map<string, CountedSample>();
  private filled = 0;
  private repeats = false;
  private padded: SampleValue | null = null;

  /** @param cell with the spaces around it. An empty one does not count */
  see(cell: string, line: number, is: string | undefined): void {
    const typed = cell.trim();
    if (typed === '') return;
    if (typed.length < cell.length) this.padded ??= { typed: cell, line };
    this.filled++;
    const key = sampleKey(typed, is);
    const same = this.samples.get(key);
    this.repeats ||= same !== undefined;
    const shape = same === undefined ? sampleShape(key) : '';
    const alike = same ?? this.shapes.get(shape);
    if (alike !== undefined && (same !== undefined || this.samples.size >= ENOUGH_SAMPLES)) alike.count++;
    else if (this.samples.size < MOST_SAMPLES) {
      const sample = { typed, line, is, count: 1 };
      this.samples.set(key, sample);
      this.shapes.set(shape, alike ?? sample);
    }
  }

  /** @param isFactor they are multipliers */
  profile(isFactor: boolean): ColumnProfile {
    const all = [...this.samples.values()].map((sample) => {
      const { is, typed } = sample;
      const number = is === undefined && !isCode(typed) ? numberValue(sample, isFactor) : null;
      const date = is === undefined || is === 'date' ? dateValue(sample) : null;
      const isOdd = is === undefined && number === null && !isCode(typed) && oddNotation(typed) !== null;
      const isNumber = is === 'number' || number !== null;
      return { ...sample, number, date, isNumber, isOdd, isDate: is === 'date' || date !== null };
    });
    type ReadSample = (typeof all)[number];
    const count = (isCounted: (sample: ReadSample) => boolean): number =>
      all.filter(isCounted).reduce((sum, sample) => sum + sample.count, 0);
    const hasCents = ({ isOdd, isNumber, typed }: ReadSample): boolean =>
      // Two decimals, as money has: `1234-` may be a code.
      isOdd
        ? /[.,]\d\d(?!\d)/.test(typed)
        : isNumber && /[.,]\d{1,2}[)\s\-\u2212]*$/.test(splitSign(typed)?.number ?? typed);
    const { filled, repeats, padded } = this;
    const real = all.find(({ is }) => is === 'date');
    const text = all.find(({ is, date }) => is === undefined && date !== null);
    const hasDecimals = all.some(hasCents);
    // In a column of money, cells without any digit, `-` and `n/a`, do not count as text.
    const counted = hasDecimals ? count(({ typed }) => /\d/.test(typed)) : filled;
    const areWords = all.length <= MOST_WORDS && all.every(({ typed }) => typed.length <= LONGEST_LISTED_WORD);
    return {
      filled,
      first: all[0] ?? null,
      words: areWords ? new Map(all.map((sample) => [sample.typed, sample])) : null,
      repeats,
      numbers: all.map(({ number }) => number).filter((number) => number !== null),
      money: moneyTally(all.filter(({ isNumber }) => isNumber)),
      dates: all.map(({ is, date }) => (is === undefined ? date : null)).filter((date) => date !== null),
      allDates: all.map(({ date }) => date).filter((date) => date !== null),
      hasNumber: all.some(({ isNumber }) => isNumber),
      hasDate: all.some(({ isDate }) => isDate),
      odd: all.find(({ isOdd }) => isOdd) ?? null,
      areNumbers: count(({ isNumber, isOdd }) => isNumber || isOdd) * 2 > counted,
      hasDecimals,
      areDates: count(({ isDate, number }) => isDate && number === null) * 2 > filled,
      areAnyDates: count(({ isDate }) => isDate) * 2 > filled,
      mixedDates: real === undefined || text === undefined ? null : { real, text },
      padded,
      areTimes: all.every(({ is, typed }) => is === 'time' || TIME.test(typed)),
      areCurrencies: areWords && all.every(({ typed }) => CURRENCIES.has(typed)),
      areMeantCurrencies: areWords && all.every(({ typed }) => meantCurrency(typed) !== null),
    };
  }
}

/** Only the first long text is kept: no number and no date is so long. */
function sampleKey(typed: string, is: string | undefined): string {
  if (typed.length > LONGEST_SAMPLE) return '\0';
  return is === undefined ? typed : `${is}\0${typed}`;
}

/** `MPK-1` is a code, not an amount in a currency. */
function isCode(typed: string): boolean {
  const { sign = '' } = splitSign(typed) ?? {};
  return /^[A-Z]{3}$/.test(sign) && !CURRENCIES.has(sign);
}

/** Equal for values that differ only in digits that decide nothing: a month is 1 to 12, a day 1 to 31. */
function sampleShape(typed: string): string {
  return typed.replace(/\d+|\p{L}{4,}/gu, (run) => {
    if (!/\d/.test(run)) return 'L';
    const leading = /^0*/.exec(run)?.[0].length;
    const trailing = /0*$/.exec(run)?.[0].length;
    return `${datePart(run)}${run.length}:${leading}:${trailing}`;
  });
}

/** What a number may be in a date: a month, a day or a year. */
function datePart(digits: string): string {
  if (digits.length > 2) return '';
  if (Number(digits) > 31) return 'y';
  return Number(digits) > 12 ? 'd' : 'm';
}

const SHOWN_ROWS = 20;

/** How many rows, and the first one. */
interface UnevenRows {
  readonly count: number;
  readonly first: SampleRow | null;
}

export const NO_UNEVEN_ROWS: UnevenRows = { count: 0, first: null };

const withRow = ({ count, first }: UnevenRows, row: SampleRow): UnevenRows => ({
  count: count + 1,
  first: first ?? row,
});

export interface ColumnProfiles {
  readonly columns: ReadonlyMap<string, ColumnProfile>;
  readonly rows: number;
  /** Of the first rows. */
  readonly cells: readonly (readonly string[])[];
  /** Rows with too few cells, and rows with empty cells beyond the header. */
  readonly short: UnevenRows;
  readonly long: UnevenRows;
}

/**
 * @param names of the columns, in the order of the cells
 * @param factors names of the columns with multipliers
 * @param misfit returns a problem of a row as a whole that stops every run; or null
 * @throws FileFault for such a row
 */
export async function profileColumns(
  rows: AsyncIterable<readonly SampleRow[]>,
  names: readonly string[],
  factors: readonly string[],
  misfit: (row: SampleRow) => string | null,
): Promise<ColumnProfiles> {
  const samples = new Map(names.map((name) => [name, new ColumnSamples()]));
  const samplesAt = names.map((name) => samples.get(name) ?? null);
  const firstCells: (readonly string[])[] = [];
  let count = 0;
  let short = NO_UNEVEN_ROWS;
  let long = NO_UNEVEN_ROWS;
  for await (const batch of rows) {
    for (const row of batch) {
      const { cells, typed, line } = row;
      const fault = misfit(row);
      if (fault !== null) throw new FileFault('bad-csv', line, fault);
      if (count++ < SHOWN_ROWS) firstCells.push(cells);
      if (cells.length < names.length) short = withRow(short, row);
      else if (cells.length > names.length) long = withRow(long, row);
      samplesAt.forEach((column, i) => {
        column?.see(cells[i] ?? '', line, typed?.[i]?.is);
      });
    }
  }
  const columns = new Map([...samples].map(([name, seen]) => [name, seen.profile(factors.includes(name))]));
  return { columns, rows: count, cells: firstCells, short, long };
}
