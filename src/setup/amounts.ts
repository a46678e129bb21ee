/** How a file's amounts are written: decimal mark, currency, and notations that no setting reads. */
import { CURRENCIES } from '../records/currencies.js';
import { splitSign } from '../input/currency-signs.js';
import { type DecimalMark, readMultiplier, readNumber } from '../input/numbers.js';
import {
  type Inference,
  inferNotation,
  type Doubt,
  isDoubtful,
  NO_QUESTION,
  onlyReading,
  type Readings,
  type SampleValue,
  sampleText,
  type Value,
} from './inference.js';

const MULTIPLIER = /^\d(?:\.\d+)?$/;

function readAs(typed: string, mark: DecimalMark | null, isFactor: boolean): string | null {
  const reading = isFactor ? readMultiplier(typed, mark) : readNumber(typed, mark);
  return reading.ok && (!isFactor || MULTIPLIER.test(reading.text)) ? reading.text : null;
}

/** A number under each mark, in JSON's notation. @param isFactor a multiplier, below 10: `1.250` has one reading */
export function numberReadings(typed: string, isFactor = false): Readings<DecimalMark> {
  return { point: readAs(typed, 'point', isFactor), comma: readAs(typed, 'comma', isFactor) };
}

/** Null if it is not a number. @param isFactor a multiplier */
export function numberValue(seen: SampleValue, isFactor: boolean): Value<DecimalMark> | null {
  const typed = splitSign(seen.typed)?.number ?? seen.typed;
  const readings = numberReadings(typed, isFactor);
  if (readings.point === null && readings.comma === null) return null;
  return { line: seen.line, typed, readings, isUsual: readAs(typed, null, isFactor) !== null };
}

/** Three or more under this mark: amounts usually have two, so such a mark may separate thousands. */
function hasManyDecimals({ readings }: Value<DecimalMark>, mark: DecimalMark): boolean {
  const text = readings[mark] ?? '';
  const point = text.indexOf('.');
  return point >= 0 && text.length - point > '.00'.length;
}

const MARKS = { what: 'Numbers', ways: { point: 'with a decimal point', comma: 'with a decimal comma' } };

/** One mark for all columns. The value is null if no setting is needed. */
export function inferDecimalMark(columns: ReadonlyMap<string, readonly Value<DecimalMark>[]>): Inference<DecimalMark> {
  return inferNotation(columns, MARKS, (_proof, mark, values): Doubt | null => {
    const strange = values.find((value) => isDoubtful(value) && hasManyDecimals(value, mark));
    // If another value certainly has this many decimals, those of the strange one are not surprising.
    const isUsual = values.some((value) => onlyReading(value) === mark && hasManyDecimals(value, mark));
    if (strange === undefined || isUsual) return null;
    return { ...strange, words: 'has three decimals, and no other number has so many' };
  });
}

const NUMBER = String.raw`\d[\d.,'’\s]*`;
const MONEY = String.raw`(?:\d[\d.,'’\s]*)?[.,]\d\d`;
const SIGN = String.raw`(?:\p{Sc}|[A-Z]{3})?`;

/** Notations that no setting reads, and what is wrong with each: a file that has them must be exported again. */
const ODD: readonly (readonly [notation: RegExp, words: string])[] = [
  [new RegExp(String.raw`^${NUMBER}[-−–]$`), 'the minus must stand before the number'],
  [
    new RegExp(String.raw`^-?${SIGN}\s?\(\s?-?${SIGN}\s?${MONEY}\s?${SIGN}\s?\)\s?${SIGN}$`, 'u'),
    'a negative number is written with a minus, not in brackets',
  ],
  [new RegExp(String.raw`^[−–]\s?${SIGN}\s?${NUMBER}$`, 'u'), 'the minus must be the one of the keyboard (-)'],
  [new RegExp(String.raw`^(?:\+\s?${MONEY}|${MONEY}\s?\+)$`), 'a plus is not read'],
  [
    new RegExp(String.raw`^${MONEY}\s?(?:CR|DR|C|D|S|H)\.?$`, 'i'),
    'letters for debit and credit are not read: a minus must mark negative amounts',
  ],
];

