/** Columns that are no field of the record: what is said of them, and of those that are dropped. */
import { type Field, fieldAt, isJsonKind } from '../records/field.js';
import { excerpt, memberPath, warning } from '../records/issue.js';
import type { Kind, Shape } from '../records/kind.js';
import { nearest } from '../records/nearest.js';
import { shellWord } from '../util/shell-word.js';
import { type BoundAssignments, isColumnNumber } from './columns.js';
import type { Header } from './csv-header.js';
import type { DroppedDoubt, FileFacts } from './reading.js';
import { usualField } from './usual-names.js';

/** Whether a column or a value for every record gives a field, or a part of it. */
export type IsGiven = (path: string) => boolean;

export function givenBy({ columns }: Header, given: BoundAssignments): IsGiven {
  return (name) => given.gives(name) || columns.some(({ path }) => path === name || path.startsWith(`${name}.`));
}

/** The dot paths that a column may have. */
export function fieldPaths(field: Field): string[] {
  if (field.members === undefined || !isJsonKind(field.kind)) return [field.name];
  return [field.name, ...field.members.map(({ name }) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${name}`)];
}

/** Fields that a record needs, and nothing gives; of two, `one or other`. */
export function openFields({ fields, rules }: Shape, isGiven: IsGiven): string[] {
  const required = fields.filter(({ required: needed, sentDefault }) => needed && sentDefault === undefined);
  const oneOf = rules.flatMap((rule) =>
    rule.given === null && !rule.needs.some(isGiven) ? [rule.needs.join(' or ')] : [],
  );
  return [...required.map(({ name }) => name).filter((name) => !isGiven(name)), ...oneOf];
}

/** The field that a name seems to mean. */
interface Meant {
  readonly path: string;
  readonly because: 'usual' | 'likely' | 'near';
}

/** @param open paths that nothing gives: no other field can be meant */
function meantField(name: string, open: readonly string[], shape: Shape): Meant | null {
  if (isColumnNumber(name)) return null;
  const found = 'type' in shape ? usualField(name, (shape as Kind).type) : null;
  const usual = found !== null && open.includes(found.field) ? found : null;
  if (usual?.exact === true) return { path: usual.field, because: 'usual' };
  const near = nearest(name, open);
  if (near !== null) return { path: near, because: 'near' };
  return usual === null ? null : { path: usual.field, because: 'likely' };
}

function openPaths({ fields }: Shape, isGiven: IsGiven): string[] {
  return fields.flatMap(fieldPaths).filter((path) => !isGiven(path));
}

/** With so many, most are not needed. */
const MANY_UNKNOWN = 4;
/** At most so many unknown columns are reported, since they are reported for every row again. */
const MOST_UNKNOWN = 50;

/** A column that is no field, and what is said of it in every row. */
export interface UnknownColumn {
  readonly index: number;
  readonly path: string;
  readonly message: string;
}

/** The columns that are no field; if there are very many, the first ones. */
export function unknownColumns(
  { unknown }: Header,
  shape: Shape,
  isGiven: IsGiven,
  platform: NodeJS.Platform,
): readonly UnknownColumn[] {
  const all = [...unknown];
  const told = all.every(([, path]) => isColumnNumber(path)) ? all : all.slice(0, MOST_UNKNOWN);
  const open = openFields(shape, isGiven);
  const hidden = all.length - told.length;
  const more =
    (open.length === 0 ? '' : `; no column gives ${open.join(', ')}`) +
    (all.length >= MANY_UNKNOWN ? '; --ignore-other-columns drops all that are no field' : '') +
    (hidden > 0 ? `; and ${hidden} more columns that no field has` : '');
  const paths = openPaths(shape, isGiven);
  return told.map(([index, path], i) => {
    const words = unknownWords(path, meantField(path, paths, shape), platform);
    return { index, path, message: i === 0 ? words + more : words };
  });
}

function unknownWords(column: string, meant: Meant | null, platform: NodeJS.Platform): string {
  const name = memberPath('', column);
  const hint =
    meant === null
      ? ''
      : meant.because === 'near'
        ? ` Did you mean "${meant.path}"?`
        : ` It is probably "${meant.path}".`;
  const what = isColumnNumber(column)
    ? `the column ${name} is given to no field.`
    : `there is no field "${name}".${hint}`;
  // With plain double quotes around the name, a shell would run commands that the file has written into it.
  const map = shellWord(`${name}=${meant?.path ?? 'FIELD'}`, platform);
  return `${what} Rename the column with --map ${map}, or drop it with --ignore-column ${shellWord(name, platform)}`;
}

/** At most so many names are kept and told of a file: objects may have ever new ones. */
export const MOST_DROPPED = 300;
/** So many names are shown: a longer list is read by nobody, and the doubtful ones would be lost in it. */
const MOST_SHOWN = 20;
/** Only a hostile file has more: to look for the nearest field takes its time. */
const MOST_LOOKED_AT = 2000;

/** `dropped 30 columns: "Notiz", … and 10 more` */
export function droppedWords({ dropped, doubts }: FileFacts): string {
  const meant = new Map(doubts.map(({ column, field }) => [column, ` (did you mean "${field}"?)`]));
  const shown = [...dropped].filter((name, i) => i < MOST_SHOWN || meant.has(name));
  const names = shown.map((name) => `${JSON.stringify(excerpt(name))}${meant.get(name) ?? ''}`);
  const rest = dropped.size > shown.length ? ` and ${dropped.size - shown.length} more` : '';
  const count = dropped.size === 1 ? '1 column' : `${dropped.size} columns`;
  return `dropped ${count}${dropped.size < MOST_DROPPED ? '' : ' or more'}: ${names.join(', ')}${rest}`;
}

/**
 * A warning for each dropped column that may be meant for a field which nothing else gives: a typo of `currency` would
 * otherwise be money without one.
 * @param line of the header; null without one
 */
export function lostFields(
  dropped: Iterable<string>,
  shape: Shape,
  isGiven: IsGiven,
  line: number | null,
  platform: NodeJS.Platform,
): DroppedDoubt[] {
  const open = openPaths(shape, isGiven);
  return [...dropped].slice(0, MOST_LOOKED_AT).flatMap((name) => {
    const meant = meantField(name, open, shape);
    if (meant === null || (meant.because === 'likely' && fieldAt(shape.fields, meant.path)?.required !== true))
      return [];
    const { path: field } = meant;
    const path = memberPath('', name);
    const word = (text: string): string => shellWord(text, platform);
    const message = `the column "${path}" is dropped, and nothing gives ${field}. Did you mean "${field}"? Then say --map ${word(`${path}=${field}`)}; if not, --ignore-column ${word(path)} says so`;
    return [{ column: name, field, finding: warning('unknown-field', path, message), line }];
  });
}
