/** A person's answers about a file so far. Each answer makes a new object, so that an older state is never lost. */
import type { RecordType } from '../../records/kind.js';
import type { DateOrder } from '../dates.js';
import type { DecimalMark } from '../numbers.js';

/** Null and empty for points without an answer. */
export interface Answers {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  /** Dot paths by the names of columns. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** Drop every column that is not a field, even if it may be meant for one. */
  readonly ignoreOthers: boolean;
  /** Values for every record, by dot path. */
  readonly set: ReadonlyMap<string, unknown>;
  /** Dot paths of fields that the settings for all files set. */
  readonly setForAll: readonly string[];
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder | null;
  readonly negate: boolean | null;
  /** Conditions for the rows that are read. */
  readonly only: readonly string[];
  readonly padShortRows: boolean;
  readonly allowNegative: boolean;
  readonly allowTotalRow: boolean;
  /** Questions that were answered by leaving everything as it is. */
  readonly settled: ReadonlySet<string>;
}

/** Dot paths of the fields that get a value for every record. */
export function setPaths({ set, setForAll }: Pick<Answers, 'set' | 'setForAll'>): string[] {
  return [...setForAll, ...set.keys()];
}

/** Maps the column to the field, and no other column. */
export function withColumn(answers: Answers, name: string, path: string): Answers {
  return {
    ...answers,
    map: new Map([...[...answers.map].filter(([, other]) => other !== path), [name, path]]),
    ignore: new Set([...answers.ignore].filter((other) => other !== name)),
    set: new Map([...answers.set].filter(([other]) => other !== path)),
  };
}

export function withDropped(answers: Answers, name: string): Answers {
  const map = new Map([...answers.map].filter(([other]) => other !== name));
  return { ...answers, map, ignore: new Set([...answers.ignore, name]) };
}

export function withValue(answers: Answers, path: string, value: string): Answers {
  return { ...answers, set: new Map([...answers.set, [path, value]]) };
}

/** Reads only rows that fulfil this condition too. */
export function withOnly(answers: Answers, condition: string): Answers {
  return { ...answers, only: [...answers.only, condition] };
}

export function withSettled(answers: Answers, question: string): Answers {
  return { ...answers, settled: new Set([...answers.settled, question]) };
}

/** As JSON, for {@link answersFrom}. */
export function answersText(answers: Answers): string {
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Map ? { map: [...value] } : value instanceof Set ? { set: [...value] } : value;
  return JSON.stringify(answers, plain);
}

/** @throws SyntaxError */
export function answersFrom(text: string): Answers {
  const revived = (_key: string, value: unknown): unknown => {
    const { map, set } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
    if (Array.isArray(map)) return new Map(map as [string, unknown][]);
    return Array.isArray(set) ? new Set(set) : value;
  };
  return JSON.parse(text, revived) as Answers;
}
