/** Texts that mean the same to a reader, made one text: two payments with titles like this are doubted (`similar-record`). */

/**
 * The text without white space and invisible characters, composed, in lower case, and with the plain form of look-alike
 * characters (NFKC). No language's own rules count, or the same file would have other repeats on another machine.
 */
export function foldText(text: string): string {
  return PLAIN.test(text) ? foldPlain(text) : foldAny(text);
}

/** What most texts consist of: here, folding is lower case alone, at a fraction of the cost. */
const PLAIN = /^[ -~]*$/;

function foldPlain(text: string): string {
  const lower = text.toLowerCase();
  return lower.includes(' ') ? lower.replaceAll(' ', '') : lower;
}

/** White space and all that has no width: joiners, direction marks, soft hyphens, fillers, variation selectors, controls. */
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
