/** From the evidence of the rows to the notation: decimal mark, order of dates, currency. */
import { CURRENCIES } from '../../records/currencies.js';
import type { Field } from '../../records/field.js';
import type { DateOrder } from '../dates.js';
import type { DecimalMark } from '../numbers.js';
import { type Answers, setPaths } from './answers.js';
import { type Conclusion, NOTHING_TO_SAY, saidSo, seenWords } from './conclusion.js';
import { concludeOrders, monthOf } from './date-orders.js';
import type { ColumnEvidence, Evidence, Words } from './evidence.js';
import { concludeContradiction, concludeCurrency } from './money.js';
import type { ColumnField } from './named-columns.js';
import { concludeMarks } from './number-marks.js';
import { oddNotation } from './odd-numbers.js';

export interface Ways {
  readonly decimal: Conclusion<DecimalMark>;
  readonly dateOrder: Conclusion<DateOrder>;
  /** The currency that every record gets. */
  readonly currency: Conclusion<string>;
  /** Some amounts have a currency sign. */
  readonly hasSigns: boolean;
  /** YYYY-MM, if all dates lie in one month. */
  readonly month: string | null;
  /** Columns that need an answer before they are dropped or read. */
  readonly doubts: readonly ColumnDoubt[];
}

export interface ColumnDoubt {
  readonly column: string;
  readonly because: string;
  /** The field that it may be meant for; null if only dropping it helps. */
  readonly path: string | null;
  /** Every record needs its value, so dropping it is not a way out. */
  readonly isNeeded?: boolean;
}

/** @param others columns that are not fields */
export function waysOf(
  { columns: seen }: Evidence,
  columns: readonly ColumnField[],
  others: readonly string[],
  said: Answers,
): Ways {
  const column = columns.find(({ path }) => path === 'currency');
  const [dates, money, numbers] = [evidenceFor(isDate), evidenceFor(isMoney), evidenceFor(isNumber)];
  const samples = new Map([...dates].map(([name, found]) => [name, found.dates]));
  const amounts = new Map([...money].map(([name, found]) => [name, found.money]));
  const dateOrder = said.dateOrder === null ? concludeOrders(samples) : saidSo(said.dateOrder);
  const [dated] = samples.values();
  const hasCurrency = column !== undefined || setPaths(said).includes('currency');
  const contradiction =
    column === undefined || column.why === 'said'
      ? NOTHING_TO_SAY
      : concludeContradiction(amounts, column.name, seen.get(column.name)?.words ?? null);
  const marks = new Map([...numbers].map(([name, found]) => [name, found.numbers]));
  return {
    decimal: said.decimal === null ? concludeMarks(marks) : saidSo(said.decimal),
    dateOrder,
    currency: hasCurrency ? contradiction : concludeCurrency(amounts),
    hasSigns: [...amounts.values()].some(({ signs }) => signs.size > 0),
    month: dated === undefined ? null : monthOf(dated, dateOrder.value),
    doubts: [
      ...columns.flatMap((each) => unreadDoubt(each, seen.get(each.name))),
      ...(hasCurrency ? [] : others.flatMap((name) => currencyDoubt(name, seen.get(name)?.words ?? null, said))),
    ],
  };

  function evidenceFor(is: (field: Field) => boolean): ReadonlyMap<string, ColumnEvidence> {
    const wanted = columns.flatMap(({ name, field }) => (is(field) ? [[name, seen.get(name)] as const] : []));
    return new Map(wanted.flatMap(([name, found]) => (found === undefined ? [] : [[name, found]])));
  }
}

const isDate = ({ kind }: Field): boolean => kind === 'date';
const isMoney = ({ money }: Field): boolean => money === true;
const isNumber = ({ kind }: Field): boolean => kind === 'number' || kind === 'multiplier';

/** For a column without a single readable value. */
function unreadDoubt({ name, path, field }: ColumnField, found: ColumnEvidence | undefined): ColumnDoubt[] {
  if (found === undefined || found.filled === 0) return [];
  const isUnread = isDate(field) ? found.areDates === 0 : isNumber(field) && found.areNumbers === 0;
  const unread = (isDate(field) ? found.dates : found.numbers).unread;
  if (!isUnread || unread === null) return [];
  const what = isDate(field) ? 'date' : 'number';
  const because = `no value of the column ${name} (${path}) is a ${what} that can be read, as in ${seenWords(unread)}${wrongWith(unread.typed)}`;
  return [{ column: name, because, path: null, isNeeded: field.required }];
}

/** What is wrong with a value that nothing reads, where that is known. */
function wrongWith(typed: string): string {
  const isWithTime = /\d:\d/.test(typed) && /\d[-./]\d/.test(typed);
  const words = isWithTime ? 'a time of day beside a date is not read' : oddNotation(typed);
  return words === null ? '' : `; ${words}`;
}

/** For a column that changes an amount's meaning: dropped only if named, unless dropping it loses nothing. */
function currencyDoubt(column: string, words: Words, { ignoreOthers }: Answers): ColumnDoubt[] {
  const [first, second] = words?.values() ?? [];
  if (words === null || first === undefined) return [];
  if (![...words.keys()].every((value) => CURRENCIES.has(value)) || (second === undefined && ignoreOthers)) return [];
  return [{ column, because: `the column ${column} holds currencies, as in ${seenWords(first)}`, path: 'currency' }];
}
