/** Which column of a file gives which field: what was said, exact names of fields, usual names; never what is only likely. */
import { type Field, fieldAt, isJsonKind } from '../../records/field.js';
import { inputFields, type Shape } from '../../records/kind.js';
import { nearest } from '../../records/nearest.js';
import { isOwnColumn } from '../own-columns.js';

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

/** A column that may be meant for a field. */
export interface Suggestion {
  readonly name: string;
  readonly path: string;
}

export interface ColumnFields {
  readonly columns: readonly ColumnField[];
  /** Several columns with a usual name of one field: any of them may be meant. */
  readonly rivals: readonly { readonly path: string; readonly names: readonly string[] }[];
  /** Columns whose name is nearly a field's that no column gives, or holds a usual name of one. */
  readonly suggestions: readonly Suggestion[];
  /** All other columns: they are no field. */
  readonly others: readonly string[];
  /** Fields that a record needs, and neither a column nor a value for every record gives; of two, `one or other`. */
  readonly missing: readonly string[];
}

/** The field of a usual name, or null. */
export type UsualField = (name: string) => string | null;

/** @param names of the columns, each once; those without a name are left out */
export function fieldsOfColumns(names: readonly string[], shape: Shape, said: Said, usual: UsualField): ColumnFields {
  const free = names.filter((name) => !isOwnColumn(name) && !said.ignore.has(name));
  const columns: ColumnField[] = [];
  const take = (name: string, path: string, why: Why): void => {
    const field = fieldOf(shape, path);
    if (field !== null) columns.push({ name, path, field, why });
  };
  for (const name of free) if (said.map.has(name)) take(name, said.map.get(name) ?? '', 'said');
  // An exact name counts beside a `--map` to the same field: that there are two is said when the file is read.
  for (const name of free) if (!said.map.has(name)) take(name, name, 'exact');
  const isGiven = (path: string): boolean =>
    said.set.some((other) => isWithin(path, other)) || columns.some((column) => isWithin(path, column.path));
  const open = free.filter((name) => !columns.some((column) => column.name === name));
  const byPath = new Map<string, string[]>();
  for (const name of open) {
    const path = usual(name);
    if (path !== null && fieldOf(shape, path) !== null && !isGiven(path))
      byPath.set(path, [...(byPath.get(path) ?? []), name]);
  }
  const rivals = [...byPath].filter(([, found]) => found.length > 1).map(([path, found]) => ({ path, names: found }));
  for (const [path, [name = '', ...more]] of byPath) if (more.length === 0) take(name, path, 'usual');
  const rest = open.filter(
    (name) => !columns.some((column) => column.name === name) && !rivals.some((rival) => rival.names.includes(name)),
  );
  const contested = (path: string): boolean => isGiven(path) || rivals.some((rival) => isWithin(path, rival.path));
  const suggestions = rest.flatMap((name) => suggestion(name, shape, contested, usual));
  return {
    columns,
    rivals,
    suggestions,
    others: rest.filter((name) => !suggestions.some((other) => other.name === name)),
    missing: missingFields(shape, (path) => isGiven(path) || rivals.some((rival) => isWithin(rival.path, path))),
  };
}

/** Whether one path is the other, or one lies within the other. */
function isWithin(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);
}

/** The field at a path, the price beside a record included. */
function fieldOf(shape: Shape, path: string): Field | null {
  return shape.price?.name === path ? shape.price : fieldAt(shape.fields, path);
}

/** Optional fields whose loss would change what is paid, or in which currency. */
const MONEY = new Set(['currency', 'multiplier', 'quantity', 'amount', 'base_price']);

function suggestion(name: string, shape: Shape, isGiven: (path: string) => boolean, usual: UsualField): Suggestion[] {
  const near = nearest(
    name,
    inputFields(shape)
      .flatMap(pathsOf)
      .filter((path) => !isGiven(path)),
  );
  if (near !== null) return [{ name, path: near }];
  const part = partsOf(name)
    .map(usual)
    .find((path) => path !== null && !isGiven(path) && isNeeded(path, shape));
  return part === undefined || part === null ? [] : [{ name, path: part }];
}

function isNeeded(path: string, shape: Shape): boolean {
  const field = fieldOf(shape, path);
  if (field === null) return false;
  return (
    field.required ||
    MONEY.has(path) ||
    shape.rules.some((rule) => rule.rule === 'one-of' && rule.fields.includes(path))
  );
}

/** `Net amount (GBP)` → `Net`, `amount`, `Net amount`, …: runs of words of a column's name. */
function partsOf(name: string): string[] {
  const words = name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS);
  return words.flatMap((_word, from) =>
    words.slice(from).map((_last, more) => words.slice(from, from + more + 1).join(' ')),
  );
}

const MOST_WORDS = 8;

function pathsOf(field: Field): string[] {
  if (field.members === undefined || !isJsonKind(field.kind)) return [field.name];
  return [field.name, ...field.members.map(({ name }) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${name}`)];
}

function missingFields({ fields, rules }: Shape, isGiven: (path: string) => boolean): string[] {
  const required = fields.filter(({ required: needed, sentDefault }) => needed && sentDefault === undefined);
  const oneOf = rules.flatMap((rule) =>
    rule.rule === 'one-of' && !rule.fields.some(isGiven) ? [rule.fields.join(' or ')] : [],
  );
  return [...required.map(({ name }) => name).filter((name) => !isGiven(name)), ...oneOf];
}