/** What is wrong with a number; null for text, and for a number that some setting reads. */
export function oddNotation(typed: string): string | null {
  const number = splitSign(typed)?.number ?? typed;
  return ODD.find(([notation]) => notation.test(typed) || notation.test(number))?.[1] ?? null;
}

/** It has two decimals, as money has: `1234-` may be a code. */
export function isOddMoney(typed: string): boolean {
  return /[.,]\d\d(?!\d)/.test(typed);
}

/** The currencies that a column's amounts show. */
export interface MoneyTally {
  /** By the sign or code of a currency: the first amount with it, and the currencies that use it. */
  readonly signs: ReadonlyMap<string, SampleValue & { readonly currencies: readonly string[] }>;
  /** The first amount without any. */
  readonly unsigned: SampleValue | null;
}

/** An amount of 0 may have no sign where others have one. */
export function moneyTally(amounts: readonly SampleValue[]): MoneyTally {
  const signs = new Map<string, SampleValue & { readonly currencies: readonly string[] }>();
  let unsigned: SampleValue | null = null;
  for (const seen of amounts) {
    const signed = splitSign(seen.typed);
    if (!/[1-9]/.test(signed?.number ?? seen.typed)) continue;
    if (signed === null) unsigned ??= seen;
    else if (!signs.has(signed.sign)) signs.set(signed.sign, { ...seen, currencies: signed.currencies });
  }
  return { signs, unsigned };
}

/** The currency of every record, from the amounts' signs or the name of their column. */
export function inferCurrency(money: ReadonlyMap<string, MoneyTally>): Inference<string> {
  const all = [...money.values()];
  const [[sign, seen] = [], second] = new Map(all.flatMap(({ signs }) => [...signs]));
  if (sign === undefined || seen === undefined) {
    const found = currencyInName(money.keys());
    return found === null ? NO_QUESTION : proven(found.code, `the name of the column "${found.name}" says so`);
  }
  if (second !== undefined)
    return open(`Amounts have different currencies, as in ${sampleText(seen)} and ${sampleText(second[1])}.`);
  const [code = '', another] = seen.currencies;
  if (another !== undefined)
    return open(`${sampleText(seen)} has ${sign}. Several currencies use this sign, and no column has the currency.`);
  if (!CURRENCIES.has(code)) return open(`${sampleText(seen)} has ${sign}, which is not a known currency.`);
  const unsigned = all.find((each) => each.unsigned !== null)?.unsigned ?? null;
  if (unsigned !== null)
    return open(`${sampleText(seen)} has ${sign}, but ${sampleText(unsigned)} has no currency sign.`, code);
  return proven(code, `every amount has ${sign}, as in ${sampleText(seen)}`);
}

function proven(code: string, because: string): Inference<string> {
  return { isProven: true, value: code, because };
}

function open(because: string, likely: string | null = null): Inference<string> {
  return { isProven: false, value: likely, because };
}

/** `Amount (EUR)`, `Betrag in €`: the currency in the name of an amount column, and that name. */
function currencyInName(names: Iterable<string>): { readonly code: string; readonly name: string } | null {
  for (const name of names) {
    const sign = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})(?=[)\]]?$)/u.exec(name)?.[0];
    const [code, another] = sign === undefined ? [] : (splitSign(`1 ${sign}`)?.currencies ?? []);
    if (code !== undefined && another === undefined && CURRENCIES.has(code)) return { code, name };
  }
  return null;
}

/**
 * Amounts in one currency next to a column of others: a converted amount would count in its original currency.
 * @param column the one with the record's currency, and its values
 */
export function inferContradiction(
  money: ReadonlyMap<string, MoneyTally>,
  column: string,
  values: ReadonlyMap<string, SampleValue> | null,
): Inference<string> {
  const found = currencyInName(money.keys());
  const other = [...(values ?? [])].find(([value]) => value !== found?.code)?.[1];
  if (found === null || other === undefined) return NO_QUESTION;
  const because = `The column "${found.name}" has amounts in ${found.code}. But the column "${column}" has another currency, as in ${sampleText(other)}.`;
  return open(because, found.code);
}
