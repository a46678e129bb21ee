/** How a spreadsheet shows a stored number. CONTRACT: "what a person sees is what is paid". */
import { formatDecimal, parseDecimal } from '../../money/decimal.js';
import { splitSign } from '../currency-signs.js';
import type { NumberFormat } from './number-format.js';

export interface DisplayedNumber {
  /** With a point before the decimals, and without a currency; null if it is not shown as a plain number. */
  readonly text: string | null;
  /** Why it differs from the stored number; null if it does not. */
  readonly problem: ShownProblem | null;
  /** Digit for digit as stored. */
  readonly isSame: boolean;
  /** The sign or code that is shown with the number. */
  readonly currency: string | null;
}

export interface ShownProblem {
  readonly code: 'inexact-number' | 'bad-number';
  /** Completes "the cell …". */
  readonly words: string;
}

/** No spreadsheet shows more digits than these, whatever the format says. */
const MOST_DIGITS = 15;
const PLAIN = /^-?\d+(?:\.(\d+))?$/;
const MINUS = /^[-\u2212\u2013\u2014]|[-\u2212\u2013\u2014]$/;

/** @param stored in its shortest decimal form, without an exponent */
export function shownNumber(stored: string, { code, is, currency: added, show }: NumberFormat): DisplayedNumber {
  const refuse = (words: string): DisplayedNumber => ({
    text: null,
    problem: {
      code: 'bad-number',
      words,
    },
    isSame: false,
    currency: null,
  });
  const ofFormat = `(its format is ${JSON.stringify(code)})`;
  if (is === 'unread') return refuse(`has the format ${JSON.stringify(code)}, which is not read`);
  const number = Number(stored);
  const digits = Number(number.toPrecision(MOST_DIGITS));
  const seen = show(digits).trim();
  // Accountants write a dash for zero.
  if (number === 0 && /^[-\u2013\u2014]$/.test(seen.replace(/\s|\p{Sc}/gu, '')))
    return { text: '-', problem: null, isSame: false, currency: added };
  if (!/\d/.test(seen)) return refuse(`does not show its number ${stored} ${ofFormat}`);
  const { text, currency = added } = plainNumber(seen);
  const [, decimals = ''] = PLAIN.exec(text) ?? [];
  const isRounded = Math.abs(Number(text) - digits) <= 0.500001 / 10 ** decimals.length;
  if (!PLAIN.test(text) || !isRounded)
    return refuse(`shows ${JSON.stringify(seen)}, and ${stored} is stored ${ofFormat}`);
  if (Number(text) === number) return { text, problem: null, isSame: seen === stored && added === null, currency };
  const words = `shows ${text}, and ${stored} is stored`;
  return { text, problem: { code: 'inexact-number', words }, isSame: false, currency };
}

/** A shown number without its currency and its groups, with a minus in front where it is below zero. */
function plainNumber(seen: string): { readonly text: string; readonly currency?: string } {
  const inside = /^\((.*)\)$/.exec(seen)?.[1];
  const signed = splitSign(inside ?? seen);
  const bare = (signed?.number ?? inside ?? seen).trim();
  // Some people part thousands by a typed space. `#.##` shows 5 as `5.`
  const digits = bare
    .replace(MINUS, '')
    .trim()
    .replace(/(?<=\d)[\s'’](?=\d)|\.$/g, '');
  const text = inside !== undefined || MINUS.test(bare) ? `-${digits}` : digits;
  return signed === null ? { text } : { text, currency: signed.sign };
}

/** A double's shortest decimal form, all digits written out. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? formatDecimal(parseDecimal(text)) : text;
}
