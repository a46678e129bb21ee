import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { complaint } from './campaign.js';
import { caseOf } from './cases.js';
import { judge } from './judge.js';

// The campaign in short. All of it: npm run fuzz -- --seed N --inputs 100000
const SEED = 2026;
const GROUPS = 5;
const INPUTS = 50;

describe('inputs that nobody should have to read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-fuzz-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Array.from({ length: GROUPS }, (_, group) => group))('group %i', async (group) => {
    let bodies = 0;
    for (let number = group * INPUTS + 1; number <= (group + 1) * INPUTS; number++) {
      const one = caseOf(SEED, number);
      const judged = await judge(one, folder);
      if (judged.faults.length > 0) expect.fail(complaint(SEED, one, judged));
      bodies += judged.bodies;
    }
    // Most inputs are refused; a campaign in which all were would show nothing about bodies.
    expect(bodies).toBeGreaterThan(30);
  });
});
