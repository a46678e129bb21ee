/** Canonical JSON (RFC 8785): one text for one value, on every machine. Bodies, keys and hashes are made from it. */

/**
 * Object members sorted by UTF-16 code units, no white space, numbers in ECMAScript's shortest form. Takes JSON values
 * without lone surrogates; leaves `undefined` members out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  let text = '';
  for (const name of sortedNames(members)) {
    const member = members[name];
    if (member === undefined) continue;
    text = joined(text, memberText(name, member));
  }
  return `{${text}}`;
}

/** Characters that JSON escapes: quotes, backslashes, controls, lone surrogates. Paired surrogates match too. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Whether JSON only puts quotes around a text. True of most texts, and cheaper to check than to serialise. */
export function isUnescaped(text: string): boolean {
  return !SPECIAL.test(text);
}

function quoted(text: string): string {
  return isUnescaped(text) ? `"${text}"` : JSON.stringify(text);
}

/** Skips sorting if the names are in order already, as in every checked record. */
function sortedNames(members: Record<string, unknown>): string[] {
  const names = Object.keys(members);
  for (let i = 1; i < names.length; i++) {
    // Like the default sort, this compares UTF-16 code units, the order that the RFC requires.
    if ((names[i - 1] as string) > (names[i] as string)) return names.sort();
  }
  return names;
}

/** Field names recur in every record: each is serialised once. */
const serialisedNames = new Map<string, string>();
const MOST_CACHED_NAMES = 1000;

function memberText(name: string, value: unknown): string {
  let prefix = serialisedNames.get(name);
  if (prefix === undefined) {
    prefix = `${JSON.stringify(name)}:`;
    if (serialisedNames.size < MOST_CACHED_NAMES) serialisedNames.set(name, prefix);
  }
  return prefix + canonicalJson(value);
}

/** An object's members before and after one of them in canonical JSON. */
export interface SplitJson {
  readonly before: string;
  readonly after: string;
}

/** Canonical JSON of the object with a text value for the member; null leaves the member out. */
export function joinAroundMember({ before, after }: SplitJson, name: string, value: string | null): string {
  return `{${joined(value === null ? before : joined(before, memberText(name, value)), after)}}`;
}

/** Also knows the canonical JSON without the member. */
export class SplitBody implements SplitJson {
  readonly without: string;
  readonly before: string;
  readonly after: string;

  constructor(before: string, after: string) {
    this.before = before;
    this.after = after;
    this.without = `{${joined(before, after)}}`;
  }
}

function joined(members: string, more: string): string {
  if (members === '') return more;
  return more === '' ? members : `${members},${more}`;
}

/** Serialises the object once for two texts: the body that the key is computed from, and the body with the key. */
export function splitBodyAt(members: Record<string, unknown>, name: string): SplitBody {
  let before = '';
  let after = '';
  for (const member of sortedNames(members)) {
    const value = members[member];
    if (member === name || value === undefined) continue;
    if (member < name) before = joined(before, memberText(member, value));
    else after = joined(after, memberText(member, value));
  }
  return new SplitBody(before, after);
}
