import { expect, test } from 'vitest';
import { DeliveryProgress } from '../../../src/delivery/delivery-progress.js';
import type { ProgressState } from '../../../src/report/reporter.js';

test('what a stop has left unsent is no progress', () => {
  const told: ProgressState[] = [];
  const advance = new DeliveryProgress({ progress: (state) => void told.push(state) });
  advance.begin(2);
  advance.known('not_sent', 'payout');
  advance.known('unknown', 'gig');
  expect(told.at(-1)).toMatchObject({ done: 1, total: 2, counts: { 'not sent': 1, 'may have been created': 1 } });
});
