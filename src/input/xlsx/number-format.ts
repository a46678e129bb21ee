/** What a cell's number format shows of a number: whether a person sees the number that is stored. */
import { currenciesOf } from '../currency-signs.js';
import { sectionsOf, type Token } from './format-tokens.js';

export type CellFormat =
  /** As many digits as a cell has room for. */
  | { readonly is: 'general' }
  /** @property hasDay false for a time of day, or a duration */
  | { readonly is: 'date'; readonly hasDay: boolean }
  /** For all numbers; or for those from zero and those below; or for those above, below and at zero. */
  | { readonly is: 'number'; readonly sections: readonly NumberSection[] }
  | { readonly is: 'unread' };

export interface NumberFormat {
  readonly code: string;
  readonly format: CellFormat;
  /** It shows something else, or nothing, in place of a text. */
  readonly hidesText: boolean;
}

export interface NumberSection {
  /** Digits before the point that are always shown. */
  readonly whole: number;
  /** Decimals that are shown at most, and always. */
  readonly places: number;
  readonly fixedPlaces: number;
  readonly hasDigits: boolean;
  readonly hasPoint: boolean;
  /** Its digits are shown as without a format. */
  readonly isGeneral: boolean;
  /** Thousands are parted from each other. */
  readonly isGrouped: boolean;
  /** What stands before and after the digits, without spaces. */
  readonly before: string;
  readonly after: string;
  readonly currency: string | null;
  /** In what other notation it shows a number; null for the plain one. */
  readonly notation: string | null;
}

/** Spreadsheets take 255 characters. */
const LONGEST_CODE = 1000;

/** @param code as the workbook has it */
export function readFormat(code: string): NumberFormat {
  if (code.length > LONGEST_CODE)
    return { code: code.slice(0, LONGEST_CODE), hidesText: true, format: { is: 'unread' } };
  const sections = sectionsOf(code);
  const last = sections.at(-1) ?? [];
  const hasText = sections.length === 4 || last.some(({ is }) => is === 'at');
  const hidesText = hasText && !(last.some(({ is }) => is === 'at') && isBlank(last.filter(({ is }) => is !== 'at')));
  const numeric = hasText && sections.length > 1 ? sections.slice(0, -1) : sections;
  return { code, hidesText, format: sections.length > 4 ? { is: 'unread' } : formatOf(numeric) };
}

function isBlank(tokens: readonly Token[]): boolean {
  return tokens.every((token) => token.is === 'gap' || (token.is === 'literal' && token.text.trim() === ''));
}

function formatOf(sections: readonly (readonly Token[])[]): CellFormat {
  const [first = []] = sections;
  if (sections.flat().some(({ is }) => is === 'unknown')) return { is: 'unread' };
  const letters = first.flatMap((token) => (token.is === 'date' ? [token.text] : []));
  if (letters.length > 0) return dateFormat(letters);
  const plain = first.filter(({ is }) => is !== 'gap');
  const isWhole = plain.length === 1 && (plain[0]?.is === 'general' || plain[0]?.is === 'at');
  if (sections.length === 1 && (isWhole || first.length === 0)) return { is: 'general' };
  if (sections.flat().some(({ is }) => is === 'at' || is === 'date')) return { is: 'unread' };
  return { is: 'number', sections: sections.map(numberSection) };
}

function dateFormat(letters: readonly string[]): CellFormat {
  const has = (letter: string): boolean => letters.includes(letter);
  // Beside hours or seconds, m is minutes.
  const hasDay = has('y') || has('d') || (has('m') && !has('h') && !has('s'));
  return hasDay || has('h') || has('s') ? { is: 'date', hasDay } : { is: 'unread' };
}

interface Draft {
  whole: number;
  places: number;
  fixedPlaces: number;
  digits: number;
  isGeneral: boolean;
  isGrouped: boolean;
  before: string;
  after: string;
  currency: string | null;
  notation: string | null;
  hasPoint: boolean;
  /** Commas since the last digit: between digits they part thousands, behind them they divide by a thousand each. */
  commas: number;
}

function numberSection(tokens: readonly Token[]): NumberSection {
  const draft: Draft = {
    ...{ whole: 0, places: 0, fixedPlaces: 0, digits: 0, isGeneral: false, isGrouped: false, before: '', after: '' },
    ...{ currency: null, notation: null, hasPoint: false, commas: 0 },
  };
  for (const token of tokens) take(token, draft);
  if (draft.commas > 0) draft.notation ??= 'in thousands';
  if (draft.isGeneral && draft.digits > 1) draft.notation ??= 'with two numbers';
  const words = strippedOf(draft.before + draft.after);
  if (draft.digits > 0 && words !== '') {
    if (currenciesOf(words) !== null) draft.currency ??= words;
    else draft.notation ??= `beside ${JSON.stringify(words)}`;
  }
  return { ...draft, hasDigits: draft.digits > 0 };
}

function take(token: Token, draft: Draft): void {
  if (token.is === 'digit') return digit(token.text, draft);
  if (token.is === 'comma') {
    if (draft.digits > 0) draft.commas++;
    else draft.before += ',';
    return;
  }
  if (token.is === 'gap') return;
  if (draft.commas > 0) draft.notation ??= 'in thousands';
  if (token.is === 'general') {
    draft.digits++;
    draft.isGeneral = true;
  } else if (token.is === 'point') {
    if (draft.hasPoint) draft.notation ??= 'with two points';
    draft.hasPoint = true;
  } else if (token.is === 'currency') draft.currency ??= token.text.trim();
  else if (token.is === 'literal') beside(token.text, draft);
  else if (token.is === 'percent') draft.notation ??= 'as a percentage';
  else if (token.is === 'exponent') draft.notation ??= 'in scientific notation';
  else if (draft.digits > 0) draft.notation ??= 'as a fraction';
  else beside('/', draft);
}

function digit(text: string, draft: Draft): void {
  draft.digits++;
  // Some people part thousands by a space of their own.
  if (draft.after !== '' && /^[\s'’]*$/.test(draft.after)) {
    draft.isGrouped = true;
    draft.after = '';
  } else if (draft.after !== '') draft.notation ??= 'cut into pieces';
  if (draft.commas > 0) draft.isGrouped = true;
  draft.commas = 0;
  const isFixed = text === '0';
  if (!draft.hasPoint) draft.whole += isFixed ? 1 : 0;
  else {
    draft.places++;
    draft.fixedPlaces += isFixed ? 1 : 0;
  }
}

function beside(text: string, draft: Draft): void {
  if (draft.digits > 0) draft.after += text;
  else draft.before += text;
}

/** Without what only says whether the number is above or below zero. */
function strippedOf(text: string): string {
  return text.replace(/[\s()+\-\u2212\u2013\u2014]/g, '');
}
