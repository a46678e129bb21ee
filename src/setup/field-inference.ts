/** Which column gives which field, and so what the records are: by flags, names and values. CONTRACT: `--map`. */
import { fieldBySynonym } from '../input/column-synonyms.js';
import { isResultColumn } from '../input/result-columns.js';
import { fieldPaths, meantField, openFields } from '../input/unknown-columns.js';
import { type Field, fieldAt } from '../records/fields.js';
import { RECORD_SCHEMAS } from '../records/record-schemas.js';
import type { RecordSchema } from '../records/schema.js';
import { RECORD_TYPES, type RecordType } from '../records/types.js';
import { type Answers, setPaths } from './answers.js';
import type { ColumnProfile, ColumnProfiles } from './column-profiles.js';
import type { Inference } from './inference.js';

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
 * @param profiles their values must allow what a name only suggests
 */
export function inferFields(
  names: readonly string[],
  schema: RecordSchema,
  answers: Answers,
  profiles: ColumnProfiles,
): ColumnFields {
  const { map, ignore, ignoreOthers } = answers;
  const free = names.filter((name) => name !== '' && !isResultColumn(name) && !ignore.has(name));
  const columns: ColumnField[] = [];
  const take = (name: string, path: string, why: ColumnField['why']): void => {
    const field = fieldOf(schema, path);
    if (field !== null) columns.push({ name, path, field, why });
  };
  const isGiven = (path: string): boolean =>
    setPaths(answers).some((other) => isWithin(path, other)) || columns.some((column) => isWithin(path, column.path));
  const isOpen = (name: string): boolean => !columns.some((column) => column.name === name);
  for (const name of free) if (map.has(name)) take(name, map.get(name) ?? '', 'said');
  // An exact name counts even with a `--map` to the same field: reading the file reports that there are two.
  for (const name of free) if (!map.has(name)) take(name, name, 'exact');
  const suggestions: Suggestion[] = [];
  for (const [path, { field, sure, likely }] of candidatesOf(free.filter(isOpen), schema, isGiven, profiles)) {
    const [name, rival] = sure;
    if (name !== undefined && rival === undefined) take(name, path, 'usual');
    else if (name !== undefined || !ignoreOthers)
      suggestions.push({ path, field, names: [...sure, ...likely], isSure: name !== undefined });
  }
  return {
    columns,
    suggestions,
    others: free.filter((name) => isOpen(name) && !suggestions.some((suggestion) => suggestion.names.includes(name))),
    missing: openFields(schema, (path) => isGiven(path) || suggestions.some((each) => isWithin(each.path, path))),
  };
}

/** The field that a name means, of those without a source: certainly, or likely. */
export function fieldByName(
  name: string,
  schema: RecordSchema,
  isGiven: (path: string) => boolean,
): { readonly path: string; readonly isSure: boolean } | null {
  // A second reference is no typo of another field.
  const usual = fieldBySynonym(name, schema.type);
  if (usual !== null && isGiven(usual.field)) return null;
  const paths = schema.inputFields.flatMap(fieldPaths);
  const meant = meantField(
    name,
    paths.filter((path) => !isGiven(path)),
    schema,
  );
  return meant === null ? null : { path: meant.path, isSure: meant.because === 'usual' };
}

/** Columns that may be meant for one field: by a certain name, or by a likely one. */
interface FieldCandidates {
  readonly field: Field;
  readonly sure: string[];
  readonly likely: string[];
}

