import { beforeAll, describe, expect, test } from 'vitest';
import { countEvents, plans } from './campaign/campaign.js';
import { playRound } from './campaign/round.js';

// Some rounds of the campaign: some of each point, and of each kind of call. All of it: npm run campaign.
const SEED = 2026;
const ROUNDS = 3;

describe('killed anywhere, and run again', () => {
  let events = 0;
  beforeAll(async () => {
    events = await countEvents();
  });

  test.each(Array.from({ length: ROUNDS }, (_, index) => index))('round %i', async (index) => {
    const all = plans(SEED, 3, events);
    const plan = all[Math.floor((index * all.length) / ROUNDS)]!;
    const { hits, problems } = await playRound(plan);
    expect(problems, plan.kills.map(({ call, point, nth }) => `${call} ${point}#${nth}`).join(', ')).toEqual([]);
    expect(hits).not.toEqual([]);
  });
});
