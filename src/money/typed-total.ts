/** Totals as people type them: with a point or a comma before the decimals, and any usual mark between thousands. */
import { type Decimal, parseDecimal } from './decimal.js';

const TOTAL_MARKS = ".,'\u2019 \u00a0\u202f";
const TYPED = new RegExp(`^(-?)((?:0|[1-9]\\d*)(?:[${TOTAL_MARKS}]\\d+)*)$`);

/**
 * The numbers that a typed text may mean: none, one, or two, as for `24.438`.
 * @param typed without spaces around it
 */
export function totalReadings(typed: string): Decimal[] {
  const [, sign = '', number = ''] = TYPED.exec(typed) ?? [];
  if (number === '') return [];
  const parts = number.split(/\D/);
  const marks = number.split(/\d+/).slice(1, -1);
  const last = marks.at(-1) ?? '';
  const whole = parts.slice(0, -1);
  const found: Decimal[] = [];
  if (areThousands(parts, marks)) found.push(parseDecimal(sign + parts.join('')));
  // A mark between thousands is not the one before decimals, too.
  if ((last === '.' || last === ',') && !marks.slice(0, -1).includes(last) && areThousands(whole, marks.slice(0, -1)))
    found.push(parseDecimal(`${sign}${whole.join('')}.${parts.at(-1) ?? ''}`));
  return found;
}

/** Three digits behind each mark, at most three before the first, and one kind of mark. */
function areThousands([first = '', ...groups]: readonly string[], marks: readonly string[]): boolean {
  if (groups.length === 0) return true;
  return first !== '0' && first.length <= 3 && groups.every(({ length }) => length === 3) && new Set(marks).size === 1;
}
