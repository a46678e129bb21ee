/** Findings about columns that are not fields of the record, and about dropped ones. */
import { type Field, fieldAt, isJsonKind, type Shape } from '../records/fields.js';
import type { RecordSchema } from '../records/schema.js';
import { excerpt, type Finding, memberPath, warning } from '../records/issue.js';
import { nearest } from '../records/nearest.js';
import { shellQuote } from '../util/shell-quote.js';
import { isColumnNumber } from './column-places.js';
import type { BoundAssignments } from './columns.js';
import { columnsFor, type Header } from './csv-header.js';
import type { FileInfo } from './read-options.js';
import { fieldBySynonym } from './column-synonyms.js';

/** Whether a column or a value for every record sets a field, or a part of it. */
export type IsGiven = (path: string) => boolean;

export function givenBy({ columns }: Header, given: BoundAssignments): IsGiven {
  return (name) => given.gives(name) || columns.some(({ path }) => path === name || path.startsWith(`${name}.`));
}

/** The dot paths that a column may have. */
export function fieldPaths(field: Field): string[] {
  if (field.members === undefined || !isJsonKind(field.kind)) return [field.name];
  return [field.name, ...field.members.map(({ name }) => `${field.name}.${field.kind === 'list' ? '0.' : ''}${name}`)];
}

/** Required fields without a value; of two alternatives, `one or other`. */
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

/** @param open paths without a value: no other field can be meant */
export function meantField(name: string, open: readonly string[], shape: Shape): Meant | null {
  if (isColumnNumber(name) || wholeField(name, shape) !== null) return null;
  const found = 'type' in shape ? fieldBySynonym(name, (shape as RecordSchema).type) : null;
  const usual = found !== null && open.includes(found.field) ? found : null;
  if (usual?.exact === true) return { path: usual.field, because: 'usual' };
  const near = nearest(name, open);
  if (near !== null) return { path: near, because: 'near' };
  return usual === null ? null : { path: usual.field, because: 'likely' };
}

/** `filter_query` for `filter_query.city`: a field that takes a whole object, so no column gives a part of it. */
function wholeField(name: string, { fields }: Shape): string | null {
  const [top = '', part] = name.split('.', 2);
  const field = part === undefined ? null : fieldAt(fields, top);
  return field !== null && field.members === undefined && isJsonKind(field.kind) ? top : null;
}

function openPaths({ fields }: Shape, isGiven: IsGiven): string[] {
  return fields.flatMap(fieldPaths).filter((path) => !isGiven(path));
}

/** With this many, most columns are not needed. */
const MANY_UNKNOWN = 4;
/** The most unknown columns that are reported, since each is reported for every row. */
const MOST_UNKNOWN = 50;

/** A column that is not a field, and its finding in every row. */
export interface UnknownColumn {
  readonly index: number;
  readonly path: string;
  readonly message: string;
  readonly listed: string;
}

/** At most the first {@link MOST_UNKNOWN}. */
export function unknownColumns(
  header: Header,
  shape: Shape,
  isGiven: IsGiven,
  platform: NodeJS.Platform,
): readonly UnknownColumn[] {
  const open = openPaths(shape, isGiven);
  const unknown = columnsFor(header, 'unknown');
  const more =
    unknown.length < MANY_UNKNOWN ? '' : '. To ignore all columns that are not fields, add --ignore-other-columns';
  // Without names, a person may need any of the columns.
  const told = unknown.filter(({ path }, i) => i < MOST_UNKNOWN || isColumnNumber(path));
  return told.map(({ index, path }, i) => {
    const whole = wholeField(path, shape);
    const words =
      whole === null
        ? unknownText(path, meantField(path, open, shape), platform)
        : wholeFieldText(path, whole, platform);
    return { index, path, ...words, message: i === 0 ? words.message + more : words.message };
  });
}

