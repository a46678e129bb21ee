import { describe, expect, it } from 'vitest';
import { drawMishap, NO_FAULTS, rateLimiter } from '../../../src/sandbox/faults.js';

function sequence(...values: number[]): () => number {
  return () => values.shift() ?? expect.fail('drawn more often than expected');
}

describe('drawMishap', () => {
  const faults = { ...NO_FAULTS, failRate: 0.3, dropRate: 0.5 };

  it.each([
    [0.3, 0.5, 'none'],
    [0.29, 0.5, 'fail'],
    [0.3, 0.49, 'drop'],
    [0, 0, 'fail'],
  ] as const)('draws %d and %d: %s', (first, second, mishap) => {
    expect(drawMishap(faults, sequence(first, second))).toBe(mishap);
  });

  it('never fails at rate 0 and always at rate 1', () => {
    expect(drawMishap(NO_FAULTS, sequence(0, 0))).toBe('none');
    expect(drawMishap({ ...NO_FAULTS, failRate: 1 }, sequence(0.999999, 0.999999))).toBe('fail');
    expect(drawMishap({ ...NO_FAULTS, dropRate: 1 }, sequence(0.999999, 0.999999))).toBe('drop');
  });
});

describe('rateLimiter', () => {
  it('admits all without a limit', () => {
    const admit = rateLimiter(null, () => 0);
    expect(Array.from({ length: 1000 }, admit)).not.toContain(false);
  });

  it('admits N requests in each window of one second', () => {
    let time = 5000;
    const admit = rateLimiter(2, () => time);
    expect([admit(), admit(), admit()]).toEqual([true, true, false]);
    time = 5999;
    expect(admit()).toBe(false);
    time = 6000;
    expect([admit(), admit(), admit()]).toEqual([true, true, false]);
  });

  it('begins a new window when the clock is set back', () => {
    let time = 5000;
    const admit = rateLimiter(1, () => time);
    expect([admit(), admit()]).toEqual([true, false]);
    time = 1000;
    expect(admit()).toBe(true);
  });
});
