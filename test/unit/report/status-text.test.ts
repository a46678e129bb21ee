import { expect, test } from 'vitest';
import { missingFileText } from '../../../src/report/status-text.js';

const FAILURE = 'r.csv could not be written: ENOSPC';

test.each<[string, Record<string, number>, string, string]>([
  ['all', { read: 351, created: 351 }, 'payout', 'All 351 records are paid. Only output is missing: '],
  ['one', { read: 1, created: 1 }, 'result', 'The record is paid. Only output is missing: '],
  ['gigs', { read: 2, created: 2 }, 'gig', 'All 2 records are created. Only output is missing: '],
  [
    'some',
    { read: 4, created: 2, already_created: 1, rejected: 1 },
    'payout',
    '2 paid, 1 already paid, 1 refused; that does not change. ',
  ],
])('what was paid is said before a file that could not be written: %s', (_which, records, type, words) => {
  const rows = Object.keys(records).map((status) => ({ type, status }));
  expect(missingFileText(FAILURE, records, rows)).toBe(words + FAILURE);
});
