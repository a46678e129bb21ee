/**
 * Text that misleads a reader: invisible characters, the start of a formula, half a character, nothing but white space.
 * Two IDs that differ only in an invisible character look the same but belong to two people.
 */

/** Controls except white space, and characters without width: spaces, joiners, direction marks, byte order marks. */
const HIDDEN =
  '\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';
/** White space other than the plain space, and variation selectors. Within an ID they are just as invisible. */
const LIKE_SPACES = '\\t-\\r\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufe00-\\ufe0f';

const ANYWHERE = new RegExp(`[${HIDDEN}${LIKE_SPACES}]`);
const AT_ENDS = new RegExp(`^[${HIDDEN}]|[${HIDDEN}]$`);

/** As `U+200B`; null for none. */
export function hiddenIn(text: string): string | null {
  return named(ANYWHERE.exec(text));
}

/** Only at the ends, and without white space: inside free text, joiners and direction marks are normal. */
export function hiddenAtEnds(text: string): string | null {
  return named(AT_ENDS.exec(text));
}

/** In UTF-16 units. For all names that a person chooses. */
const LONGEST_CHARACTER_NAME = 200;

/**
 * The problem with a name that a person chose, or null. Names keep payments apart: if two different names could look
 * the same, a person could make a payment twice by mistake.
 */
export function nameFault(text: string): string | null {
  if (text.trim() === '' || text.length > LONGEST_CHARACTER_NAME)
    return 'takes a name of 1 to 200 printable characters';
  const hidden = hiddenIn(text);
  if (hidden !== null) return `holds a character that nobody sees (${hidden})`;
  return text === text.trim() ? null : 'begins or ends with a space (U+0020)';
}

function named(found: RegExpExecArray | null): string | null {
  return found === null ? null : `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The start of a cell that a spreadsheet would run as a formula, also after apostrophes, which prevent that. Full-width
 * signs count too: programs for Chinese and Japanese treat them as the ASCII ones.
 */
const FORMULA = /^'*[=+\-@＝＋－＠\t\r\n]/;

export function looksLikeFormula(cell: string): boolean {
  return FORMULA.test(cell);
}

/** Half of a character: UTF-16 has it, no encoding can represent it. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

export function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}
