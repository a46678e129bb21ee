import { expect, test } from 'vitest';
import { Reasons } from '../../../src/run/ending.js';

test('the most frequent reason of each state is told, with how many it is that of', () => {
  const reasons = new Reasons();
  for (const error of ['HTTP 422: a', 'HTTP 422: b', 'HTTP 422: b']) reasons.add('rejected', error);
  reasons.add('unknown', 'HTTP 500');
  expect(reasons.words({ rejected: 3, unknown: 1 })).toEqual([
    '2 of 3 rejected: HTTP 422: b',
    '1 not confirmed (may have been paid): HTTP 500',
  ]);
});

test('nothing is told of other states, or without a reason', () => {
  const reasons = new Reasons();
  reasons.add('created', null);
  reasons.add('not_sent', 'the connection was refused');
  reasons.add('unknown', null);
  expect(reasons.words({ rejected: 0, unknown: 1 })).toEqual([]);
});

test('a service that never says the same twice fills no memory', () => {
  const reasons = new Reasons();
  for (let i = 0; i < 10_000; i++) reasons.add('rejected', `HTTP 422: request ${i}`);
  reasons.add('rejected', 'HTTP 422: request 7');
  expect(reasons.words({ rejected: 10_001, unknown: 0 })).toEqual(['2 of 10,001 rejected: HTTP 422: request 7']);
});
