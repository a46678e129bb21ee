import { expect, test } from 'vitest';
import { ClaimAhead } from '../../../src/delivery/claim-ahead.js';

const LIMIT = 512;

/** How many may be claimed ahead after each of these: so many records sent, so many milliseconds after the one before. */
function most(...steps: [count: number, afterMs: number][]): number[] {
  let now = 0;
  const ahead = new ClaimAhead(LIMIT, () => now);
  return steps.map(([count, afterMs]) => {
    now += afterMs;
    ahead.sent(count);
    return ahead.most;
  });
}

test('none before there is a rate', () => {
  expect(new ClaimAhead(LIMIT, () => 0).most).toBe(0);
  expect(most([100, 19])).toEqual([0]);
});

test('as many as fifty milliseconds take', () => {
  expect(most([8, 100], [16, 100], [32, 20])).toEqual([4, 8, 80]);
});

test('a rate is that of twenty milliseconds at least', () => {
  expect(most([8, 10], [8, 10], [8, 5], [32, 15])).toEqual([0, 40, 40, 100]);
});

test('no more than the limit, however fast it goes', () => {
  expect(most([1000, 20])).toEqual([LIMIT]);
});

test('a service that slows down has fewer claimed', () => {
  expect(most([400, 20], [10, 1000], [1, 1000])).toEqual([LIMIT, 0, 0]);
});
