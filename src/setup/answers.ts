/** A person's answers about a file, from the command line and from questions; and the options that repeat an answer. */
import type { RecordType } from '../records/kind.js';
import { shellQuote } from '../util/shell-quote.js';
import type { DateOrder } from '../input/dates.js';
import type { DecimalMark } from '../input/numbers.js';

/** Points with one answer; null for points without one. */
interface Facts {
  readonly type: RecordType | null;
  readonly headerLine: number | null;
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder | null;
  readonly negate: boolean | null;
  readonly padShortRows: boolean;
  readonly allowNegative: boolean;
  readonly allowTotalRow: boolean;
  /** Name of the profile, and its address of the service. */
  readonly profile: string | null;
  readonly baseUrl: string | null;
}

export interface Answers extends Facts {
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
export interface Answer extends Partial<Facts> {
  /** The column gives the field, and no other column does. */
  readonly map?: readonly [column: string, path: string];
  readonly drop?: readonly string[];
  readonly set?: readonly [path: string, value: string];
  readonly only?: string;
  readonly settled?: string;
}

/** The answers with one more; the earlier ones stay as they are. */
export function applyAnswer(answers: Answers, { map, drop = [], set, only, settled, ...facts }: Answer): Answers {
  const [column, path] = map ?? [];
  const columns = [...answers.map].filter(([name, other]) => other !== path && !drop.includes(name));
  // A column takes the place of a value for all records, and a value that of another value.
  const values = [...answers.set].filter(([other]) => other !== path && other !== set?.[0]);
  return {
    ...answers,
    ...facts,
    map: new Map(map === undefined ? columns : [...columns, map]),
    ignore: new Set([...[...answers.ignore].filter((name) => name !== column), ...drop]),
    set: new Map<string, unknown>(set === undefined ? values : [...values, set]),
    only: only === undefined ? answers.only : [...answers.only, only],
    settled: new Set(settled === undefined ? answers.settled : [...answers.settled, settled]),
  };
}

/** Dot paths of the fields that get a value for every record. */
export function setPaths({ set, setForAll }: Pick<Answers, 'set' | 'setForAll'>): string[] {
  return [...setForAll, ...set.keys()];
}

/** The options that give the same answer on the command line; empty if none do. */
export function optionsOf(answer: Answer, platform: NodeJS.Platform): string {
  const { type, headerLine, map, drop = [], set, only, decimal, dateOrder } = answer;
  const given = (flag: string, value: string | number | undefined | null): string[] =>
    value === undefined || value === null ? [] : [`${flag} ${shellQuote(String(value), platform)}`];
  const switched = (flag: string, isOn: boolean | null | undefined): string[] => (isOn === true ? [flag] : []);
  return [
    ...given('--type', type),
    ...given('--header-line', headerLine),
    ...given('--map', map?.join('=')),
    ...drop.flatMap((name) => given('--ignore-column', name)),
    ...given('--set', set?.join('=')),
    ...given('--decimal', decimal),
    ...given('--date-format', dateOrder),
    ...given('--only', only),
    ...switched('--negate', answer.negate),
    ...switched('--pad-short-rows', answer.padShortRows),
    ...switched('--allow-negative', answer.allowNegative),
    ...switched('--allow-total-row', answer.allowTotalRow),
  ].join(' ');
}
