import { describe, expect, test } from 'vitest';
import { onwardWords } from '../../../src/config/onward.js';
import type { Layer, Settings } from '../../../src/config/sources.js';
import { secretsOf } from '../../../src/config/secrets.js';
import { quietWorld } from '../../support/inside.js';
import type { Onward } from '../../../src/options.js';
import { commandText } from '../../../src/util/shell-word.js';

const URL = 'https://gigs.example/base';

interface Given {
  readonly flags?: Settings['flags'];
  readonly env?: Settings['env'];
  /** Keys of the profile `p`. */
  readonly profile?: Layer['keys'];
  readonly config?: Layer['keys'];
  readonly target?: string | null;
  readonly secrets?: readonly string[];
  readonly platform?: NodeJS.Platform;
}

function onward(argv: readonly string[], given: Given = {}): Onward {
  const { flags = {}, env = {}, profile, config, target = URL, secrets = [], platform = 'linux' } = given;
  const layers: Layer[] = [
    ...(profile === undefined ? [] : [{ origin: { from: 'profile', source: 'p' }, keys: profile } as const]),
    ...(config === undefined ? [] : [{ origin: { from: 'config file', source: '/c.json' }, keys: config } as const]),
  ];
  // A profile is named by its flag, here as in a call.
  const settings = {
    flags: profile === undefined ? flags : { profile: 'p', ...flags },
    env,
    layers,
    configPath: config === undefined ? null : '/c.json',
  };
  const world = { ...quietWorld(), env, platform, cwd: () => '/' };
  return onwardWords(argv, settings, target, secretsOf([], secrets), world);
}

const CREATE = ['payout', 'create', 'p.csv'];

describe('what follows the name of the run', () => {
  test('keeps the pace that was asked for, and not the limit, which would be reached again at once', () => {
    const pace = { rate: '5', concurrency: '1', timeout: '120', retries: '9' };
    expect(onward(CREATE, { flags: { yes: true, stopAfter: '3', ...pace } }).resume.join(' ')).toBe(
      '--yes --rate 5 --concurrency 1 --timeout 120 --retries 9',
    );
  });

  test('hides secrets, but in no place that it names: that would be another one', () => {
    const flags = { stateDir: '/srv/prod', headers: ['X-Env: prod', 'X-Team: a'], ca: '/etc/prod' };
    expect(onward(CREATE, { flags, secrets: ['prod'] }).resume).toEqual([
      ...['--state-dir', '/srv/prod', '--header', 'X-Env: [hidden]', '--header', 'X-Team: a', '--ca', '/etc/prod'],
    ]);
  });

  test.each<[string, Given, string]>([
    [
      'flags',
      { flags: { config: 'c.json', stateDir: 's', journal: 'sqlite:j' } },
      '--config c.json --state-dir s --journal sqlite:j',
    ],
    [
      'variables, which may not be set where it is pasted',
      { env: { GIGWORK_CONFIG: 'c.json', GIGWORK_STATE_DIR: 's', GIGWORK_JOURNAL: 'sqlite:j' } },
      '--config c.json --state-dir s --journal sqlite:j',
    ],
    ['a profile', { profile: { base_url: URL } }, '--profile p'],
    ['a journal of the config file, which is found there again', { config: { journal: 'sqlite:j' } }, ''],
  ])('names the places that come from %s', (_from, given, words) => {
    expect(onward(CREATE, given).resume).toEqual(words === '' ? [] : words.split(' '));
  });

  test.each<[string, Given, string]>([
    ['nothing else names one', { flags: { baseUrl: URL } }, ''],
    ['a profile names the same', { flags: { baseUrl: URL }, profile: { base_url: `${URL}/` } }, '--profile p'],
    [
      'a profile names another',
      { flags: { baseUrl: URL }, profile: { base_url: 'https://other.example' } },
      `--profile p --base-url ${URL}`,
    ],
    [
      'the account is not that of the profile',
      { flags: { account: 'a' }, profile: { base_url: URL, account: 'b' }, target: `${URL}#a` },
      `--profile p --base-url ${URL} --account a`,
    ],
    [
      'a variable names another than the flag',
      { flags: { baseUrl: URL }, env: { GIGWORK_BASE_URL: 'https://other.example' } },
      `--base-url ${URL}`,
    ],
    [
      'a variable, which may not be set where it is pasted, stands over the config file',
      { env: { GIGWORK_BASE_URL: URL }, config: { base_url: 'https://other.example' } },
      `--base-url ${URL}`,
    ],
    [
      'a variable cannot be used at all',
      { flags: { baseUrl: URL }, env: { GIGWORK_BASE_URL: 'other.example' } },
      `--base-url ${URL}`,
    ],
    ['it is the sandbox', { profile: { base_url: URL }, target: 'sandbox' }, '--profile p --sandbox'],
    ['there is none', { target: null }, ''],
  ])('names the target where it has to: %s', (_when, given, words) => {
    expect(onward(CREATE, given).resume).toEqual(words === '' ? [] : words.split(' '));
  });
});

describe('the same call once more', () => {
  test.each([
    ['linux', "gigwork payout create 'my payroll.csv'"],
    ['win32', 'gigwork payout create "my payroll.csv"'],
  ] as const)('is its words, quoted where they are shown as the shells of %s take them', (platform, command) => {
    const { again } = onward(['payout', 'create', 'my payroll.csv'], { platform });
    expect(again).toEqual(['gigwork', 'payout', 'create', 'my payroll.csv']);
    expect(commandText(again, platform)).toBe(command);
  });

  test('has what came from variables, and what it had itself once', () => {
    const given = { flags: { stateDir: 's' }, env: { GIGWORK_CONFIG: 'c.json' } };
    const again = (...argv: string[]): string => onward(argv, given).again.join(' ');
    expect(again(...CREATE, '--state-dir=s')).toBe('gigwork payout create p.csv --state-dir=s --config c.json');
    expect(again('payout', 'create', '--', '-p.csv')).toBe(
      'gigwork payout create --config c.json --state-dir s -- -p.csv',
    );
  });

  test('hides secrets that it has on its command line', () => {
    expect(onward([...CREATE, '--header', "X-Key: it's"], { secrets: ["it's"] }).again).toEqual([
      ...['gigwork', ...CREATE, '--header', 'X-Key: [hidden]'],
    ]);
  });
});
