/** Evidence from all rows of a file about each of its columns, gathered in one pass, before any question. */
import { CURRENCIES } from '../../records/currencies.js';
import { splitSign } from '../currency-signs.js';
import type { DecimalMark } from '../numbers.js';
import { FileFault } from '../raw.js';
import { addNumber, isOddMoney, type MoneyTally, oddNotation, tallyAmount } from './amounts.js';
import { Samples, type Seen } from './conclusion.js';
import { DateSamples, isAnyDate } from './date-orders.js';
import type { SurveyRow } from './survey-source.js';

/** The different values of a column, each with its first place; null if there are too many for a list of words. */
export type Words = ReadonlyMap<string, Seen> | null;

/** The cells of one column. Empty ones do not count. */
export class ColumnEvidence {
  readonly numbers = new Samples<DecimalMark>();
  readonly dates = new DateSamples();
  readonly money: MoneyTally = { signs: new Map(), unsigned: null };
  words: Words = new Map();
  filled = 0;
  /** Cells with a digit: `-` and `n/a` are no text, where money is meant. */
  withDigits = 0;
  /** How many are numbers, or dates, in any notation that is read. */
  areNumbers = 0;
  areDates = 0;
  /** Dates in any notation at all. */
  areAnyDates = 0;
  hasDecimals = false;
  /** Numbers in a notation that no setting reads: how many, and the first. */
  areOdd = 0;
  odd: Seen | null = null;
  /** All are times of day, as `08:30`. */
  areTimes = true;
  /** A value occurs in several rows. */
  repeats = false;
  private readonly values = new Set<string>();
  private readonly isFactor: boolean;

  constructor(isFactor: boolean) {
    this.isFactor = isFactor;
  }

  /** @param is type of the cell in a workbook */
  see(seen: Seen, is: string | undefined): void {
    this.filled++;
    if (/\d/.test(seen.typed)) this.withDigits++;
    this.areTimes &&= is === 'time' || TIME.test(seen.typed);
    this.seeWord(seen);
    // If a thousand rows have no number, the others have none either.
    if (this.filled <= ENOUGH_ROWS || this.areNumbers > 0) this.seeNumber(seen, is);
    if (this.filled <= ENOUGH_ROWS || this.areAnyDates > 0) this.seeDate(seen, is);
  }

  private seeNumber(seen: Seen, is: string | undefined): void {
    if (is !== undefined && is !== 'number') return;
    const signed = splitSign(seen.typed);
    // `MPK-1` is a code, not an amount in a currency.
    if (signed !== null && /^[A-Z]{3}$/.test(signed.sign) && !CURRENCIES.has(signed.sign)) return;
    const number = signed?.number ?? seen.typed;
    if (is === 'number') this.numbers.hasTyped = true;
    else if (!addNumber(this.numbers, { ...seen, typed: number }, this.isFactor)) {
      if (oddNotation(seen.typed) === null) return;
      this.areOdd++;
      this.odd ??= seen;
      this.hasDecimals ||= isOddMoney(seen.typed);
      return;
    }
    this.areNumbers++;
    this.hasDecimals ||= /[.,]\d{1,2}$/.test(number);
    tallyAmount(this.money, seen, signed);
  }

  private seeDate(seen: Seen, is: string | undefined): void {
    const isTyped = is === 'date';
    const isRead = (is === undefined || isTyped) && this.dates.see(seen, isTyped);
    if (isRead) this.areDates++;
    if (isRead || isAnyDate(seen.typed)) this.areAnyDates++;
  }

  private seeWord(seen: Seen): void {
    const { typed } = seen;
    if (!this.repeats && this.values.size < ENOUGH_ROWS) {
      this.repeats = this.values.has(typed);
      this.values.add(typed);
    }
    if (this.words === null || this.words.has(typed)) return;
    if (this.words.size === MOST_WORDS || typed.length > LONGEST_WORD) this.words = null;
    else (this.words as Map<string, Seen>).set(typed, seen);
  }
}

const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?[AaPp][Mm])?$/;
const ENOUGH_ROWS = 1000;
/** The most different words in a column for debit and credit, a status, or a currency. */
const MOST_WORDS = 12;
const LONGEST_WORD = 24;
const SHOWN_ROWS = 20;

export interface Evidence {
  readonly columns: ReadonlyMap<string, ColumnEvidence>;
  readonly rows: number;
  /** Of the first rows. */
  readonly cells: readonly (readonly string[])[];
  /** Rows with too few cells: how many, and the first one. */
  readonly short: { readonly count: number; readonly first: SurveyRow | null };
}

export const NO_EVIDENCE: Evidence = { columns: new Map(), rows: 0, cells: [], short: { count: 0, first: null } };

/**
 * @param names of the columns, in the order of the cells
 * @param factors names of the columns with multipliers
 * @param misfit returns a problem of a row as a whole that stops every run; or null
 * @throws FileFault for such a row
 */
export async function evidenceOf(
  rows: AsyncIterable<readonly SurveyRow[]>,
  names: readonly string[],
  factors: readonly string[],
  misfit: (row: SurveyRow) => string | null,
): Promise<Evidence> {
  const columns = new Map(names.map((name) => [name, new ColumnEvidence(factors.includes(name))]));
  const seeing = names.map((name) => columns.get(name) ?? null);
  const firstCells: (readonly string[])[] = [];
  let count = 0;
  let [shortRows, firstShort]: [number, SurveyRow | null] = [0, null];
  for await (const batch of rows) {
    for (const row of batch) {
      const { cells, typed, line } = row;
      const fault = misfit(row);
      if (fault !== null) throw new FileFault('bad-csv', line, fault);
      if (count++ < SHOWN_ROWS) firstCells.push(cells);
      if (cells.length < names.length) {
        shortRows++;
        firstShort ??= row;
      }
      seeing.forEach((column, i) => {
        const cell = (cells[i] ?? '').trim();
        if (column !== null && cell !== '') column.see({ line, typed: cell }, typed?.[i]?.is);
      });
    }
  }
  return { columns, rows: count, cells: firstCells, short: { count: shortRows, first: firstShort } };
}
