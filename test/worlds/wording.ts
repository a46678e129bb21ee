/** Command lines of calls that send: what they say beside their files. */
import type { Chance } from '../fuzz/chance.js';
import type { Desk, Done } from './desk.js';

/** Flags of a call that nobody has thought about before. */
export function flags(chance: Chance, hasGigs: boolean): string[] {
  const all: string[] = [];
  const maybe = (share: number, ...words: string[]): void => void (chance.hits(share) && all.push(...words));
  maybe(0.3, '--batch-id', chance.pick(['2026-11', '2026-12']));
  maybe(0.12, '--skip-created');
  maybe(0.08, '--skip-similar');
  maybe(0.2, '--skip-invalid');
  maybe(0.06, '--strict');
  // A file without these columns would be refused.
  if (!hasGigs) maybe(0.06, '--key-columns', 'user_id,title');
  maybe(0.15, '--retry-rejected');
  maybe(0.1, '--resend-unknown');
  maybe(0.1, '--key-lifetime', chance.pick(['0', '2']));
  maybe(0.04, '--expect-count', String(1 + chance.below(4)));
  return all;
}

export function manner(chance: Chance): string[] {
  const counts = ['--retries', String(chance.below(3)), '--concurrency', chance.pick(['1', '1', '3'])];
  return ['--json', '--yes', '--no-progress', '--timeout', '3600', ...counts];
}

export function filesIn({ words }: Done, desk: Desk): string[] {
  return words.filter((word) => desk.files.has(word));
}

/** What a command said beside its files, its address and its manner. */
export function decisionsIn({ words }: Done): string[] {
  const kept: string[] = [];
  const valued = ['--batch-id', '--key-columns', '--send-similar', '--key-lifetime', '--expect-count'];
  const plain = [
    '--skip-created',
    '--skip-similar',
    '--skip-invalid',
    '--strict',
    '--retry-rejected',
    '--resend-unknown',
  ];
  for (const [i, word] of words.entries()) {
    if (valued.includes(word)) kept.push(word, words[i + 1] as string);
    else if (plain.includes(word)) kept.push(word);
  }
  return kept;
}

/** The words without an option and its value, or without a flag. */
export function without(words: readonly string[], option: string): string[] {
  const isValued = ['--batch-id', '--send-similar', '--expect-count'].includes(option);
  return words.filter((word, i) => word !== option && !(isValued && words[i - 1] === option));
}
