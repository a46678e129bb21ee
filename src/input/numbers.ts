/** The notation of numbers in CSV cells and on flags. CONTRACT: `--decimal`. Never a guess. */
import { hiddenIn } from '../records/misleading-text.js';
import { excerpt } from '../records/issue.js';
import { compare, decimalOf, parseDecimal } from '../money/decimal.js';

export type DecimalMark = 'point' | 'comma';

export type NumberReading =
  /** `text` in JSON's notation, digits as typed. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'bad-number' | 'ambiguous-number'; readonly message: string };

/** One kind of group separator per number, and groups of three. */
export const SPACES = ' \u00a0\u202f';
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
const PLAIN = NOTATIONS.point.plain;
/** A point before exactly three digits: a decimal to one reader, thousands to another. */
export const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** `typed` (trimmed) in JSON's notation, or null if it is not a number under the declared mark. */
function readDeclared(typed: string, mark: DecimalMark): string | null {
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
  const text = mark === null ? (PLAIN.test(typed) ? typed : null) : readDeclared(typed, mark);
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
  return mark === null && PLAIN.test(typed) ? { ok: true, text: typed } : readNumber(cell, mark);
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
