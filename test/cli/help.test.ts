import { describe, expect, test } from 'vitest';
import { gigwork } from '../support/cli.js';

/** The flags of a command, by the heading under which its help shows them. */
async function headings(words: string[], asked = '--help'): Promise<Map<string, string[]>> {
  const { stdout } = await gigwork([...words, asked]);
  const found = new Map<string, string[]>();
  let heading = '';
  for (const line of stdout.split('\n')) {
    if (/^\S.*:$/.test(line)) heading = line;
    const flag = /^ {2}(?:-\w, )?(--[\w-]+)/.exec(line)?.[1];
    if (flag !== undefined) found.set(heading, [...(found.get(heading) ?? []), flag]);
  }
  return found;
}

describe('commands with many flags show those of every day', () => {
  const flagsOf = async (words: string[], asked: string): Promise<string[]> =>
    [...(await headings(words, asked)).values()].flat();

  test.each([['gig create'], ['result create'], ['payout create'], ['batch import']])('%s', async (command) => {
    const words = command.split(' ');
    const { code, stdout } = await gigwork([...words, '--help']);
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.length).toBeLessThanOrEqual(60);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const everyday = await flagsOf(words, '--help');
    for (const flag of ['--dry-run', '--expect-total', '--batch-id', '--sandbox', '--report', '--json', '--help-all'])
      expect(everyday).toContain(flag);
    expect(everyday).not.toContain('--key-lifetime');
    expect(stdout).toContain('GIGWORK_TOKEN');
    expect(everyday.includes('--prices')).toBe(command !== 'gig create' && command !== 'payout create');
  });

  test.each([['gig create'], ['result create'], ['payout create'], ['batch import']])(
    '%s --help-all shows all of them, whatever stands before it',
    async (command) => {
      const words = command.split(' ');
      const { code, stdout, stderr } = await gigwork([...words, '--key-lifetime', '7', '--no-such-flag', '--help-all']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
      const all = await flagsOf(words, '--help-all');
      expect(all).toEqual(expect.arrayContaining([...(await flagsOf(words, '--help')), '--key-lifetime', '--ca']));
      expect(all).toContain(command === 'gig create' ? '--total-seats' : '--latency');
    },
  );
});

test('the program’s own help has three examples and the exit codes', async () => {
  const { stdout } = await gigwork(['--help']);
  const [, examples = '', codes = ''] = /\nExamples:\n([\s\S]*)\nExit codes:\n([\s\S]*)/.exec(stdout) ?? [];
  expect(examples.match(/^ {2}gigwork /gm)).toHaveLength(3);
  const found = [...codes.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code);
  expect(found.join(' ')).toBe('0 1 2 3 4 5 6 130');
});

describe('examples are commands as they are', () => {
  test.each([['gig create'], ['result create'], ['payout create'], ['batch import'], ['batch settle']])(
    '%s: each on one line of 80 characters',
    async (command) => {
      const { stdout } = await gigwork([...command.split(' '), '--help']);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
      const shown = stdout.slice(stdout.indexOf('Examples:'), stdout.indexOf('Exit codes:'));
      const examples = shown.split('\n').filter((line) => line.includes('gigwork '));
      expect(examples.length).toBeGreaterThan(1);
      for (const example of examples) expect(example).toMatch(new RegExp(`^ {2}(generate \\| )?gigwork ${command} `));
    },
  );
});
