/** The names by which setup tells a file's columns apart: their own, or their positions. */
import { UsageError } from '../errors.js';
import { columnPlace, openNames } from '../input/column-places.js';
import { isLikeData } from '../input/header-place.js';
import { FileFault } from '../input/raw-record.js';
import { encodingDoubtIn } from '../records/doubtful-encoding.js';
import { excerpt } from '../records/issue.js';
import { shellQuote } from '../util/shell-quote.js';
import type { Answers } from './answers.js';

/**
 * The names, with the position of a column that the answers settle by it, and of one that is dropped together with
 * another of its name.
 * @param isField whether a name means a field
 */
export function distinctNames(
  names: readonly string[],
  answers: Answers,
  isField: (name: string) => boolean,
): string[] {
  const { map, ignore, ignoreOthers } = answers;
  const open = openNames(names, { map, ignore, ignoreOthers, met: new Set() });
  const isDroppedTwin = (name: string): boolean =>
    name !== '' && ignoreOthers && open.indexOf(name) !== open.lastIndexOf(name) && !isField(name);
  return open.map((name, index) => (isDroppedTwin(name) ? columnPlace(index) : name));
}

/** Nobody can say which of two columns with the same name is meant. @throws FileFault */
export function refuseSameNames(
  names: readonly string[],
  line: number | null,
  { ignore, headerLine }: Answers,
  platform: NodeJS.Platform,
): void {
  const second = names.findIndex((name, i) => name !== '' && !ignore.has(name) && names.indexOf(name) < i);
  const name = names[second];
  // Two equal amounts: the line that the person has named may be a payment, which is asked about.
  if (name === undefined || (headerLine !== null && isLikeData(name))) return;
  const first = names.indexOf(name);
  const flags = [first, second].map((index) => `--ignore-column ${shellQuote(columnPlace(index), platform)}`);
  const found = `two columns have the name ${JSON.stringify(excerpt(name))}: ${columnPlace(first)} and ${columnPlace(second)}`;
  const message = `${found}. Say which one you do not need, with ${flags.join(' or ')}`;
  throw new FileFault('duplicate-column', line, message, name);
}

/** Nobody can answer questions about texts whose letters are wrong. @throws UsageError */
export function refuseOddLetters(texts: readonly string[], path: string): void {
  for (const text of texts) {
    const doubt = encodingDoubtIn(text, true);
    if (doubt === null) continue;
    const found = `${path}: ${JSON.stringify(doubt.word)} ${doubt.problem}`;
    throw new UsageError(`${found}. If its letters are right, say --encoding windows-1252`);
  }
}
