/** Messages about columns that are no field of the record: with the nearest field, or the fields still to be given. */
import { type Field, isJsonKind } from '../records/field.js';
import { memberPath } from '../records/issue.js';
import type { Shape } from '../records/kind.js';
import { nearest } from '../records/nearest.js';
import { shellWord } from '../util/shell-word.js';
import type { BoundAssignments } from './columns.js';
import { type Header, isLikeData } from './csv-header.js';

/** The message for each unknown column, by its name; if there are very many, for the first ones. */
export function unknownColumns(
  header: Header,
  line: number,
  shape: Shape,
  given: BoundAssignments,
  platform: NodeJS.Platform,
): Map<string, string> {
  const unknown = header.columns.filter(({ field }) => field === null).map(({ path }) => path);
  if (unknown.length === 0) return new Map();
  const names = shape.fields.flatMap(pathsOf);
  const [first = ''] = unknown;
  if (strangeHeader(header, line) !== '' && unknown.some(isLikeData)) return new Map([[first, noHeader(line)]]);
  const hidden = unknown.length - MOST_UNKNOWN;
  const others = hidden > 0 ? `; and ${hidden} more columns that no field has` : '';
  const more = openText(header, shape, given) + strangeHeader(header, line) + others;
  return new Map(
    unknown
      .slice(0, MOST_UNKNOWN)
      .map((name) => [name, `${message(name, names, platform)}${name === first ? more : ''}`]),
  );
}

/** One message, and not one for every cell, where a file begins with its first record. */
function noHeader(line: number): string {
  return `line ${line} looks like data, and not one of its cells is a field's name; add a line with the column names above it, or rename the columns with --map if these are their names`;
}

/** At most so many unknown columns are reported, since they are reported for every row again. */
const MOST_UNKNOWN = 50;

function message(column: string, names: readonly string[], platform: NodeJS.Platform): string {
  const near = nearest(column, names);
  const name = memberPath('', column);
  const hint = near === null ? '' : ` Did you mean "${near}"?`;
  // With plain double quotes around the name, a shell would run commands that the file has written into it.
  const word = (text: string): string => shellWord(text, platform);
  return `there is no field "${name}".${hint} Rename the column with --map ${word(`${name}=${near ?? 'FIELD'}`)}, or drop it with --ignore-column ${word(name)}`;
}

/** Names of fields to which a column may be mapped; said once for all columns. */
function openText(header: Header, shape: Shape, given: BoundAssignments): string {
  const open = openFields(header, shape, given);
  return open.length === 0 ? '' : `; no column gives ${open.join(', ')}`;
}

/** The hint for a header of which no name is a field's: most likely it is not the header. */
export function strangeHeader(header: Header, line: number): string {
  if (header.price !== null || header.columns.some(({ field }) => field !== null)) return '';
  return `; not one name on line ${line} is a field's: if the column names stand on another line, say which with --header-line`;
}

/** The advice where another row names fields. */
export function headerFound(line: number, better: number): string {
  return `not one name on line ${line} is a field's, and the column names seem to stand on line ${better}: say --header-line ${better}`;
}

function pathsOf(field: Field): string[] {
  if (field.members === undefined || !isJsonKind(field.kind)) return [field.name];
  return [field.name, ...field.members.map(({ name }) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${name}`)];
}

/** Required fields that neither a column nor a value for every record gives. */
function openFields({ columns }: Header, { fields, rules }: Shape, given: BoundAssignments): string[] {
  const isGiven = (name: string): boolean =>
    given.gives(name) ||
    columns.some(({ field, path }) => field !== null && (path === name || path.startsWith(`${name}.`)));
  const required = fields.filter(({ required: needed, sentDefault }) => needed && sentDefault === undefined);
  const oneOf = rules.flatMap((rule) =>
    rule.rule === 'one-of' && !rule.fields.some(isGiven) ? [rule.fields.join(' or ')] : [],
  );
  return [...required.map(({ name }) => name).filter((name) => !isGiven(name)), ...oneOf];
}
