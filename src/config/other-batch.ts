/** A call whose batch a person has named in the review: from then on as if `--batch-id` had been said. */
import type { RunOptions } from '../options.js';
import { DEFAULT_BATCH } from './safety.js';

/** @param batchId a name that `--batch-id` would take */
export function inBatch(options: RunOptions, batchId: string): RunOptions {
  const { safety, onward } = options;
  return {
    ...options,
    safety: { ...safety, batchId, batchNamed: batchId !== DEFAULT_BATCH },
    onward: { ...onward, again: withBatch(onward.again, batchId), typed: withBatch(onward.typed, batchId) },
  };
}

/** A command line that names the batch, whatever it named before. */
function withBatch(words: readonly string[], batchId: string): string[] {
  // Behind `--` stand names of files.
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const kept = words
    .slice(0, end)
    .filter((word, i) => word !== '--batch-id' && !word.startsWith('--batch-id=') && words[i - 1] !== '--batch-id');
  return [...kept, '--batch-id', batchId, ...words.slice(end)];
}
