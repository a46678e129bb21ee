/** The notation of numbers in CSV cells and on flags, and of currencies next to them. Never a guess. */
import { compare, decimalOf, parseDecimal } from '../money/decimal.js';
import { excerpt } from '../records/issue.js';
import { hiddenIn } from '../records/misleading-text.js';

export type DecimalMark = 'point' | 'comma';

export type NumberReading =
  /** `text` in JSON's notation, digits as typed. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'bad-number' | 'ambiguous-number'; readonly message: string };

/** No number that a person types is longer. Some patterns restart at every digit: a huge cell would take over an hour. */
const LONGEST_NUMBER = 100;

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
/** In India, only the last group has three digits: `1,00,000.00`. */
const INDIAN = /^-?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
/** A point before exactly three digits: a decimal to one reader, thousands to another. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;

const TYPOGRAPHIC_MINUS = '\u2212';
/** The minus of the keyboard, and the typographic one. */
const MINUS = `-${TYPOGRAPHIC_MINUS}`;
/** A negative number as accountants write it: `(5.00)`, `5.00-`, `\u22125.00`. */
const ACCOUNTING = new RegExp(
  `^(?:\\([${SPACES}]*(\\d[^()]*?)[${SPACES}]*\\)|(\\d.*)[${MINUS}]|${TYPOGRAPHIC_MINUS}(\\d.*))$`,
  'su',
);

/** With the minus in front; any other text unchanged. */
function withMinusInFront(typed: string): string {
  const isUsual = hasDigitAtEnd(typed) && !typed.startsWith(TYPOGRAPHIC_MINUS);
  if (isUsual || typed.length > LONGEST_NUMBER) return typed;
  const [, inBrackets, before, after] = ACCOUNTING.exec(typed) ?? [];
  const number = inBrackets ?? before ?? after;
  return number === undefined ? typed : `-${number}`;
}

/** `typed` (trimmed) in JSON's notation; null if it is not a number under the declared mark, or not plain without one. */
function readDeclared(typed: string, mark: DecimalMark | null): string | null {
  if (mark === null) return PLAIN_NUMBER.test(typed) ? typed : null;
  const number = withMinusInFront(typed);
  const { plain, grouped, separators } = NOTATIONS[mark];
  if (plain.test(number)) return number.replace(',', '.');
  const isGrouped = grouped.test(number) || (mark === 'point' && INDIAN.test(number));
  return isGrouped ? number.replace(separators, '').replace(',', '.') : null;
}