/** By the paths of fields without a source. */
function candidatesOf(
  names: readonly string[],
  schema: RecordSchema,
  isGiven: (path: string) => boolean,
  profiles: ColumnProfiles,
): ReadonlyMap<string, FieldCandidates> {
  const found = new Map<string, FieldCandidates>();
  for (const name of names) {
    const { path = '', isSure = false } = fieldByName(name, schema, isGiven) ?? {};
    const field = fieldOf(schema, path);
    if (field === null || (!isSure && !isSuggested(name, field, profiles))) continue;
    const candidates = found.get(path) ?? { field, sure: [], likely: [] };
    found.set(path, candidates);
    candidates[isSure ? 'sure' : 'likely'].push(name);
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
function certaintyOf(
  schema: RecordSchema,
  names: readonly string[],
  answers: Answers,
  profiles: ColumnProfiles,
): 3 | 2 | 1 | 0 {
  const given: Answers = { ...answers, ignoreOthers: false };
  const { columns, suggestions } = inferFields(names, schema, given, profiles);
  const why = columns.find(({ path }) => path === schema.mark)?.why;
  const suggested = suggestions.find(({ path }) => path === schema.mark);
  if (setPaths(answers).includes(schema.mark) || why === 'exact' || why === 'said') return 3;
  if (why === 'usual' || suggested?.isSure === true) return 2;
  return suggested === undefined ? 0 : 1;
}

/** The type with the most certain mark. */
export function inferType(names: readonly string[], answers: Answers, profiles: ColumnProfiles): Inference<RecordType> {
  const schemas = RECORD_TYPES.map((type) => RECORD_SCHEMAS[type]);
  const certainties = schemas.map((schema) => certaintyOf(schema, names, answers, profiles));
  const most = Math.max(...certainties);
  const [found, second] = schemas.filter((_schema, i) => most > 0 && certainties[i] === most);
  if (found !== undefined && second === undefined) {
    if (most > 1) return { kind: 'certain', value: found.type };
    return { kind: 'likely', value: found.type, why: `A column may give ${found.mark}.` };
  }
  const amount = amountColumn(profiles);
  if (found === undefined && amount !== null)
    return { kind: 'likely', value: 'payout', why: `The column "${amount}" has amounts.` };
  const marksOf = (all: readonly RecordSchema[]): string =>
    all.map(({ type, mark }) => `${mark} makes a ${type}`).join(', ');
  const why =
    found === undefined
      ? `No column shows what the rows are (${marksOf(schemas)}).`
      : `The columns do not agree about what the rows are (${marksOf(schemas.filter((_schema, i) => certainties[i] !== 0))}).`;
  return { kind: 'open', candidates: RECORD_TYPES, why };
}

/** Whether the values of a column fit a field, so that it is offered to a person. */
export function suits(name: string, { kind, money }: Field, profiles: ColumnProfiles): boolean {
  const column = profiles.columns.get(name);
  // An empty column shows nothing for or against it.
  if (column === undefined) return true;
  if (column.filled === 0) return false;
  if (money === true)
    return column.areNumbers && (amountColumn(profiles) === null || column.hasDecimals || column.repeats);
  switch (kind) {
    case 'number':
    case 'multiplier':
      return column.areNumbers;
    case 'date':
      return column.areAnyDates;
    case 'currency':
      return column.areMeantCurrencies;
    default:
      // An ID has no cents, and is no currency.
      return (
        !(column.areNumbers && column.hasDecimals) && !column.areDates && !column.areTimes && !column.areCurrencies
      );
  }
}

const MANY_ROWS = 3;

/** Whether a name suggests its field. An account that is the same in all rows is the payer's, not a payee. */
function isSuggested(name: string, field: Field, profiles: ColumnProfiles): boolean {
  const { words = null, filled = 0 } = profiles.columns.get(name) ?? {};
  const isPayer = field.name === 'user_id' && words?.size === 1 && filled >= MANY_ROWS;
  return suits(name, field, profiles) && !isPayer;
}

/** Whether its numbers have decimals, as those of money. */
export function isAmountColumn(column: ColumnProfile | undefined): boolean {
  return column !== undefined && column.areNumbers && column.hasDecimals;
}

function amountColumn({ columns }: ColumnProfiles): string | null {
  return [...columns].find(([, column]) => isAmountColumn(column))?.[0] ?? null;
}

export const isDate = ({ kind }: Field): boolean => kind === 'date';
export const isMoney = ({ money }: Field): boolean => money === true;
export const isNumber = ({ kind }: Field): boolean => kind === 'number' || kind === 'multiplier';
