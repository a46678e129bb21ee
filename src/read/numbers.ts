/** How numbers are written in CSV cells and on flags. CONTRACT: `--decimal`. Never a guess. */
import { hiddenIn } from '../records/hidden.js';
import { excerpt } from '../records/issue.js';
import { type Decimal, compare, parseDecimal } from '../money/decimal.js';

export type DecimalMark = 'point' | 'comma';

export type NumberReading =
  /** `text` in JSON's notation, digits as typed. */
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'bad-number' | 'ambiguous-number'; readonly message: string };

/** One kind of group separator per number, and groups of three. */
const SPACES = ' \u00a0\u202f';
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
 * @param mark as declared by `--decimal`, or null: then only plain numbers with a point that have no second reading
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
  if (typed === '') return 'a number is expected, and the cell holds nothing but spaces';
  const ways = (['point', 'comma'] as const).flatMap((other) => {
    const text = other === mark ? null : readDeclared(typed, other);
    return text === null ? [] : [`--decimal ${other} reads it as ${excerpt(text)}`];
  });
  if (ways.length === 0) {
    const problem = numberProblem(typed);
    const example = mark === 'comma' ? '1234,56' : '1234.56';
    return `${found} is not a plain number, such as ${example}${problem === null ? '' : `; it ${problem}`}`;
  }
  return `${found} is not a ${mark === null ? 'plain number' : `number under --decimal ${mark}`}; ${ways.join('; ')}`;
}

/** No notation makes a number longer. The patterns below start anew at every digit, so an endless cell would take over an hour. */
const LONGEST_NUMBER = 100;

/** What to do about a text that is no number; null where it is not known. */
function numberProblem(typed: string): string | null {
  if (typed.length > LONGEST_NUMBER) return cellProblem(typed);
  if (/^-?\d[\d.,]*[eE][-+]?\d+$/.test(typed))
    return 'was shortened by Excel: format the column as a number, widen it, and save again';
  if (/^#\p{L}/u.test(typed)) return 'is an error of the spreadsheet: mend the formula there, and save again';
  if (/\d/.test(typed) && /\p{Sc}|(?<!\p{L})([A-Z]{3}|zł|Kč|Ft|kr|Fr\.?|лв)(?!\p{L})/u.test(typed))
    return 'holds a currency: remove its sign, and give it in the column currency where there is one';
  if (/^\(.*\d.*\)$|^[^-]*\d[^-]*-$|^[\u2212\u2013]/.test(typed))
    return 'is a negative amount in a notation that is not read: write -150 with a plain minus sign in front';
  if (/^[-\u2013\u2014][\s\p{Sc}]*$/u.test(typed)) return 'is a dash: write 0 if that is meant, or remove the row';
  return cellProblem(typed);
}

/** What a spreadsheet or a web page can do to any cell; null for anything else. */
export function cellProblem(typed: string): string | null {
  if (/^#+$/.test(typed)) return 'was too wide for its column: widen the column, and save again';
  const hidden = hiddenIn(typed);
  return hidden === null ? null : `holds a hidden character, ${hidden}: remove it`;
}

/** Whether the double that stands for a number, printed in its shortest form, is the very number that was typed. */
export function isExact(typed: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  // A double has at most 17 significant digits and 324 decimals: longer texts need no big numbers to be told apart.
  const digits = withoutLastZeros(typed.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, ''));
  if (digits.length > 400) return false;
  if (value === 0) return digits === '';
  return compare(exactly(typed), exactly(String(value))) === 0;
}

/** A pattern for this would start anew at every zero of a long number. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

function exactly(text: string): Decimal {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  // Both sides are finite and not zero, so the exponent is small once the mantissa's own zeros are counted in.
  return parseDecimal(`${mantissa}e${Math.max(-9999, Math.min(9999, Number(exponent)))}`);
}