function unknownText(
  column: string,
  meant: Meant | null,
  platform: NodeJS.Platform,
): { readonly message: string; readonly listed: string } {
  const name = memberPath('', column);
  let found = `The column "${name}" is not a field.`;
  if (isColumnNumber(column)) found = `The column ${name} is not mapped to a field.`;
  else if (meant !== null)
    found += meant.because === 'near' ? ` Did you mean "${meant.path}"?` : ` It is probably "${meant.path}".`;
  // In double quotes, a shell would run commands that the file has written into the name.
  const map = shellQuote(`${name}=${meant?.path ?? 'FIELD'}`, platform);
  const message = `${found} Map it with --map ${map}, or ignore it with --ignore-column ${shellQuote(name, platform)}`;
  return { message, listed: `"${name}"${meant === null ? '' : ` (probably ${meant.path}: --map ${map})`}` };
}

/** A mapped column would have to be the whole field. */
function wholeFieldText(
  column: string,
  whole: string,
  platform: NodeJS.Platform,
): { readonly message: string; readonly listed: string } {
  const name = memberPath('', column);
  const json = JSON.stringify({ [column.slice(whole.length + 1)]: '…' });
  const ways = `Write it in one column ${whole} as JSON, such as ${excerpt(json)}, or fill it in with --template`;
  const message = `The column "${name}" is only a part of ${whole}. ${ways}. To ignore it, add --ignore-column ${shellQuote(name, platform)}`;
  return { message, listed: `"${name}" (${whole} is one column with JSON)` };
}

/** The most names that are kept and reported for a file: objects may have new ones without end. */
export const MOST_DROPPED = 300;
/** The most names that are shown: nobody reads a longer list. */
const MOST_DROPPED_SHOWN = 20;
/** Only a hostile file has more: finding the nearest field takes time. */
const MOST_LOOKED_AT = 2000;

/** `dropped 30 columns: "Notiz", … and 10 more` */
export function droppedText({ dropped, template }: FileInfo): string {
  const shown = [...dropped].filter(([, doubt], i) => i < MOST_DROPPED_SHOWN || doubt !== null);
  const names = shown.map(([name]) => JSON.stringify(excerpt(name)));
  const rest = dropped.size > shown.length ? ` and ${dropped.size - shown.length} more` : '';
  const count = dropped.size === 1 ? '1 column' : `${dropped.size} columns`;
  const all = `${count}${dropped.size < MOST_DROPPED ? '' : ' or more'}`;
  const found = template === null ? `dropped ${all}` : `${template} does not use ${all}`;
  return `${found}: ${names.join(', ')}${rest}`;
}

/** Names that are dropped: on a person's demand, and because they are not fields. */
interface Dropped {
  readonly ignored: Iterable<string>;
  readonly others: Iterable<string>;
}

/** Records dropped columns. If no flag names a column, it may be a typo of `currency`: then money would have none. */
export function noteDropped(
  { dropped }: FileInfo,
  { ignored, others }: Dropped,
  shape: Shape,
  isGiven: IsGiven,
  platform: NodeJS.Platform,
): void {
  const open = openPaths(shape, isGiven);
  for (const name of ignored) if (dropped.size < MOST_DROPPED) dropped.set(name, null);
  for (const name of [...others].slice(0, MOST_LOOKED_AT)) {
    const doubt = lostField(name, open, shape, platform);
    if (doubt !== null || dropped.size < MOST_DROPPED) dropped.set(name, doubt);
  }
}

/** A warning for a dropped column that may be meant for a field without any other value. */
function lostField(name: string, open: readonly string[], shape: Shape, platform: NodeJS.Platform): Finding | null {
  const meant = meantField(name, open, shape);
  if (meant === null || (meant.because === 'likely' && fieldAt(shape.fields, meant.path)?.required !== true))
    return null;
  const path = memberPath('', name);
  const map = shellQuote(`${path}=${meant.path}`, platform);
  const ignore = shellQuote(path, platform);
  const message = `The column "${path}" is ignored, and no column gives ${meant.path}. Did you mean "${meant.path}"? Then add --map ${map}. If not, add --ignore-column ${ignore}`;
  return warning('unknown-field', path, message);
}
