/** A number format, cut into sections of tokens. ECMA-376 part 1, 18.8.31. */

export type Token =
  /** `0` is always shown, `#` and `?` where the number has a digit. */
  | { readonly is: 'digit'; readonly text: string }
  | { readonly is: 'point' | 'comma' | 'percent' | 'exponent' | 'slash' | 'at' | 'general' | 'gap' }
  /** A letter of a date or a time: y, m, d, h, s; e for other calendars. */
  | { readonly is: 'date'; readonly text: string }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'currency'; readonly text: string }
  /** What is not understood. */
  | { readonly is: 'unknown' };

/** In this order. Each token begins where the last one has ended. */
const PATTERNS: readonly (readonly [RegExp, (found: RegExpExecArray) => Token])[] = [
  [/"([^"]*)"?/y, ({ 1: text = '' }) => ({ is: 'literal', text })],
  [/\\([^]?)/y, ({ 1: text = '' }) => ({ is: 'literal', text })],
  // As wide as a character that is not shown.
  [/_[^]?/y, () => ({ is: 'gap' })],
  // A character that fills the cell. Any but these could be taken for digits.
  [/\*([^]?)/y, ({ 1: text = '' }) => (text === '' || ' -.'.includes(text) ? { is: 'gap' } : { is: 'unknown' })],
  [/\[\$([^\]-]*)(?:-[^\]]*)?\]/y, ({ 1: text = '' }) => (text === '' ? { is: 'gap' } : { is: 'currency', text })],
  [/\[(?:h+|m+|s+)\]/iy, () => ({ is: 'date', text: 'h' })],
  [/\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2})\]/iy, () => ({ is: 'gap' })],
  // Conditions, digits of other scripts.
  [/\[[^\]]*\]?/y, () => ({ is: 'unknown' })],
  [/general/iy, () => ({ is: 'general' })],
  [/am\/pm|a\/p/iy, () => ({ is: 'date', text: 'h' })],
  [/e[+-]/iy, () => ({ is: 'exponent' })],
  [/[ymdhs]/iy, ([text]) => ({ is: 'date', text: text.toLowerCase() })],
  [/[egba]/iy, () => ({ is: 'date', text: 'e' })],
  [/[0#?]/y, ([text]) => ({ is: 'digit', text })],
  [/\./y, () => ({ is: 'point' })],
  [/,/y, () => ({ is: 'comma' })],
  [/[%‰]/y, () => ({ is: 'percent' })],
  [/\//y, () => ({ is: 'slash' })],
  [/@/y, () => ({ is: 'at' })],
  [/\p{L}|[1-9]/uy, () => ({ is: 'unknown' })],
  [/[^]/uy, ([text]) => ({ is: 'literal', text })],
];

/** @param code as the workbook has it: `#,##0.00;[Red]-#,##0.00` */
export function sectionsOf(code: string): Token[][] {
  const sections: Token[][] = [[]];
  for (let at = 0; at < code.length;) {
    if (code[at] === ';') {
      sections.push([]);
      at++;
      continue;
    }
    const [token, length] = tokenAt(code, at);
    sections.at(-1)?.push(token);
    at += length;
  }
  return sections;
}

function tokenAt(code: string, at: number): [Token, number] {
  for (const [pattern, make] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (found !== null && found[0] !== '') return [make(found), found[0].length];
  }
  return [{ is: 'unknown' }, 1];
}
