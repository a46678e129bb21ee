/**
 * Which texts say all there is to say: they are their field's value as they stand, and nothing is said against them. Told
 * narrowly, of texts without control characters: what is not plain is no fault, check.ts looks at it.
 */
import { isCalendarDate, isDistant } from './calendar.js';
import { CURRENCIES } from './currencies.js';
import type { Field } from './field.js';

export type IsPlain = (text: string) => boolean;

/** Null for a kind of field whose texts are converted. @param today YYYY-MM-DD */
export function plainTexts({ kind }: Field, today: string): IsPlain | null {
  switch (kind) {
    case 'text':
      return beginsPlainly;
    case 'id':
      return (text) => beginsPlainly(text) && isVisible(text.charCodeAt(text.length - 1));
    case 'currency':
      return (text) => CURRENCIES.has(text);
    case 'date':
      return (text) => isCalendarDate(text) && !isDistant(text, today);
    default:
      return null;
  }
}

const APOSTROPHE = 0x27;

/** Not blank, and no apostrophe before what may be a formula. */
function beginsPlainly(text: string): boolean {
  const first = text.charCodeAt(0);
  return isVisible(first) && first !== APOSTROPHE;
}

/** A letter, digit or sign of the alphabets of Europe: no white space is among them. */
function isVisible(code: number): boolean {
  return (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x1680);
}
