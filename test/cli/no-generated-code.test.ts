import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from '../support/documents.js';
import { workspace } from '../support/cli.js';

const FORBIDDEN = '--disallow-code-generation-from-strings';

test.each([
  ['payout', 'samples/payouts.csv'],
  ['result', 'samples/results.json'],
  ['gig', 'samples/gigs.json'],
])('where Node may not make code from text, a %s is checked all the same', (type, file) => {
  const words = [`${ROOT}bin/gigwork.js`, type, 'create', `${ROOT}${file}`, '--dry-run', '--json'];
  const [usual, without] = [[], [FORBIDDEN]].map((flags) =>
    spawnSync(process.execPath, [...flags, ...words], { cwd: workspace().dir, encoding: 'utf8' }),
  );
  const records = (text = ''): string[] => text.split('\n').filter((line) => line.includes('"event":"record"'));
  expect(without?.status).toBe(0);
  expect(records(without?.stdout).length).toBeGreaterThan(0);
  expect(records(without?.stdout)).toEqual(records(usual?.stdout));
});
