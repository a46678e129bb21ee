import { describe, expect, test } from 'vitest';
import { EXIT } from '../../../src/exit.js';
import type { RunOptions } from '../../../src/run/options.js';
import { nextCommand, shellWord } from '../../../src/run/next.js';
import { secretsOf } from '../../../src/settings/secrets.js';

describe('a word of the command that goes on, as a shell takes it', () => {
  test.each([
    ['payroll.csv', 'payroll.csv'],
    ['EUR=19707.09', 'EUR=19707.09'],
    ['my payroll.csv', "'my payroll.csv'"],
    ["it's", "'it'\\''s'"],
    ['C:\\pay', "'C:\\pay'"],
    ['$HOME', "'$HOME'"],
    ['', "''"],
  ])('%j on Linux and macOS', (word, written) => {
    expect([shellWord(word, 'linux'), shellWord(word, 'darwin')]).toEqual([written, written]);
  });

  test.each([
    ['payroll.csv', 'payroll.csv'],
    ['C:\\pay\\state', 'C:\\pay\\state'],
    ['my payroll.csv', '"my payroll.csv"'],
    ["it's", '"it\'s"'],
    // PowerShell makes a list of it.
    ['user_id,title', '"user_id,title"'],
    ['C:\\my pay\\', '"C:\\my pay\\\\"'],
    ['say "so"', '"say \\"so\\""'],
    ['a\\"b', '"a\\\\\\"b"'],
    ['', '""'],
  ])('%j on Windows', (word, written) => {
    expect(shellWord(word, 'win32')).toBe(written);
  });

  test.each([
    ['linux', "gigwork payout create 'my payroll.csv'"],
    ['win32', 'gigwork payout create "my payroll.csv"'],
  ] as const)('as the shells of %s take it', (platform, command) => {
    const argv = ['payout', 'create', 'my payroll.csv'];
    const options = { argv, secrets: secretsOf([]), platform } as unknown as RunOptions;
    expect(nextCommand({ exitCode: EXIT.unfinished, stopReason: 'journal', run: null, options })).toBe(command);
  });
});

it('hides secrets in the command that goes on, but in no place that it names: that would be another one', () => {
  const argv = ['payout', 'create', 'p.csv', '--header', 'X-Env: prod', '--state-dir', '/srv/prod', '--ca=/etc/prod'];
  const options = { argv, secrets: secretsOf([], ['prod']), platform: 'linux' } as unknown as RunOptions;
  const next = nextCommand({ exitCode: EXIT.unfinished, stopReason: null, run: '20261120-a1b2c3', options });
  expect(next).toBe(
    "gigwork batch resume 20261120-a1b2c3 --header 'X-Env: [hidden]' --state-dir /srv/prod --ca=/etc/prod",
  );
});
