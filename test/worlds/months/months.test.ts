import { expect, test } from 'vitest';
import { liveYear } from './year.js';

// Some months of the campaign. All of it: npm run months -- --seed N --worlds 200
const SEED = 2026;

test.each([1, 2])('office %i: everybody is paid what is due to them', async (number) => {
  const { size: papers, problems, log } = await liveYear(SEED, number, 5);
  expect(problems, log.join('\n')).toEqual([]);
  expect(papers).toBeGreaterThan(4);
});
