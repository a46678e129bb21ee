/** What all rows of a file show of its columns, gathered in one pass. */
import { splitSign } from '../currency-signs.js';
import type { Seen } from './conclusion.js';
import { type DateTally, dateTally, tallyDate, tallyDay } from './date-orders.js';
import { type MoneyTally, moneyTally, tallyAmount } from './money.js';
import type { ColumnField } from './named-columns.js';
import { type MarkTally, markTally, tallyNumber } from './number-marks.js';
import type { SurveyRow } from './survey-source.js';

/** The different values of a column with the first of each; null where there are too many to be the words of a list. */
export type Words = ReadonlyMap<string, Seen> | null;

/** By the names of the columns. */
export interface Evidence {
  readonly numbers: Map<string, MarkTally>;
  readonly dates: Map<string, DateTally>;
  readonly money: Map<string, MoneyTally>;
  /** Of columns that give no field, and of the one that gives the currency. */
  readonly words: Map<string, Words>;
}

/** So many words has a column that says debit or credit, or a currency. */
const MOST_WORDS = 12;
const LONGEST_WORD = 12;

/** Takes a cell with content. @param isTyped it is a number or a date by itself */
type See = (seen: Seen, isTyped: boolean) => void;

/**
 * @param names of the columns, in the order of the cells
 * @param others columns that give no field
 */
export async function evidenceOf(
  rows: AsyncIterable<readonly SurveyRow[]>,
  names: readonly string[],
  columns: readonly ColumnField[],
  others: readonly string[],
): Promise<Evidence> {
  const found: Evidence = { numbers: new Map(), dates: new Map(), money: new Map(), words: new Map() };
  const seeing = names.map((name): See | null => {
    const column = columns.find((each) => each.name === name);
    if (column !== undefined) return seeField(column, found);
    return others.includes(name) ? seeWords(name, found) : null;
  });
  for await (const batch of rows) {
    for (const { cells, typed, line } of batch) {
      seeing.forEach((see, i) => {
        const cell = (cells[i] ?? '').trim();
        if (see !== null && cell !== '') see({ line, typed: cell }, typed?.[i] !== undefined);
      });
    }
  }
  return found;
}

function seeField({ name, field }: ColumnField, found: Evidence): See | null {
  switch (field.kind) {
    case 'currency':
      return seeWords(name, found);
    case 'date': {
      const tally = dateTally();
      found.dates.set(name, tally);
      return (seen, isTyped) => (isTyped ? tallyDay(tally, seen.typed) : tallyDate(tally, seen));
    }
    case 'number':
    case 'multiplier':
      return seeNumber(name, field.kind === 'multiplier', field.money === true, found);
    default:
      return null;
  }
}

function seeNumber(name: string, isFactor: boolean, isMoney: boolean, { numbers, money }: Evidence): See {
  const [marks, amounts] = [markTally(), moneyTally()];
  numbers.set(name, marks);
  if (isMoney) money.set(name, amounts);
  return (seen, isTyped) => {
    const signed = isMoney ? splitSign(seen.typed) : null;
    if (isTyped) marks.isAnyRead = true;
    else tallyNumber(marks, { ...seen, typed: signed?.number ?? seen.typed }, isFactor);
    if (isMoney) tallyAmount(amounts, seen, signed);
  };
}

function seeWords(name: string, found: Evidence): See {
  const words = new Map<string, Seen>();
  found.words.set(name, words);
  return (seen) => {
    if (found.words.get(name) === null || words.has(seen.typed)) return;
    if (words.size === MOST_WORDS || seen.typed.length > LONGEST_WORD) found.words.set(name, null);
    else words.set(seen.typed, seen);
  };
}
