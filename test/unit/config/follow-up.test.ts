import { describe, expect, test } from 'vitest';
import { followUpCommands, locationFlags } from '../../../src/config/follow-up.js';
import { type ConfigLayer, NO_SETTINGS, type SettingSources } from '../../../src/config/resolve.js';
import { createRedactor } from '../../../src/config/secrets.js';
import { quietWorld } from '../../support/inside.js';
import type { FollowUpCommands } from '../../../src/options.js';

const URL = 'https://gigs.example/base';
const OTHER = 'https://other.example';

interface Given {
  readonly flags?: SettingSources['flags'];
  readonly env?: SettingSources['env'];
  /** Keys of the profile `p`. */
  readonly profile?: ConfigLayer['keys'];
  readonly config?: ConfigLayer['keys'];
  readonly target?: string | null;
  readonly secrets?: readonly string[];
}

function onward(argv: readonly string[], given: Given = {}): FollowUpCommands {
  const { flags = {}, env = {}, profile, config, target = URL, secrets = [] } = given;
  const layers: ConfigLayer[] = [
    ...(profile === undefined ? [] : [{ from: 'profile', source: 'p', folder: '/', keys: profile } as const]),
    ...(config === undefined ? [] : [{ from: 'config file', source: '/c.json', folder: '/', keys: config } as const]),
  ];
  const settings = {
    flags:
      profile === undefined
        ? flags
        : {
            profile: 'p',
            ...flags,
          },
    env,
    cwd: '/',
    layers,
    configPath: config === undefined ? null : '/c.json',
  };
  const world = { ...quietWorld(), env, platform: 'linux', cwd: () => '/' } as const;
  return followUpCommands({ argv, files: ['p.csv', '-p.csv'] }, settings, target, createRedactor([], secrets), world);
}

const CREATE = ['payout', 'create', 'p.csv'];

describe('what follows the name of the run', () => {
  const places = '--config /c.json --state-dir /s --journal sqlite:/j';
  const pace = { rate: '5', concurrency: '1', timeout: '120', retries: '9' };

  test.each<[what: string, given: Given, words: string]>([
    // The limit would be reached again at once.
    [
      'the pace, and how many rejections stop it',
      { flags: { yes: true, stop_after: '3', ...pace } },
      '--timeout 120 --retries 9 --concurrency 1 --rate 5 --yes --stop-after 3',
    ],
    [
      'the way to the service, and the output, with full paths',
      {
        flags: { ca: 'a.pem', cert: 'b.pem', key: 'c.pem', allow_http: true, json: true, report: ['r.csv', 'r.html'] },
      },
      '--ca /a.pem --cert /b.pem --key /c.pem --allow-http --json --report /r.csv --report /r.html',
    ],
    ['places of flags', { flags: { config: 'c.json', state_dir: 's', journal: 'sqlite:j' } }, places],
    // A variable may not be set where the command is pasted.
    [
      'places of variables',
      { env: { GIGWORK_CONFIG: 'c.json', GIGWORK_STATE_DIR: 's', GIGWORK_JOURNAL: 'sqlite:j' } },
      places,
    ],
    ['a profile', { profile: { base_url: URL } }, '--profile p'],
    ['no journal of the config file, which is found there again', { config: { journal: 'sqlite:j' } }, ''],
    ['a journal without its password', { flags: { journal: 'postgresql://u:pw@h/d' } }, '--journal postgresql://u@h/d'],
    ['no target that nothing else contradicts', { flags: { base_url: URL } }, ''],
    [
      'nor one that the profile names too',
      { flags: { base_url: URL }, profile: { base_url: `${URL}/` } },
      '--profile p',
    ],
    [
      'the target, where the profile names another',
      { flags: { base_url: URL }, profile: { base_url: OTHER } },
      `--profile p --base-url ${URL}`,
    ],
    [
      'the account, where the profile names another',
      { flags: { account: 'a' }, profile: { base_url: URL, account: 'b' }, target: `${URL}#a` },
      `--profile p --base-url ${URL} --account a`,
    ],
    [
      'the target, where a variable names another, or is wrong',
      { flags: { base_url: URL }, env: { GIGWORK_BASE_URL: 'other.example' } },
      `--base-url ${URL}`,
    ],
    [
      'the target of a variable, where the config file names another',
      { env: { GIGWORK_BASE_URL: URL }, config: { base_url: OTHER } },
      `--base-url ${URL}`,
    ],
    ['the sandbox', { profile: { base_url: URL }, target: 'sandbox' }, '--profile p --sandbox'],
    ['no target where there is none', { target: null }, ''],
  ])('names %s', (_what, given, words) => {
    expect(onward(CREATE, given).resume.join(' ')).toBe(words);
  });

  test('has no header, whose name the run remembers, and hides nothing in a place: that would be another one', () => {
    const flags = { state_dir: '/srv/prod', headers: ['X-Env: prod', 'X-Team: a'], ca: '/etc/prod' };
    expect(onward(CREATE, { flags, secrets: ['prod'] }).resume).toEqual([
      '--state-dir',
      '/srv/prod',
      '--ca',
      '/etc/prod',
    ]);
  });
});

test('the same call once more has what came from variables, and what it had itself once; no secret', () => {
  const given = { flags: { state_dir: 's' }, env: { GIGWORK_CONFIG: 'c.json' }, secrets: ["it's"] };
  const again = (...argv: string[]): string => onward(argv, given).rerun.join(' ');
  expect(again(...CREATE, '--state-dir=s')).toBe('gigwork payout create /p.csv --state-dir=/s --config /c.json');
  expect(again('payout', 'create', '--header', "X-Key: it's", '--', '-p.csv')).toBe(
    'gigwork payout create --header X-Key: --config /c.json --state-dir /s -- /-p.csv',
  );
});

test('a place that a command names on its own has no password either', () => {
  const journal = 'postgresql://u:pw@h/d';
  for (const said of [{ flags: { journal } }, { env: { GIGWORK_JOURNAL: journal } }])
    expect(locationFlags({ ...NO_SETTINGS, ...said }, { platform: 'linux' })).toEqual([
      '--journal',
      'postgresql://u@h/d',
    ]);
});
