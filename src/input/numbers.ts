/** The notation of numbers in CSV cells and on flags, and of currencies next to them. Never a guess. */
import { hiddenIn } from '../records/misleading-text.js';
import { excerpt } from '../records/issue.js';
import { compare, decimalOf, parseDecimal } from '../money/decimal.js';

export type DecimalMark = 'point' | 'comma';

export type NumberReading =
  /** `text` in JSON's notation, digits as typed. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'bad-number' | 'ambiguous-number'; readonly message: string };

/** One kind of group separator per number, and groups of three. */
const SPACES = ' \u00a0\u202f';
const APOSTROPHES = "'\u2019";

/** @param mark before decimals. @param other may separate groups, as apostrophes and spaces may */
function notation(mark: string, other: string): Record<'plain' | 'grouped' | 'separators', RegExp> {
  const separators = `[${other}${APOSTROPHES}${SPACES}]`;
  return {
    plain: new RegExp(`^-?(0|[1-9]\\d*)([${mark}]\\d+)?$`),
    grouped: new RegExp(`^-?[1-9]\\d{0,2}(?:(${separators})\\d{3})(?:\\1\\d{3})*([${mark}]\\d+)?$`),
    separators: new RegExp(separators, 'g'),
  };
}

const NOTATIONS = { point: notation('.', ','), comma: notation(',', '.') };
const PLAIN_NUMBER = NOTATIONS.point.plain;
/** A point before exactly three digits: a decimal to one reader, thousands to another. */
export const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** `typed` (trimmed) in JSON's notation; null if it is not a number under the declared mark, or not plain without one. */
function readDeclared(typed: string, mark: DecimalMark | null): string | null {
  if (mark === null) return PLAIN_NUMBER.test(typed) ? typed : null;
  const { plain, grouped, separators } = NOTATIONS[mark];
  if (plain.test(typed)) return typed.replace(',', '.');
  return grouped.test(typed) ? typed.replace(separators, '').replace(',', '.') : null;
}

/**
 * Reads a number as a person typed it.
 * @param mark as declared by `--decimal`. With null, only plain numbers with a point and a single meaning are read
 */
export function readNumber(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  const text = readDeclared(typed, mark);
  if (text === null) return { ok: false, code: 'bad-number', message: badNumber(typed, mark) };
  if (mark !== null || !AMBIGUOUS.test(typed)) return { ok: true, text };
  const message =
    `${typed} can be read as ${typed} (a point before decimals: --decimal point) ` +
    `or as ${readDeclared(typed, 'comma')} (a point between thousands: --decimal comma): say which`;
  return { ok: false, code: 'ambiguous-number', message };
}

/** Reads a number whose range leaves only one reading, such as a multiplier. */
export function readMultiplier(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  return mark === null && PLAIN_NUMBER.test(typed) ? { ok: true, text: typed } : readNumber(cell, mark);
}

function badNumber(typed: string, mark: DecimalMark | null): string {
  const found = JSON.stringify(excerpt(typed));
  if (typed === '') return 'a number is expected, and there is nothing but spaces';
  const ways = otherWays(typed, mark);
  if (ways.length > 0)
    return `${found} is not a ${mark === null ? 'plain number' : `number under --decimal ${mark}`}; ${ways.join('; ')}`;
  const hidden = hiddenIn(typed);
  const problem = hidden === null ? '' : `; it holds a hidden character, ${hidden}: remove it`;
  return `${found} is not a plain number. Write it like ${mark === 'comma' ? '1234,56' : '1234.56'}${problem}`;
}

/** The flags that would read a text as a number, each with that number. */
export function otherWays(typed: string, mark: DecimalMark | null): string[] {
  return (['point', 'comma'] as const).flatMap((other) => {
    const text = other === mark ? null : readDeclared(typed, other);
    return text === null ? [] : [`--decimal ${other} reads it as ${excerpt(text)}`];
  });
}

/** A double's shortest form has at most 17 significant digits and 324 decimals: longer texts are hardly ever exact. */
const LONGEST_EXACT = 400;

