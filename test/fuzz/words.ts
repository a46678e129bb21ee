import type { Case } from './cases.js';

/** The words of a case's dry run. */
export function wordsOf({ command, file, flags }: Case): string[] {
  return [...command, file ?? '-', '--dry-run', '--json', ...flags];
}
