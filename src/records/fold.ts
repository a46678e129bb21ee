/** One text for all that read the same. By user and title as they read, payments are similar (`similar-record`). */

/**
 * The text without white space and invisible characters, composed, in lower case, and with the plain form of look-alike
 * characters (NFKC). No language's own rules count, or the same file would have other repeats on another machine.
 */
export function foldText(text: string): string {
  return PLAIN.test(text) ? foldPlain(text) : foldAny(text);
}

const ZERO = 0x30;
const DIGITS = /^\d+$/;

/** The same for an ID: spreadsheets take the leading zeros of one that is digits. */
export function foldId(text: string): string {
  const folded = foldText(text);
  return folded.charCodeAt(0) === ZERO && DIGITS.test(folded) ? folded.replace(/^0+(?=\d)/, '') : folded;
}

/** What most texts of Western Europe consist of: composed already, and folded at a fraction of the cost. */
const PLAIN = /^[ -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff]*$/;

function foldPlain(text: string): string {
  const lower = withoutSpaces(text.toLowerCase());
  return lower.includes('ß') ? lower.replaceAll('ß', 'ss') : lower;
}

/** Half as expensive as replaceAll. */
function withoutSpaces(text: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', from)) {
    kept += text.slice(from, at);
    from = at + 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** White space and all that has no width: joiners, direction marks, soft hyphens, variation selectors, controls. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]+/gu;

function foldAny(text: string): string {
  // First NFKC, which turns wide and narrow spaces into plain ones; again at the end, for letters that only now meet.
  const seen = text.normalize('NFKC').replace(UNSEEN, '');
  return foldCase(seen).normalize('NFKC');
}

/** Turkish capitals keep their dot in lower case: `İ` becomes an i and a combining dot. */
const DOTTED_I = 'i\u0307';

/**
 * Capitals in between make one of letters that share them: ß and SS, both small sigmas, i with a dot and without one.
 * They begin with small letters because the capital ẞ stays itself in capitals.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll(DOTTED_I, 'i');
}
