import { describe, expect, it, test } from 'vitest';
import { type ConfigLayer, NO_SETTINGS, type SettingSources } from '../../../src/config/resolve.js';
import { createRedactor } from '../../../src/config/secrets.js';
import { flagWords, parseCommandLine, toWords } from '../../../src/follow-up/command-line.js';
import { rerunCommand, resumeCommand, sendApprovedCommand } from '../../../src/follow-up/commands.js';
import { locationFlags } from '../../../src/follow-up/flags.js';
import type { ApprovedFlags } from '../../../src/journal/audit-log.js';
import { NO_FLAGS } from '../../../src/journal/audit-log.js';
import type { Run } from '../../../src/journal/payment.js';
import type { RunOptions } from '../../../src/options.js';
import { VALUED_FLAGS } from '../../support/valued-flags.js';

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

/** The options of a call, as far as printed commands are made from them. */
function optionsOf(argv: readonly string[], given: Given = {}): RunOptions {
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
  const files = ['p.csv', '-p.csv'];
  return {
    commandLine: parseCommandLine(argv, {
      program: 'gigwork',
      command: argv.slice(0, 2).join(' '),
      files,
      valued: VALUED_FLAGS,
    }),
    settings,
    target: target === null ? null : { name: target },
    redactor: createRedactor([], secrets),
    platform: 'linux',
    input: { files },
    resume: null,
  } as unknown as RunOptions;
}

const CREATE = ['payout', 'create', 'p.csv'];

function flagsToResume(given: Given): string {
  const [, , , , ...flags] = toWords(resumeCommand('r', optionsOf(CREATE, given)));
  return flags.join(' ');
}

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
    expect(flagsToResume(given)).toBe(words);
  });

  test('has no header, whose name the run remembers, and hides nothing in a place: that would be another one', () => {
    const flags = { state_dir: '/srv/prod', headers: ['X-Env: prod', 'X-Team: a'], ca: '/etc/prod' };
    expect(flagsToResume({ flags, secrets: ['prod'] })).toBe('--state-dir /srv/prod --ca /etc/prod');
  });
});

test('the same call once more has what came from variables, and what it had itself once; no secret', () => {
  const given = { flags: { state_dir: 's' }, env: { GIGWORK_CONFIG: 'c.json' }, secrets: ["it's"] };
  const again = (...argv: string[]): string => toWords(rerunCommand(optionsOf(argv, given))).join(' ');
  expect(again(...CREATE, '--state-dir=s')).toBe('gigwork payout create /p.csv --state-dir=/s --config /c.json');
  expect(again('payout', 'create', '--header', "X-Key: it's", '--', '-p.csv')).toBe(
    'gigwork payout create --header X-Key: --config /c.json --state-dir /s -- /-p.csv',
  );
});

test('a place that a command names on its own has no password either', () => {
  const journal = 'postgresql://u:pw@h/d';
  for (const said of [{ flags: { journal } }, { env: { GIGWORK_JOURNAL: journal } }])
    expect(locationFlags({ ...NO_SETTINGS, ...said }, 'linux').flatMap(flagWords)).toEqual([
      '--journal',
      'postgresql://u@h/d',
    ]);
});

/** The command that sends what a call has approved. */
function sending(typed: string, { batchId = 'default', resume = null as Run | null, ...flags } = {}): string {
  const options = { ...optionsOf(typed.split(' ')), resume };
  const run = { flags: { ...NO_FLAGS, ...flags } as ApprovedFlags, batchId };
  return toWords(sendApprovedCommand('/a.json', run, options)).join(' ');
}

describe('the command that sends what was approved', () => {
  it('is the one that was typed, with the approval read instead of written', () => {
    expect(sending('payout create p.csv --approve=a.json --yes')).toBe(
      'gigwork payout create /p.csv --yes --approval /a.json',
    );
    expect(sending('gig create --approve=x.json -- -p.csv --approve=y')).toBe(
      'gigwork gig create --approval /a.json -- /-p.csv /--approve=y',
    );
  });

  it.each(['--batch-id old', '--batch-id=old', ''])('names the batch that was approved: %s', (said) => {
    const typed = `payout create p.csv ${said} --approve=a.json`.replace('  ', ' ');
    const batchId = '2026-11';
    expect(sending(typed, { batchId })).toBe('gigwork payout create /p.csv --batch-id 2026-11 --approval /a.json');
  });

  it('says what was decided in the review, once', () => {
    const typed = 'payout create p.csv --skip-created --approve=a.json';
    expect(sending(typed, { skipCreated: true, sendSimilar: 2 } as never)).toBe(
      'gigwork payout create /p.csv --skip-created --send-similar 2 --approval /a.json',
    );
    const said = 'payout create p.csv --send-similar=2 --approve=a.json';
    expect(sending(said, { skipSimilar: true, sendSimilar: 2 } as never)).toBe(
      'gigwork payout create /p.csv --skip-similar --send-similar 2 --approval /a.json',
    );
  });

  it('leaves the batch of a run that is resumed to the run', () => {
    const resumed = { batchId: 'x', resume: {} as Run };
    expect(sending('batch resume R --approve=a.json', resumed)).toBe('gigwork batch resume R --approval /a.json');
  });
});
