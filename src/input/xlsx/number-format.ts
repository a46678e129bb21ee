/** Reads number formats, to find out whether a person sees the number that is stored. ECMA-376 part 1, 18.8.31. */
import { currenciesOf } from '../currency-signs.js';

export type CellFormat =
  /** As many digits as fit into the cell. */
  | { readonly is: 'general' }
  /** @property hasDay false for a time of day, or a duration */
  | { readonly is: 'date'; readonly hasDay: boolean }
  /** One section for all numbers; or two, for zero and above, and below; or three, for above, below and at zero. */
  | { readonly is: 'number'; readonly sections: readonly NumberSection[] }
  | { readonly is: 'unread' };

export interface NumberFormat {
  readonly code: string;
  readonly format: CellFormat;
  /** It shows something else, or nothing, instead of a text. */
  readonly hidesText: boolean;
}

export interface NumberSection {
  /** Digits before the point that are always shown. */
  readonly whole: number;
  /** The most decimals that are shown, and the number that is always shown. */
  readonly places: number;
  readonly fixedPlaces: number;
  readonly hasDigits: boolean;
  readonly hasPoint: boolean;
  /** Its digits are shown as without a format. */
  readonly isGeneral: boolean;
  /** Thousands are separated. */
  readonly isGrouped: boolean;
  /** The text before and after the digits, without spaces. */
  readonly before: string;
  readonly after: string;
  readonly currency: string | null;
  /** A notation that shows another number than the plain one; null for the plain one. */
  readonly notation: string | null;
}

/**
 * A section is cut into tokens. Each kind of token has one letter, so that patterns can match the word that these
 * letters form. The patterns are tried in this order. Each token begins where the last one ended; its text is the
 * pattern's group, or the whole match.
 *
 * `L` literal, `C` currency, `G` General, `0` digit (`0` is always shown, `#` and `?` only if the number has one), `E`
 * exponent, `y` `m` `d` `h` `s` parts of a date or a time, `e` parts of other calendars, `!` not understood; other
 * letters are themselves.
 */
