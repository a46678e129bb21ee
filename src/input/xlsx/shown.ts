/** How a spreadsheet shows a stored number. CONTRACT: "what a person sees is what is paid". */
import { formatDecimal, parseDecimal } from '../../money/decimal.js';
import type { NumberFormat, NumberSection } from './number-format.js';

export interface Shown {
  /** With a point before the decimals, and without a currency; null if unknown. */
  readonly text: string | null;
  /** Why it differs from the stored number; null if it does not. */
  readonly problem: ShownProblem | null;
  /** Digit for digit as stored. */
  readonly isSame: boolean;
  /** The sign or code that is shown with the number. */
  readonly currency: string | null;
}

export interface ShownProblem {
  readonly code: 'inexact-number' | 'bad-number';
  /** Completes "the cell …". */
  readonly words: string;
}

/** No spreadsheet shows more digits than these, whatever the format says. */
const MOST_DIGITS = 15;
/** Number of characters that are shown without a format, the point included. */
const GENERAL_WIDTH = 11;

/** @param stored in its shortest decimal form, without an exponent */
export function shownNumber(stored: string, { format, code }: NumberFormat): Shown {
  if (format.is === 'general') return general(stored, null);
  if (format.is !== 'number') return otherNotation(`has the format ${JSON.stringify(code)}, which is not read`);
  const { sections } = format;
  const isNegative = stored.startsWith('-');
  const isOwn = isNegative && sections.length > 1;
  const section = sections[isOwn ? 1 : stored === '0' && sections.length > 2 ? 2 : 0] as NumberSection;
  return inSection(stored, section, isOwn, code);
}

/** @param isOwn the section is only for negative numbers, and must show that itself */
function inSection(stored: string, section: NumberSection, isOwn: boolean, code: string): Shown {
  const { notation, hasDigits, currency } = section;
  if (notation !== null) return otherNotation(`shows the number ${notation} (its format is ${JSON.stringify(code)})`);
  const isNothing = stored === '0' && !section.isGeneral && section.whole === 0 && section.fixedPlaces === 0;
  if (!hasDigits || isNothing) {
    // Accountants write a dash for zero.
    if (stored === '0' && /^[-\u2013\u2014]$/.test((section.before + section.after).replace(/\s|\p{Sc}/gu, '')))
      return { text: '-', problem: null, isSame: false, currency };
    return otherNotation(`does not show its number ${stored} (its format is ${JSON.stringify(code)})`);
  }
  const saysBelow = /[-\u2212\u2013\u2014]|\(.*\)/.test(`${section.before}0${section.after}`);
  if (saysBelow !== isOwn) {
    const found = isOwn ? 'shows a number below zero without a minus' : 'shows a number as if it were below zero';
    return otherNotation(`${found} (its format is ${JSON.stringify(code)})`);
  }
  return section.isGeneral ? general(stored, section) : digits(stored, section);
}

function otherNotation(words: string): Shown {
  return { text: null, problem: { code: 'bad-number', words }, isSame: false, currency: null };
}

function general(stored: string, section: NumberSection | null): Shown {
  const whole = stored.replace(/^-/, '').split('.')[0] as string;
  const isBare = section === null || (section.before + section.after === '' && section.currency === null);
  const currency = section?.currency ?? null;
  const text =
    whole.length > GENERAL_WIDTH
      ? Number(stored).toExponential(5).toUpperCase()
      : rounded(stored, Math.min(Math.max(0, GENERAL_WIDTH - 1 - whole.length), placesFor(stored)));
  if (text === stored) return { text, problem: null, isSame: isBare, currency };
  return inexact(stored, text, currency);
}

function digits(stored: string, section: NumberSection): Shown {
  const { places, fixedPlaces, whole, isGrouped, currency, before, after } = section;
  const text = fits(stored, places) ? stored : rounded(stored, Math.min(places, placesFor(stored)));
  if (text !== stored) return inexact(stored, withPlaces(text, places), currency);
  const filled = withWhole(withPlaces(text, fixedPlaces), whole);
  const isBare = (before + after).trim() === '' && currency === null;
  const isGroupedHere = isGrouped && (/\d+/.exec(filled)?.[0].length ?? 0) > 3;
  // `#.##` shows 5 as `5.`
  const isDotted = section.hasPoint && !filled.includes('.');
  return { text: filled, problem: null, isSame: isBare && !isGroupedHere && !isDotted && filled === stored, currency };
}

function inexact(stored: string, text: string, currency: string | null): Shown {
  const words = `shows ${text}, and ${stored} is stored`;
  return { text, problem: { code: 'inexact-number', words }, isSame: false, currency };
}

/** Whether nothing is rounded, by length alone. */
function fits(stored: string, places: number): boolean {
  const point = stored.indexOf('.');
  return stored.length <= MOST_DIGITS && (point < 0 || stored.length - point - 1 <= places);
}

/** Number of decimals within the most digits that are shown; negative if not even the whole part fits. */
function placesFor(stored: string): number {
  const [whole = '', fraction = ''] = stored.replace(/^-/, '').split('.');
  if (whole !== '0') return MOST_DIGITS - whole.length;
  return MOST_DIGITS + (/^0*/.exec(fraction)?.[0].length ?? 0);
}

/** Rounded half away from zero, without trailing zeros. @param places decimals; negative for tens, hundreds… */
function rounded(text: string, places: number): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length).split('.');
  if (fraction.length <= places) return text;
  const all = whole + fraction;
  const kept = whole.length + places;
  if (kept < 0) return '0';
  const units = BigInt(`0${all.slice(0, kept)}`) + ((all[kept] ?? '0') >= '5' ? 1n : 0n);
  if (units === 0n) return '0';
  if (places <= 0) return `${sign}${units}${'0'.repeat(-places)}`;
  const filled = String(units).padStart(places + 1, '0');
  return sign + `${filled.slice(0, -places)}.${filled.slice(-places)}`.replace(/\.?0+$/, '');
}

function withPlaces(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  return places === 0 && fraction === '' ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
}

function withWhole(text: string, least: number): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction] = text.slice(sign.length).split('.');
  return sign + whole.padStart(least, '0') + (fraction === undefined ? '' : `.${fraction}`);
}

/** A double's shortest decimal form, all digits written out. */
export function plainDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? formatDecimal(parseDecimal(text)) : text;
}
