/** Texts that look alike fold to the same text. So records are compared (`similar-record`). */

/**
 * Removes white space and invisible characters; composes, lower-cases, and replaces look-alike characters by their
 * plain form (NFKC). Uses no language's rules: otherwise the same file would have other repeats on another machine.
 */
export function foldText(text: string): string {
  return PLAIN.test(text) ? foldPlain(text) : foldAny(text);
}

const DIGIT_ZERO = 0x30;
const ONLY_DIGITS = /^\d+$/;

/** Also drops leading zeros of an ID that is all digits: spreadsheets remove them. */
export function foldId(text: string): string {
  const folded = foldText(text);
  return folded.charCodeAt(0) === DIGIT_ZERO && ONLY_DIGITS.test(folded) ? folded.replace(/^0+(?=\d)/, '') : folded;
}

const PUNCTUATION = /\p{P}/gu;

/** A reference, without punctuation too: `INV 7`, `INV-7`. */
export function foldReference(text: string): string {
  return foldId(foldText(text).replace(PUNCTUATION, ''));
}

/** Spaces and punctuation, unless digits are on both sides: `2026-11` and `2026-1-1` are two keys. */
const NOT_IN_NUMBERS = /(?<!\d)\p{P}|\p{P}(?!\d)/gu;

/** An own key as it may come back from a spreadsheet: other case, spaces, punctuation, and no zeros at the start. */
export function foldKey(text: string): string {
  return foldText(text)
    .replace(NOT_IN_NUMBERS, '')
    .replace(/^0+(?=.)/, '');
}

/** Most texts of Western Europe. They are composed already, so folding them costs much less. */
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

/** White space and everything without width: joiners, direction marks, soft hyphens, variation selectors, controls. */
const UNSEEN = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]+/gu;

function foldAny(text: string): string {
  // NFKC first: it turns wide and narrow spaces into plain ones. NFKC again at the end, for letters that only now meet.
  const seen = text.normalize('NFKC').replace(UNSEEN, '');
  return foldCase(seen).normalize('NFKC');
}

/** The lower case of the Turkish `İ`: an i and a combining dot. */
const DOTTED_I = 'i\u0307';

/**
 * Capitals in between unite letters that share them: ß and SS, both small sigmas, i with and without a dot. The first
 * step is lower case, because the capital ẞ does not change in upper case.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll(DOTTED_I, 'i');
}
