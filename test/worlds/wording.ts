/** Command lines of calls that send: what they say beside their files. */
import type { Chance } from '../fuzz/chance.js';
import { type Sheet, typeOf } from './sheet.js';

/** Named by people, or by a job that takes the date. */
const BATCHES = ['2026-11', '2026-12'] as const;

/** Flags of a call that nobody has thought about before. */
export function flags(chance: Chance, hasGigs: boolean, now: number): string[] {
  const all: string[] = [];
  const maybe = (share: number, ...words: string[]): void => void (chance.hits(share) && all.push(...words));
  if (chance.hits(0.35)) all.push('--batch-id', chance.hits(0.2) ? dayOf(now) : chance.pick(BATCHES));
  maybe(0.12, '--skip-created');
  if (chance.hits(0.5)) maybe(0.16, '--skip-similar');
  else maybe(0.1, '--send-similar', String(1 + chance.below(3)));
  maybe(0.2, '--skip-invalid');
  // Which record a warning makes invalid is not always said.
  if (!all.includes('--skip-invalid')) maybe(0.06, '--strict');
  // A file without these columns would be refused.
  if (!hasGigs) maybe(0.06, '--key-columns', 'user_id,title');
  maybe(0.15, '--retry-rejected');
  maybe(0.1, '--resend-unknown');
  maybe(0.1, '--key-lifetime', chance.pick(['0', '2']));
  maybe(0.04, '--expect-count', String(1 + chance.below(4)));
  maybe(0.03, '--stop-after', '1');
  maybe(0.03, '--header', 'X-Team: a');
  return all;
}

/** How files are read, where somebody does not read them as they stand. @param share of the calls that say so */
export function readingFlags(files: readonly Sheet[], chance: Chance, now: number, share: number): string[] {
  const types = files.map(typeOf);
  const all = types.includes('gig') || !chance.hits(share) ? [] : chance.pick(waysToRead(files, now));
  const isDated = files.some(({ dates }) => dates === 'dmy');
  return isDated ? [...all, '--date-format', chance.hits(share) ? 'mdy' : 'dmy'] : all;
}

function waysToRead(files: readonly Sheet[], now: number): string[][] {
  const ways = [
    ['--set', 'title=Bonus'],
    ['--set', `title=Night ${dayOf(now)}`],
  ];
  const isPayouts = files.every((file) => typeOf(file) === 'payout');
  if (isPayouts)
    ways.push(['--set', 'billing_date=2026-11-01'], ['--set', 'reference_id=R1'], ['--set', 'currency=EUR']);
  if (isPayouts && files.every(canExchange)) ways.push([...EXCHANGED]);
  return ways;
}

const EXCHANGED = ['--map', 'title=reference_id', '--map', 'reference_id=title'] as const;

function canExchange({ rows }: Sheet): boolean {
  return rows.every(({ fields, isValid }) => isValid && fields['reference_id'] !== undefined);
}

/** Of the flags that were said before, those that fit these files. */
export function suited(words: readonly string[], files: readonly Sheet[]): string[] {
  const said = without(words, '--expect-digest');
  const all = files.every(canExchange) ? said : without(said, '--map');
  return files.every((file) => typeOf(file) === 'payout') ? all : without(all, '--set');
}

/** Without what says how files are read. */
export function unread(words: readonly string[]): string[] {
  return READING.reduce(without, [...words]);
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** So long that no time-out comes by chance. */
export const TIMEOUT = ['--timeout', '600'] as const;

export function manner(chance: Chance): string[] {
  const counts = ['--retries', String(chance.below(3)), '--concurrency', chance.pick(['1', '1', '3'])];
  return ['--json', '--yes', '--no-progress', ...TIMEOUT, ...counts];
}

const READING = ['--set', '--map', '--date-format'];
const VALUED = [
  ...READING,
  '--batch-id',
  '--key-columns',
  '--send-similar',
  '--key-lifetime',
  '--expect-count',
  '--expect-digest',
  '--stop-after',
  '--header',
];
const PLAIN = [
  '--skip-created',
  '--skip-similar',
  '--skip-invalid',
  '--strict',
  '--retry-rejected',
  '--resend-unknown',
];

/** What a command said beside its files, its address and its manner. */
export function decisionsIn(words: readonly string[]): string[] {
  return words.filter(
    (word, i) => PLAIN.includes(word) || VALUED.includes(word) || VALUED.includes(words[i - 1] ?? ''),
  );
}

/** It is printed beside `--send-similar`, and is about that very input: nobody says it of another one. */
const DIGEST = '--expect-digest';

/** The words without an option and its value, or without a flag. */
export function without(words: readonly string[], option: string): string[] {
  const hasValue = VALUED.includes(option) || option === DIGEST;
  const rest = words.filter((word, i) => word !== option && !(hasValue && words[i - 1] === option));
  return option === '--send-similar' ? without(rest, DIGEST) : rest;
}

/** The batch is forgotten, misspelt, or another day's. */
export function misnamed(words: readonly string[], chance: Chance, now: number): string[] {
  const at = words.indexOf('--batch-id');
  if (at < 0) return [...words, '--batch-id', chance.pick([dayOf(now), 'Default', BATCHES[0]])];
  const name = words[at + 1] as string;
  if (chance.hits(0.4)) return without(words, '--batch-id');
  const other = chance.pick([
    name.replaceAll('-', chance.pick([' ', '–', '/', '.', ''])),
    ` ${name}`.trim(),
    dayOf(now),
  ]);
  return words.with(at + 1, other);
}