function hasDigitAtEnd(typed: string): boolean {
  return isDigit(typed.charCodeAt(typed.length - 1));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Reads a number as a person typed it.
 * @param mark as declared by `--decimal`. With null, only plain numbers with a point and a single meaning are read
 */
export function readNumber(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  const text = readDeclared(typed, mark);
  if (text === null) return { ok: false, code: 'bad-number', message: refusalText(typed, mark) };
  if (mark !== null || !AMBIGUOUS.test(typed)) return { ok: true, text };
  const message =
    `${typed} can be read as ${typed} (a point before decimals: --decimal point) ` +
    `or as ${readDeclared(typed, 'comma')} (a point between thousands: --decimal comma): say which`;
  return { ok: false, code: 'ambiguous-number', message };
}

/** A number as a cell of CSV has it. @param text in JSON's notation, without an exponent */
export function inNotation(text: string, mark: DecimalMark | null): string {
  return mark === 'comma' ? text.replace('.', ',') : text;
}

/** The same with a zero at its end if there would be two readings. */
export function unambiguous(text: string, mark: DecimalMark | null): string {
  return mark === null && AMBIGUOUS.test(text) ? `${text}0` : inNotation(text, mark);
}

/** Reads a number whose range leaves only one reading, such as a multiplier. */
export function readMultiplier(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  return mark === null && PLAIN_NUMBER.test(typed) ? { ok: true, text: typed } : readNumber(cell, mark);
}

/** Whether a cell of money is nothing but a dash, which is an empty cell. CONTRACT: `--decimal`. */
export function isDash(cell: string): boolean {
  return cell.length < LONGEST_NUMBER && /^[-\u2013\u2014\u2212]$/.test(cell.trim());
}

// What a person hears about a text that is not read as a number.

const MARKS = ['point', 'comma'] as const;

/** The flags that would read a text as a number, each with that number. */
export function otherWays(typed: string, mark: DecimalMark | null): string[] {
  return MARKS.filter((other) => other !== mark).flatMap((other) => {
    const text = readDeclared(typed, other);
    return text === null ? [] : [`--decimal ${other} reads it as ${excerpt(text)}`];
  });
}

/** A sign where no flag reads it: `- 5.00`, `5.00 \u2013`, `+5`. */
const UNREAD_SIGN = /^([+\p{Pd}\u2212])\s*(\d.*)$|^(\d.*\d)\s*([+\p{Pd}\u2212])$/su;
/** A dash stands for no cents: `5.-`, `1.200,--`. */
const NO_CENTS = /^(.*\d)([.,])\s*[\p{Pd}\u2212]{1,2}$/su;

/**
 * What a text means that no flag reads as a number (`- 5.00`, `5.-`): in JSON's notation, two numbers where it can be
 * read in two ways. Empty for a text that is not certainly a number.
 * @param typed trimmed
 */
export function unreadNumbers(typed: string, mark: DecimalMark | null): string[] {
  if (typed.length > LONGEST_NUMBER) return [];
  const [, whole, sign] = NO_CENTS.exec(typed) ?? [];
  // The mark before the dash is the one before decimals, whatever is declared.
  if (whole !== undefined)
    return readings(whole, [sign === ',' ? 'comma' : 'point']).filter((text) => !text.includes('.'));
  const [, before, behind, number, after] = UNREAD_SIGN.exec(typed) ?? [];
  const digits = behind ?? number;
  if (digits === undefined) return [];
  return readings((before ?? after) === '+' ? digits : `-${digits}`, mark === null ? MARKS : [mark]);
}

/** The different numbers that a text is under some marks, in JSON's notation. */
function readings(typed: string, marks: readonly DecimalMark[]): string[] {
  return [...new Set(marks.map((mark) => readDeclared(typed, mark)))].filter((text) => text !== null);
}

/** `$ -`, as spreadsheets show an amount of zero. */
const SIGN_AND_DASH = /^(?:(?:\p{Sc}|[A-Z]{3})\s*[\p{Pd}\u2212]|[\p{Pd}\u2212]\s*(?:\p{Sc}|[A-Z]{3}))$/u;
/** A dash, a bracket, or letters of debit and credit: the number may be below zero. */
const MAY_BE_NEGATIVE = /[\p{Pd}\u2212()]|\d\s*(?:CR|DR|[CDSH])\.?$/iu;

/** The problem of a text that is not read as a number. @param typed trimmed */
function refusalText(typed: string, mark: DecimalMark | null): string {
  if (typed === '') return 'a number is expected, and there is nothing but spaces';
  const found = JSON.stringify(excerpt(typed));
  const refusal = `${found} is not a ${mark === null ? 'plain number' : `number under --decimal ${mark}`}`;
  if (typed.length <= LONGEST_NUMBER && SIGN_AND_DASH.test(typed))
    return `${found} has no digits. Spreadsheets show zero like this: empty the cell, or write 0`;
  const accounted = mark === null ? accountingAdvice(typed) : null;
  if (accounted !== null) return `${refusal}: ${accounted}`;
  const ways = otherWays(typed, mark);
  if (ways.length > 0) return `${refusal}; ${ways.join('; ')}`;
  const hidden = hiddenIn(typed);
  const problem = hidden === null ? '' : `; it holds a hidden character, ${hidden}: remove it`;
  const inMark = (text: string): string => (mark === 'comma' ? text.replace('.', ',') : text);
  const [meant, other] = unreadNumbers(typed, mark).map(inMark);
  if (other !== undefined) return `${refusal}. It can mean ${meant} or ${other}: write the one that is meant${problem}`;
  if (meant !== undefined) return `${refusal}: write ${meant}${problem}`;
  const isDoubtful = /\d/.test(typed) && MAY_BE_NEGATIVE.test(typed.slice(-LONGEST_NUMBER));
  const negative = isDoubtful ? `, or like ${inMark('-1234.56')} if it is negative` : '';
  return `${found} is not a plain number. Write it like ${inMark('1234.56')}${negative}${problem}`;
}

/** `(900.23)`, `5,00-`: null for any other text, and where the marks read it as two different numbers. */
function accountingAdvice(typed: string): string | null {
  if (withMinusInFront(typed) === typed) return null;
  const [meant, other] = readings(typed, MARKS);
  if (meant === undefined || other !== undefined) return null;
  const flags = MARKS.filter((mark) => readDeclared(typed, mark) !== null).map((mark) => `--decimal ${mark}`);
  return `write ${meant}, or declare ${flags.join(' or ')}`;
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

// Amounts with a currency. CONTRACT: `--currency-signs`.

export interface SignedAmount {
  /** As typed: `£`, `kr`, `EUR`. */
  readonly sign: string;
  /** The currencies that use it, the likeliest first. */
  readonly currencies: readonly string[];
  /** The rest of the text, with its minus or its brackets. */
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
/** One sign of a currency, and a number with at most one minus, or in brackets: the number's parts, without the sign. */
const SIGNED_NUMBERS: readonly RegExp[] = [
  // `$5`, `-$5`, `EUR 5,00-`
  `^([${MINUS}]?)${CURRENCY_SIGN}[${SPACES}]*(\\d.*)$`,
  // `EUR -5`, `$ (5)`
  `^()${CURRENCY_SIGN}[${SPACES}]*([${MINUS}]\\d.*|\\([${SPACES}]*\\d.*)$`,
  // `($5)`
  `^(\\([${SPACES}]*)${CURRENCY_SIGN}[${SPACES}]*(\\d.*\\))$`,
  // `5 €`, `-5,50 EUR`, `(5) €`, `5,50- €`; `(5 €)`; `5 €-`
  `^([${MINUS}]?\\d.*?|\\([${SPACES}]*\\d.*?)[${SPACES}]*${CURRENCY_SIGN}([${SPACES}]*\\)|[${MINUS}]?)$`,
].map((pattern) => new RegExp(pattern, 'su'));

/** Null for an amount without a sign, and for a text with a sign elsewhere. @param typed trimmed */
export function splitSign(typed: string): SignedAmount | null {
  const first = typed.charCodeAt(typed.startsWith('-') ? 1 : 0);
  if ((isDigit(first) && hasDigitAtEnd(typed)) || typed.length > LONGEST_NUMBER) return null;
  for (const pattern of SIGNED_NUMBERS) {
    const [, before = '', sign, after = ''] = pattern.exec(typed) ?? [];
    if (sign !== undefined) return signedAmount(sign, `${before}${after}`);
  }
  return null;
}

/** The currencies of a sign or a code; null for any other text. */
export function currenciesOf(sign: string): readonly string[] | null {
  return SIGNS.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? [sign] : null);
}

/** Three capitals that are not a sign are a code, of whatever currency. */
function signedAmount(sign: string, number: string): SignedAmount {
  return { sign, currencies: SIGNS.get(sign) ?? [sign], number };
}
