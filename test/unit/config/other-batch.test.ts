import { describe, expect, it } from 'vitest';
import { inBatch } from '../../../src/config/other-batch.js';
import type { RunOptions } from '../../../src/options.js';

function moved(again: string[], batchId: string) {
  const options = {
    safety: { batchId: 'default', batchNamed: false, yes: false },
    onward: { resume: ['--profile', 'p'], again, typed: again },
  } as unknown as RunOptions;
  return inBatch(options, batchId);
}

describe('a call whose batch was named in the review', () => {
  it('is in that batch, and keeps all else', () => {
    const { safety, onward } = moved(['gigwork'], '2026-12');
    expect(safety).toEqual({ batchId: '2026-12', batchNamed: true, yes: false });
    expect(onward.resume).toEqual(['--profile', 'p']);
    expect(moved(['gigwork'], 'default').safety.batchNamed).toBe(false);
  });

  it.each<[string, string[], string[]]>([
    ['none', ['gigwork', 'a.csv', '--strict'], ['gigwork', 'a.csv', '--strict', '--batch-id', 'b']],
    ['one', ['gigwork', '--batch-id', 'x', 'a.csv'], ['gigwork', 'a.csv', '--batch-id', 'b']],
    ['one with =', ['gigwork', '--batch-id=x', 'a.csv'], ['gigwork', 'a.csv', '--batch-id', 'b']],
    ['files behind --', ['gigwork', '--', '--batch-id', 'x'], ['gigwork', '--batch-id', 'b', '--', '--batch-id', 'x']],
  ])('names it in the commands that go on, where there was %s', (_name, words, expected) => {
    const { onward } = moved(words, 'b');
    expect([onward.again, onward.typed]).toEqual([expected, expected]);
  });
});
