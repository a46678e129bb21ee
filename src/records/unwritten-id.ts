/** IDs that no person wrote: what spreadsheets and other programs put into a column of IDs. */

/**
 * - `word`: `NULL`, `nan`, `[object Object]`, `-`: programs write it where there is no value
 * - `date`: spreadsheets make dates of IDs such as `MAR1`
 * - `short`: `4E+15`, which may be all that is left of a number
 */
export type IdDoubt = 'word' | 'date' | 'quotes' | 'apostrophe' | 'short';

/** In lower case. `<NA>` is from Python, `\N` from databases. */
const WORDS_FOR_NOTHING: ReadonlySet<string> = new Set(
  'null nan none undefined true false n/a n.a. #n/a <na> <null> <none> (null) (none) \\n'.split(' '),
);
/** As programs write them, since some are names of people otherwise: `TRUE` in other languages, `NaT`. */
const WORDS_IN_CAPITALS: ReadonlySet<string> = new Set(
  'NaT WAHR FALSCH VRAI FAUX VERDADERO FALSO PRAWDA FAŁSZ'.split(' '),
);
const LONGEST_WORD_FOR_NOTHING = 20;
const OBJECT_WORD = /^\[object \w+\]$/;
const DASHES = /^[-\u2010-\u2015\u2212]+$/;

const TIME_OF_DAY_PART = String.raw`(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[APap][Mm])?(?: ?(?:Z|[+-]\d{2}:?\d{2}))?)?`;
const MONTH_NAME_PART =
  '(?:Jan|Feb|Mar|Mär|Mrz|Apr|Mai|May|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez|January|Januar|February|Februar|March|März|April|June|Juni|July|Juli|August|September|October|Oktober|November|December|Dezember)';
const YEAR_FIRST_ID = new RegExp(
  String.raw`^(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])${TIME_OF_DAY_PART}$`,
);
const YEAR_LAST_ID = new RegExp(String.raw`^(\d{1,2})([-./])(\d{1,2})\2(?:19|20)\d\d${TIME_OF_DAY_PART}$`);
/** `01-Jul-26`, and without a year as Excel writes it: `1-Mar`, `01. Mrz`. */
const DAY_AND_MONTH_ID = new RegExp(
  String.raw`^[0-3]?\d(?:\. ?|[- /])${MONTH_NAME_PART}(?:[-./ ]{1,2}(?:(?:19|20)?\d\d))?$`,
);
const MONTH_FIRST_ID = new RegExp(String.raw`^${MONTH_NAME_PART}[-./ ]{1,2}[0-3]?\d(?:, ?|[-./ ])(?:19|20)\d\d$`);

const QUOTED_ID = /^(?:'.+'|".+"|`.+`|[“”„].+[“”]|[‘’‚].+[‘’]|«.+»|».+«|‹.+›)$/su;
const APOSTROPHE_ID = /^['\u2018\u2019`\u00b4]\d/;
/** As a spreadsheet shows a long number. `1E5` may be typed. */
const SCIENTIFIC = /^\d[.,]\d+E\+\d\d$/;
/** It shows 4000000000000001 so, too. */
const SHORT_SCIENTIFIC = /^\dE\+\d\d$/;

/** `="0045"`, `=45`, `=A1`, `=SUM(`; a key of a person may begin with =, too. */
const FORMULA_START = /^=\s*(?:["'(+\-\d]|\$?[A-Z]{1,3}\$?\d|[\p{L}_][\p{L}\d_.]*\()/u;

/** How a spreadsheet changed an ID so that it is lost, or hidden in a formula; null if it did not. */
export interface Mangling {
  readonly kind: 'scientific' | 'formula';
  /** The text that a formula shows; null if only the spreadsheet knows. */
  readonly meaning: string | null;
}

export function manglingOf(text: string): Mangling | null {
  const id = text.trim();
  if (SCIENTIFIC.test(id)) return { kind: 'scientific', meaning: null };
  if (!FORMULA_START.test(id)) return null;
  const [, quoted, number] = /^=\s*(?:"((?:[^"]|"")*)"|(\d+))$/s.exec(id) ?? [];
  return { kind: 'formula', meaning: quoted?.replaceAll('""', '"') ?? number ?? null };
}

/** Null for most IDs. */
export function idDoubtOf(text: string): IdDoubt | null {
  const id = text.trim();
  if (isWordForNothing(id)) return 'word';
  if (isDateText(id)) return 'date';
  if (SHORT_SCIENTIFIC.test(id)) return 'short';
  if (QUOTED_ID.test(id)) return 'quotes';
  return APOSTROPHE_ID.test(id) ? 'apostrophe' : null;
}

function isWordForNothing(id: string): boolean {
  if (id.length > LONGEST_WORD_FOR_NOTHING) return false;
  return (
    WORDS_FOR_NOTHING.has(id.toLowerCase()) || WORDS_IN_CAPITALS.has(id) || DASHES.test(id) || OBJECT_WORD.test(id)
  );
}

/** With a year of four digits, or the name of a month: `12.11.10` may be a cost center. */
function isDateText(id: string): boolean {
  if (id.length > LONGEST_DATE_ID) return false;
  if (YEAR_FIRST_ID.test(id) || DAY_AND_MONTH_ID.test(id) || MONTH_FIRST_ID.test(id)) return true;
  const parts = YEAR_LAST_ID.exec(id);
  if (parts === null) return false;
  const one = Number(parts[1]);
  const other = Number(parts[3]);
  return one > 0 && other > 0 && Math.min(one, other) <= 12 && Math.max(one, other) <= 31;
}

const LONGEST_DATE_ID = 40;

// What a character says of an ID that has it; the bits of all characters are joined.
const DIGIT_KIND = 1;
const LETTER_KIND = 2;
const JOINT_KIND = 4;
const OTHER_KIND = 8;

const CHARACTER_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/\d/.test(char)) return DIGIT_KIND;
  if (/[A-Za-z]/.test(char)) return LETTER_KIND;
  if (char === '_') return 0;
  return /[-./]/.test(char) ? JOINT_KIND : OTHER_KIND;
});

/**
 * Whether an ID is evidently one that a person or a program has given. Only for speed: most IDs are, and any other text
 * may be one too.
 */
export function isOrdinaryId(text: string): boolean {
  let kinds = 0;
  for (let i = 0; i < text.length; i++) kinds |= CHARACTER_KINDS[text.charCodeAt(i)] ?? OTHER_KIND;
  if (kinds >= OTHER_KIND) return false;
  // No doubt is about digits, or about letters and digits.
  if (kinds <= (DIGIT_KIND | LETTER_KIND))
    return (kinds & DIGIT_KIND) !== 0 || (kinds !== 0 && !isWordForNothing(text));
  return (kinds & DIGIT_KIND) !== 0 && !isDateText(text);
}
