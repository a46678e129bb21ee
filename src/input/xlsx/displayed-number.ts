/** Number formats, and how a spreadsheet shows a stored number. CONTRACT: "what a person sees is what is paid". */
import { formatDecimal, parseDecimal } from '../../money/decimal.js';
import { CURRENCY_TAG, type ShownCurrency, splitCurrency, taggedCurrencies } from './format-currency.js';
import { addLocale, format, getFormatInfo } from 'numfmt';

export interface DisplayedNumber {
  /** With a point before the decimals, and without a currency; null if it is not shown as a plain number. */
  readonly text: string | null;
  /** Why it differs from the stored number; null if it does not. */
  readonly problem: ShownProblem | null;
  /** Digit for digit as stored. */
  readonly isSame: boolean;
  /** It is shown with the number. */
  readonly currency: ShownCurrency | null;
}

export interface ShownProblem {
  readonly code: 'inexact-number' | 'bad-number';
  /** Completes "the cell …". */
  readonly words: string;
}

/** No spreadsheet shows more digits than these, whatever the format says. */
const MOST_DIGITS = 15;
const SHOWN_NUMBER = /^-?\d+(?:\.(\d+))?$/;
const MINUS_AT_ENDS = /^[-\u2212\u2013\u2014]|[-\u2212\u2013\u2014]$/;

/** @param stored in its shortest decimal form, without an exponent */
export function shownNumber(stored: string, { code, is, currency: added, show }: NumberFormat): DisplayedNumber {
  const refuse = (words: string): DisplayedNumber => ({
    text: null,
    problem: { code: 'bad-number', words },
    isSame: false,
    currency: null,
  });
  const ofFormat = `(its format is ${JSON.stringify(code)})`;
  if (is === 'unread') return refuse(`has the format ${JSON.stringify(code)}, which is not read`);
  const number = Number(stored);
  const digits = Number(number.toPrecision(MOST_DIGITS));
  const seen = show(digits).trim();
  // Accountants write a dash for zero, with a currency or without one.
  if (number === 0 && /^[-\u2013\u2014]$/.test(seen.replace(/\s|\p{Sc}|\p{L}+\.?/gu, '')))
    return { text: '-', problem: null, isSame: false, currency: added };
  if (!/\d/.test(seen)) return refuse(`does not show its number ${stored} ${ofFormat}`);
  const { text, currency: written = null } = parseShown(seen);
  const currency = written ?? added;
  if (written !== null && added !== null) return refuse(`shows ${JSON.stringify(seen)} ${ofFormat}`);
  const [, decimals = ''] = SHOWN_NUMBER.exec(text) ?? [];
  const isRounded = Math.abs(Number(text) - digits) <= 0.500001 / 10 ** decimals.length;
  if (!SHOWN_NUMBER.test(text) || !isRounded)
    return refuse(`shows ${JSON.stringify(seen)}, and ${stored} is stored ${ofFormat}`);
  if (Number(text) === number) return { text, problem: null, isSame: seen === stored && added === null, currency };
  const words = `shows ${text}, and ${stored} is stored`;
  return { text, problem: { code: 'inexact-number', words }, isSame: false, currency };
}

/** A shown number without its currency and its groups, with a minus in front where it is below zero. */
function parseShown(seen: string): { readonly text: string; readonly currency?: ShownCurrency } {
  const inside = /^\((.*)\)$/.exec(seen)?.[1];
  const signed = splitCurrency(inside ?? seen);
  const bare = (signed?.number ?? inside ?? seen).trim();
  // Some people part thousands by a typed space. `#.##` shows 5 as `5.`
  const digits = bare
    .replace(MINUS_AT_ENDS, '')
    .trim()
    .replace(/(?<=\d)[\s'’](?=\d)|\.$/g, '');
  const text = inside !== undefined || MINUS_AT_ENDS.test(bare) ? `-${digits}` : digits;
  return signed === null ? { text } : { text, currency: signed.currency };
}

/** A double's shortest decimal form, all digits written out. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? formatDecimal(parseDecimal(text)) : text;
}

export interface NumberFormat {
  /** As the workbook has it: `#,##0.00;[Red]-#,##0.00`. */
  readonly code: string;
  /** `time` for a time of day, or a duration; `unread` for a format that gigwork does not know. */
  readonly is: 'number' | 'date' | 'time' | 'unread';
  /** A date has a time of day. */
  readonly showsTime: boolean;
  /** The one that the format adds. */
  readonly currency: ShownCurrency | null;
  /** It shows something else, or nothing, instead of a text. */
  readonly hidesText: boolean;
  /** Its text for a number, without the currency. Groups of digits are parted by no-break spaces. */
  readonly show: (value: number) => string;
}

/** Digits in groups look unlike a comma that the format adds itself: `0","00` shows 1234 as `12,34`. */
const LOCALE = 'xx';
addLocale({ group: '\u00a0', decimal: '.' }, LOCALE);

/** Spreadsheets allow 255 characters. */
const LONGEST_CODE = 1000;
/** Fills a cell with a character that may look like digits. */
const ODD_FILL = /\*[^ .-]/;
const OTHER_DIGITS = /\[DBNum/i;

/** @param code as the workbook has it */
export function readFormat(code: string): NumberFormat {
  const unread = unreadFormat(code.slice(0, LONGEST_CODE));
  const unquoted = code.replace(/"[^"]*"?|\\[^]/g, '');
  if (code.length > LONGEST_CODE || ODD_FILL.test(unquoted)) return unread;
  const [currency = null, other] = taggedCurrencies(code);
  // It depends on the number which of two currencies is shown.
  if (other !== undefined) return unread;
  // The marks of numbers do not depend on a language that the format names.
  const bare = code.replace(CURRENCY_TAG, '');
  try {
    const { type } = getFormatInfo(bare);
    if (type === 'error') return unread;
    const isDate = type === 'date' || type === 'datetime';
    // A date is the day that is stored, whatever its digits look like.
    if (!isDate && OTHER_DIGITS.test(unquoted)) return unread;
    const is = isDate ? 'date' : 'number';
    const show = (value: number | string): string => format(bare, value, { locale: LOCALE });
    const showsTime = type === 'datetime';
    return { code, is: type === 'time' ? 'time' : is, showsTime, currency, hidesText: show('x').trim() !== 'x', show };
  } catch {
    return unread;
  }
}

export function unreadFormat(code: string): NumberFormat {
  return { code, is: 'unread', showsTime: false, currency: null, hidesText: false, show: () => '' };
}

/** For a cell that names no format. */
export const GENERAL: NumberFormat = readFormat('General');