const TOKENS: readonly (readonly [kind: string | null, pattern: RegExp])[] = [
  ['L', /"([^"]*)"?/y],
  ['L', /\\([^]?)/y],
  // A gap as wide as a character, or a fill character. Any fill but these could look like digits.
  ['', /_[^]?|\*(?:[ .-]|$)/y],
  ['!', /\*[^]/y],
  ['', /\[\$(?:-[^\]]*)?\]/y],
  ['C', /\[\$([^\]-]+)(?:-[^\]]*)?\]/y],
  ['h', /\[(?:h+|m+|s+)\]|am\/pm|a\/p/iy],
  ['', /\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d{1,2})\]/iy],
  // Conditions, digits of other scripts.
  ['!', /\[[^\]]*\]?/y],
  ['G', /general/iy],
  ['E', /e[+-]/iy],
  [null, /[ymdhs]/iy],
  ['e', /[egba]/iy],
  ['0', /[0#?]/y],
  ['%', /[%‰]/y],
  [null, /[.,/@]/y],
  ['!', /\p{L}|[1-9]/uy],
  ['L', /[^]/uy],
];

/** The kinds of a section's tokens, one letter each, and their texts. */
interface Section {
  readonly kinds: string;
  readonly texts: readonly string[];
}

/** Spreadsheets allow 255 characters. */
const LONGEST_CODE = 1000;

/** @param code as the workbook has it: `#,##0.00;[Red]-#,##0.00` */
export function readFormat(code: string): NumberFormat {
  if (code.length > LONGEST_CODE)
    return { code: code.slice(0, LONGEST_CODE), hidesText: true, format: { is: 'unread' } };
  const sections = sectionsOf(code);
  const last = sections.at(-1) as Section;
  const hasText = sections.length === 4 || last.kinds.includes('@');
  const hidesText = hasText && !(/^L*@+L*$/.test(last.kinds) && textIn(last, 'L').trim() === '');
  const numeric = hasText && sections.length > 1 ? sections.slice(0, -1) : sections;
  const format: CellFormat =
    sections.length > 4 ? { is: 'unread' } : code === '' ? { is: 'general' } : formatOf(numeric);
  return { code, hidesText, format };
}

function sectionsOf(code: string): Section[] {
  const sections: { kinds: string; texts: string[] }[] = [{ kinds: '', texts: [] }];
  for (let at = 0; at < code.length;) {
    if (code[at] === ';') {
      sections.push({ kinds: '', texts: [] });
      at++;
      continue;
    }
    const [kind, found] = tokenAt(code, at);
    const section = sections.at(-1) as (typeof sections)[number];
    if (kind !== '') {
      section.kinds += kind ?? found[0].toLowerCase();
      section.texts.push(found[1] ?? found[0]);
    }
    at += found[0].length;
  }
  return sections;
}

function tokenAt(code: string, at: number): readonly [kind: string | null, found: RegExpExecArray] {
  for (const [kind, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    if (found !== null) return [kind, found];
  }
  throw new RangeError('the last pattern fits everything');
}

/** The joined texts of the tokens of some kinds. */
function textIn({ kinds, texts }: Section, wanted: string, from = 0, to = texts.length): string {
  return texts.filter((_, i) => i >= from && i < to && wanted.includes(kinds.charAt(i))).join('');
}

function formatOf(sections: readonly Section[]): CellFormat {
  const [first = ''] = sections.map(({ kinds }) => kinds);
  const all = sections.map(({ kinds }) => kinds).join('');
  if (all.includes('!')) return { is: 'unread' };
  if (/[ymdhse]/.test(first)) {
    // Next to hours or seconds, m means minutes.
    const hasDay = /[yd]/.test(first) || (first.includes('m') && !/[hs]/.test(first));
    return hasDay || /[hs]/.test(first) ? { is: 'date', hasDay } : { is: 'unread' };
  }
  if (sections.length === 1 && /^[G@]$/.test(first)) return { is: 'general' };
  return /[ymdhse@]/.test(all) ? { is: 'unread' } : { is: 'number', sections: sections.map(numberSection) };
}

/** Notations that show another number than the plain one, by the kinds of their tokens. */
const NOTATIONS: readonly (readonly [RegExp, string])[] = [
  [/[0G].*,(?![0,])/, 'in thousands'],
  [/\..*\./, 'with two points'],
  [/%/, 'as a percentage'],
  [/E/, 'in scientific notation'],
  [/[0G].*\//, 'as a fraction'],
  [/G.*[0G]|0.*G/, 'with two numbers'],
];

function numberSection(section: Section): NumberSection {
  const { kinds, texts } = section;
  const first = kinds.search(/[0G]/);
  const last = Math.max(kinds.lastIndexOf('0'), kinds.lastIndexOf('G'));
  const before = textIn(section, 'L,/', 0, first < 0 ? texts.length : first);
  const after = textIn(section, 'L', last + 1);
  const between = textIn(section, 'L', first, last);
  const point = kinds.includes('.') ? kinds.indexOf('.') : texts.length;
  const decimals = textIn(section, '0', point);
  const code = kinds.includes('C') ? (texts[kinds.indexOf('C')] as string).trim() : null;
  // Without signs that only mark numbers above or below zero.
  const words = first < 0 ? '' : (before + after).replace(/[\s()+\-\u2212\u2013\u2014]/g, '');
  const isCurrency = words !== '' && currenciesOf(words) !== null;
  const notation =
    NOTATIONS.find(([pattern]) => pattern.test(kinds))?.[1] ??
    // Some people separate thousands by a typed space.
    (/^[\s'’]*$/.test(between) ? null : 'cut into pieces') ??
    (words === '' || isCurrency ? null : `beside ${JSON.stringify(words)}`);
  return {
    ...{ before, after: first < 0 ? '' : after, notation, hasDigits: first >= 0, hasPoint: kinds.includes('.') },
    whole: textIn(section, '0', 0, point).replace(/[^0]/g, '').length,
    places: decimals.length,
    fixedPlaces: decimals.replace(/[^0]/g, '').length,
    isGeneral: kinds.includes('G'),
    isGrouped: between !== '' || /0.*,0/.test(kinds),
    currency: code ?? (isCurrency ? words : null),
  };
}

/** For a cell that names no format. */
export const GENERAL: NumberFormat = readFormat('General');