/** Whether a number in JSON's notation equals its double, printed in the shortest form. */
export function isExact(typed: string, value: number): boolean {
  if (!Number.isFinite(value) || typed.length > LONGEST_EXACT) return false;
  if (value === 0) return /^-?[0.]*(?:[eE]|$)/.test(typed);
  // The value is neither zero nor infinite, so the exponent is small, however many zeros it begins with.
  const exponent = /[eE]([+-]?)0*(\d*)$/.exec(typed);
  const text = exponent === null ? typed : `${typed.slice(0, exponent.index)}e${exponent[1]}${exponent[2] || '0'}`;
  return compare(parseDecimal(text), decimalOf(value)) === 0;
}

export interface SignedAmount {
  /** As typed: `£`, `kr`, `EUR`. */
  readonly sign: string;
  /** The currencies that use it, the likeliest first. */
  readonly currencies: readonly string[];
  /** The rest of the text, with the minus in front of it. */
  readonly number: string;
}

const DOLLARS = 'USD/CAD/AUD/NZD/SGD/HKD/TWD/BBD/BMD/BND/BSD/BZD/FJD/GYD/JMD/KYD/LRD/NAD/SBD/SRD/TTD/XCD';

/**
 * Currencies, each with its signs as they are written. A sign that several currencies share agrees with each of them;
 * one that a few islands share with a large currency (`£`) means only that currency.
 */
const WRITTEN_SIGNS = [
  'EUR €; GBP £; INR ₹; RUB ₽; UAH ₴; TRY ₺; ILS ₪; KRW ₩; THB ฿; VND ₫; PHP ₱; NGN ₦; GHS ₵; CRC ₡; KZT ₸; GEL ₾; AZN ₼',
  'USD US$; CAD C$ CA$; AUD A$ AU$; NZD NZ$; SGD S$; HKD HK$; TWD NT$; BRL R$; PLN zł; CZK Kč; HUF Ft; RON lei; BGN лв лв.',
  'JPY 円; CNY 元; JPY/CNY ¥ ￥; CHF Fr Fr. SFr SFr. sFr.; SEK/NOK/DKK/ISK kr kr. Kr Kr.',
  `${DOLLARS} $`,
].join('; ');

/** Sign → its currencies. */
const SIGNS = new Map<string, readonly string[]>(
  WRITTEN_SIGNS.split('; ').flatMap((entry) => {
    const [codes = '', ...signs] = entry.split(' ');
    return signs.map((sign) => [sign, codes.split('/')] as const);
  }),
);

const escaped = (sign: string): string => sign.replace(/[$.]/g, '\\$&');
const CURRENCY_SIGN = `(${[...SIGNS.keys()].map(escaped).join('|')}|[A-Z]{3})`;
/** `$5`, `-$5`, `EUR -5`: one minus at most. */
const BEFORE = new RegExp(`^(-?)${CURRENCY_SIGN}[${SPACES}]*(\\d.*)$|^${CURRENCY_SIGN}[${SPACES}]*(-\\d.*)$`, 'su');
/** `5 €`, `-5,50 EUR` */
const BEHIND = new RegExp(`^(-?\\d.*?)[${SPACES}]*${CURRENCY_SIGN}$`, 'su');

/** No amount is longer. The patterns restart at every digit: a huge cell would take over an hour. */
const LONGEST_NUMBER = 100;

/** Null for an amount without a sign, and for a text with a sign elsewhere. @param typed trimmed */
export function splitSign(typed: string): SignedAmount | null {
  const last = typed.charCodeAt(typed.length - 1);
  if (isDigit(typed.charCodeAt(typed.charCodeAt(0) === MINUS_SIGN ? 1 : 0)) && isDigit(last)) return null;
  if (typed.length > LONGEST_NUMBER) return null;
  const before = BEFORE.exec(typed);
  if (before !== null) {
    const [, minus = '', sign = before[4] ?? '', rest = before[5] ?? ''] = before;
    return signedAmount(sign, `${minus}${rest}`);
  }
  const [, number, sign = ''] = BEHIND.exec(typed) ?? [];
  return number === undefined ? null : signedAmount(sign, number);
}

const MINUS_SIGN = 0x2d;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The currencies of a sign or a code; null for any other text. */
export function currenciesOf(sign: string): readonly string[] | null {
  return SIGNS.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? [sign] : null);
}

/** Three capitals that are not a sign are a code, of whatever currency. */
function signedAmount(sign: string, number: string): SignedAmount {
  return { sign, currencies: SIGNS.get(sign) ?? [sign], number };
}
