/** JSON whose records are not where they are read: where they are, and what a person can do. */
import { shellQuote } from '../util/shell-quote.js';
import { type Body, isObject } from '../records/types.js';
import { excerpt } from '../records/issue.js';
import { STDIN } from './source.js';

/** Exports have their records under `data`, `items`, or `result.rows`. */
const DEEPEST_LIST = 3;

/** A list within an object: the names of the members that lead to it, and its elements. */
interface WrappedList {
  readonly path: readonly string[];
  readonly elements: readonly unknown[];
}

/**
 * The lists of objects within an object that is no record, each as the names of the members that lead to it; the empty
 * lists, if no other is there.
 * @param isField whether a name is that of a field
 */
export function wrappedLists(value: Body, isField: (name: string) => boolean): (readonly string[])[] {
  const lists = listsWithin(value, isField, 1).filter(({ elements }) => elements.every(hasMembers));
  const filled = lists.filter(({ elements }) => elements.length > 0);
  return (filled.length > 0 ? filled : lists).map(({ path }) => path);
}

function listsWithin(value: Body, isField: (name: string) => boolean, depth: number): WrappedList[] {
  if (Object.keys(value).some(isField)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (Array.isArray(member)) return [{ path: [name], elements: member }];
    if (!isObject(member) || depth === DEEPEST_LIST) return [];
    return listsWithin(member, isField, depth + 1).map(({ path, elements }) => ({ path: [name, ...path], elements }));
  });
}

function hasMembers(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

/** A file that a person named, and the platform for whose shells its name is quoted. */
export interface JsonFile {
  readonly path: string;
  readonly platform: NodeJS.Platform;
}

/** @param lists at least one */
export function wrappedText(lists: readonly (readonly string[])[], file: JsonFile): string {
  const names = lists.map((path) => JSON.stringify(excerpt(path.join('.'))));
  const [only = [], other] = lists;
  const isSimple = other === undefined && only.every((name) => /^[A-Za-z_]\w*$/.test(name));
  const remedy = other === undefined ? 'Save the list' : 'Save the list of the records';
  return (
    `this is one object, and its records are probably in the list under ${names.join(' or ')}. ` +
    `${remedy} alone, from its [ to its ], as a separate file` +
    (isSimple ? jqCommand(`.${only.join('.')}[]`, file) : '')
  );
}

/** What to do with a file of objects that stand one after another, each on several lines. */
export function severalObjectsText(file: JsonFile): string {
  return (
    'put each object on one line and add --format ndjson; or put [ before the first object, ] after the last one ' +
    `and a comma between two, and add --format json${jqCommand('.', file)}`
  );
}

/** For those who have jq: it writes one record per line. The quotes suit all shells. */
function jqCommand(filter: string, { path, platform }: JsonFile): string {
  if (path === STDIN) return `. With jq, put this before it in the pipe: jq -c "${filter}"`;
  const target = `${path.replace(/\.[^./\\]*$/, '')}-records.ndjson`;
  return `. With jq: jq -c "${filter}" ${shellQuote(path, platform)} > ${shellQuote(target, platform)}`;
}
