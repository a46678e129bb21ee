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
