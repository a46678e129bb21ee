/** How the numbers of a column are written, as far as their own digits and marks prove it. CONTRACT: `--decimal`. */
import { excerpt } from '../../records/issue.js';
import { type DecimalMark, readFactor, readNumber } from '../numbers.js';
import { type Conclusion, NOTHING_TO_SAY, type Seen, seenWords } from './conclusion.js';

/** What a column's numbers have shown so far: the first value of each kind. */
export interface MarkEvidence {
  /** Read with this decimal mark alone: they prove it. */
  readonly only: Record<DecimalMark, Seen | null>;
  /** Two readings that differ: a mark before three digits, which separates thousands or decimals. By that mark. */
  readonly ambiguous: Record<DecimalMark, Seen | null>;
  /** Only one reading, and it has three decimals or more: then those of the ambiguous values are no surprise. */
  readonly fine: Record<DecimalMark, boolean>;
  /** Read as the same number with either mark, but not without saying which. */
  either: Seen | null;
  /** To be read only where the mark is said. */
  unplain: Seen | null;
  /** Not to be read at all. */
  none: Seen | null;
  /** How many are not to be read, and how many there are. */
  unread: number;
  filled: number;
}

export function markEvidence(): MarkEvidence {
  return {
    only: { point: null, comma: null },
    ambiguous: { point: null, comma: null },
    fine: { point: false, comma: false },
    ...{ either: null, unplain: null, none: null, unread: 0, filled: 0 },
  };
}

/** A number as each way of writing reads it, in JSON's notation; null where it does not. */
interface Readings {
  readonly plain: string | null;
  readonly point: string | null;
  readonly comma: string | null;
}

const MULTIPLIER = /^\d(?:\.\d+)?$/;

/** @param isFactor a multiplier, which is below 10: `1.250` has one reading */
export function readingsOf(typed: string, isFactor: boolean): Readings {
  const read = (mark: DecimalMark | null): string | null => {
    const reading = isFactor ? readFactor(typed, mark) : readNumber(typed, mark);
    return reading.ok && (!isFactor || MULTIPLIER.test(reading.text)) ? reading.text : null;
  };
  return { plain: read(null), point: read('point'), comma: read('comma') };
}

/** Adds a cell with content to the evidence. @param typed without a currency's sign */
export function seeNumber(evidence: MarkEvidence, typed: string, line: number | null, isFactor: boolean): void {
  const seen = { line, typed: excerpt(typed) };
  const { plain, point, comma } = readingsOf(typed, isFactor);
  evidence.filled++;
  if (point === null && comma === null) {
    evidence.unread++;
    evidence.none ??= seen;
    return;
  }
  if (plain === null) evidence.unplain ??= seen;
  if (point === null || comma === null) {
    const mark = point === null ? 'comma' : 'point';
    evidence.only[mark] ??= seen;
    evidence.fine[mark] ||= decimalsOf(point ?? comma ?? '') > 2;
  } else if (point !== comma) evidence.ambiguous[decimalsOf(point) > 0 ? 'point' : 'comma'] ??= seen;
  else if (plain === null) evidence.either ??= seen;
}

function decimalsOf(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : text.length - point - 1;
}

const SAY = ['--decimal point', '--decimal comma'];

/** How the column's numbers are written. The value is null where nothing has to be said. */
function concludeMark({ only, ambiguous, fine, either }: MarkEvidence): Conclusion<DecimalMark> {
  const { point, comma } = only;
  if (point !== null && comma !== null) {
    const because = `numbers are written in two ways: ${seenWords(point)} has a decimal point, ${seenWords(comma)} a decimal comma; write them all in one way, or import the rows of each apart`;
    return { certainty: 'conflict', value: null, because, say: [] };
  }
  const mark = comma !== null ? 'comma' : point !== null ? 'point' : null;
  if (mark === null) return unproven(ambiguous, either);
  const proof = `${seenWords(only[mark] as Seen)} has one reading, with a decimal ${mark}`;
  const strange = ambiguous[mark];
  if (strange !== null && !fine[mark]) {
    const because = `${proof}; then ${seenWords(strange)} has three decimals, and no other number has so many`;
    return { certainty: 'likely', value: mark, because, say: [`--decimal ${mark}`] };
  }
  return { certainty: 'proven', value: mark, because: proof, say: [`--decimal ${mark}`] };
}

/** Where no value has one reading only. */
function unproven(ambiguous: MarkEvidence['ambiguous'], either: Seen | null): Conclusion<DecimalMark> {
  const { point, comma } = ambiguous;
  const doubtful = point ?? comma;
  if (doubtful !== null) {
    const readings = readingsOf(doubtful.typed, false);
    const words = `${seenWords(doubtful)} can be read as ${readings.point} (decimal point) or as ${readings.comma} (decimal comma), and no other number of the column tells which`;
    // The mark separates thousands rather than decimals.
    const value = point !== null && comma !== null ? null : point !== null ? 'comma' : 'point';
    const because = value === null ? words : `${words}; amounts have two decimals more often than three`;
    return { certainty: value === null ? 'open' : 'likely', value, because, say: SAY };
  }
  if (either === null) return NOTHING_TO_SAY;
  const because = `${seenWords(either)} has separators between its thousands, and no number of the column shows which mark stands before decimals`;
  return { certainty: 'open', value: null, because, say: SAY };
}

/** A column with numbers. */
export interface NumberColumn {
  readonly name: string;
  readonly evidence: MarkEvidence;
}

/** How the numbers of a file are written: one mark for all of its columns. */
export function concludeMarks(columns: readonly NumberColumn[]): Conclusion<DecimalMark> {
  const each = columns.map((column) => ({ ...column, conclusion: concludeMark(column.evidence) }));
  const named = ({ name, conclusion }: (typeof each)[number]): Conclusion<DecimalMark> => ({
    ...conclusion,
    because: `${name}, ${conclusion.because}`,
  });
  const conflict = each.find(({ conclusion }) => conclusion.certainty === 'conflict');
  if (conflict !== undefined) return named(conflict);
  const proven = each.filter(({ conclusion }) => conclusion.certainty === 'proven');
  const [first] = proven;
  const other = proven.find(({ conclusion }) => conclusion.value !== first?.conclusion.value);
  if (first !== undefined && other !== undefined) {
    const because = `${named(first).because}; but ${named(other).because}. One file is read with one decimal mark: write both columns alike`;
    return { certainty: 'conflict', value: null, because, say: [] };
  }
  const unsure = each.find(({ conclusion }) => conclusion.certainty !== 'proven' && conclusion.certainty !== 'nothing');
  if (unsure !== undefined) {
    const open = named(unsure);
    // Each column proves its own numbers alone: another column may come from another program.
    return first === undefined ? open : { ...open, certainty: 'likely', value: first.conclusion.value };
  }
  if (first === undefined) return NOTHING_TO_SAY;
  const isPlain = columns.every(({ evidence }) => evidence.unplain === null);
  return isPlain ? { ...named(first), certainty: 'nothing', value: null } : named(first);
}
