import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/exit.js';
import type { RunOptions } from '../../../src/run/options.js';
import { nextCommand } from '../../../src/run/next.js';
import { secretsOf } from '../../../src/settings/secrets.js';

describe('the words of the command that goes on', () => {
  test.each([
    ['linux', "gigwork payout create 'my payroll.csv'"],
    ['win32', 'gigwork payout create "my payroll.csv"'],
  ] as const)('as the shells of %s take it', (platform, command) => {
    const argv = ['payout', 'create', 'my payroll.csv'];
    const options = { argv, secrets: secretsOf([]), platform } as unknown as RunOptions;
    expect(nextCommand({ exitCode: EXIT.unfinished, stopReason: 'journal', run: null, options })).toBe(command);
  });
});
