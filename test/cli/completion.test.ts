import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { gigwork, workspace } from '../support/cli.js';

function has(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) scripts[shell] = (await gigwork(['completion', shell])).stdout;
});

describe.each(['bash', 'zsh', 'fish'])('the script for %s', (shell) => {
  test('has the flags', () => expect(scripts[shell]).toContain('invitation-mode'));

  test.skipIf(!has(shell))('is valid', () => {
    const file = workspace().file('script', scripts[shell] ?? '');
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

/** What is offered for the last word, as the shell itself works it out. */
function inBash(...words: string[]): string[] {
  const call = `COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _gigwork; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const output = execFileSync('bash', ['--norc', '-c', `${scripts['bash']}\n${call}`, 'bash', 'gigwork', ...words], {
    encoding: 'utf8',
  });
  return output.split('\n').filter((word) => word !== '');
}

function inFish(...words: string[]): string[] {
  const output = execFileSync('fish', ['-N', '-c', `${scripts['fish']}\ncomplete -C "$argv"`, 'gigwork', ...words], {
    encoding: 'utf8',
  });
  return output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

const COMMANDS = [
  'gig',
  'result',
  'payout',
  'batch',
  'journal',
  'sandbox',
  'schema',
  'template',
  'config',
  'doctor',
  'completion',
  'help',
];

describe.each([
  ['bash', inBash],
  ['fish', inFish],
] as const)('in %s', (shell, offered) => {
  test.skipIf(!has(shell))('commands, at every level', () => {
    expect(offered('').toSorted()).toEqual(COMMANDS.toSorted());
    expect(offered('bat')).toEqual(['batch']);
    expect(offered('batch', '')).toContain('resume');
    expect(offered('config', 's')).toEqual(['show']);
  });

  test.skipIf(!has(shell))('flags of the command alone', () => {
    expect(offered('payout', 'create', 'file.csv', '--amo')).toEqual(['--amount']);
    expect(offered('payout', 'create', '--start')).toEqual([]);
    expect(offered('gig', 'create', '--start')).toEqual(['--start-at']);
    expect(offered('gig', 'create', '--json', '--expect-')).toHaveLength(3);
  });

  test.skipIf(!has(shell))('the words that a flag or an argument takes', () => {
    expect(offered('gig', 'create', '--invitation-mode', '')).toEqual(['auto', 'manual']);
    expect(offered('batch', 'import', '--type', 'pay')).toEqual(['payout']);
    expect(offered('result', 'create', '--decimal', 'c')).toEqual(['comma']);
    expect(offered('schema', '').toSorted()).toEqual(['event', 'gig', 'payout', 'result']);
    expect(offered('completion', 'b')).toEqual(['bash']);
  });
});

test('bash completes --flag=value too, which it cuts into three words', () => {
  expect(inBash('gig', 'create', '--format', '=')).toEqual(['csv', 'json', 'ndjson']);
  expect(inBash('gig', 'create', '--format', '=', 'nd')).toEqual(['ndjson']);
});

test('another shell is refused', async () => {
  const { code, stdout, stderr } = await gigwork(['completion', 'fishy']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('Did you mean "fish"?');
});
