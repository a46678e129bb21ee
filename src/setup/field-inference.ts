/** Which column gives which field, and so what the records are: by flags, names and values. CONTRACT: `--map`. */
import { CURRENCIES } from '../records/currencies.js';
import { type Field, fieldAt } from '../records/field.js';
import { inputFields, type RecordSchema, type RecordType } from '../records/kind.js';
import { KINDS, RECORD_TYPES } from '../records/kinds.js';
import { isResultColumn } from '../input/result-columns.js';
import { fieldPaths, meantField, openFields } from '../input/unknown-columns.js';
import { type Answers, setPaths } from './answers.js';
import type { Inference } from './inference.js';
import type { ColumnProfile, ColumnProfiles } from './column-profiles.js';

/** The person's flags and settings about columns. */
export type NamedColumn = Pick<Answers, 'map' | 'ignore' | 'ignoreOthers' | 'set' | 'setForAll'>;

/** Whether the values of a column fit a field. */
export type Suits = (name: string, field: Field) => boolean;

export interface ColumnField {
  readonly name: string;
  /** Dot path. */
  readonly path: string;
  readonly field: Field;
  /** The person has mapped it, it is the field's own name, or a usual name of it. */
  readonly why: 'said' | 'exact' | 'usual';
}

/** Columns, one of which may be meant for a field. */
export interface Suggestion {
  readonly path: string;
  readonly field: Field;
  readonly names: readonly string[];
  /** Several have a certain name of the field, so that one of them is meant. */
  readonly isSure: boolean;
}

export interface ColumnFields {
  readonly columns: readonly ColumnField[];
  /** Columns that may be meant for a field without a source: by their name, or because several have a name of it. */
  readonly suggestions: readonly Suggestion[];
  /** All other columns. */
  readonly others: readonly string[];
  /** Required fields without a column or a value for every record; of two alternatives, `one or other`. */
  readonly missing: readonly string[];
}

/**
 * @param names of the columns; those without a name are left out
 * @param suits whether the values allow what a name only suggests
 */
export function fieldsOfColumns(
  names: readonly string[],
  kind: RecordSchema,
  said: NamedColumn,
  suits: Suits,
): ColumnFields {
  const free = names.filter((name) => name !== '' && !isResultColumn(name) && !said.ignore.has(name));
  const columns: ColumnField[] = [];
  const take = (name: string, path: string, why: ColumnField['why']): void => {
    const field = fieldOf(kind, path);
    if (field !== null) columns.push({ name, path, field, why });
  };
  const isGiven = (path: string): boolean =>
    setPaths(said).some((other) => isWithin(path, other)) || columns.some((column) => isWithin(path, column.path));
  const isOpen = (name: string): boolean => !columns.some((column) => column.name === name);
  for (const name of free) if (said.map.has(name)) take(name, said.map.get(name) ?? '', 'said');
  // An exact name counts even with a `--map` to the same field: reading the file reports that there are two.
  for (const name of free) if (!said.map.has(name)) take(name, name, 'exact');
  const suggestions: Suggestion[] = [];
  for (const [path, { field, sure, likely }] of meantTogether(free.filter(isOpen), kind, isGiven, suits)) {
    const [name, rival] = sure;
    if (name !== undefined && rival === undefined) take(name, path, 'usual');
    else if (name !== undefined || !said.ignoreOthers)
      suggestions.push({ path, field, names: [...sure, ...likely], isSure: name !== undefined });
  }
  return {
    columns,
    suggestions,
    others: free.filter((name) => isOpen(name) && !suggestions.some((suggestion) => suggestion.names.includes(name))),
    missing: openFields(kind, (path) => isGiven(path) || suggestions.some((each) => isWithin(each.path, path))),
  };
}

/** The field that a name means, of those without a source. */
export function meantBy(
  name: string,
  kind: RecordSchema,
  isGiven: (path: string) => boolean,
): ReturnType<typeof meantField> {
  const open = inputFields(kind)
    .flatMap(fieldPaths)
    .filter((path) => !isGiven(path));
  return meantField(name, open, kind);
}

interface SuggestedField {
  readonly field: Field;
  readonly sure: string[];
  readonly likely: string[];
}

/** For each field without a source, the columns that may be meant for it. */
function meantTogether(
  names: readonly string[],
  kind: RecordSchema,
  isGiven: (path: string) => boolean,
  suits: Suits,
): ReadonlyMap<string, SuggestedField> {
  const found = new Map<string, SuggestedField>();
  for (const name of names) {
    const { path = '', because = 'near' } = meantBy(name, kind, isGiven) ?? {};
    const isSure = because === 'usual';
    const field = fieldOf(kind, path);
    if (field === null || (!isSure && !suits(name, field))) continue;
    const together = found.get(path) ?? { field, sure: [], likely: [] };
    found.set(path, together);
    together[isSure ? 'sure' : 'likely'].push(name);
  }
  return found;
}

