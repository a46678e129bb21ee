/**
 * Setup's conclusions from a file, and whether they are proven. CONTRACT: "Setting a file up". Between two notations,
 * both are tried on each value, with the reader that runs use.
 */
import { excerpt } from '../records/issue.js';

/** A value of the file, with its place. */
export interface SampleValue {
  /** The line on which its row starts. */
  readonly line: number;
  /** As typed. */
  readonly typed: string;
}

export interface Inference<T> {
  /** It needs no question: the file allows nothing else, or the person has decided it. */
  readonly isProven: boolean;
  /** The value to use, or to offer first; null for the default way of reading, or if there is no best guess. */
  readonly value: T | null;
  /** The reason in sentences, with values of the file as examples; empty if no reason is needed. */
  readonly because: string;
  /** A value of the file as an example: one that proves the answer, or leaves it open. */
  readonly shown?: string;
  /** The values that can read the file, if a question must decide. */
  readonly ways?: readonly T[];
}

export const NO_QUESTION: Inference<never> = { isProven: true, value: null, because: '' };

/** The person has decided, so there is nothing to conclude. */
export function givenByPerson<T>(value: T): Inference<T> {
  return { isProven: true, value, because: '' };
}

/** `"1.200,50" (line 3)` */
export function sampleText({ line, typed }: SampleValue): string {
  return `${JSON.stringify(excerpt(typed))} (line ${line})`;
}

/** A value in each notation; null if it cannot be read so. */
export type Readings<W extends string> = Readonly<Record<W, string | null>>;

/** A value that can be read. */
export interface Value<W extends string> extends SampleValue {
  readonly readings: Readings<W>;
  /** It reads the same without a setting. */
  readonly isUsual: boolean;
}

/** The only way to read a value; null if there are two. */
export function onlyReading<W extends string>({ readings }: Value<W>): W | null {
  const [way = null, other] = keysOf(readings).filter((each) => readings[each] !== null);
  return other === undefined ? way : null;
}

/** It has two readings, and they differ. */
export function isDoubtful<W extends string>(value: Value<W>): boolean {
  return onlyReading(value) === null && new Set(Object.values(value.readings)).size > 1;
}

/** The words for the two notations. */
export interface NotationText<W extends string> {
  /** `Numbers` */
  readonly what: string;
  /** `with a decimal point` */
  readonly ways: Readonly<Record<W, string>>;
}

/** Why an apparent proof may be wrong, with the value that makes it doubtful. */
export type Doubt = SampleValue & { readonly words: string };

/**
 * One notation for all columns. Each proves only its own values: another one may come from another program.
 * @param doubtOf why a value with one reading may prove nothing, or null
 */
export function inferNotation<W extends string>(
  columns: ReadonlyMap<string, readonly Value<W>[]>,
  { what, ways }: NotationText<W>,
  doubtOf: (proof: Value<W>, way: W, values: readonly Value<W>[]) => Doubt | null,
): Inference<W> {
  const all = [...columns].flatMap(([name, values]) =>
    values.map((value) => ({ name, value, way: onlyReading(value), place: `${name}: ${sampleText(value)}` })),
  );
  const proofs = all.flatMap(({ way, ...value }) => (way === null ? [] : [{ ...value, way }]));
  const [first] = proofs;
  const other = proofs.find(({ way }) => way !== first?.way);
  if (first !== undefined && other !== undefined) {
    const because = `${what} are written in two ways, in ${first.place}, and in ${other.place}. Write all of them in one way.`;
    return { isProven: false, value: null, because, shown: first.value.typed, ways: [] };
  }
  for (const [name, values] of columns) {
    const proof = proofs.find((each) => each.name === name);
    const doubt = proof === undefined ? openValue(values, ways) : doubtOf(proof.value, proof.way, values);
    if (doubt === null) continue;
    const words = `${name}: ${sampleText(doubt)} ${doubt.words}.`;
    const [value, because] =
      first === undefined
        ? [null, words]
        : [first.way, `${first.place} can only be read ${ways[first.way]}. But ${words}`];
    return { isProven: false, value, because, shown: doubt.typed, ways: value === null ? keysOf(ways) : [value] };
  }
  if (first === undefined || all.every(({ value }) => value.isUsual)) return NO_QUESTION;
  return { isProven: true, value: first.way, because: '', shown: first.value.typed };
}

/** A value that no other one of its column explains; null if there is none. */
function openValue<W extends string>(values: readonly Value<W>[], ways: NotationText<W>['ways']): Doubt | null {
  const open = values.find(isDoubtful) ?? values.find(({ isUsual }) => !isUsual);
  if (open === undefined) return null;
  const read = keysOf(ways).map((way) => `${open.readings[way]} (${ways[way]})`);
  const words = isDoubtful(open) ? `can be ${read.join(' or ')}` : 'can be read in both ways';
  return { ...open, words: `${words}. No other value of this column decides it` };
}

function keysOf<W extends string>(ways: Readonly<Record<W, unknown>>): W[] {
  return Object.keys(ways) as W[];
}
