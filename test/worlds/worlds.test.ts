import { describe, expect, test } from 'vitest';
import { complaint } from './campaign.js';
import { playWorld } from './world.js';

// The campaign in short. All of it: npm run worlds -- --seed N --worlds 2000
const SEED = 2026;
const GROUPS = 5;
const WORLDS = 3;

describe('worlds', () => {
  test.each(Array.from({ length: GROUPS }, (_, group) => group))('group %i', async (group) => {
    for (let number = group * WORLDS + 1; number <= (group + 1) * WORLDS; number++) {
      const outcome = await playWorld(SEED, number);
      expect(outcome.problems, complaint('worlds', SEED, number, outcome)).toEqual([]);
    }
  });
});
