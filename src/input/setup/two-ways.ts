/** Which of two ways a column is written in: each is tried on each value, by the reader that runs use. */
import { type Conclusion, NOTHING_TO_SAY, type Seen, seenWords } from './conclusion.js';

/** What a value is in each way; null where it cannot be read so. */
export type Readings<W extends string> = Readonly<Record<W, string | null>>;

/** What a column's values have shown so far: the first of each kind. */
export interface Tally<W extends string> {
  /** Read in this way alone: they prove it. */
  readonly only: Map<W, Seen>;
  /** Two readings that differ. */
  doubtful: (Seen & { readonly readings: Readonly<Record<W, string | null>> }) | null;
  /** The same in both ways, but not read without saying which. */
  alike: Seen | null;
  /** Not to be read at all. */
  unread: Seen | null;
  isAnyRead: boolean;
}

export function emptyTally<W extends string>(): Tally<W> {
  return { only: new Map(), doubtful: null, alike: null, unread: null, isAnyRead: false };
}

/** @param isUsual it is read the same where nothing is said */
export function tallyUp<W extends string>(tally: Tally<W>, seen: Seen, readings: Readings<W>, isUsual: boolean): void {
  const read = (Object.keys(readings) as W[]).filter((way) => readings[way] !== null);
  const [way, other] = read;
  if (way === undefined) {
    tally.unread ??= seen;
    return;
  }
  tally.isAnyRead = true;
  if (other === undefined) keepFirst(tally.only, way, seen);
  else if (readings[way] !== readings[other]) tally.doubtful ??= { ...seen, readings };
  else if (!isUsual) tally.alike ??= seen;
}

export function keepFirst<K>(map: Map<K, Seen>, key: K, seen: Seen): void {
  if (!map.has(key)) map.set(key, seen);
}

/** How the two ways are told of. */
export interface WayWords<W extends string> {
  /** `numbers` */
  readonly what: string;
  readonly flag: string;
  /** `with a decimal point` */
  readonly ways: Readonly<Record<W, string>>;
}

/**
 * How one column is written.
 * @param doubt why even a proof may be none, or null
 * @param guess what is offered first where nothing proves a way
 */
export function concludeWay<W extends string>(
  name: string,
  { only, doubtful, alike }: Tally<W>,
  { what, flag, ways }: WayWords<W>,
  doubt: (Seen & { readonly words: string }) | null,
  guess: W | null,
): Conclusion<W> {
  const [[way, proof] = [], [, other] = []] = [...only];
  if (proof !== undefined && other !== undefined) {
    const because = `${name}, ${what} are written in two ways, as ${seenWords(proof)} and ${seenWords(other)}: write them all in one way, or import the rows of each apart`;
    return { isProven: false, value: null, because, say: [], shown: proof.typed };
  }
  if (way !== undefined && proof !== undefined) {
    const because = `${name}, ${seenWords(proof)} has one reading, ${ways[way]}`;
    const found = { value: way, say: [`${flag} ${way}`] };
    if (doubt === null) return { isProven: true, because, ...found, shown: proof.typed };
    return {
      isProven: false,
      because: `${because}; but ${seenWords(doubt)} ${doubt.words}`,
      ...found,
      shown: doubt.typed,
    };
  }
  const open = doubtful ?? alike;
  if (open === null) return NOTHING_TO_SAY;
  const all = Object.keys(ways) as W[];
  const readings =
    doubtful === null
      ? 'the same in either way'
      : all.map((each) => `${doubtful.readings[each]} ${ways[each]}`).join(' or ');
  const because = `${name}, ${seenWords(open)} is ${readings}, and no other value of the column tells which`;
  return { isProven: false, value: guess, because, say: all.map((each) => `${flag} ${each}`), shown: open.typed };
}

/** How all columns are written, which are read in one way. Each proves its own values alone: another may come from another program. */
export function concludeTogether<W extends string>(columns: readonly Conclusion<W>[]): Conclusion<W> {
  const proofs = columns.filter(({ isProven, value }) => isProven && value !== null);
  const unsure = columns.filter(({ isProven }) => !isProven);
  const unreadable = unsure.find(({ say }) => say.length === 0);
  if (unreadable !== undefined) return unreadable;
  const [first] = proofs;
  const other = proofs.find(({ value }) => value !== first?.value);
  if (first !== undefined && other !== undefined)
    return {
      ...first,
      isProven: false,
      value: null,
      because: `${first.because}; but ${other.because}: write both columns alike`,
      say: [],
    };
  const [open] = unsure;
  if (open === undefined) return first ?? NOTHING_TO_SAY;
  return first === undefined ? open : { ...open, value: first.value };
}
