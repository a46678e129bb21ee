/** What the answers that confirmed show together: other money than was sent, and whether the settings find their ids. */
import type { ResponseRules } from '../options.js';
import { type AnswerFields, idPathIn } from './http/answer-paths.js';
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
      if (lacking === 0 && !isBare) found = idPathIn(object, JSON.parse(sent) as AnswerFields);
      lacking++;
    },
    otherMoney: () => (first === null ? null : { ...first, count: others }),
    lackingId: () => (hasId || lacking === 0 ? null : { count: lacking, expected: id, found }),
  };
}
