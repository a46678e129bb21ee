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

/** For a text of a file whose encoding was guessed. */
function guessDoubtIn(_text: string): EncodingDoubtOfText | null {
  return null;
}

/** The word around a character. */
function wordAround(text: string, at: number): string {
  const before = /\S*$/.exec(text.slice(0, at))?.[0] ?? '';
  const after = /^\S*/.exec(text.slice(at))?.[0] ?? '';
  return excerpt(before + after);
}
