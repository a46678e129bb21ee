/** Command lines, and what they say: the oracle reads them as the CONTRACT gives the flags. */
import { basename } from 'node:path';
import type { DateOrder, Reading } from './sheet.js';

export interface Rules {
  /** As it is named; null where no batch is. */
  readonly batch: string | null;
  readonly keyColumns: readonly string[];
  readonly skipInvalid: boolean;
  readonly strict: boolean;
  readonly retryRejected: boolean;
  readonly resendUnknown: boolean;
  readonly skipCreated: boolean;
  readonly skipSimilar: boolean;
  readonly sendSimilar: number | null;
  /** As it was said, in hours. */
  readonly keyLifetime: number | null;
  readonly expectCount: number | null;
  readonly expectDigest: string | null;
  readonly stopAfter: number | null;
  readonly headers: readonly string[];
  readonly reading: Reading;
  /** Seconds; of one attempt. */
  readonly timeout: number;
}

const HOW_LONG = 30;

/** The value after a flag; null where the flag is not there. */
export function valueOf(words: readonly string[], flag: string): string | null {
  const at = words.indexOf(flag);
  return at < 0 ? null : (words[at + 1] ?? null);
}

export function rulesOf(words: readonly string[]): Rules {
  const number = (flag: string): number | null => {
    const value = valueOf(words, flag);
    return value === null ? null : Number(value);
  };
  return {
    batch: valueOf(words, '--batch-id'),
    keyColumns: valueOf(words, '--key-columns')?.split(',') ?? [],
    skipInvalid: words.includes('--skip-invalid'),
    strict: words.includes('--strict'),
    retryRejected: words.includes('--retry-rejected'),
    resendUnknown: words.includes('--resend-unknown'),
    skipCreated: words.includes('--skip-created'),
    skipSimilar: words.includes('--skip-similar'),
    sendSimilar: number('--send-similar'),
    keyLifetime: number('--key-lifetime'),
    expectCount: number('--expect-count'),
    expectDigest: valueOf(words, '--expect-digest'),
    stopAfter: number('--stop-after'),
    headers: valuesOf(words, '--header').map((value) => value.split(':')[0] as string),
    reading: readingOf(words),
    timeout: number('--timeout') ?? HOW_LONG,
  };
}

function valuesOf(words: readonly string[], flag: string): string[] {
  return words.filter((_word, i) => words[i - 1] === flag);
}

function readingOf(words: readonly string[]): Reading {
  const pairs = (flag: string): Record<string, string> =>
    Object.fromEntries(valuesOf(words, flag).map((pair) => pair.split('=') as [string, string]));
  const dates = (valueOf(words, '--date-format') ?? 'ymd') as DateOrder;
  return { sets: pairs('--set'), maps: pairs('--map'), dates };
}

/** The target of a call with files. */
export function targetOf(words: readonly string[]): string {
  const account = valueOf(words, '--account');
  return `${valueOf(words, '--base-url')}${account === null ? '' : `#${account}`}`;
}

/** Name and port. */
export function hostOf(target: string): string {
  return new URL(target).host;
}

/** The words that name one of these files; printed commands have absolute paths. */
export function inputsIn(words: readonly string[], files: ReadonlyMap<string, unknown>): string[] {
  return words.filter((word, i) => files.has(basename(word)) && !OUTPUTS.includes(words[i - 1] as string));
}

const OUTPUTS: readonly string[] = ['--rejects', '--results', '--report'];

/** A command as it is printed, in words: with quotes, as a shell takes them. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [, plain, quoted] of line.matchAll(/([^\s']+)|'((?:[^']|'\\'')*)'/g))
    words.push(plain ?? (quoted as string).replaceAll("'\\''", "'"));
  return words;
}
