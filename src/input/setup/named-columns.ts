/** Where the column names of a file stand, and which column gives which field. CONTRACT: `--header-line`, `--map`. */
import { type Field, fieldAt } from '../../records/field.js';
import { inputFields, type Kind } from '../../records/kind.js';
import { nearest } from '../../records/nearest.js';
import { usualField } from '../usual-names.js';
import { columnName } from '../columns.js';
import { detectDelimiter, headerText } from '../csv-dialect.js';
import { isLikeData } from '../csv-header.js';
import { cutHeader, linesAt } from '../header-advice.js';
import { isOwnColumn } from '../own-columns.js';
import { isBlankRow } from '../rows.js';
import { fieldPaths, openFields } from '../unknown-columns.js';
import type { Conclusion } from './conclusion.js';

/** A line that may have the column names. */
export interface FirstLine {
  /** As an editor numbers it; in a workbook the row. */
  readonly line: number;
  /** Its cells as names: trimmed, each on one line. */
  readonly cells: readonly string[];
}

/** A cell as a column's name. */
export function asName(cell: string): string {
  return columnName(cell).trim();
}

/**
 * The first lines that hold anything, each cut as a header would be that stands there.
 * @param head the start of the file, as text
 * @param delimiter as declared; null where each line may have its own: a title has none, or other ones
 */
export function firstLines(head: string, delimiter: string | null): FirstLine[] {
  if (head.trim() === '') return [];
  return [...linesAt(head)].flatMap((rest, i) => {
    const [text = ''] = rest.split(/[\r\n]/, 1);
    const cells = cutHeader(headerText(rest), delimiter ?? detectDelimiter(rest) ?? ',');
    if (cells !== null && !isBlankRow(cells)) return [{ line: i + 1, cells: cells.map(asName) }];
    return text.trim() === '' ? [] : [{ line: i + 1, cells: [asName(text)] }];
  });
}

export interface HeaderLine extends FirstLine {
  /** Fields that its cells name. */
  readonly fields: readonly string[];
}

/** @param meant the field that a name gives, or is likely to give; or null */
export function withFields(lines: readonly FirstLine[], meant: (name: string) => string | null): HeaderLine[] {
  return lines.map(({ line, cells }) => {
    const fields = cells.map((cell) => (cell === '' ? null : meant(cell))).filter((field) => field !== null);
    return { line, cells, fields: [...new Set(fields)] };
  });
}

/** So many fields in one line are no accident. */
const ENOUGH_FIELDS = 2;

/**
 * @param usual the line on which the tool looks for the header by itself
 * @returns the line with the column names; null for the usual one; 0, as a guess, where there is none
 */
export function concludeHeader(lines: readonly HeaderLine[], usual: number): Conclusion<number> {
  const first = lines.find(({ line }) => line >= usual);
  const best = lines.reduce<HeaderLine | undefined>(
    (most, line) => (isHeader(line) && line.fields.length > (most?.fields.length ?? 0) ? line : most),
    undefined,
  );
  const say = (line: number): string[] => [`--header-line ${line}`];
  if (best !== undefined && (best === first || best.fields.length >= ENOUGH_FIELDS)) {
    const because = `line ${best.line} names ${someOf(best.fields)}`;
    if (best === first) return { certainty: 'nothing', value: null, because, say: [] };
    return { certainty: 'proven', value: best.line, because, say: say(best.line) };
  }
  if (best !== undefined) {
    const because = `line ${best.line} names ${best.fields.join(', ')}, and no more than that`;
    return { certainty: 'likely', value: best.line, because, say: say(best.line) };
  }
  if (first !== undefined && looksLikeData(first)) {
    const because = `line ${first.line} looks like data, and no line above the rows names a field: if there is no line with column names, columns are named by their position, as in --header-line 0 --map '#1=user_id'`;
    return { certainty: 'likely', value: 0, because, say: ['--header-line N', '--header-line 0'] };
  }
  const top = first === undefined ? undefined : topOfTable(lines.slice(lines.indexOf(first)));
  if (top === undefined || top === first) return { certainty: 'nothing', value: null, because: '', say: [] };
  const because = `no line names a field, and line ${top.line} stands above rows of as many cells`;
  return { certainty: 'likely', value: top.line, because, say: say(top.line) };
}

/** The line without a number or a date above the first rows of as many cells, that have some. */
function topOfTable(lines: readonly HeaderLine[]): HeaderLine | undefined {
  const widest = Math.max(...lines.map(({ cells }) => cells.length));
  if (widest < 2) return undefined;
  return lines.find(
    (line, i) =>
      line.cells.length === widest &&
      !looksLikeData(line) &&
      lines[i + 1]?.cells.length === widest &&
      looksLikeData(lines[i + 1] as HeaderLine),
  );
}

const FEW = 4;

function someOf(fields: readonly string[]): string {
  const more = fields.length - FEW;
  return more > 0 ? `${fields.slice(0, FEW).join(', ')} and ${more} more` : fields.join(', ');
}

/** A word of a row may be a usual name, too: beside numbers and dates, most of the others must be names. */
function isHeader(line: HeaderLine): boolean {
  const data = line.cells.filter(isLikeData).length;
  return data === 0 || line.fields.length >= Math.max(ENOUGH_FIELDS, data);
}

/** A name is no number, and no date. */
function looksLikeData({ cells }: HeaderLine): boolean {
  return cells.some(isLikeData);
}

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
