/**
 * What setup concludes from a file, and how sure it is. CONTRACT: "Setting a file up". Between two notations, both are
 * tried on each value, with the reader that runs use.
 */
import { excerpt } from '../records/issue.js';

/** A value of the file, with its place. */
export interface SampleValue {
  /** The line on which its row starts. */
  readonly line: number;
  /** As typed. */
  readonly typed: string;
}

/** Reasons are sentences, with values of the file as examples. A sample is the value that the question is about. */
export type Inference<T> =
  /** The file allows nothing else, or the person has decided it. */
  | { readonly kind: 'certain'; readonly value: T; readonly why?: string; readonly sample?: SampleValue }
  /** Nothing in the file speaks against the default way of reading. */
  | { readonly kind: 'default' }
  /** A best guess, to be confirmed by a person. */
  | { readonly kind: 'likely'; readonly value: T; readonly why: string; readonly sample?: SampleValue }
  /** Only a person can know. Without candidates, any value is possible. */
  | { readonly kind: 'open'; readonly why: string; readonly candidates: readonly T[]; readonly sample?: SampleValue }
  /** No value reads the file. */
  | { readonly kind: 'contradiction'; readonly why: string };

/** The value to use, or to offer first; null for the default way of reading, or without a best guess. */
export function inferredValue<T>(inference: Inference<T>): T | null {
  return 'value' in inference ? inference.value : null;
}

/** No question is needed. */
export function isDecided({ kind }: Inference<unknown>): boolean {
  return kind === 'certain' || kind === 'default';
}

/** The person's answer if there is one, else what the file shows. */
export function givenOr<T>(given: T | null, infer: () => Inference<T>): Inference<T> {
  return given === null ? infer() : { kind: 'certain', value: given };
}

/** `"1.200,50" (line 3)` */
export function sampleText({ line, typed }: SampleValue): string {
  return `${JSON.stringify(excerpt(typed))} (line ${line})`;
}

/** A value in each notation; null if it cannot be read so. */
export type Readings<Notation extends string> = Readonly<Record<Notation, string | null>>;

/** A value that can be read. */
export interface ReadableValue<Notation extends string> extends SampleValue {
  readonly readings: Readings<Notation>;
  /** It reads the same without a setting. */
  readonly isUsual: boolean;
}

/** The readable values of each column, by its name. */
export type ValuesByColumn<Notation extends string> = ReadonlyMap<string, readonly ReadableValue<Notation>[]>;

/** The only way to read a value; null if there are two. */
export function onlyReading<Notation extends string>({ readings }: ReadableValue<Notation>): Notation | null {
  const [notation = null, other] = notationsIn(readings).filter((each) => readings[each] !== null);
  return other === undefined ? notation : null;
}

/** It has two readings, and they differ. */
export function isDoubtful<Notation extends string>(value: ReadableValue<Notation>): boolean {
  const read = Object.values(value.readings).filter((reading) => reading !== null);
  return read.length > 1 && new Set(read).size > 1;
}

/** Why an apparent proof may be wrong, with the value that makes it doubtful. */
export interface Doubt extends SampleValue {
  readonly why: string;
}

interface Proof<Notation extends string> {
  readonly column: string;
  readonly value: ReadableValue<Notation>;
  readonly notation: Notation;
}

/**
 * One notation for all columns. Each proves only its own values: another one may come from another program.
 * @param subject `Numbers`
 * @param notations `with a decimal point`
 * @param doubtOf why a value with one reading may prove nothing, or null
 */
export function inferNotation<Notation extends string>(
  columns: ValuesByColumn<Notation>,
  subject: string,
  notations: Readonly<Record<Notation, string>>,
  doubtOf: (proof: Proof<Notation>, values: readonly ReadableValue<Notation>[]) => Doubt | null,
): Inference<Notation> {
  const proofs = proofsIn(columns);
  const [first] = proofs;
  const other = proofs.find(({ notation }) => notation !== first?.notation);
  if (first !== undefined && other !== undefined) {
    const places = `in ${proofText(first)}, and in ${proofText(other)}`;
    return {
      kind: 'contradiction',
      why: `${subject} are written in two ways, ${places}. Write all of them in one way.`,
    };
  }
  for (const [column, values] of columns) {
    const proof = proofs.find((each) => each.column === column);
    const open = proof === undefined ? openValue(values) : null;
    const doubt = proof === undefined ? openDoubt(open, notations) : doubtOf(proof, values);
    if (doubt === null) continue;
    const why = `${column}: ${sampleText(doubt)} ${doubt.why}.`;
    if (first === undefined) {
      const candidates = notationsIn(notations).filter((notation) => open === null || open.readings[notation] !== null);
      return { kind: 'open', candidates, why, sample: doubt };
    }
    const proven = `${proofText(first)} can only be read ${notations[first.notation]}.`;
    return { kind: 'likely', value: first.notation, why: `${proven} But ${why}`, sample: doubt };
  }
  if (first === undefined || [...columns.values()].flat().every(({ isUsual }) => isUsual)) return { kind: 'default' };
  return { kind: 'certain', value: first.notation, sample: first.value };
}

function proofsIn<Notation extends string>(columns: ValuesByColumn<Notation>): Proof<Notation>[] {
  const proofs: Proof<Notation>[] = [];
  for (const [column, values] of columns)
    for (const value of values) {
      const notation = onlyReading(value);
      if (notation !== null) proofs.push({ column, value, notation });
    }
  return proofs;
}

function proofText({ column, value }: Proof<string>): string {
  return `${column}: ${sampleText(value)}`;
}

/** A value that no other one of its column explains; null if there is none. */
function openValue<Notation extends string>(
  values: readonly ReadableValue<Notation>[],
): ReadableValue<Notation> | null {
  return values.find(isDoubtful) ?? values.find(({ isUsual }) => !isUsual) ?? null;
}

function openDoubt<Notation extends string>(
  open: ReadableValue<Notation> | null,
  notations: Readonly<Record<Notation, string>>,
): Doubt | null {
  if (open === null) return null;
  const { line, typed, readings } = open;
  const ways = notationsIn(notations).filter((notation) => readings[notation] !== null);
  const read = ways.map((notation) => `${readings[notation]} (${notations[notation]})`);
  const found = isDoubtful(open) ? `can be ${read.join(' or ')}` : 'can be read in both ways';
  return { line, typed, why: `${found}. No other value of this column decides it` };
}

function notationsIn<Notation extends string>(record: Readonly<Record<Notation, unknown>>): Notation[] {
  return Object.keys(record) as Notation[];
}
