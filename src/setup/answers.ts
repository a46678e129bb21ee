/** A person's answers about a file, from the command line and from questions; and the flags that repeat an answer. */
import type { DateOrder } from '../input/dates.js';
import type { DecimalMark } from '../input/numbers.js';
import type { RecordType } from '../records/types.js';

/** Answers that replace an earlier one; null for none. */
interface SingleAnswers {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder | null;
  readonly negate: boolean | null;
  readonly padShortRows: boolean;
  readonly trim: boolean | null;
  readonly allowNegative: boolean;
  readonly allowTotalRow: boolean;
  /** Name of the profile, and its address of the service. */
  readonly profile: string | null;
  readonly baseUrl: string | null;
}

export interface Answers extends SingleAnswers {
  /** Dot paths by the names of columns. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** Drop every column that is not a field, even if it may be meant for one. */
  readonly ignoreOthers: boolean;
  /** Values for every record, by dot path. */
  readonly set: ReadonlyMap<string, unknown>;
  /** Dot paths of fields that the settings for all files set. */
  readonly setForAll: readonly string[];
  /** Conditions for the rows that are read. */
  readonly only: readonly string[];
  /** Questions that were answered by leaving everything as it is. */
  readonly settled: ReadonlySet<string>;
}

/** One answer. Kept as JSON for the next call on the same file. */
export interface SetupAnswer extends Partial<SingleAnswers> {
  /** The column gives the field, and no other column does. */
  readonly map?: readonly [column: string, path: string];
  readonly drop?: readonly string[];
  readonly set?: readonly [path: string, value: string];
  readonly only?: string;
  readonly settled?: string;
}

/** The answers with one more; the earlier ones stay as they are. */
export function applyAnswer(answers: Answers, answer: SetupAnswer): Answers {
  const { map, drop = [], set, only, settled, ...single } = answer;
  const [column, path] = map ?? [];
  const columns = [...answers.map].filter(([name, other]) => other !== path && !drop.includes(name));
  // A column takes the place of a value for all records, and a value that of another value.
  const values = [...answers.set].filter(([other]) => other !== path && other !== set?.[0]);
  return {
    ...answers,
    ...single,
    map: new Map(map === undefined ? columns : [...columns, map]),
    ignore: new Set([...answers.ignore, ...drop].filter((name) => name !== column)),
    set: new Map<string, unknown>(set === undefined ? values : [...values, set]),
    only: only === undefined ? answers.only : [...answers.only, only],
    settled: new Set(settled === undefined ? answers.settled : [...answers.settled, settled]),
  };
}

/** Dot paths of the fields that get a value for every record. */
export function setPaths({ set, setForAll }: Answers): string[] {
  return [...setForAll, ...set.keys()];
}

/** The flags that give the same answer on the command line; empty if none do. */
export function answerFlags(answer: SetupAnswer): string[] {
  const flags: readonly (readonly [flag: string, value: string | number | boolean | null | undefined])[] = [
    ['--type', answer.type],
    ['--header-line', answer.headerLine],
    ['--map', answer.map?.join('=')],
    ...(answer.drop ?? []).map((name) => ['--ignore-column', name] as const),
    ['--set', answer.set?.join('=')],
    ['--decimal', answer.decimal],
    ['--date-format', answer.dateOrder],
    ['--only', answer.only],
    ['--negate', answer.negate],
    ['--pad-short-rows', answer.padShortRows],
    ['--trim', answer.trim],
    ['--allow-negative', answer.allowNegative],
    ['--allow-total-row', answer.allowTotalRow],
  ];
  return flags
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .flatMap(([flag, value]) => (value === true ? [flag] : [flag, String(value)]));
}
