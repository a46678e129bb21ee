/** Messages about columns that are no field of the record: with the nearest field, or the fields still to be given. */
import { type Field, isJsonKind } from '../records/field.js';
import { memberPath } from '../records/issue.js';
import type { Kind, Shape } from '../records/kind.js';
import { nearest } from '../records/nearest.js';
import { usualField } from '../records/usual-names.js';
import { shellWord } from '../util/shell-word.js';
import { type BoundAssignments, isColumnNumber } from './columns.js';
import type { Header } from './csv-header.js';
import type { HeaderDoubt } from './header-advice.js';

/** What a message about a column takes into account. */
interface Table {
  readonly header: Header;
  readonly shape: Shape;
  readonly given: BoundAssignments;
  readonly doubt: HeaderDoubt | null;
  readonly platform: NodeJS.Platform;
}

/** The message for each unknown column, by its name; if there are very many, for the first ones. */
export function unknownColumns(table: Table): Map<string, string> {
  const { header, doubt } = table;
  const unknown = header.columns.filter(({ field }) => field === null).map(({ path }) => path);
  if (unknown.length === 0) return new Map();
  const [first = ''] = unknown;
  // One message, and not one for every cell, where the header is none.
  if (doubt !== null && doubt.instead !== null) return new Map([[first, doubt.instead]]);
  const numbered = unknown.every(isColumnNumber);
  const told = numbered ? unknown : unknown.slice(0, MOST_UNKNOWN);
  const hidden = unknown.length - told.length;
  const others =
    (unknown.length >= MANY_UNKNOWN ? '; --ignore-other-columns drops all that are no field' : '') +
    (hidden > 0 ? `; and ${hidden} more columns that no field has` : '');
  const more = openText(table) + (doubt?.also ?? '') + others;
  const names = table.shape.fields.flatMap(fieldPaths);
  return new Map(told.map((name) => [name, `${message(name, names, table)}${name === first ? more : ''}`]));
}

/** With so many, most are not needed. */
const MANY_UNKNOWN = 4;
/** At most so many unknown columns are reported, since they are reported for every row again. */
const MOST_UNKNOWN = 50;

function message(column: string, names: readonly string[], { header, shape, given, platform }: Table): string {
  const found = 'type' in shape ? usualField(column, (shape as Kind).type) : null;
  const usual = found !== null && isGivenBy(header, given, found.field) ? null : found;
  const near = usual?.exact === true || isColumnNumber(column) ? null : nearest(column, names);
  const name = memberPath('', column);
  const hint = near !== null ? ` Did you mean "${near}"?` : usual !== null ? ` It is probably "${usual.field}".` : '';
  const what = isColumnNumber(column)
    ? `the column ${name} is given to no field.`
    : `there is no field "${name}".${hint}`;
  // With plain double quotes around the name, a shell would run commands that the file has written into it.
  const word = (text: string): string => shellWord(text, platform);
  return `${what} Rename the column with --map ${word(`${name}=${near ?? usual?.field ?? 'FIELD'}`)}, or drop it with --ignore-column ${word(name)}`;
}

/** Names of fields to which a column may be mapped; said once for all columns. */
function openText({ header, shape, given }: Table): string {
  const open = openFields(shape, (name) => isGivenBy(header, given, name));
  return open.length === 0 ? '' : `; no column gives ${open.join(', ')}`;
}

/** The dot paths that a column may have. */
export function fieldPaths(field: Field): string[] {
  if (field.members === undefined || !isJsonKind(field.kind)) return [field.name];
  return [field.name, ...field.members.map(({ name }) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${name}`)];
}

/** Whether a column or a value for every record gives a field, or a part of it. */
export function isGivenBy({ columns }: Header, given: BoundAssignments, name: string): boolean {
  if (given.gives(name)) return true;
  return columns.some(({ field, path }) => field !== null && (path === name || path.startsWith(`${name}.`)));
}

/** Fields that a record needs, and nothing gives; of two, `one or other`. */
export function openFields({ fields, rules }: Shape, isGiven: (path: string) => boolean): string[] {
  const required = fields.filter(({ required: needed, sentDefault }) => needed && sentDefault === undefined);
  const oneOf = rules.flatMap((rule) =>
    rule.rule === 'one-of' && !rule.fields.some(isGiven) ? [rule.fields.join(' or ')] : [],
  );
  return [...required.map(({ name }) => name).filter((name) => !isGiven(name)), ...oneOf];
}
