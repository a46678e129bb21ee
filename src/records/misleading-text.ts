/**
 * What misleads in a text. Invisible characters: two IDs that differ only in one of them look the same, and are two
 * people. The start of a formula, half a character, nothing but white space.
 */

/** Controls except white space, and characters without width: spaces, joiners, direction marks, byte order marks. */
const HIDDEN =
  '\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';
/** White space other than the plain space, and variation selectors: within an ID they are just as hidden. */
const LIKE_SPACES = '\\t-\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufe00-\\ufe0f';

const ANYWHERE = new RegExp(`[${HIDDEN}${LIKE_SPACES}]`);
const AT_ENDS = new RegExp(`^[${HIDDEN}]|[${HIDDEN}]$`);

/** The first hidden character of a text, as `U+200B`, or null. */
export function hiddenIn(text: string): string | null {
  return named(ANYWHERE.exec(text));
}

/** The same at a text's ends, except white space: within free text, joiners and direction marks have their place. */
export function hiddenAtEnds(text: string): string | null {
  return named(AT_ENDS.exec(text));
}

/** The longest name that a person gives to anything, in UTF-16 units. */
const LONGEST_NAME = 200;

/**
 * What is wrong with a name that a person gives; null where nothing is. It is part of what tells payments apart: if two
 * different names could look the same, a payment could be made again by mistake.
 */
export function nameFault(text: string): string | null {
  if (text.trim() === '' || text.length > LONGEST_NAME) return 'takes a name of 1 to 200 printable characters';
  const hidden = hiddenIn(text);
  if (hidden !== null) return `holds a character that nobody sees (${hidden})`;
  return text === text.trim() ? null : 'begins or ends with a space (U+0020)';
}

function named(found: RegExpExecArray | null): string | null {
  return found === null ? null : `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The start of a cell that a spreadsheet would run as a formula, also behind apostrophes, which prevent that.
 * Full-width signs count too: where people type Chinese or Japanese, programs treat them as the ASCII ones.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

/** Whether a cell looks like a formula, under any number of apostrophes. */
export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** Half of a character: UTF-16 has it, no encoding can carry it. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Empty, or nothing but white space. */
export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
