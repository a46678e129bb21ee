/** How the numbers of a file are written, as far as their own digits and marks prove it. CONTRACT: `--decimal`. */
import { type DecimalMark, readFactor, readNumber } from '../numbers.js';
import { type Conclusion, NOTHING_TO_SAY, type Seen } from './conclusion.js';
import {
  concludeTogether,
  concludeWay,
  emptyTally,
  keepFirst,
  type Readings,
  type Tally,
  tallyUp,
} from './two-ways.js';

export interface MarkTally extends Tally<DecimalMark> {
  /** The first with three decimals under this mark, which parts thousands under the other one. */
  readonly odd: Map<DecimalMark, Seen>;
  /** Marks with which another value has three decimals or more for sure: then those of odd ones are no surprise. */
  readonly fine: Set<DecimalMark>;
  /** All are read where nothing is said. */
  isPlain: boolean;
}

export function markTally(): MarkTally {
  return { ...emptyTally<DecimalMark>(), odd: new Map(), fine: new Set(), isPlain: true };
}

const MULTIPLIER = /^\d(?:\.\d+)?$/;

function readAs(typed: string, mark: DecimalMark | null, isFactor: boolean): string | null {
  const reading = isFactor ? readFactor(typed, mark) : readNumber(typed, mark);
  return reading.ok && (!isFactor || MULTIPLIER.test(reading.text)) ? reading.text : null;
}

/**
 * A number under each mark, in JSON's notation.
 * @param isFactor a multiplier, which is below 10: `1.250` has one reading
 */
export function numberReadings(typed: string, isFactor = false): Readings<DecimalMark> {
  return { point: readAs(typed, 'point', isFactor), comma: readAs(typed, 'comma', isFactor) };
}

/** Adds a value to the tally. @param seen without a currency's sign */
export function tallyNumber(tally: MarkTally, seen: Seen, isFactor: boolean): void {
  const readings = numberReadings(seen.typed, isFactor);
  const { point, comma } = readings;
  const isPlain = readAs(seen.typed, null, isFactor) !== null;
  tallyUp(tally, seen, readings, isPlain);
  if (point === null && comma === null) return;
  tally.isPlain &&= isPlain;
  for (const mark of ['point', 'comma'] as const) {
    if ((/\.\d*/.exec(readings[mark] ?? '')?.[0].length ?? 0) <= '.00'.length) continue;
    if (point === null || comma === null) tally.fine.add(mark);
    else if (point !== comma) keepFirst(tally.odd, mark, seen);
  }
}

const WORDS = {
  ...{ what: 'numbers', flag: '--decimal' },
  ways: { point: 'with a decimal point', comma: 'with a decimal comma' },
};

function concludeMark(name: string, tally: MarkTally): Conclusion<DecimalMark> {
  const { only, odd, fine } = tally;
  const [mark] = only.keys();
  const strange = mark === undefined || fine.has(mark) ? undefined : odd.get(mark);
  const doubt =
    strange === undefined ? null : { ...strange, words: 'has three decimals, and no other number has so many' };
  // Amounts have two decimals more often than three: such a mark parts thousands.
  const [first, second] = odd.keys();
  const guess = first === undefined || second !== undefined ? null : first === 'point' ? 'comma' : 'point';
  return concludeWay(name, tally, WORDS, doubt, guess);
}

/** One mark for all columns. The value is null where nothing has to be said. */
export function concludeMarks(columns: ReadonlyMap<string, MarkTally>): Conclusion<DecimalMark> {
  const found = concludeTogether([...columns].map(([name, tally]) => concludeMark(name, tally)));
  const isPlain = [...columns.values()].every((tally) => tally.isPlain);
  return found.isProven && isPlain ? NOTHING_TO_SAY : found;
}
