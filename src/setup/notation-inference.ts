/** How a file's numbers and dates are written, and in which currency, as far as the values prove it. */
import { splitSign, type DecimalMark, readMultiplier, readNumber } from '../input/numbers.js';
import { type DateOrder, readDate } from '../input/dates.js';
import { isCalendarDate } from '../records/calendar.js';
import { CURRENCIES } from '../records/currencies.js';
import {
  type Inference,
  inferNotation,
  isDoubtful,
  onlyReading,
  type ReadableValue,
  type Readings,
  type SampleValue,
  sampleText,
  type ValuesByColumn,
} from './inference.js';

// Numbers. CONTRACT: `--decimal`.

const SENT_MULTIPLIER = /^\d(?:\.\d+)?$/;

function readNumberAs(typed: string, mark: DecimalMark | null, isFactor: boolean): string | null {
  const reading = isFactor ? readMultiplier(typed, mark) : readNumber(typed, mark);
  return reading.ok && (!isFactor || SENT_MULTIPLIER.test(reading.text)) ? reading.text : null;
}

/** A number under each mark, in JSON's notation. @param isFactor a multiplier, below 10: `1.250` has one reading */
export function numberReadings(typed: string, isFactor = false): Readings<DecimalMark> {
  return { point: readNumberAs(typed, 'point', isFactor), comma: readNumberAs(typed, 'comma', isFactor) };
}

/** Null if it is not a number. @param isFactor a multiplier */
export function numberValue(sample: SampleValue, isFactor: boolean): ReadableValue<DecimalMark> | null {
  const typed = splitSign(sample.typed)?.number ?? sample.typed;
  const readings = numberReadings(typed, isFactor);
  if (readings.point === null && readings.comma === null) return null;
  return { line: sample.line, typed, readings, isUsual: readNumberAs(typed, null, isFactor) !== null };
}

/** Three or more under this mark: amounts usually have two, so such a mark may separate thousands. */
function hasManyDecimals({ readings }: ReadableValue<DecimalMark>, mark: DecimalMark): boolean {
  const text = readings[mark] ?? '';
  const point = text.indexOf('.');
  return point >= 0 && text.length - point > '.00'.length;
}

const MARK_TEXT = { point: 'with a decimal point', comma: 'with a decimal comma' };

/** One mark for all columns. */
export function inferDecimalMark(columns: ValuesByColumn<DecimalMark>): Inference<DecimalMark> {
  return inferNotation(columns, 'Numbers', MARK_TEXT, ({ notation: mark }, values) => {
    const strange = values.find((value) => isDoubtful(value) && hasManyDecimals(value, mark));
    // If another value certainly has this many decimals, those of the strange one are not surprising.
    const isUsual = values.some((value) => onlyReading(value) === mark && hasManyDecimals(value, mark));
    if (strange === undefined || isUsual) return null;
    return { ...strange, why: 'has three decimals, and no other number has so many' };
  });
}

const DIGITS_AND_MARKS = String.raw`\d[\d.,'’\s]*`;
const WITH_CENTS = String.raw`(?:\d[\d.,'’\s]*)?[.,]\d\d`;
const SIGN_OR_CODE = String.raw`(?:\p{Sc}|[A-Z]{3})?`;

/** Notations that no setting reads, and what is wrong with each: a file that has them must be exported again. */
const ODD_NOTATIONS: readonly (readonly [notation: RegExp, why: string])[] = [
  [new RegExp(String.raw`^${DIGITS_AND_MARKS}[-−–]$`), 'the minus must stand before the number'],
  [
    new RegExp(
      String.raw`^-?${SIGN_OR_CODE}\s?\(\s?-?${SIGN_OR_CODE}\s?${WITH_CENTS}\s?${SIGN_OR_CODE}\s?\)\s?${SIGN_OR_CODE}$`,
      'u',
    ),
    'a negative number is written with a minus, not in brackets',
  ],
  [
    new RegExp(String.raw`^[−–]\s?${SIGN_OR_CODE}\s?${DIGITS_AND_MARKS}$`, 'u'),
    'the minus must be the one of the keyboard (-)',
  ],
  [new RegExp(String.raw`^(?:\+\s?${WITH_CENTS}|${WITH_CENTS}\s?\+)$`), 'a plus is not read'],
  [
    new RegExp(String.raw`^${WITH_CENTS}\s?(?:CR|DR|C|D|S|H)\.?$`, 'i'),
    'letters for debit and credit are not read: a minus must mark negative amounts',
  ],
];

