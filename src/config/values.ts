/** Values of options as people write them → checked values. Every fault is a usage error that names the option. */
import { isAbsolute } from 'node:path';
import { UsageError } from '../errors.js';
import { isCalendarDate } from '../records/calendar.js';
import { nameFault } from '../records/misleading-text.js';
import { didYouMean } from '../records/nearest.js';
import { HIDDEN } from './secrets.js';

/** A whole number within bounds. @param name of the option, for the message */
export function wholeNumber(
  name: string,
  text: string | number,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const value = typeof text === 'number' ? text : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  throw new UsageError(`${name} takes a whole number, ${range}; found ${JSON.stringify(text)}`);
}

/** Whole numbers that follow one another, both ends included. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** Whole numbers from 1: `17`, `3-10`, `3,5,9-12`. @param name of the option, for the message */
export function numberRanges(name: string, text: string): NumberRange[] {
  return text.split(',').map((part) => {
    const [, first = '', last = first] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? [];
    const range = { first: Number(first), last: Number(last) };
    const isRange = range.first >= 1 && range.first <= range.last && Number.isSafeInteger(range.last);
    if (isRange) return range;
    throw new UsageError(`${name} takes whole numbers from 1, as in 17 or 3,5,9-12; found ${JSON.stringify(text)}`);
  });
}

/** A number within bounds, decimals allowed. */
export function decimalNumber(name: string, text: string | number, least: number, most: number): number {
  const value = typeof text === 'number' ? text : /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} takes a number from ${least} to ${most}; found ${JSON.stringify(text)}`);
}

/** A name of 1 to 200 visible characters. */
export function readableName(name: string, text: string): string {
  const fault = nameFault(text);
  if (fault === null) return text;
  throw new UsageError(`${name} ${fault}; found ${JSON.stringify(text)}`);
}

/** A folder. An empty text, as from a variable that was never set, would mean the working directory. */
export function folderName(name: string, text: string): string {
  if (text.trim() === '') throw new UsageError(`${name} takes a folder; found ${JSON.stringify(text)}`);
  // A path pasted from a message with a hidden word would name another folder, with another history or none.
  if (text.includes(HIDDEN))
    throw new UsageError(`${name} takes a folder, and ${HIDDEN} stands for a word that was not shown; put it back in`);
  if (/^~(?:[/\\]|$)/.test(text))
    throw new UsageError(`${name} takes a folder, and ~ is not one here: write it out, or say $HOME`);
  return text;
}

/** The folder that an XDG base directory variable names. By their specification, a relative path counts as not set. */
export function xdgFolder(value: string | undefined): string | null {
  return value !== undefined && isAbsolute(value) ? value : null;
}

/** `a, b or c` */
export function listed(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} or ${last}`;
}

/** One of a few words. */
export function oneOf<const T extends string>(name: string, text: string, words: readonly T[]): T {
  const found = words.find((word) => word === text);
  if (found !== undefined) return found;
  const hint = didYouMean(text, words);
  const end = hint === '' ? '' : `.${hint}`;
  throw new UsageError(`${name} takes ${listed(words)}; found ${JSON.stringify(text)}${end}`);
}

/**
 * `left=right`, cut at the first `=`, or at the last one.
 * @param cut `last` where the left side is a column's name: it may contain `=`, and the field on the right cannot
 */
export function pair(name: string, text: string, cut: 'first' | 'last' = 'first'): [string, string] {
  const at = cut === 'first' ? text.indexOf('=') : text.lastIndexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
  throw new UsageError(`${name} takes NAME=VALUE; found ${JSON.stringify(text)}`);
}

/** `Name: value`, cut at the first colon. Never repeats the text: it may hold a secret. */
export function headerPair(text: string): [string, string] {
  const at = text.indexOf(':');
  if (at < 1) throw new UsageError("--header takes 'Name: value'");
  return [text.slice(0, at), text.slice(at + 1).trim()];
}

/** When a day begins in UTC, milliseconds since 1970. @throws UsageError for what is no day */
export function startOfDay(name: string, text: string): number {
  if (isCalendarDate(text)) return Date.parse(`${text}T00:00:00Z`);
  throw new UsageError(`${name} takes a day in UTC, YYYY-MM-DD; found ${JSON.stringify(text)}`);
}
