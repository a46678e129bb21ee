/** What the person has said of a file so far. Each answer gives new ones, so that an older state is never lost. */
import type { RecordType } from '../../records/kind.js';
import type { DateOrder } from '../dates.js';
import type { DecimalMark } from '../numbers.js';

/** Null and empty where nothing was said. */
export interface Answers {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  /** Dot paths by the names of columns. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** Drop every column that is no field, whatever it may be meant for. */
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

/** Dot paths of the fields that every record gets a value for. */
export function setPaths({ set, setForAll }: Pick<Answers, 'set' | 'setForAll'>): string[] {
  return [...setForAll, ...set.keys()];
}

/** The column gives the field, and no other column does. */
export function withColumn(answers: Answers, name: string, path: string): Answers {
  return {
    ...answers,
    map: new Map([...[...answers.map].filter(([, other]) => other !== path), [name, path]]),
    ignore: new Set([...answers.ignore].filter((other) => other !== name)),
    set: new Map([...answers.set].filter(([other]) => other !== path)),
  };
}

/** The column gives nothing. */
export function withDropped(answers: Answers, name: string): Answers {
  const map = new Map([...answers.map].filter(([other]) => other !== name));
  return { ...answers, map, ignore: new Set([...answers.ignore, name]) };
}

/** Every record gets the value. */
export function withValue(answers: Answers, path: string, value: string): Answers {
  return { ...answers, set: new Map([...answers.set, [path, value]]) };
}

/** Only rows that fulfil this too are read. */
export function withOnly(answers: Answers, condition: string): Answers {
  return { ...answers, only: [...answers.only, condition] };
}

export function withSettled(answers: Answers, question: string): Answers {
  return { ...answers, settled: new Set([...answers.settled, question]) };
}

/** As JSON, from which {@link answersFrom} makes them again. */
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
