import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/errors.js';
import type { RunOptions } from '../../../src/options.js';
import { nextCommand } from '../../../src/outcome/next-command.js';
import { secretsOf } from '../../../src/config/secrets.js';

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

test('keeps the pace that was asked for, and not the limit, which would be reached again at once', () => {
  const pace = ['--rate', '5', '--concurrency=1', '--timeout', '120', '--retries', '9'];
  const argv = ['payout', 'create', 'p.csv', '--yes', '--stop-after', '3', ...pace];
  const options = { argv, secrets: secretsOf([]), platform: 'linux' } as unknown as RunOptions;
  const next = nextCommand({ exitCode: EXIT.unfinished, stopReason: null, run: '20261120-a1b2c3', options });
  expect(next).toBe(`gigwork batch resume 20261120-a1b2c3 ${pace.join(' ')}`);
});

test('hides secrets in the command that goes on, but in no place that it names: that would be another one', () => {
  const argv = ['payout', 'create', 'p.csv', '--header', 'X-Env: prod', '--state-dir', '/srv/prod', '--ca=/etc/prod'];
  const options = { argv, secrets: secretsOf([], ['prod']), platform: 'linux' } as unknown as RunOptions;
  const next = nextCommand({ exitCode: EXIT.unfinished, stopReason: null, run: '20261120-a1b2c3', options });
  expect(next).toBe(
    "gigwork batch resume 20261120-a1b2c3 --header 'X-Env: [hidden]' --state-dir /srv/prod --ca=/etc/prod",
  );
});
