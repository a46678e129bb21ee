/** How numbers are written in CSV cells and on flags. CONTRACT: `--decimal`. Never a guess. */
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
const PLAIN: Readonly<Record<DecimalMark, RegExp>> = {
  point: /^-?(0|[1-9]\d*)(\.\d+)?$/,
  comma: /^-?(0|[1-9]\d*)(,\d+)?$/,
};
const GROUPED: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(`^-?[1-9]\\d{0,2}(?:([,${APOSTROPHES}${SPACES}])\\d{3})(?:\\1\\d{3})*(\\.\\d+)?$`),
  comma: new RegExp(`^-?[1-9]\\d{0,2}(?:([.${APOSTROPHES}${SPACES}])\\d{3})(?:\\1\\d{3})*(,\\d+)?$`),
};
/** A point before exactly three digits: a decimal to one reader, thousands to another. */
const AMBIGUOUS = /^-?[1-9]\d{0,2}\.\d{3}$/;
/** All group separators that {@link GROUPED} lets through, the other mark included. */
const SEPARATORS: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(`[,${APOSTROPHES}${SPACES}]`, 'g'),
  comma: new RegExp(`[.${APOSTROPHES}${SPACES}]`, 'g'),
};

/** The number in JSON's notation if `typed` (trimmed) is one under a declared mark, else null. */
function readDeclared(typed: string, mark: DecimalMark): string | null {
  if (PLAIN[mark].test(typed)) return typed.replace(',', '.');
  if (!GROUPED[mark].test(typed)) return null;
  return typed.replace(SEPARATORS[mark], '').replace(',', '.');
}

/**
 * Reads a number as a person typed it.
 * @param mark as declared by `--decimal`. With null, only plain numbers with a point and a single meaning are read
 */
export function readNumber(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  if (mark !== null) {
    const text = readDeclared(typed, mark);
    return text === null ? { ok: false, code: 'bad-number', message: badNumber(typed, mark) } : { ok: true, text };
  }
  if (AMBIGUOUS.test(typed)) {
    const message =
      `${typed} can be read as ${readDeclared(typed, 'point')} (a point before decimals: --decimal point) ` +
      `or as ${readDeclared(typed, 'comma')} (a point between thousands: --decimal comma): say which`;
    return { ok: false, code: 'ambiguous-number', message };
  }
  if (PLAIN.point.test(typed)) return { ok: true, text: typed };
  return { ok: false, code: 'bad-number', message: badNumber(typed, null) };
}

/** Reads a number whose range leaves it no second reading, such as a multiplier. */
export function readFactor(cell: string, mark: DecimalMark | null): NumberReading {
  const typed = cell.trim();
  return mark === null && PLAIN.point.test(typed) ? { ok: true, text: typed } : readNumber(cell, mark);
}

function badNumber(typed: string, mark: DecimalMark | null): string {
  const found = JSON.stringify(excerpt(typed));
  if (typed === '') return 'a number is expected, and there is nothing but spaces';
  const ways = otherWays(typed, mark);
  if (ways.length === 0) {
    const problem = numberProblem(typed);
    const example = mark === 'comma' ? '1234,56' : '1234.56';
    return `${found} is not a plain number, such as ${example}${problem === null ? '' : `; it ${problem}`}`;
  }
  return `${found} is not a ${mark === null ? 'plain number' : `number under --decimal ${mark}`}; ${ways.join('; ')}`;
}

/** The flags under which a text would be a number, each with the number that it would be. */
export function otherWays(typed: string, mark: DecimalMark | null): string[] {
  return (['point', 'comma'] as const).flatMap((other) => {
    const text = other === mark ? null : readDeclared(typed, other);
    return text === null ? [] : [`--decimal ${other} reads it as ${excerpt(text)}`];
  });
}

/** No notation makes a number longer. Patterns below restart at every digit: a huge cell would take over an hour. */
export const LONGEST_NUMBER = 100;
const DASH = '[-\u2013\u2014\u2212]';
const GROUP = `[.,${APOSTROPHES}${SPACES}]\\d{3}`;
/** In any notation, without a sign. */
const NUMBER = `(?:0|[1-9]\\d*)(?:${GROUP})*(?:[.,]\\d+)?`;

/** What to do about a text that is no number, which may stand in a cell or on the command line. */
const PROBLEMS: readonly (readonly [form: RegExp, problem: string])[] = [
  [
    /^-?\d[\d.,]*[eE][-+]?\d+$/,
    'has an exponent: write all its digits; if a spreadsheet shortened it, format its column as a number, widen it, and save again',
  ],
  [/^#\p{L}/u, 'is an error of the spreadsheet: correct the formula there, and save again'],
  [
    /\d.*(?:\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L}))|(?:\p{Sc}|(?<!\p{L})[A-Z]{3}(?!\p{L})).*\d/su,
    'holds a currency: remove its sign, and give it in the column currency where there is one',
  ],
  [
    new RegExp(`^(?:\\(${NUMBER}\\)|${NUMBER}\\s*${DASH}|(?!-)${DASH}\\s*${NUMBER}|-\\s+${NUMBER})$`),
    'is a negative amount in a notation that is not read: write it with a plain minus sign in front',
  ],
];

function numberProblem(typed: string): string | null {
  const known = typed.length > LONGEST_NUMBER ? undefined : PROBLEMS.find(([form]) => form.test(typed));
  return known?.[1] ?? cellProblem(typed);
}

/** Damage that a spreadsheet or a web page can do to any cell; null for anything else. */
export function cellProblem(typed: string): string | null {
  if (/^#+$/.test(typed)) return 'was too wide for its column: widen the column, and save again';
  const hidden = hiddenIn(typed);
  return hidden === null ? null : `holds a hidden character, ${hidden}: remove it`;
}

/** The shortest form of a double has at most 17 significant digits and 324 decimals: a longer text is hardly ever exact. */
const LONGEST_EXACT = 400;

/** Whether a number in JSON's notation is exactly what its double, printed in the shortest form, says. */
export function isExact(typed: string, value: number): boolean {
  if (!Number.isFinite(value) || typed.length > LONGEST_EXACT) return false;
  if (value === 0) return /^-?[0.]*(?:[eE]|$)/.test(typed);
  // The value is neither zero nor infinite, so the exponent is small, however many zeros it begins with.
  const exponent = /[eE]([+-]?)0*(\d*)$/.exec(typed);
  const text = exponent === null ? typed : `${typed.slice(0, exponent.index)}e${exponent[1]}${exponent[2] || '0'}`;
  return compare(parseDecimal(text), decimalOf(value)) === 0;
}
