/** Chooses between two notations of a column: tries both on each value, with the reader that runs use. */
import { type Conclusion, NOTHING_TO_SAY, type Seen, seenWords } from './conclusion.js';

/** A value in each notation; null if it cannot be read so. */
export type Readings<W extends string> = Readonly<Record<W, string | null>>;

export interface Value<W extends string> extends Seen {
  readonly readings: Readonly<Record<W, string | null>>;
  /** It reads the same without a setting. */
  readonly isUsual: boolean;
}

/** The first value of each kind in a column, in order: they show everything that the others would. */
export class Samples<W extends string> {
  private readonly found = new Map<string, Value<W>>();
  /** Cells with the type number or date. */
  hasTyped = false;

  /** @param kind other properties that this value shares with others */
  add(value: Value<W>, kind: string): void {
    const [one, other] = Object.values<string | null>(value.readings);
    const isRead = one !== null || other !== null;
    const key = isRead ? `${one === null} ${other === null} ${one === other} ${value.isUsual} ${kind}` : '';
    if (!this.found.has(key)) this.found.set(key, value);
  }

  get values(): readonly Value<W>[] {
    return [...this.found.values()].filter((value) => waysOf(value).length > 0);
  }

  /** One that cannot be read, if none can; else null. */
  get unread(): Seen | null {
    return this.hasTyped || this.values.length > 0 ? null : ([...this.found.values()][0] ?? null);
  }
}

function waysOf<W extends string>({ readings }: Value<W>): W[] {
  return (Object.keys(readings) as W[]).filter((way) => readings[way] !== null);
}

/** The only way in which a value is read; null if there are two. */
export function onlyWay<W extends string>(value: Value<W>): W | null {
  const [way = null, other] = waysOf(value);
  return other === undefined ? way : null;
}

/** The words for the two notations. */
export interface WayWords<W extends string> {
  /** `numbers` */
  readonly what: string;
  readonly flag: string;
  /** `with a decimal point` */
  readonly ways: Readonly<Record<W, string>>;
}

/** Why an apparent proof may be wrong, with the value that makes it doubtful. */
export type Doubt = Seen & { readonly words: string };

/**
 * How one column is written.
 * @param doubtOf why a value that has one reading may prove nothing, or null
 */
export function concludeWay<W extends string>(
  name: string,
  values: readonly Value<W>[],
  { what, flag, ways }: WayWords<W>,
  doubtOf: (proof: Value<W>, way: W) => Doubt | null,
): Conclusion<W> {
  const proof = values.find((value) => onlyWay(value) !== null);
  const way = proof === undefined ? null : onlyWay(proof);
  if (proof === undefined || way === null) return concludeOpen(name, values, { what, flag, ways });
  const shown = proof.typed;
  const other = values.find((value) => (onlyWay(value) ?? way) !== way);
  if (other !== undefined) {
    const because = `${name}, ${what} are written in two ways, as ${seenWords(proof)} and ${seenWords(other)}: write them all in one way, or import the rows of each apart`;
    return { isProven: false, value: null, because, say: [], shown };
  }
  const doubt = doubtOf(proof, way);
  const because = `${name}, ${seenWords(proof)} has one reading, ${ways[way]}`;
  const found = { value: way, say: [`${flag} ${way}`] };
  if (doubt === null) return { isProven: true, because, ...found, shown };
  return {
    ...{ isProven: false, ...found, shown: doubt.typed },
    because: `${because}; but ${seenWords(doubt)} ${doubt.words}`,
  };
}

/** No value tells: nothing is offered first. */
function concludeOpen<W extends string>(
  name: string,
  values: readonly Value<W>[],
  { flag, ways }: WayWords<W>,
): Conclusion<W> {
  const all = Object.keys(ways) as W[];
  const isDoubtful = ({ readings }: Value<W>): boolean => new Set(all.map((way) => readings[way])).size > 1;
  const open = values.find(isDoubtful) ?? values.find(({ isUsual }) => !isUsual);
  if (open === undefined) return NOTHING_TO_SAY;
  const readings = isDoubtful(open)
    ? all.map((way) => `${open.readings[way]} ${ways[way]}`).join(' or ')
    : 'the same in either way';
  const because = `${name}, ${seenWords(open)} is ${readings}, and no other value of the column tells which`;
  return { isProven: false, value: null, because, say: all.map((way) => `${flag} ${way}`), shown: open.typed };
}

/** One notation for all columns. Each proves only its own values: another one may come from another program. */
export function concludeTogether<W extends string>(columns: readonly Conclusion<W>[]): Conclusion<W> {
  const unsure = columns.filter(({ isProven }) => !isProven);
  const unreadable = unsure.find(({ say }) => say.length === 0);
  if (unreadable !== undefined) return unreadable;
  const proofs = columns.filter(({ isProven, value }) => isProven && value !== null);
  const [first] = proofs;
  const other = proofs.find(({ value }) => value !== first?.value);
  if (first !== undefined && other !== undefined) {
    const because = `${first.because}; but ${other.because}: write both columns alike`;
    return { ...first, isProven: false, value: null, because, say: [] };
  }
  const [open] = unsure;
  if (open === undefined) return first ?? NOTHING_TO_SAY;
  return first === undefined ? open : { ...open, value: first.value, because: `${open.because}; but ${first.because}` };
}
