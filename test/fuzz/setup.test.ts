import { expect, test } from 'vitest';
import { setUp } from '../support/set-up.js';
import { chanceOf } from './chance.js';
import { writtenFile } from './setup-styles.js';

// What `setup --yes` takes for proven is true: a profile that it writes reads every amount and every date as it was meant.

const SEED = Number(process.env['TEST_SETUP_SEED'] ?? 2026);
const FILES = Number(process.env['TEST_SETUP_FILES'] ?? 40);
/** Whoever says that nothing can be proven is always right, and of no use. */
const LEAST_PROVEN = FILES / 4;

test('a profile that needed no person reads what was meant, or there is none', async () => {
  let proven = 0;
  for (let number = 1; number <= FILES; number++) {
    const { text, rows, flags } = writtenFile(chanceOf(SEED * 1_000_003 + number));
    const { result, profile, read } = await setUp(text, flags);
    const told = `file ${number} of seed ${SEED}\n${text}\n${JSON.stringify(profile)}\n${result.stderr}`;
    expect([0, 2, 3], told).toContain(result.code);
    if (read === null) continue;
    const meant = rows.map(({ user, amount, currency, date }) => [user, amount, currency, date].join(' ').trimEnd());
    expect(read, told).toEqual(meant);
    proven++;
  }
  expect(proven).toBeGreaterThan(LEAST_PROVEN);
}, 3_600_000);
