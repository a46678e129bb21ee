/** The texts of a template: `Audit ${city}`, `${seats:number}`, `${note?}`; `$${` is a plain `${`. */

export interface Variable {
  /** The column, by its name or position. */
  readonly name: string;
  /** What the variable says about its value; null: text, or the type of its field. */
  readonly type: 'number' | 'json' | null;
  /** An empty cell drops the member. */
  readonly isOptional: boolean;
}

/** `$${`, `${…}`, or a `${` that nothing closes. */
const VARIABLE_MARKS = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
const VARIABLE_PARTS = /^\s*(.*?)\s*(?::\s*(number|json)\s*)?(\?)?\s*$/s;

/**
 * Returns texts and variables in order.
 * @param fail is called with what is wrong with a variable
 */
export function splitVariables(text: string, fail: (words: string) => never): (string | Variable)[] {
  const pieces: (string | Variable)[] = [];
  let plain = '';
  let end = 0;
  for (const match of text.matchAll(VARIABLE_MARKS)) {
    const [mark, inner] = match;
    plain += text.slice(end, match.index);
    end = match.index + mark.length;
    if (mark === '$${') {
      plain += '${';
      continue;
    }
    if (inner === undefined) fail('a variable begins with ${ and ends with }. For a plain ${, write $${');
    const [, name = '', type, optional] = VARIABLE_PARTS.exec(inner) ?? [];
    if (name === '') fail(`${mark} names no column. For a plain \${, write $\${`);
    if (plain !== '') pieces.push(plain);
    plain = '';
    pieces.push({ name, type: (type ?? null) as Variable['type'], isOptional: optional !== undefined });
  }
  plain += text.slice(end);
  if (plain !== '' || pieces.length === 0) pieces.push(plain);
  return pieces;
}
