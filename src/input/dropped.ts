/** What is said of columns that are dropped: all of them in one line, and a warning for each that may be a field after all. */
import { fieldAt } from '../records/field.js';
import { excerpt, memberPath, warning } from '../records/issue.js';
import type { Kind, Shape } from '../records/kind.js';
import { nearest } from '../records/nearest.js';
import { usualField } from '../records/usual-names.js';
import { shellWord } from '../util/shell-word.js';
import { fieldPaths, isGivenBy } from './unknown-columns.js';
import type { BoundAssignments } from './columns.js';
import type { Header } from './csv-header.js';
import type { DroppedDoubt, FileFacts } from './reading.js';

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
  const count =
    dropped.size >= MOST_DROPPED
      ? `${MOST_DROPPED} columns or more`
      : dropped.size === 1
        ? '1 column'
        : `${dropped.size} columns`;
  return `dropped ${count}: ${names.join(', ')}${rest}`;
}

/** Notes what a header drops. */
export function noteDropped(
  header: Header,
  shape: Shape,
  given: BoundAssignments,
  platform: NodeJS.Platform,
  facts: FileFacts,
): void {
  const { line, dropped, others } = header;
  for (const name of dropped.slice(0, MOST_DROPPED)) facts.dropped.add(name);
  const isGiven = (path: string): boolean => isGivenBy(header, given, path);
  for (const lost of lostFields(others.slice(0, MOST_LOOKED_AT), shape, isGiven, platform))
    facts.doubts.push({ ...lost, line });
}

/**
 * A warning for each dropped column that may be meant for a field which nothing else gives: a typo of `currency` would
 * otherwise be money without one.
 * @param isGiven whether a column or a value for every record gives a field
 */
export function lostFields(
  dropped: Iterable<string>,
  shape: Shape,
  isGiven: (path: string) => boolean,
  platform: NodeJS.Platform,
): Omit<DroppedDoubt, 'line'>[] {
  const open = shape.fields.flatMap(fieldPaths).filter((path) => !isGiven(path));
  return [...dropped].flatMap((name) => {
    const field = meantField(name, open, shape);
    if (field === null) return [];
    const word = (text: string): string => shellWord(text, platform);
    const path = memberPath('', name);
    const message = `the column "${path}" is dropped, and nothing gives ${field}. Did you mean "${field}"? Then say --map ${word(`${path}=${field}`)}; if not, --ignore-column ${word(path)} says so`;
    return [{ column: name, field, finding: warning('unknown-field', path, message) }];
  });
}

/** The open field that a name most likely means, or null. */
function meantField(name: string, open: readonly string[], shape: Shape): string | null {
  const near = nearest(name, open);
  if (near !== null) return near;
  const usual = 'type' in shape ? usualField(name, (shape as Kind).type) : null;
  if (usual === null || !open.includes(usual.field)) return null;
  return usual.exact || fieldAt(shape.fields, usual.field)?.required === true ? usual.field : null;
}
