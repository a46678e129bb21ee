/** Which column gives which field, by what the person has said and by the names. CONTRACT: `--map`. */
import { type Field, fieldAt } from '../../records/field.js';
import { inputFields, type Kind } from '../../records/kind.js';
import { nearest } from '../../records/nearest.js';
import { isOwnColumn } from '../own-columns.js';
import { fieldPaths, openFields } from '../unknown-columns.js';
import { usualField } from '../usual-names.js';
import { type Answers, setPaths } from './answers.js';
import type { Suits } from './suited.js';

/** What the person has said about columns, by flags and settings. */
export type Said = Pick<Answers, 'map' | 'ignore' | 'ignoreOthers' | 'set' | 'setForAll'>;

export interface ColumnField {
  readonly name: string;
  /** Dot path. */
  readonly path: string;
  readonly field: Field;
  /** The person has said so, it is the field's own name, or one that it usually has. */
  readonly why: 'said' | 'exact' | 'usual';
}

/** Columns of which one may be meant for a field. */
export interface Suggestion {
  readonly path: string;
  readonly field: Field;
  readonly names: readonly string[];
  /** Several have a name that is the field's for sure, so that one of them is meant. */
  readonly isSure: boolean;
}

export interface ColumnFields {
  readonly columns: readonly ColumnField[];
  /** Columns that may be meant for a field that nothing gives: by their name, or because several have a name of it. */
  readonly suggestions: readonly Suggestion[];
  /** All other columns: they are no field. */
  readonly others: readonly string[];
  /** Fields that a record needs, and neither a column nor a value for every record gives; of two, `one or other`. */
  readonly missing: readonly string[];
}

/**
 * @param names of the columns; those without a name are left out
 * @param suits whether values speak against what a name only suggests
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
  // An exact name counts beside a `--map` to the same field: that there are two is said when the file is read.
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

/** The field that a name means: by the list of usual names, or because it is nearly the field's own. */
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

/** For each field that nothing gives, the columns that may be meant for it. */
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

/** Whether one path is the other, or one lies within the other. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The field at a path, the price beside a record included. */
export function fieldOf({ fields, price }: Kind, path: string): Field | null {
  return price?.name === path ? price : fieldAt(fields, path);
}
