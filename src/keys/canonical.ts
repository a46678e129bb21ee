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
