/** Exact decimal numbers: an integer and the number of its digits after the point. Never binary floating point. */

/** `units / 10^scale`. `scale` is never negative. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { units: 0n, scale: 0 };

const PATTERN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * Reads a number in JSON's notation (`-12.50`, `1e21`).
 * @throws RangeError when the text is not such a number, or its exponent has more than four digits
 */
export function parseDecimal(text: string): Decimal {
  const match = PATTERN.exec(text);
  if (match === null) throw new RangeError(`not a decimal number: ${text}`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const units = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

/** Every integer with at most this many characters, sign included, is a safe integer. */
const SAFE_DIGITS = 15;

/** Uses the shortest printed form of a double, which is also the form that is sent. */
export function decimalOf(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { units: BigInt(value), scale: 0 };
  const text = String(value);
  const point = text.indexOf('.');
  if (point < 0 || text.includes('e')) return parseDecimal(text);
  const digits = text.slice(0, point) + text.slice(point + 1);
  // BigInt converts a number much faster than digits.
  const units = digits.length <= SAFE_DIGITS ? BigInt(Number(digits)) : BigInt(digits);
  return { units, scale: text.length - point - 1 };
}

/** A number as people usually type it: few digits, at most one point, more than zero. */
export class PlainNumber implements Decimal {
  /** `units` as a safe integer instead of a BigInt; without trailing zeros unless `scale` is 0. */
  readonly safeUnits: number;
  readonly scale: number;
  /** As JSON has it: the shortest form of its double. */
  readonly text: string;

  constructor(safeUnits: number, scale: number, text: string) {
    this.safeUnits = safeUnits;
    this.scale = scale;
    this.text = text;
  }

  get units(): bigint {
    return BigInt(this.safeUnits);
  }
}

/** With at most this many decimals, a double's shortest form has no exponent. */
const PLAIN_DECIMALS = 6;
const DIGIT_0 = 0x30;

/**
 * Reads a plain number from its digits, without parsing a double. This is exact: with up to 15 digits, the double
 * prints as the same number.
 * @param mark the decimal mark, `.` or `,`
 * @returns null for any other text, and for exactly three decimals, which may be thousands
 */
export function parsePlainNumber(typed: string, mark: string): PlainNumber | null {
  const point = typed.indexOf(mark);
  const whole = point < 0 ? typed.length : point;
  let scale = point < 0 ? 0 : typed.length - point - 1;
  if (whole === 0 || whole + scale > SAFE_DIGITS || scale > PLAIN_DECIMALS || scale === 3) return null;
  if ((scale === 0 && point >= 0) || (whole > 1 && typed.charCodeAt(0) === DIGIT_0)) return null;
  let units = 0;
  for (let i = 0; i < typed.length; i++) {
    if (i === point) continue;
    const digit = typed.charCodeAt(i) - DIGIT_0;
    if (digit < 0 || digit > 9) return null;
    units = units * 10 + digit;
  }
  if (units === 0) return null;
  const decimals = scale;
  for (; scale > 0 && units % 10 === 0; scale--) units /= 10;
  if (point < 0 || (scale === decimals && mark === '.')) return new PlainNumber(units, scale, typed);
  const text = typed.slice(0, whole);
  const fraction = typed.slice(point + 1, point + 1 + scale);
  return new PlainNumber(units, scale, scale === 0 ? text : `${text}.${fraction}`);
}

/** `units` as a safe integer, or NaN if too large. */
export function smallUnits(value: Decimal): number {
  const units = value instanceof PlainNumber ? value.safeUnits : Number(value.units);
  return Number.isSafeInteger(units) ? units : Number.NaN;
}

function rescale(value: Decimal, scale: number): bigint {
  return scale === value.scale ? value.units : value.units * 10n ** BigInt(scale - value.scale);
}

/** Exact, at the larger of the two scales. */
export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { units: a.units + b.units, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { units: rescale(a, scale) + rescale(b, scale), scale };
}

/** Exact, at the sum of the two scales. */
export function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale };
}

/** Negative if `a` is smaller, zero if equal, positive if larger. */
export function compare(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const difference = rescale(a, scale) - rescale(b, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Without exponent, trailing zeros after the point, or a trailing point: `1200.5`. */
export function formatDecimal(value: Decimal): string {
  const { units, scale } = value;
  if (scale === 0) return units.toString();
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, -scale);
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  if (fraction === '' && whole === '0') return '0';
  const sign = units < 0n ? '-' : '';
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/**
 * For people: `1,234,567.50`. Exact like {@link formatDecimal}, thousands grouped.
 * @param decimals pads with zeros to at least this many, so that a column lines up
 */
export function groupThousands(value: Decimal, decimals = 0): string {
  const [whole = '', ...fraction] = padDecimals(formatDecimal(value), decimals).split('.');
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}

/** Decimal text with zeros at its end, up to a number of decimals. */
export function padDecimals(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const filled = fraction.padEnd(decimals, '0');
  return filled === '' ? whole : `${whole}.${filled}`;
}

/** Without trailing zeros. */
export function decimalsOf(value: Decimal): number {
  return formatDecimal(value).split('.')[1]?.length ?? 0;
}
