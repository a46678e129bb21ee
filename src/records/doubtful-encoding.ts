/** Characters that show that a text was read in another encoding than the one in which it was written. */
import { excerpt } from './issue.js';

/** A program puts it where it cannot read a character. */
const REPLACEMENT = '\ufffd';

export interface EncodingDoubtOfText {
  /** The word that cannot be meant, to be shown. */
  readonly word: string;
  /** What is wrong with it, after the word: `has the character U+FFFD: …`. */
  readonly problem: string;
}

/** @param isGuessed the file's encoding was guessed, so its letters may be others */
export function encodingDoubtIn(text: string, isGuessed: boolean): EncodingDoubtOfText | null {
  if (text.includes(REPLACEMENT)) {
    const problem =
      'has the character U+FFFD: a program could not read a letter, and replaced it. Export the file again, as CSV UTF-8';
    return { word: wordAround(text, text.indexOf(REPLACEMENT)), problem };
  }
  return isGuessed ? guessDoubtIn(text) : null;
}

/** Only for speed: hardly any Western text has one of these. */
const SUSPECT = /[³¹¿¡¬¼½¾×÷¤¦Ÿ]|[À-ÖØ-öø-ÿ]{4}/;
/** Whole words in letters that Windows-1252 has for Cyrillic and Greek ones. Western words of four letters have others too. */
const ALL_ACCENTED = /(?<!\p{L})[À-ÖØ-öø-ÿ]{4,}(?!\p{L})/u;
/** Where other encodings have letters, Windows-1252 has these signs: no Western word has one next to a letter. */
const SIGN_BEFORE_LETTER = /(?<![\d¼½¾×÷])[¼½¾×÷](?=\p{L})|[³¹¬¤¦](?=\p{L})/u;
const SIGN_AFTER_LETTER = /(?<=\p{L})[³¹¿¡¬¼½¾×÷¤¦]/u;
/** `m³`, `cm³`, and a quantity of them: `5m³`. */
const CUBIC = /(?<!\p{L})[cdhkmµ]?m³(?!\p{L})/giu;
/** Mac Roman has a small ü there. */
const CAPITAL_WITHIN = /Ÿ(?=\p{Ll})/u;

/** For a text of a file whose encoding was guessed: a word that no Western language has. */
function guessDoubtIn(text: string): EncodingDoubtOfText | null {
  if (!SUSPECT.test(text)) return null;
  const plain = text.includes('³') ? text.replace(CUBIC, (unit) => 'm'.repeat(unit.length)) : text;
  const at = [ALL_ACCENTED, SIGN_BEFORE_LETTER, SIGN_AFTER_LETTER, CAPITAL_WITHIN]
    .map((sign) => plain.search(sign))
    .find((place) => place >= 0);
  if (at === undefined) return null;
  const problem =
    'looks wrong: the encoding of the file was guessed, and some of its letters may be others. In the program that made the file, save it as CSV UTF-8, or name --encoding';
  return { word: wordAround(text, at), problem };
}

/** The word around a character. */
function wordAround(text: string, at: number): string {
  const before = /\S*$/.exec(text.slice(0, at))?.[0] ?? '';
  const after = /^\S*/.exec(text.slice(at))?.[0] ?? '';
  return excerpt(before + after);
}
