/** Where an answer has what a setting did not find: the service's document shows no answers. */
import { isObject } from '../../records/types.js';
import { isId } from './judgement.js';

/** Longer paths cannot be set, characters. */
const LONGEST_ANSWER_PATH = 200;
/** How deep an answer is searched: it must come to an end. */
const DEEPEST_SEARCH = 4;
/** The likeliest first. */
const ID_NAMES = [/^_?id$/i, /^uu?id$/i, /^(?:gig|gig_?result|result|payout|record|(?:gig_?)?task)_?id$/i];

export type AnswerFields = Readonly<Record<string, unknown>>;

interface Part {
  /** Of the object, with a dot at its end; empty for the whole answer. */
  readonly path: string;
  readonly fields: AnswerFields;
}

/** Where an answer has an id that was not sent: a dot path, the shallowest; null if there is none. */
export function idPathIn(answer: AnswerFields, sent: AnswerFields): string | null {
  let level: Part[] = [{ path: '', fields: answer }];
  for (let depth = 0; depth < DEEPEST_SEARCH; depth++) {
    for (const name of ID_NAMES)
      for (const { path, fields } of level) {
        const found = Object.keys(fields).find((each) => name.test(each) && !(each in sent) && isId(fields[each]));
        if (found !== undefined) return `${path}${found}`;
      }
    level = level.flatMap(partsIn);
  }
  return null;
}

/** A list of an answer that has objects. */
export interface ObjectList {
  /** A dot path. */
  readonly path: string;
  readonly objects: readonly AnswerFields[];
}

/** The lists of objects in an answer, the shallowest first. */
export function objectListsIn(answer: AnswerFields): ObjectList[] {
  const lists: ObjectList[] = [];
  let level: Part[] = [{ path: '', fields: answer }];
  for (let depth = 0; depth < DEEPEST_SEARCH && level.length > 0; depth++) {
    level = level.flatMap(partsIn);
    for (const { path, fields } of level) {
      const objects = Array.isArray(fields) ? fields.filter(isObject) : [];
      if (objects.length > 0) lists.push({ path: path.slice(0, -1), objects });
    }
  }
  return lists;
}

/** Objects and lists in a part. A name with a dot cannot be written in a path. */
function partsIn({ path, fields }: Part): Part[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'object' &&
    value !== null &&
    !name.includes('.') &&
    path.length + name.length < LONGEST_ANSWER_PATH
      ? [{ path: `${path}${name}.`, fields: value as AnswerFields }]
      : [],
  );
}
