/** Which column of a file gives which field: what was said, exact names of fields, usual names; never what is only likely. */
import { type Field, fieldAt } from '../../records/field.js';
import { inputFields, type Kind } from '../../records/kind.js';
import { nearest } from '../../records/nearest.js';
import { usualField } from '../usual-names.js';
import { isOwnColumn } from '../own-columns.js';
import { fieldPaths, openFields } from '../unknown-columns.js';

/** What the person has said about columns, by flags and settings. */
export interface Said {
  readonly map: ReadonlyMap<string, string>;
  readonly ignore: ReadonlySet<string>;
  /** Dot paths of fields that are set on every record. */
  readonly set: readonly string[];
}

/** Why a column gives its field. */
export type Why = 'said' | 'exact' | 'usual';

export interface ColumnField {
  readonly name: string;
  /** Dot path. */
  readonly path: string;
  readonly field: Field;
  readonly why: Why;
}

/** Columns of which one may be meant for a field. */
export interface Suggestion {
  readonly path: string;
  readonly field: Field;
  readonly names: readonly string[];
  /** All have a name that is the field's for sure, so that at least one of them is meant. */
  readonly isSure: boolean;
}

export interface ColumnFields {
  readonly columns: readonly ColumnField[];
  /** Columns that may be meant for a field that nothing gives: by their name, or because several have a name of it. */
  readonly suggestions: readonly Suggestion[];
  /** Names that several columns have: nobody can say which of them is meant. */
  readonly twice: readonly string[];
  /** All other columns: they are no field. */
  readonly others: readonly string[];
  /** Fields that a record needs, and neither a column nor a value for every record gives; of two, `one or other`. */
  readonly missing: readonly string[];
}

/**
 * @param names of the columns; those without a name are left out
 * @param ignoreOthers the person has said that every other column is dropped, whatever it may be meant for
 */
export function fieldsOfColumns(names: readonly string[], kind: Kind, said: Said, ignoreOthers: boolean): ColumnFields {
  const twice = names.filter((name, i) => name !== '' && names.indexOf(name) < i);
  const free = [...new Set(names)].filter((name) => name !== '' && !isOwnColumn(name) && !said.ignore.has(name));
  const columns: ColumnField[] = [];
  const take = (name: string, path: string, why: Why): void => {
    const field = fieldOf(kind, path);
    if (field !== null) columns.push({ name, path, field, why });
  };
  for (const name of free) if (said.map.has(name)) take(name, said.map.get(name) ?? '', 'said');
  // An exact name counts beside a `--map` to the same field: that there are two is said when the file is read.
  for (const name of free) if (!said.map.has(name)) take(name, name, 'exact');
  const isGiven = (path: string): boolean =>
    said.set.some((other) => isWithin(path, other)) || columns.some((column) => isWithin(path, column.path));
  const isOpen = (name: string): boolean => !columns.some((column) => column.name === name);
  const sure = groups(free.filter(isOpen), (name) => usualPath(name, kind, true), isGiven);
  for (const [path, [name = '', ...rivals]] of sure) if (rivals.length === 0) take(name, path, 'usual');
  const rivals = [...sure].filter(([, found]) => found.length > 1);
  const likely = groups(
    free.filter((name) => isOpen(name) && !rivals.some(([, found]) => found.includes(name))),
    (name) => likelyPath(name, kind, isGiven),
    isGiven,
  );
  const suggestions = [
    ...rivals.map(([path, found]) => ({ path, names: [...found, ...(likely.get(path) ?? [])], isSure: true })),
    ...[...likely].filter(([path]) => !sure.has(path)).map(([path, found]) => ({ path, names: found, isSure: false })),
  ].flatMap((suggestion) => {
    const field = fieldOf(kind, suggestion.path);
    return field === null || (ignoreOthers && !suggestion.isSure) ? [] : [{ ...suggestion, field }];
  });
  const isSuggested = (path: string): boolean => suggestions.some((suggestion) => isWithin(suggestion.path, path));
  return {
    columns,
    suggestions,
    twice: [...new Set(twice)],
    others: free.filter((name) => isOpen(name) && !suggestions.some((suggestion) => suggestion.names.includes(name))),
    missing: openFields(kind, (path) => isGiven(path) || isSuggested(path)),
  };
}

/** The columns for each field that nothing gives. */
function groups(
  names: readonly string[],
  pathOf: (name: string) => string | null,
  isGiven: (path: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const path = pathOf(name);
    if (path !== null && !isGiven(path)) found.set(path, [...(found.get(path) ?? []), name]);
  }
  return found;
}

function usualPath(name: string, kind: Kind, exact: boolean): string | null {
  const usual = usualField(name, kind.type);
  return usual === null || usual.exact !== exact ? null : usual.field;
}

/** The field that a name is likely to mean: by the list of names, or because it is nearly the field's own. */
function likelyPath(name: string, kind: Kind, isGiven: (path: string) => boolean): string | null {
  const usual = usualPath(name, kind, false);
  if (usual !== null) return usual;
  const paths = inputFields(kind).flatMap(fieldPaths);
  return nearest(
    name,
    paths.filter((path) => !isGiven(path)),
  );
}

/** Whether one path is the other, or one lies within the other. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The field at a path, the price beside a record included. */
function fieldOf({ fields, price }: Kind, path: string): Field | null {
  return price?.name === path ? price : fieldAt(fields, path);
}