/** What is wrong with a number; null for text, and for a number that some setting reads. */
export function oddNotation(typed: string): string | null {
  const number = splitSign(typed)?.number ?? typed;
  return ODD_NOTATIONS.find(([notation]) => notation.test(typed) || notation.test(number))?.[1] ?? null;
}

// Dates. CONTRACT: `--date-format`.

type DayMonthOrder = 'dmy' | 'mdy';

/** Null if it is not a date in any order. */
export function dateValue(sample: SampleValue): ReadableValue<DayMonthOrder> | null {
  const readings = dateReadings(sample.typed);
  if (readings.dmy === null && readings.mdy === null) return null;
  return { ...sample, readings, isUsual: readDateAs(sample.typed, null) !== null };
}

function readDateAs(typed: string, order: DateOrder | null): string | null {
  const read = readDate(typed, order);
  return isCalendarDate(read) ? read : null;
}

/** A date in each order, YYYY-MM-DD. */
export function dateReadings(typed: string): Readings<DayMonthOrder> {
  return { dmy: readDateAs(typed, 'dmy'), mdy: readDateAs(typed, 'mdy') };
}

/** `n.n.Y`, `n-M-y`: what the dates of one source have in common. */
function datePattern(typed: string): string {
  return typed
    .replace(/\p{L}+\.?/gu, 'M')
    .replace(/\d{4}/g, 'Y')
    .replace(/\d\d?$/, 'y')
    .replace(/\d+/g, 'n');
}

/** A two-digit year may also come first, which no setting reads: `25-12-31` is not a day of 2031. */
function withYearFirst(typed: string): string | null {
  const [, year = '', , month = '', day = ''] = /^(\d\d)([./-])(\d\d?)\2(\d\d)$/.exec(typed) ?? [];
  return readDateAs(`20${year}-${month.padStart(2, '0')}-${day}`, 'ymd');
}

/** YYYY-MM, if all dates lie in one month; else null. */
export function monthOf(dates: readonly ReadableValue<DayMonthOrder>[], order: DateOrder | null): string | null {
  const read = dates.map(({ readings }) => readings[order === 'mdy' ? 'mdy' : 'dmy']);
  const days = read.filter((date) => date !== null);
  const [month = null, another] = new Set(days.map((date) => date.slice(0, 'YYYY-MM'.length)));
  return another === undefined ? month : null;
}

/** Also a date that no setting reads: `20261103`, or one with a time of day. */
export function isAnyDate(typed: string): boolean {
  const day = typed.replace(/[T ]\d\d?:\d\d.*$/, '').replace(/^((?:19|20)\d\d)[./]?(\d\d)[./]?(\d\d)$/, '$1-$2-$3');
  return Object.values(dateReadings(day)).some((read) => read !== null);
}

const ORDER_TEXT = { dmy: 'with the day first', mdy: 'with the month first' };

/** One order for all columns. A date with one reading may still be another one. */
export function inferDateOrder(columns: ValuesByColumn<DayMonthOrder>): Inference<DayMonthOrder> {
  return inferNotation(columns, 'Dates', ORDER_TEXT, ({ value: proof, notation: order }, values) => {
    const other = values.find(({ typed, isUsual }) => isUsual || datePattern(typed) !== datePattern(proof.typed));
    if (other !== undefined)
      return { ...other, why: 'is written differently: a spreadsheet may have changed some dates' };
    const swapped = values.map(({ typed }) => withYearFirst(typed));
    // If day and year are exchanged, dates that lie close together scatter over years.
    const isScattered = yearsBetween(values.map(({ readings }) => readings[order])) <= 1 && yearsBetween(swapped) > 3;
    if (isScattered || swapped.includes(null)) return null;
    return { ...proof, why: 'may begin with the year. Such dates are not read: write years with four digits' };
  });
}

