/** What all rows of a file show of its columns, gathered in one pass. */
import { splitSign } from '../currency-signs.js';
import type { DecimalMark } from '../numbers.js';
import type { Seen } from './conclusion.js';
import { DateSamples } from './date-orders.js';
import { type MoneyTally, moneyTally, tallyAmount } from './money.js';
import type { ColumnField } from './named-columns.js';
import { addNumber } from './number-marks.js';
import type { SurveyRow } from './survey-source.js';
import { Samples } from './two-ways.js';

/** The different values of a column with the first of each; null where there are too many to be the words of a list. */
export type Words = ReadonlyMap<string, Seen> | null;

/** By the names of the columns. */
export interface Evidence {
  readonly numbers: Map<string, Samples<DecimalMark>>;
  readonly dates: Map<string, DateSamples>;
  readonly money: Map<string, MoneyTally>;
  /** Of columns that give no field, and of the one that gives the currency. */
  readonly words: Map<string, Words>;
}

export function noEvidence(): Evidence {
  return { numbers: new Map(), dates: new Map(), money: new Map(), words: new Map() };
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
  const found = noEvidence();
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
  if (field.kind === 'currency') return seeWords(name, found);
  if (field.kind === 'date') {
    const samples = new DateSamples();
    found.dates.set(name, samples);
    return (seen, isTyped) => samples.see(seen, isTyped);
  }
  if (field.kind !== 'number' && field.kind !== 'multiplier') return null;
  return seeNumber(name, field.kind === 'multiplier', field.money === true, found);
}

function seeNumber(name: string, isFactor: boolean, isMoney: boolean, { numbers, money }: Evidence): See {
  const [samples, amounts] = [new Samples<DecimalMark>(), moneyTally()];
  numbers.set(name, samples);
  if (isMoney) money.set(name, amounts);
  return (seen, isTyped) => {
    const signed = isMoney ? splitSign(seen.typed) : null;
    if (isTyped) samples.hasTyped = true;
    else addNumber(samples, { ...seen, typed: signed?.number ?? seen.typed }, isFactor);
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