/** Whether the paths are equal, or one lies within the other. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The field at a path. Includes the price, which is not part of a record. */
export function fieldOf({ fields, price }: RecordSchema, path: string): Field | null {
  return price?.name === path ? price : fieldAt(fields, path);
}

/** How certain a type's mark is: exact name or a flag, usual name, likely name, none. */
function sureness(kind: RecordSchema, names: readonly string[], answers: Answers, suits: Suits): 3 | 2 | 1 | 0 {
  const { columns, suggestions } = fieldsOfColumns(names, kind, { ...answers, ignoreOthers: false }, suits);
  const why = columns.find(({ path }) => path === kind.mark)?.why;
  const suggested = suggestions.find(({ path }) => path === kind.mark);
  if (setPaths(answers).includes(kind.mark) || why === 'exact' || why === 'said') return 3;
  if (why === 'usual' || suggested?.isSure === true) return 2;
  return suggested === undefined ? 0 : 1;
}

/** The type with the most certain mark. */
export function inferType(names: readonly string[], answers: Answers, profiles: ColumnProfiles): Inference<RecordType> {
  const suits = suggestedBy(profiles);
  const kinds = RECORD_TYPES.map((type) => ({ ...KINDS[type], sure: sureness(KINDS[type], names, answers, suits) }));
  const given = kinds.filter(({ sure }) => sure > 0);
  const most = Math.max(...given.map(({ sure }) => sure));
  const [found, second] = given.filter(({ sure }) => sure === most);
  if (found !== undefined && second === undefined)
    return { isProven: most > 1, value: found.type, because: `A column may give ${found.mark}.` };
  const amount = amountColumn(profiles);
  if (found === undefined && amount !== null)
    return { isProven: false, value: 'payout', because: `The column "${amount}" has amounts.` };
  const marks = (all: readonly RecordSchema[]): string =>
    all.map(({ type, mark }) => `${mark} makes a ${type}`).join(', ');
  const because =
    found === undefined
      ? `No column shows what the rows are (${marks(kinds)}).`
      : `The columns do not agree about what the rows are (${marks(given)}).`;
  return { isProven: false, value: null, because };
}

/** Columns whose values fit a field: they are offered to a person. */
export function suitsBy(profiles: ColumnProfiles): Suits {
  const hasAmounts = amountColumn(profiles) !== null;
  return (name, { kind, money }) => {
    const column = profiles.columns.get(name);
    // An empty column shows nothing for or against it.
    if (column === undefined) return true;
    if (column.filled === 0) return false;
    if (money === true) return mostlyNumbers(column) && (!hasAmounts || column.hasDecimals || column.repeats);
    switch (kind) {
      case 'number':
      case 'multiplier':
        return mostlyNumbers(column);
      case 'date':
        return mostlyDates(column);
      case 'currency':
        return areCurrencies(column);
      default:
        return !(mostlyNumbers(column) && column.hasDecimals) && !mostlyDates(column) && !column.areTimes;
    }
  };
}

const MANY_ROWS = 3;

/** Which columns a name suggests for a field. An account that is the same in all rows is the payer's, not a payee. */
export function suggestedBy(profiles: ColumnProfiles): Suits {
  const suits = suitsBy(profiles);
  return (name, field) => {
    const { words = null, filled = 0 } = profiles.columns.get(name) ?? {};
    return suits(name, field) && !(field.name === 'user_id' && words?.size === 1 && filled >= MANY_ROWS);
  };
}

/** The first column whose numbers have decimals, as those of money. */
function amountColumn({ columns }: ColumnProfiles): string | null {
  return [...columns].find(([, found]) => mostlyNumbers(found) && found.hasDecimals)?.[0] ?? null;
}

/** Numbers that no setting reads are numbers. In a column of money, cells without any digit do not count. */
export function mostlyNumbers({ filled, withDigits, areNumbers, areOdd, hasDecimals }: ColumnProfile): boolean {
  return (areNumbers + areOdd) * 2 > (hasDecimals ? withDigits : filled);
}

export function mostlyDates({ filled, areDates }: ColumnProfile): boolean {
  return filled > 0 && areDates * 2 > filled;
}

/** Dates in any notation, also one that no setting reads. */
export function mostlyAnyDates({ filled, areAnyDates }: ColumnProfile): boolean {
  return areAnyDates * 2 > filled;
}

export function areCurrencies({ words }: ColumnProfile): boolean {
  return words !== null && [...words.keys()].every((word) => CURRENCIES.has(word));
}
