/** How numbers are written in CSV cells and on flags. CONTRACT: `--decimal`. Never a guess. */
import { hiddenIn } from '../records/misleading-text.js';
import { excerpt } from '../records/issue.js';
import { type Decimal, compare, parseDecimal } from '../money/decimal.js';

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
    const problem = numberProblem(typed, mark);
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
const CURRENCY = /\p{Sc}|(?<!\p{L})([A-Z]{3}|zł|Kč|Ft|kr|Fr\.?|лв)(?!\p{L})/u;

/** What to do about a text that is no number; null where it is not known. It may stand in a cell or on the command line. */
function numberProblem(typed: string, mark: DecimalMark | null): string | null {
  if (typed.length > LONGEST_NUMBER) return cellProblem(typed);
  if (/^-?\d[\d.,]*[eE][-+]?\d+$/.test(typed))
    return 'has an exponent: write all its digits; if a spreadsheet shortened it, format its column as a number, widen it, and save again';
  if (/^#\p{L}/u.test(typed)) return 'is an error of the spreadsheet: correct the formula there, and save again';
  if (/\d/.test(typed) && CURRENCY.test(typed))
    return 'holds a currency: remove its sign, and give it in the column currency where there is one';
  if (/\d/.test(typed) && /[%‰]/.test(typed))
    return 'holds a percent sign: write the number that is meant without it, such as 1.5 for 150 %';
  if (/^[-\u2013\u2014][\s\p{Sc}]*$/u.test(typed)) return 'is a dash: write 0 if that is meant, or remove the row';
  return wholeProblem(typed) ?? negativeProblem(typed, mark) ?? groupProblem(typed) ?? cellProblem(typed);
}

const DIGITS = `\\d[\\d.,${APOSTROPHES}${SPACES}]*`;
const DASH = '[-\u2013\u2014\u2212]';
/** `1234.-` and `50,--`: in Swiss and German prices, a dash stands where the cents would. It is no minus. */
const WHOLE = new RegExp(`^(-?${DIGITS})[.,]${DASH}+$`);
/** `(80,00)`, `80-`, `−80`, `- 80` */
const NEGATIVE = [`\\((${DIGITS})\\)`, `(${DIGITS})${DASH}`, `(?!-)${DASH}\\s*(${DIGITS})`, `-\\s+(${DIGITS})`].map(
  (pattern) => new RegExp(`^${pattern}$`),
);
/** A number under some mark, except that it has group separators of several kinds. */
const GROUPS = new RegExp(`^-?[1-9]\\d{0,2}(?:[.,${APOSTROPHES}${SPACES}]\\d{3})+(?:[.,]\\d+)?$`);

function wholeProblem(typed: string): string | null {
  const whole = WHOLE.exec(typed)?.[1];
  if (whole === undefined) return null;
  // The part before the dash has no decimals, so a mark in it separates thousands.
  const digits = readDeclared(whole, whole.includes('.') ? 'comma' : 'point');
  const advice = digits !== null && /^-?\d+$/.test(digits) ? `: write ${digits}` : ': write the number alone';
  return `has a dash in place of the decimals, for whole units${advice}`;
}

function negativeProblem(typed: string, mark: DecimalMark | null): string | null {
  const digits = NEGATIVE.map((pattern) => pattern.exec(typed)?.[1]).find((found) => found !== undefined);
  if (digits === undefined) return null;
  const plain = `-${digits.trim()}`;
  const isRead = readNumber(plain, mark).ok;
  const ways = isRead ? [] : otherWays(plain, mark);
  if (!isRead && ways.length === 0) return null;
  const then = ways.length === 0 ? '' : ` (${ways.join('; ')})`;
  return `is a negative amount in a notation that is not read: write ${plain} with a plain minus sign in front${then}`;
}

/** Two kinds of spaces look the same, so each is named. */
function groupProblem(typed: string): string | null {
  if (!GROUPS.test(typed)) return null;
  const kinds = [...new Set(typed.match(new RegExp(`[${APOSTROPHES}${SPACES}]`, 'g')))];
  if (kinds.length < 2) return null;
  const names = kinds.map((kind) => SPACE_NAMES.get(kind) ?? kind).join(' and ');
  return `has separators of several kinds between its thousands, ${names}: one kind in a number is read`;
}

const SPACE_NAMES: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\u00a0', 'a no-break space (U+00A0)'],
  ['\u202f', 'a narrow no-break space (U+202F)'],
]);

/** Damage that a spreadsheet or a web page can do to any cell; null for anything else. */
export function cellProblem(typed: string): string | null {
  if (/^#+$/.test(typed)) return 'was too wide for its column: widen the column, and save again';
  const hidden = hiddenIn(typed);
  return hidden === null ? null : `holds a hidden character, ${hidden}: remove it`;
}

/** Whether a number, printed in the shortest form of its double, is exactly the number that was typed. */
export function isExact(typed: string, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  // The shortest form has at most 17 significant digits and 324 decimals: a longer text is not exact, whatever it says.
  const digits = withoutLastZeros(typed.replace(/[eE].*$/, '').replace(/^-?0*\.?0*|\./g, ''));
  if (digits.length > 400) return false;
  if (value === 0) return digits === '';
  return compare(exactly(typed), exactly(String(value))) === 0;
}

/** A loop, since a pattern would start again at every zero of a long number. */
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
