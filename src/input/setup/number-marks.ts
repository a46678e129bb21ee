/** The notation of a file's numbers, as far as their digits and marks prove it. CONTRACT: `--decimal`. */
import { type DecimalMark, readFactor, readNumber } from '../numbers.js';
import { type Conclusion, NOTHING_TO_SAY, type Seen } from './conclusion.js';
import {
  concludeTogether,
  concludeWay,
  type Doubt,
  onlyWay,
  type Readings,
  type Samples,
  type Value,
} from './two-ways.js';

const MULTIPLIER = /^\d(?:\.\d+)?$/;

function readAs(typed: string, mark: DecimalMark | null, isFactor: boolean): string | null {
  const reading = isFactor ? readFactor(typed, mark) : readNumber(typed, mark);
  return reading.ok && (!isFactor || MULTIPLIER.test(reading.text)) ? reading.text : null;
}

/** A number under each mark, in JSON's notation. @param isFactor a multiplier, below 10: `1.250` has one reading */
export function numberReadings(typed: string, isFactor = false): Readings<DecimalMark> {
  return { point: readAs(typed, 'point', isFactor), comma: readAs(typed, 'comma', isFactor) };
}

/** Returns whether it is a number at all. @param seen without a currency sign */
export function addNumber(samples: Samples<DecimalMark>, seen: Seen, isFactor: boolean): boolean {
  const readings = numberReadings(seen.typed, isFactor);
  const value = { ...seen, readings, isUsual: readAs(seen.typed, null, isFactor) !== null };
  samples.add(value, `${hasManyDecimals(value, 'point')} ${hasManyDecimals(value, 'comma')}`);
  return readings.point !== null || readings.comma !== null;
}

/** Three or more under this mark: amounts usually have two, so such a mark may separate thousands. */
function hasManyDecimals({ readings }: Value<DecimalMark>, mark: DecimalMark): boolean {
  const text = readings[mark] ?? '';
  const point = text.indexOf('.');
  return point >= 0 && text.length - point > '.00'.length;
}

const WORDS = {
  ...{ what: 'numbers', flag: '--decimal' },
  ways: { point: 'with a decimal point', comma: 'with a decimal comma' },
};

function concludeMark(name: string, values: readonly Value<DecimalMark>[]): Conclusion<DecimalMark> {
  const odd = (mark: DecimalMark): Value<DecimalMark> | undefined =>
    values.find((value) => isDoubtful(value) && hasManyDecimals(value, mark));
  const doubtOf = (_proof: unknown, mark: DecimalMark): Doubt | null => {
    const strange = odd(mark);
    // If another value certainly has this many decimals, those of the odd one are no surprise.
    const isNone = values.some((value) => onlyWay(value) === mark && hasManyDecimals(value, mark));
    if (strange === undefined || isNone) return null;
    return { ...strange, words: 'has three decimals, and no other number has so many' };
  };
  return concludeWay(name, values, WORDS, doubtOf);
}

function isDoubtful({ readings: { point, comma } }: Value<DecimalMark>): boolean {
  return point !== null && comma !== null && point !== comma;
}

/** One mark for all columns. The value is null if no setting is needed. */
export function concludeMarks(columns: ReadonlyMap<string, Samples<DecimalMark>>): Conclusion<DecimalMark> {
  const all = [...columns].map(([name, { values }]) => ({ name, values }));
  const found = concludeTogether(all.map(({ name, values }) => concludeMark(name, values)));
  const isPlain = all.every(({ values }) => values.every(({ isUsual }) => isUsual));
  return found.isProven && isPlain ? NOTHING_TO_SAY : found;
}
