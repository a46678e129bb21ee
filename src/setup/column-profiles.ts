/** Profiles of the columns of a file, from all of its rows, gathered in one pass, before any question. */
import { CURRENCIES } from '../records/currencies.js';
import { splitSign } from '../input/currency-signs.js';
import { FileFault } from '../input/raw-record.js';
import { isOddMoney, moneyTally, numberValue, oddNotation } from './amounts.js';
import type { SampleValue } from './inference.js';
import { dateValue, isAnyDate } from './date-orders.js';
import type { SurveyRow } from './sample-source.js';

/** What the cells of one column show. Empty ones do not count. */
export type ColumnProfile = ReturnType<ColumnSamples['profile']>;

/** A value, and how many cells are like it. */
interface Sample extends SampleValue {
  /** Type of the cell in a workbook. */
  readonly is: string | undefined;
  count: number;
}

/** So many different values are kept; of further ones, the first of each shape. */
const ENOUGH_VALUES = 1000;
const MOST_VALUES = 2000;
const LONGEST_VALUE = 100;
/** The most different words in a column for debit and credit, a status, or a currency. */
const MOST_WORDS = 12;
const LONGEST_WORD = 24;
const TIME = /^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?: ?[AaPp][Mm])?$/;

/** Keeps values of one column that show everything that its other values would. */
export class ColumnSamples {
  private readonly samples = new Map<string, Sample>();
  private readonly shapes = new Map<string, Sample>();
  private filled = 0;
  private repeats = false;

  see(typed: string, line: number, is: string | undefined): void {
    this.filled++;
    // Only the first long text is kept: no number and no date is so long.
    const key = typed.length > LONGEST_VALUE ? '\0' : is === undefined ? typed : `${is}\0${typed}`;
    const same = this.samples.get(key);
    this.repeats ||= same !== undefined;
    const shape = same === undefined ? shapeOf(key) : '';
    const alike = same ?? this.shapes.get(shape);
    if (alike !== undefined && (same !== undefined || this.samples.size >= ENOUGH_VALUES)) alike.count++;
    else if (this.samples.size < MOST_VALUES) {
      const sample = { typed, line, is, count: 1 };
      this.samples.set(key, sample);
      this.shapes.set(shape, alike ?? sample);
    }
  }

  /** @param isFactor they are multipliers */
  profile(isFactor: boolean) {
    const all = [...this.samples.values()].map((sample) => ({
      ...sample,
      number: sample.is === undefined && !isCode(sample.typed) ? numberValue(sample, isFactor) : null,
      date: sample.is === undefined || sample.is === 'date' ? dateValue(sample) : null,
    }));
    type Read = (typeof all)[number];
    const count = (is: (each: Read) => boolean): number =>
      all.reduce((sum, each) => sum + (is(each) ? each.count : 0), 0);
    const isNumber = ({ is, number }: Read): boolean => is === 'number' || number !== null;
    const isOdd = ({ is, number, typed }: Read): boolean =>
      is === undefined && number === null && !isCode(typed) && oddNotation(typed) !== null;
    const areWords = all.length <= MOST_WORDS && all.every(({ typed }) => typed.length <= LONGEST_WORD);
    return {
      filled: this.filled,
      first: all[0] ?? null,
      /** The different values, each with its first place; null if there are too many for a list of words. */
      words: areWords ? new Map<string, SampleValue>(all.map((each) => [each.typed, each])) : null,
      /** A value occurs in several rows. */
      repeats: this.repeats,
      /** As typed, without cells that are numbers in a workbook. */
      numbers: all.flatMap(({ number }) => number ?? []),
      money: moneyTally(all.filter(isNumber)),
      /** As typed; and all, with cells that are dates in a workbook. */
      dates: all.flatMap(({ is, date }) => (is === undefined ? (date ?? []) : [])),
      allDates: all.flatMap(({ date }) => date ?? []),
      /** How many cells are numbers, or dates, in any notation that is read. */
      areNumbers: count(isNumber),
      areDates: count(({ is, date }) => is === 'date' || date !== null),
      /** Dates in any notation at all. */
      areAnyDates: count(({ is, typed }) => is === 'date' || isAnyDate(typed)),
      /** Numbers in a notation that no setting reads: how many, and the first. */
      areOdd: count(isOdd),
      odd: all.find(isOdd) ?? null,
      /** Cells with a digit: in a column of money, `-` and `n/a` do not count as text. */
      withDigits: count(({ typed }) => /\d/.test(typed)),
      hasDecimals: all.some((each) => (isOdd(each) ? isOddMoney(each.typed) : isNumber(each) && hasCents(each.typed))),
      /** All are times of day, as `08:30`. */
      areTimes: all.every(({ is, typed }) => is === 'time' || TIME.test(typed)),
    };
  }
}

/** `MPK-1` is a code, not an amount in a currency. */
function isCode(typed: string): boolean {
  const { sign = '' } = splitSign(typed) ?? {};
  return /^[A-Z]{3}$/.test(sign) && !CURRENCIES.has(sign);
}

function hasCents(typed: string): boolean {
  return /[.,]\d{1,2}$/.test(splitSign(typed)?.number ?? typed);
}

/** Equal for values that differ only in digits that decide nothing: a month is 1 to 12, a day 1 to 31. */
function shapeOf(typed: string): string {
  return typed.replace(/\d+|\p{L}{4,}/gu, (run) => {
    if (!/\d/.test(run)) return 'L';
    const leading = /^0*/.exec(run)?.[0].length;
    const trailing = /0*$/.exec(run)?.[0].length;
    const size = run.length > 2 ? '' : Number(run) > 31 ? 'y' : Number(run) > 12 ? 'd' : 'm';
    return `${size}${run.length}:${leading}:${trailing}`;
  });
}

const SHOWN_ROWS = 20;

export interface ColumnProfiles {
  readonly columns: ReadonlyMap<string, ColumnProfile>;
  readonly rows: number;
  /** Of the first rows. */
  readonly cells: readonly (readonly string[])[];
  /** Rows with too few cells: how many, and the first one. */
  readonly short: { readonly count: number; readonly first: SurveyRow | null };
}

export const NO_EVIDENCE: ColumnProfiles = { columns: new Map(), rows: 0, cells: [], short: { count: 0, first: null } };

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
): Promise<ColumnProfiles> {
  const columns = new Map(names.map((name) => [name, new ColumnSamples()]));
  const seeing = names.map((name) => columns.get(name) ?? null);
  const firstCells: (readonly string[])[] = [];
  let count = 0;
  let shortRows = 0;
  let firstShort: SurveyRow | null = null;
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
        if (column !== null && cell !== '') column.see(cell, line, typed?.[i]?.is);
      });
    }
  }
  const seen = [...columns].map(([name, samples]) => [name, samples.profile(factors.includes(name))] as const);
  return { columns: new Map(seen), rows: count, cells: firstCells, short: { count: shortRows, first: firstShort } };
}
