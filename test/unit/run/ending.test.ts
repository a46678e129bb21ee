import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.js';
import type { RunOptions } from '../../../src/options.js';
import { nextCommand } from '../../../src/run/ending.js';

const again = ['gigwork', 'payout', 'create', 'p.csv'];
const options = { onward: { program: 'gigwork', resume: ['--profile', 'p', '--yes'], again } } as unknown as RunOptions;
const RUN = '20261120-a1b2c3';

describe('the command that goes on', () => {
  test.each([EXIT.again, EXIT.person, EXIT.internal, 130, 143])('names the run, at exit code %i', (exitCode) => {
    expect(nextCommand({ exitCode, stopReason: null, run: RUN, options })).toEqual([
      'gigwork',
      'batch',
      'resume',
      RUN,
      '--profile',
      'p',
      '--yes',
    ]);
  });

  test.each(['interrupted', 'journal', 'busy'] as const)('is the same call where no run began: %s', (stopReason) => {
    expect(nextCommand({ exitCode: EXIT.again, stopReason, run: null, options })).toEqual(again);
  });

  test.each([EXIT.ok, EXIT.partly, EXIT.refused, EXIT.usage])('is none at exit code %i', (exitCode) => {
    expect(nextCommand({ exitCode, stopReason: 'interrupted', run: RUN, options })).toBe(null);
  });

  test('is none where no run began and nothing was cut off', () => {
    expect(nextCommand({ exitCode: EXIT.internal, stopReason: 'internal', run: null, options })).toBe(null);
  });
});
