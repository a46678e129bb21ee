/** Canonical JSON (RFC 8785): one text for one value, on every machine. Bodies are sent in it; keys and hashes are computed from it. */

/**
 * Object members sorted by UTF-16 code units, no white space, numbers in ECMAScript's shortest form.
 * Takes values as JSON gives them, free of lone surrogates; `undefined` members are left out.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = value as Record<string, unknown>;
  // The default sort compares UTF-16 code units, which is the order the RFC asks for.
  const names = Object.keys(members).sort();
  let text = '';
  for (const name of names) {
    const member = members[name];
    if (member === undefined) continue;
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonicalJson(member)}`;
  }
  return `{${text}}`;
}

/** Canonical JSON of an object without one member, and with that member set to a text value. */
export interface SplitCanonical {
  /** Without the member. */
  readonly without: string;
  /** With the member set to `value`. */
  with(value: string): string;
}

/** Serialises the object once for both: the body that a key is computed from, and the body that carries the key. */
export function splitCanonical(members: Record<string, unknown>, name: string): SplitCanonical {
  let before = '';
  let after = '';
  for (const member of Object.keys(members).sort()) {
    const value = members[member];
    if (member === name || value === undefined) continue;
    const text = `${JSON.stringify(member)}:${canonicalJson(value)}`;
    if (member < name) before += before === '' ? text : `,${text}`;
    else after += after === '' ? text : `,${text}`;
  }
  const joined = (...parts: string[]): string => `{${parts.filter((part) => part !== '').join(',')}}`;
  return {
    without: joined(before, after),
    with: (value) => joined(before, `${JSON.stringify(name)}:${JSON.stringify(value)}`, after),
  };
}
