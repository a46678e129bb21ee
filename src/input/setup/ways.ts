/** From what the rows show to how they are read: decimal mark, order of dates, currency, direction of amounts. */
import { CURRENCIES } from '../../records/currencies.js';
import type { DateOrder } from '../dates.js';
import type { DecimalMark } from '../numbers.js';
import { type Answers, setPaths } from './answers.js';
import { type Conclusion, NOTHING_TO_SAY, saidSo, seenWords } from './conclusion.js';
import { concludeOrders, monthOf } from './date-orders.js';
import type { Evidence, Words } from './evidence.js';
import { concludeContradiction, concludeCurrency, concludeNegation } from './money.js';
import type { ColumnField } from './named-columns.js';
import { concludeMarks } from './number-marks.js';

export interface Ways {
  readonly decimal: Conclusion<DecimalMark>;
  readonly dateOrder: Conclusion<DateOrder>;
  /** The currency that every record gets. */
  readonly currency: Conclusion<string>;
  readonly negate: Conclusion<boolean>;
  /** Some amounts carry the sign of a currency. */
  readonly hasSigns: boolean;
  /** YYYY-MM, where all dates lie in one month. */
  readonly month: string | null;
  /** Columns about which something must be said before they are dropped or read. */
  readonly doubts: readonly ColumnDoubt[];
}

export interface ColumnDoubt {
  readonly column: string;
  readonly because: string;
  /** The field that it may be meant for; null where only dropping it helps. */
  readonly path: string | null;
}

export function waysOf(evidence: Evidence, columns: readonly ColumnField[], said: Answers): Ways {
  const { numbers, dates, money, words } = evidence;
  const column = columns.find(({ path }) => path === 'currency');
  const dateOrder = said.dateOrder === null ? concludeOrders(dates) : saidSo(said.dateOrder);
  const [dated] = dates.values();
  const hasCurrency = column !== undefined || setPaths(said).includes('currency');
  const contradiction =
    column === undefined || column.why === 'said'
      ? NOTHING_TO_SAY
      : concludeContradiction(money, column.name, words.get(column.name) ?? null);
  return {
    decimal: said.decimal === null ? concludeMarks(numbers) : saidSo(said.decimal),
    dateOrder,
    currency: hasCurrency ? contradiction : concludeCurrency(money),
    negate: said.negate === null ? concludeNegation([...money.values()]) : saidSo(said.negate),
    hasSigns: [...money.values()].some(({ signs }) => signs.size > 0),
    month: dated === undefined ? null : monthOf(dated, dateOrder.value),
    doubts: [
      ...columns.flatMap((each) => unreadDoubt(each, evidence)),
      ...[...words].flatMap(([name, values]) =>
        name === column?.name ? [] : wordsDoubt(name, values, hasCurrency, said.ignoreOthers),
      ),
    ],
  };
}

/** Of a column of which not one value can be read. */
function unreadDoubt({ name, path }: ColumnField, { numbers, dates }: Evidence): ColumnDoubt[] {
  const { unread } = numbers.get(name) ?? dates.get(name) ?? { unread: null };
  if (unread === null) return [];
  const what = dates.has(name) ? 'date' : 'number';
  const because = `the column ${name} gives ${path}, and none of its values is a ${what} that is read, as in ${seenWords(unread)}`;
  return [{ column: name, because, path: null }];
}

/** The words with which exports say whether an amount goes in or out: each pair in the order of its letters. */
const DIRECTIONS: ReadonlySet<string> = new Set([
  ...['h s', 'haben soll', 'c d', 'd k', 'cr dr', 'ct dt', 'credit debit', 'credit debet', 'debet kredit', 'crdt dbit'],
  ...['gutschrift lastschrift', 'belastung gutschrift', 'gutschrift rechnung', 'ausgang eingang', 'ausgabe einnahme'],
  ...['in out', 'af bij', '+ -', 'expense income', 'deposit withdrawal', 'payment receipt'],
]);

/** Of a column that changes what an amount is: it is dropped only where it is named, unless dropping it loses nothing. */
function wordsDoubt(column: string, words: Words, hasCurrency: boolean, ignoreOthers: boolean): ColumnDoubt[] {
  const [first, second] = words?.values() ?? [];
  if (words === null || first === undefined) return [];
  const values = [...words.keys()];
  if (!hasCurrency && values.every((value) => CURRENCIES.has(value)) && !(second === undefined && ignoreOthers))
    return [{ column, because: `the column ${column} holds currencies, as in ${seenWords(first)}`, path: 'currency' }];
  const pair = [...new Set(values.map((value) => value.toLowerCase()))].sort().join(' ');
  if (second === undefined || !DIRECTIONS.has(pair)) return [];
  const because = `the column ${column} says of each amount whether it goes in or out, as in ${seenWords(first)} and ${seenWords(second)}, and that is not read: import the rows of one kind alone`;
  return [{ column, because, path: null }];
}
