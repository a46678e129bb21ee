/** Amounts in a notation that no setting reads, such as `1.250,00-`: a file that has them must be exported again. */
import { splitSign } from '../currency-signs.js';

const NUMBER = String.raw`\d[\d.,'’\s]*`;
const MONEY = String.raw`(?:\d[\d.,'’\s]*)?[.,]\d\d`;
const SIGN = String.raw`(?:\p{Sc}|[A-Z]{3})?`;

/** Each notation, and what is wrong with it. */
const NOTATIONS: readonly (readonly [notation: RegExp, words: string])[] = [
  [new RegExp(String.raw`^${NUMBER}[-−–]$`), 'the minus must stand before the number'],
  [
    new RegExp(String.raw`^-?${SIGN}\s?\(\s?-?${SIGN}\s?${MONEY}\s?${SIGN}\s?\)\s?${SIGN}$`, 'u'),
    'a negative number is written with a minus, not in brackets',
  ],
  [new RegExp(String.raw`^[−–]\s?${SIGN}\s?${NUMBER}$`, 'u'), 'the minus must be the one of the keyboard (-)'],
  [new RegExp(String.raw`^(?:\+\s?${MONEY}|${MONEY}\s?\+)$`), 'a plus is not read'],
  [
    new RegExp(String.raw`^${MONEY}\s?(?:CR|DR|C|D|S|H)\.?$`, 'i'),
    'letters for debit and credit are not read: a minus must mark negative amounts',
  ],
];

/** What is wrong with a number; null for text, and for a number that some setting reads. */
export function oddNotation(typed: string): string | null {
  const number = splitSign(typed)?.number ?? typed;
  return NOTATIONS.find(([notation]) => notation.test(typed) || notation.test(number))?.[1] ?? null;
}

/** It has two decimals, as money has: `1234-` may be a code. */
export function isOddMoney(typed: string): boolean {
  return /[.,]\d\d(?!\d)/.test(typed);
}