function yearsBetween(dates: readonly (string | null)[]): number {
  const years = dates.filter((date) => date !== null).map((date) => Number(date.slice(0, 'YYYY'.length)));
  return Math.max(...years) - Math.min(...years);
}

// Currencies. CONTRACT: `--currency-signs`.

/** The first amount with a sign or code of a currency, and the currencies that use it. */
interface SignedSample extends SampleValue {
  readonly currencies: readonly string[];
}

/** The currencies that a column's amounts show. */
export interface MoneyTally {
  /** By the sign or code. */
  readonly signs: ReadonlyMap<string, SignedSample>;
  /** The first amount without any. */
  readonly unsigned: SampleValue | null;
}

/** An amount of 0 may have no sign where others have one. */
export function moneyTally(amounts: readonly SampleValue[]): MoneyTally {
  const signs = new Map<string, SignedSample>();
  let unsigned: SampleValue | null = null;
  for (const sample of amounts) {
    const signed = splitSign(sample.typed);
    if (!/[1-9]/.test(signed?.number ?? sample.typed)) continue;
    if (signed === null) unsigned ??= sample;
    else if (!signs.has(signed.sign)) signs.set(signed.sign, { ...sample, currencies: signed.currencies });
  }
  return { signs, unsigned };
}

/**
 * The currency of every record.
 * @param money of the columns with amounts
 * @param column the one with each record's currency, and its values if they are few; null if no column has it
 */
export function inferCurrency(
  money: ReadonlyMap<string, MoneyTally>,
  column: string | null,
  values: ReadonlyMap<string, SampleValue> | null,
): Inference<string> {
  const named = currencyInName(money.keys());
  if (column !== null) return inferBesideColumn(column, values, named);
  const tallies = [...money.values()];
  const [[sign, sample] = [], second] = new Map(tallies.flatMap(({ signs }) => [...signs]));
  if (sign === undefined || sample === undefined) {
    if (named === null) return { kind: 'default' };
    return { kind: 'certain', value: named.code, why: `the name of the column "${named.name}" says so` };
  }
  const open = (why: string): Inference<string> => ({ kind: 'open', candidates: [], why });
  if (second !== undefined)
    return open(`Amounts have different currencies, as in ${sampleText(sample)} and ${sampleText(second[1])}.`);
  const [code = '', another] = sample.currencies;
  if (another !== undefined)
    return open(`${sampleText(sample)} has ${sign}. Several currencies use this sign, and no column has the currency.`);
  if (!CURRENCIES.has(code)) return open(`${sampleText(sample)} has ${sign}, which is not a known currency.`);
  const unsigned = tallies.find((each) => each.unsigned !== null)?.unsigned ?? null;
  if (unsigned === null)
    return { kind: 'certain', value: code, why: `every amount has ${sign}, as in ${sampleText(sample)}` };
  const why = `${sampleText(sample)} has ${sign}, but ${sampleText(unsigned)} has no currency sign.`;
  return { kind: 'likely', value: code, why };
}

/** A currency in the name of a column, and that name. */
interface NamedCurrency {
  readonly code: string;
  readonly name: string;
}

/** `Amount (EUR)`, `Betrag in €` */
function currencyInName(names: Iterable<string>): NamedCurrency | null {
  for (const name of names) {
    const sign = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})(?=[)\]]?$)/u.exec(name)?.[0];
    const [code, another] = sign === undefined ? [] : (splitSign(`1 ${sign}`)?.currencies ?? []);
    if (code !== undefined && another === undefined && CURRENCIES.has(code)) return { code, name };
  }
  return null;
}

/** Amounts in one currency next to a column of others: a converted amount would count in its original currency. */
function inferBesideColumn(
  column: string,
  values: ReadonlyMap<string, SampleValue> | null,
  named: NamedCurrency | null,
): Inference<string> {
  const other = [...(values ?? [])].find(([value]) => value !== named?.code)?.[1];
  if (named === null || other === undefined) return { kind: 'default' };
  const why = `The column "${named.name}" has amounts in ${named.code}. But the column "${column}" has another currency, as in ${sampleText(other)}.`;
  return { kind: 'likely', value: named.code, why };
}
