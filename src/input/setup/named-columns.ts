/** Which column maps to which field, by flags and by names. CONTRACT: `--map`. */
import { type Field, fieldAt } from '../../records/field.js';
import { inputFields, type Kind } from '../../records/kind.js';
import { nearest } from '../../records/nearest.js';
import { isOwnColumn } from '../own-columns.js';
import { fieldPaths, openFields } from '../unknown-columns.js';
import { usualField } from '../usual-names.js';
import { type Answers, setPaths } from './answers.js';
import type { Suits } from './suited.js';

/** The person's flags and settings about columns. */
export type Said = Pick<Answers, 'map' | 'ignore' | 'ignoreOthers' | 'set' | 'setForAll'>;

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
export function fieldsOfColumns(names: readonly string[], kind: Kind, said: Said, suits: Suits): ColumnFields {
  const free = names.filter((name) => name !== '' && !isOwnColumn(name) && !said.ignore.has(name));
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
  for (const [path, { sure, likely }] of meantTogether(free.filter(isOpen), kind, isGiven, suits)) {
    const [name, rival] = sure;
    const field = fieldOf(kind, path);
    if (name !== undefined && rival === undefined) take(name, path, 'usual');
    else if (field !== null && (name !== undefined || !said.ignoreOthers))
      suggestions.push({ path, field, names: [...sure, ...likely], isSure: name !== undefined });
  }
  return {
    ...{ columns, suggestions },
    others: free.filter((name) => isOpen(name) && !suggestions.some((suggestion) => suggestion.names.includes(name))),
    missing: openFields(kind, (path) => isGiven(path) || suggestions.some((each) => isWithin(each.path, path))),
  };
}

interface Meaning {
  readonly path: string;
  readonly isSure: boolean;
}

/** The field that a name means: from the list of usual names, or because it nearly equals the field's name. */
export function meantBy(name: string, kind: Kind, isGiven: (path: string) => boolean): Meaning | null {
  const usual = usualField(name, kind.type);
  if (usual !== null) return isGiven(usual.field) ? null : { path: usual.field, isSure: usual.exact };
  const paths = inputFields(kind).flatMap(fieldPaths);
  const near = nearest(
    name,
    paths.filter((path) => !isGiven(path)),
  );
  return near === null ? null : { path: near, isSure: false };
}

/** For each field without a source, the columns that may be meant for it. */
function meantTogether(
  names: readonly string[],
  kind: Kind,
  isGiven: (path: string) => boolean,
  suits: Suits,
): ReadonlyMap<string, { readonly sure: string[]; readonly likely: string[] }> {
  const found = new Map<string, { sure: string[]; likely: string[] }>();
  for (const name of names) {
    const meaning = meantBy(name, kind, isGiven);
    const field = meaning === null ? null : fieldOf(kind, meaning.path);
    if (meaning === null || field === null || (!meaning.isSure && !suits(name, field))) continue;
    const together = found.get(meaning.path) ?? { sure: [], likely: [] };
    found.set(meaning.path, together);
    together[meaning.isSure ? 'sure' : 'likely'].push(name);
  }
  return found;
}

/** Whether the paths are equal, or one lies within the other. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The field at a path. Includes the price, which is not part of a record. */
export function fieldOf({ fields, price }: Kind, path: string): Field | null {
  return price?.name === path ? price : fieldAt(fields, path);
}
