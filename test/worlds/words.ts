/** Command lines, and what they decide: the oracle reads them as the CONTRACT gives the flags. */
import type { Rules } from './entries.js';

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
    batch: valueOf(words, '--batch-id') ?? 'default',
    batchNamed: words.includes('--batch-id'),
    keyColumns: valueOf(words, '--key-columns')?.split(',') ?? [],
    skipInvalid: words.includes('--skip-invalid'),
    strict: words.includes('--strict'),
    retryRejected: words.includes('--retry-rejected'),
    resendUnknown: words.includes('--resend-unknown'),
    keyLifetimeHours: number('--key-lifetime') ?? 24,
    expectCount: number('--expect-count'),
    skipCreated: words.includes('--skip-created'),
    skipSimilar: words.includes('--skip-similar'),
    sendSimilar: number('--send-similar'),
  };
}

/** A command as it is printed, in words: with quotes, as a shell takes them. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [, plain, quoted] of line.matchAll(/([^\s']+)|'((?:[^']|'\\'')*)'/g))
    words.push(plain ?? (quoted as string).replaceAll("'\\''", "'"));
  return words;
}
