/** What help shows. CONTRACT: "Help". */
import { describe, expect, test } from 'vitest';
import { gigwork } from '../support/cli.js';
import { ROWS } from '../../src/program.js';

const flagsIn = (help: string): string[] => [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag!);
const longLines = (help: string): string[] => help.split('\n').filter((line) => line.length > 80);

describe.each(['gig create', 'result create', 'payout create', 'batch import'])('%s', (command) => {
  test('--help shows the flags of every day', async () => {
    const { code, stdout } = await gigwork(`${command} --help`);
    expect([code, longLines(stdout)]).toEqual([0, []]);
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    expect(stdout).toContain('GIGWORK_TOKEN');
    const everyday = flagsIn(stdout);
    const expected = '--dry-run --expect-total --batch-id --sandbox --report --json --help-all';
    expect(everyday).toEqual(expect.arrayContaining(expected.split(' ')));
    expect(everyday).not.toContain('--key-lifetime');
    expect(everyday.includes('--prices')).toBe(command !== 'gig create' && command !== 'payout create');
  });

  test('--help-all shows all of them, whatever stands before it', async () => {
    const { code, stdout, stderr } = await gigwork(`${command} --key-lifetime 7 --no-such-flag --help-all`);
    expect([code, stderr, longLines(stdout)]).toEqual([0, '', []]);
    const everyday = flagsIn((await gigwork(`${command} --help`)).stdout);
    const more = ['--stop-after', '--ca', command === 'gig create' ? '--total-seats' : '--latency'];
    expect(flagsIn(stdout)).toEqual(expect.arrayContaining([...everyday, ...more]));
  });
});

describe('a flag that means nothing for a command', () => {
  const HIDDEN = {
    'gig create': '--prices=x --currency-signs --negate --allow-negative --allow-total-row --key-lifetime=9',
    'result create': '--allow-negative --time-zone=UTC',
    'payout create': '--prices=x --time-zone=UTC',
    'batch resume': '--explain',
    'batch list': '--color --no-color',
    setup: '--known-value=a=b --allow-empty',
    'journal init': '--require-journal --color',
    sandbox: '--journal=x --require-journal --color',
    'config show': '--format=csv --prices=x --allow-negative --allow-total-row --allow-empty --sandbox --latency=5',
    doctor: '--latency=5 --fail-rate=1 --drop-rate=1 --rate-limit=5 --retries=5 --concurrency=5 --rate=5 --no-color',
  };
  for (const [command, hidden] of Object.entries(HIDDEN))
    test(`is not in the help of ${command}, and is accepted`, async () => {
      const { stdout } = await gigwork(`${command} --help-all`);
      for (const flag of hidden.split(' ')) {
        expect(flagsIn(stdout)).not.toContain(flag.split('=')[0]);
        const { stderr } = await gigwork(`${command} ${flag} --no-such-flag`);
        expect(stderr).toContain("'--no-such-flag'");
      }
    });
});

test('a gig has no key, and its flags speak of no payment', async () => {
  const { stdout } = await gigwork('gig create --help-all');
  const [, safety = ''] = /\nSafety:\n([^]*?)\n\n/.exec(stdout) ?? [];
  expect(safety).toContain('--resend-unknown');
  expect(safety).not.toMatch(/\bpaid\b|payment|their key|--key-lifetime/);
});

test.each(ROWS.map(({ name }) => name))('the help of %s fits 80 columns', async (command) => {
  expect(longLines((await gigwork(`${command} --help-all`)).stdout)).toEqual([]);
});

test('help and --help-all are understood everywhere', async () => {
  const ask = async (words: string): Promise<string> => (await gigwork(words)).stdout;
  for (const command of ['gig create', 'batch list', 'batch', 'journal copy', 'schema'])
    expect(await ask(`help ${command}`)).toBe(await ask(`${command} --help`));
  for (const command of ['batch list', 'batch', 'sandbox', ''])
    expect(await ask(`${command} --help-all`.trim())).toBe(await ask(`${command} --help`.trim()));
  expect(await ask('help payout create --help-all')).toContain('--key-lifetime');
});

test('examples run in every shell: zsh expands brackets outside of quotes', () => {
  for (const { examples } of ROWS)
    for (const example of examples) expect(example.replace(/'[^']*'/g, '')).not.toMatch(/[[\]*?#{}()]/);
});

describe('help about a command that does not exist names what was meant', () => {
  test.each([
    ['help foo', "unknown command 'foo'\n"],
    ['help payuot', "unknown command 'payuot' (Did you mean payout?)\n"],
    ['payuot create --help', "unknown command 'payuot' (Did you mean payout?)\n"],
    ['help gig creat', "unknown command 'creat' (Did you mean create?)\n"],
    ['gig creat -h', "unknown command 'creat' (Did you mean create?)\n"],
    ['batch shwo --help-all', "unknown command 'shwo' (Did you mean show?)\n"],
  ])('%s', async (command, message) => {
    expect(await gigwork(command)).toMatchObject({ code: 2, stdout: '', stderr: message });
  });
});

test('the program’s own help has three examples and the exit codes', async () => {
  const { stdout } = await gigwork('--help');
  const [, examples = '', codes = ''] = /\nExamples:\n([\s\S]*)\nExit codes:\n([\s\S]*)/.exec(stdout) ?? [];
  expect(examples.match(/^ {2}gigwork /gm)).toHaveLength(3);
  expect(codes.match(/^ {2}\d+(?= )/gm)?.join('')).toBe('  0  1  2  3  4  5  6  130');
});

test.each(['gig create', 'result create', 'payout create', 'batch import', 'batch settle'])(
  'examples of %s are commands as they are, each on one line of 80 characters',
  async (command) => {
    const { stdout } = await gigwork(`${command} --help`);
    const [, shown = ''] = /Examples:\n([^]*)Exit codes:/.exec(stdout) ?? [];
    const examples = shown.split('\n').filter((line) => line.includes('gigwork '));
    expect([longLines(stdout), examples.length > 1]).toEqual([[], true]);
    for (const example of examples) expect(example).toMatch(new RegExp(`^ {2}(generate \\| )?gigwork ${command} `));
  },
);
