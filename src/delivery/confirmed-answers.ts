/** What the answers that confirmed show together: other money than was sent, and whether the settings find their ids. */
import type { ResponseRules } from '../options.js';
import { valueAtPath } from './http/attempt.js';
import { isEmptyObject, isId, type JudgedAnswer, type OtherMoney } from './http/judgement.js';

export interface ConfirmedAnswers {
  /**
   * @param index place of the record in the input, from 0
   * @param sent the record as it was sent: an object as JSON text
   */
  add(answer: JudgedAnswer, index: number, sent: string): void;
  /** How many show another amount or currency than was sent, and the first of them; null if none does. */
  otherMoney(): (OtherMoney & { readonly count: number; readonly index: number }) | null;
  /** For answers of which none has an id where the settings expect it; null if one has, or if there are none. */
  lackingId(): LackingId | null;
}

export interface LackingId {
  readonly count: number;
  /** Where the settings expect it: a dot path. */
  readonly expected: string;
  /** Where the first answer has one; null if it has none. */
  readonly found: string | null;
}

export function startConfirmedAnswers({ id }: ResponseRules): ConfirmedAnswers {
  let first: (OtherMoney & { readonly index: number }) | null = null;
  let others = 0;
  let lacking = 0;
  let found = null as string | null;
  let hasId = false;
  return {
    add: ({ object, otherMoney, location }, index, sent) => {
      if (otherMoney !== null) {
        others++;
        if (first === null || index < first.index) first = { ...otherMoney, index };
      }
      const isBare = object === null || isEmptyObject(object);
      // The id of an empty answer is in its place.
      hasId ||= isBare ? location !== undefined : isId(valueAtPath(object, id));
      if (hasId) return;
      if (lacking === 0 && !isBare) found = idPathIn(object, JSON.parse(sent) as Part['fields']);
      lacking++;
    },
    otherMoney: () => (first === null ? null : { ...first, count: others }),
    lackingId: () => (hasId || lacking === 0 ? null : { count: lacking, expected: id, found }),
  };
}

/** Longer paths cannot be set, characters. */
const LONGEST_ID_PATH = 200;
/** How deep an answer is searched for its id: it must come to an end. */
const DEEPEST_ID = 4;
/** The likeliest first. */
const ID_NAMES = [/^_?id$/i, /^uu?id$/i, /^(?:gig|gig_?result|result|payout|record)_?id$/i];

interface Part {
  /** Of the object, with a dot at its end; empty for the whole answer. */
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Where an answer has an id that was not sent: a dot path, the shallowest; null if there is none. */
function idPathIn(answer: Part['fields'], sent: Part['fields']): string | null {
  let level: Part[] = [{ path: '', fields: answer }];
  for (let depth = 0; depth < DEEPEST_ID; depth++) {
    for (const name of ID_NAMES)
      for (const { path, fields } of level) {
        const found = Object.keys(fields).find((each) => name.test(each) && !(each in sent) && isId(fields[each]));
        if (found !== undefined) return `${path}${found}`;
      }
    level = level.flatMap(partsIn);
  }
  return null;
}

/** Objects and lists in a part. A name with a dot cannot be written in a path. */
function partsIn({ path, fields }: Part): Part[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !name.includes('.') && path.length + name.length < LONGEST_ID_PATH
      ? [{ path: `${path}${name}.`, fields: value as Part['fields'] }]
      : [],
  );
}
