/** Number formats: what a person sees in a cell. ECMA-376 part 1, 18.8.31, as `numfmt` reads it. */
import { addLocale, format, getFormatInfo } from 'numfmt';

export interface NumberFormat {
  /** As the workbook has it: `#,##0.00;[Red]-#,##0.00`. */
  readonly code: string;
  /** `time` for a time of day, or a duration; `unread` for a format that gigwork does not know. */
  readonly is: 'number' | 'date' | 'time' | 'unread';
  /** The currency that the format adds: `€` of `[$€-407]`. */
  readonly currency: string | null;
  /** It shows something else, or nothing, instead of a text. */
  readonly hidesText: boolean;
  /** Its text for a number, without the currency. Groups of digits are parted by no-break spaces. */
  readonly show: (value: number) => string;
}

/** Digits in groups look unlike a comma that the format adds itself: `0","00` shows 1234 as `12,34`. */
const LOCALE = 'xx';
addLocale({ group: '\u00a0', decimal: '.' }, LOCALE);

/** Spreadsheets allow 255 characters. */
const LONGEST_CODE = 1000;
/** Fills a cell with a character that may look like digits, or shows other digits. */
const ODD = /\*[^ .-]|\[DBNum/i;
const CURRENCY = /\[\$([^\]-]*)(?:-[^\]]*)?\]/g;

/** @param code as the workbook has it */
export function readFormat(code: string): NumberFormat {
  const unread = unreadFormat(code.slice(0, LONGEST_CODE));
  const quoted = /"[^"]*"?|\\[^]/g;
  if (code.length > LONGEST_CODE || ODD.test(code.replace(quoted, ''))) return unread;
  const [currency = null] = [...code.matchAll(CURRENCY)].flatMap(([, sign = '']) => (sign === '' ? [] : sign.trim()));
  // The marks of numbers do not depend on a language that the format names.
  const bare = code.replace(CURRENCY, '');
  try {
    const { type } = getFormatInfo(bare);
    if (type === 'error') return unread;
    const is = type === 'time' ? 'time' : type === 'date' || type === 'datetime' ? 'date' : 'number';
    const show = (value: number | string): string => format(bare, value, { locale: LOCALE });
    return { code, is, currency, hidesText: show('x').trim() !== 'x', show };
  } catch {
    return unread;
  }
}

export function unreadFormat(code: string): NumberFormat {
  return { code, is: 'unread', currency: null, hidesText: false, show: () => '' };
}

/** For a cell that names no format. */
export const GENERAL: NumberFormat = readFormat('General');
