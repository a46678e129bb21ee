/**
 * Texts that need no conversion and give no finding. The caller makes sure that they contain no control characters. The
 * test is narrow: a text that is not plain need not be wrong, check.ts decides.
 */
import { isCalendarDate, isDistant } from './calendar.js';
import { CURRENCIES } from './currencies.js';
import type { Field } from './field.js';

export type IsPlain = (text: string) => boolean;

/** Null for a kind of field whose texts are converted. @param today YYYY-MM-DD */
export function plainTexts({ kind }: Field, today: string): IsPlain | null {
  switch (kind) {
    case 'text':
      return isPlainAtEnds;
    case 'id':
      return (text) => isPlainAtEnds(text) && ALL_VISIBLE.test(text);
    case 'currency':
      return (text) => CURRENCIES.has(text);
    case 'date':
      return (text) => isCalendarDate(text) && !isDistant(text, today);
    default:
      return null;
  }
}

const APOSTROPHE = 0x27;
/** Letters, digits and signs of most languages of Europe. All are visible; the only white space is the plain space. */
const ALL_VISIBLE = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u052f]+$/;

/** Not blank, visible at both ends, and without a leading apostrophe, which may hide a formula. */
function isPlainAtEnds(text: string): boolean {
  const first = text.charCodeAt(0);
  return first !== APOSTROPHE && isVisible(first) && isVisible(text.charCodeAt(text.length - 1));
}

function isVisible(code: number): boolean {
  return (
    (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x300 && code !== SOFT_HYPHEN) || isGreekOrCyrillic(code)
  );
}

const SOFT_HYPHEN = 0xad;

function isGreekOrCyrillic(code: number): boolean {
  return code >= 0x370 && code < 0x530;
}
