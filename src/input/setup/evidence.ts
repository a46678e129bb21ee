/** What all rows of a file show: how numbers and dates are written, which signs stand beside them, what other columns hold. */
import { CURRENCIES } from '../../records/currencies.js';
import { excerpt } from '../../records/issue.js';
import { splitSign } from '../currency-signs.js';
import type { ColumnField } from './named-columns.js';
import type { Seen } from './conclusion.js';
import { type DateEvidence, dateEvidence, seeDate, seeDay } from './date-orders.js';
import { type MarkEvidence, markEvidence, seeNumber } from './number-marks.js';

/** A row below the column names. */
export interface SurveyRow {
  readonly cells: readonly string[];
  /** Cells that are numbers or dates by themselves, however they are written; undefined where there are none. */
  readonly typed?: ReadonlySet<number>;
  readonly line: number | null;
}

/** The money of a file: which way it goes, and in which currency it says that it is. */
export interface MoneyEvidence {
  /** By the sign or code of a currency: the first amount with it, and the currencies that use it. */
  readonly signs: Map<string, Seen & { readonly currencies: readonly string[] }>;
  /** The first amount without any. */
  unsigned: Seen | null;
  negative: number;
  firstNegative: Seen | null;
  positive: number;
}

/** A column that gives no field. */
export interface OtherEvidence {
  /** Its values with the first of each; null where there are too many to be the words of a list. */
  values: Map<string, Seen> | null;
}

export interface Evidence {
  rows: number;
  /** By the name of the column. */
  readonly numbers: ReadonlyMap<string, MarkEvidence>;
  readonly dates: ReadonlyMap<string, DateEvidence>;
  /** Of the columns with money, by name. */
  readonly money: ReadonlyMap<string, MoneyEvidence>;
  readonly others: ReadonlyMap<string, OtherEvidence>;
  /** Of the column that gives the currency; null where none does. */
  currencies: OtherEvidence | null;
}

/** So many words have a column that says debit or credit, or a currency. */
const MOST_VALUES = 12;
const LONGEST_VALUE = 12;

const NUMBERS: ReadonlySet<string> = new Set(['number', 'multiplier']);

/** A cell with content. */
interface SeenCell {
  readonly cell: string;
  readonly line: number | null;
  /** It is a number or a date by itself. */
  readonly isTyped: boolean;
}

type See = (seen: SeenCell) => void;

/**
 * @param isText it matters how numbers and dates are written
 * @param names of the columns, in the order of the cells
 * @param otherNames columns that are about to be dropped
 */
export async function evidenceOf(
  rows: AsyncIterable<readonly SurveyRow[]>,
  isText: boolean,
  names: readonly string[],
  columns: readonly ColumnField[],
  otherNames: readonly string[],
): Promise<Evidence> {
  const [numbers, dates] = [new Map<string, MarkEvidence>(), new Map<string, DateEvidence>()];
  const [money, others] = [new Map<string, MoneyEvidence>(), new Map<string, OtherEvidence>()];
  let currencies: OtherEvidence | null = null;
  const seeing = names.map((name): See | null => {
    const column = columns.find((each) => each.name === name);
    if (column === undefined)
      return otherNames.includes(name) ? seeOther(entered(others, name, { values: new Map() })) : null;
    const { field } = column;
    if (field.kind === 'currency') return seeOther((currencies = { values: new Map() }));
    if (field.kind === 'date') {
      const evidence = entered(dates, name, dateEvidence());
      return ({ cell, line, isTyped }) => {
        if (isText && !isTyped) seeDate(evidence, cell, line);
        else seeDay(evidence, cell);
      };
    }
    if (!NUMBERS.has(field.kind)) return null;
    const evidence = entered(numbers, name, markEvidence());
    const signs = field.money === true ? entered(money, name, noMoney()) : null;
    return seeSigned(isText ? evidence : null, signs, field.kind === 'multiplier');
  });
  const found: Evidence = { rows: 0, numbers, dates, money, others, currencies };
  for await (const batch of rows) {
    for (const { cells, typed, line } of batch) {
      found.rows++;
      seeing.forEach((see, i) => {
        const cell = (cells[i] ?? '').trim();
        if (see !== null && cell !== '') see({ cell, line, isTyped: typed?.has(i) === true });
      });
    }
  }
  return found;
}

function entered<T>(map: Map<string, T>, name: string, value: T): T {
  map.set(name, value);
  return value;
}

function noMoney(): MoneyEvidence {
  return { signs: new Map(), unsigned: null, negative: 0, firstNegative: null, positive: 0 };
}

function seeSigned(evidence: MarkEvidence | null, money: MoneyEvidence | null, isFactor: boolean): See {
  return ({ cell, line, isTyped }) => {
    const signed = money === null ? null : splitSign(cell);
    const number = signed?.number ?? cell;
    if (evidence !== null && !isTyped) seeNumber(evidence, number, line, isFactor);
    if (money === null || !/[1-9]/.test(number)) return;
    const seen = { line, typed: excerpt(cell) };
    if (signed === null) money.unsigned ??= seen;
    else if (!money.signs.has(signed.sign)) money.signs.set(signed.sign, { ...seen, currencies: signed.currencies });
    if (number.startsWith('-')) {
      money.negative++;
      money.firstNegative ??= seen;
    } else money.positive++;
  };
}

function seeOther(evidence: OtherEvidence): See {
  return ({ cell, line }) => {
    const { values } = evidence;
    if (values === null || values.has(cell)) return;
    if (values.size === MOST_VALUES || cell.length > LONGEST_VALUE) evidence.values = null;
    else values.set(cell, { line, typed: cell });
  };
}

/** Whether a column holds nothing but codes of currencies. */
export function holdsCurrencies({ values }: OtherEvidence): boolean {
  return values !== null && values.size > 0 && [...values.keys()].every((value) => CURRENCIES.has(value));
}

/** The words with which exports say whether an amount goes in or out, in pairs. */
const DIRECTIONS: readonly (readonly [string, string])[] = [
  's h',
  'soll haben',
  'd c',
  'd k',
  'dr cr',
  'dt ct',
  'debit credit',
  'debet credit',
  'debet kredit',
  'dbit crdt',
  'in out',
  'af bij',
  '+ -',
  'lastschrift gutschrift',
  'belastung gutschrift',
  'rechnung gutschrift',
  'eingang ausgang',
  'einnahme ausgabe',
  'income expense',
  'deposit withdrawal',
  'receipt payment',
].map((pair) => pair.split(' ') as [string, string]);

/** A value for each direction, where the column says of each amount which way it goes, and not always the same. */
export function directionsIn({ values }: OtherEvidence): readonly Seen[] {
  if (values === null || values.size < 2) return [];
  const folded = new Map([...values].map(([value, seen]) => [value.toLowerCase(), seen]));
  for (const [one, other] of DIRECTIONS) {
    const [first, second] = [folded.get(one), folded.get(other)];
    if (first !== undefined && second !== undefined && folded.size === 2) return [first, second];
  }
  return [];
}
