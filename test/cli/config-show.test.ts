import { describe, expect, test } from 'vitest';
import { type Workspace, workspace } from '../support/cli.js';

const CONFIG = {
  base_url: 'https://config.example',
  account: 'berlin',
  token: { env: 'PAY_TOKEN' },
  headers: { 'X-Api-Key': 'key-of-the-config', 'X-Team': 'team-of-the-config' },
  timeout: 12,
  response: { require: ['id'], empty: true },
  retries: 4,
  map: { Betrag: 'amount', Grund: 'title' },
  set: { currency: 'EUR' },
  ignore_columns: ['Notiz'],
  profiles: {
    payroll: {
      retries: 2,
      concurrency: 3,
      headers: { 'x-api-key': { file: 'key.txt' } },
      response: { empty: false },
      map: { Betrag: 'quantity' },
      set: { currency: 'CHF' },
      ignore_columns: ['Zeile'],
    },
  },
};

interface Shown {
  readonly config: string | null;
  readonly profile: string | null;
  readonly settings: Record<string, { value: unknown; from: string; source: string | null; kept_in?: string }>;
}

function withConfig(config: object = CONFIG): Workspace {
  const space = workspace();
  space.file('config/gigwork/config.json', JSON.stringify(config));
  return space;
}

async function shown(space: Workspace, args: string[] = [], env: Record<string, string> = {}): Promise<Shown> {
  const { code, events, stderr } = await space.run(['config', 'show', '--json', ...args], { env });
  expect([code, stderr, events.length]).toEqual([0, '', 1]);
  return events[0] as Shown;
}

describe('gigwork config show', () => {
  test('says of every setting where it came from', async () => {
    const space = withConfig();
    const env = { GIGWORK_BASE_URL: 'https://environment.example', GIGWORK_PROFILE: 'payroll' };
    const { config, profile, settings } = await shown(space, ['--timeout', '7', '--map', 'Grund=description'], env);
    const source = space.path('config/gigwork/config.json');
    expect([config, profile]).toEqual([source, 'payroll']);
    expect(settings).toMatchObject({
      timeout: { value: 7, from: 'flag', source: '--timeout' },
      base_url: { value: 'https://environment.example', from: 'environment', source: 'GIGWORK_BASE_URL' },
      retries: { value: 2, from: 'profile', source: 'payroll' },
      account: { value: 'berlin', from: 'config file', source },
      concurrency: { value: 3, from: 'profile', source: 'payroll' },
      date_format: { value: 'ymd', from: 'default', source: null },
      rate: { value: null, from: 'default', source: null },
      state_dir: { value: space.stateDir, from: 'environment', source: 'GIGWORK_STATE_DIR' },
      'map.Betrag': { value: 'quantity', from: 'profile', source: 'payroll' },
      'map.Grund': { value: 'description', from: 'flag', source: '--map' },
      'set.currency': { value: 'CHF', from: 'profile', source: 'payroll' },
      'ignore_columns.Notiz': { value: true, from: 'config file', source },
      'ignore_columns.Zeile': { value: true, from: 'profile', source: 'payroll' },
      'response.require': { value: ['id'], from: 'config file', source },
      'response.id': { value: 'id', from: 'default', source: null },
      'response.empty': { value: false, from: 'profile', source: 'payroll' },
      'headers.x-team': { from: 'config file', source },
      'headers.x-api-key': { from: 'profile', source: 'payroll', kept_in: 'file key.txt' },
      token: { from: 'config file', source, kept_in: 'environment variable PAY_TOKEN' },
    });
  });

  test('without anything set, shows the defaults', async () => {
    const { config, settings } = await shown(workspace());
    expect(config).toBeNull();
    const set = Object.entries(settings).filter(([, { from }]) => from !== 'default');
    expect(set.map(([name]) => name)).toEqual(['state_dir']);
    expect(settings).toMatchObject({
      timeout: { value: 30 },
      retries: { value: 5 },
      concurrency: { value: 8 },
      base_url: { value: null },
    });
  });

  test('shows no secret, wherever it was given', async () => {
    const space = withConfig({ ...CONFIG, base_url: 'https://me:pass-word@gigs.example/base?key=in-the-query' });
    const env = { GIGWORK_TOKEN: 'token-of-the-env', HTTPS_PROXY: 'http://me:proxy-word@proxy.example:3128' };
    const args = ['config', 'show', '--header', 'X-Other: other-key'];
    for (const extra of [[], ['--json']]) {
      const { code, stdout, stderr } = await space.run([...args, ...extra], { env });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('@proxy.example:3128');
      expect(stdout).not.toMatch(
        /pass-word|in-the-query|token-of-the-env|proxy-word|other-key|key-of-the-config|team-of-the-config/,
      );
    }
  });

  test('is a table for people', async () => {
    const { stdout } = await withConfig().run(['config', 'show']);
    expect(stdout).toMatch(/^setting +value +from$/m);
    expect(stdout).toMatch(/^timeout +12 +config file .*config\.json$/m);
    expect(stdout).toMatch(/^concurrency +8 +default$/m);
  });

  test('an empty variable says nothing, except where it names a journal: another one would not know what was paid', async () => {
    const empty = { GIGWORK_BASE_URL: '', GIGWORK_JOURNAL: '', GIGWORK_PROFILE: '' };
    const { settings } = await shown(withConfig(), [], empty);
    expect(settings).toMatchObject({ base_url: { from: 'config file' }, journal: { from: 'environment' } });
  });

  test.each([
    [['--profile', 'payrol'], /Did you mean "payroll"\?/],
    [['--config', 'none.json'], /none\.json/],
    [['--map', 'Betrag'], /--map takes NAME=VALUE/],
  ])('refuses %j, without a document', async (args, message) => {
    const { code, stdout, stderr } = await withConfig().run(['config', 'show', '--json', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });
});

describe('a run follows the same precedence', () => {
  const record = { user_id: 'u1', title: 'Bonus', cost_center_key: 'PP-7', Betrag: 5 };
  const config = {
    base_url: 'https://config.example',
    map: { Betrag: 'amount' },
    set: { currency: 'EUR', description: 'from the file' },
    profiles: { swiss: { base_url: 'https://profile.example', set: { currency: 'CHF' } } },
  };

  test.each([
    [[], {}, 'https://config.example', 'EUR'],
    [['--profile', 'swiss'], {}, 'https://profile.example', 'CHF'],
    [['--profile', 'swiss'], { GIGWORK_BASE_URL: 'https://environment.example' }, 'https://environment.example', 'CHF'],
    [
      ['--profile', 'swiss', '--base-url', 'https://flag.example', '--set', 'currency=PLN'],
      { GIGWORK_BASE_URL: 'https://environment.example' },
      'https://flag.example',
      'PLN',
    ],
  ])('%j %j', async (args, env, target, currency) => {
    const space = withConfig(config);
    const file = space.file('p.json', JSON.stringify(record));
    const { events, summary } = await space.run(['payout', 'create', file, '--dry-run', '--json', ...args], { env });
    expect(summary).toMatchObject({ exit_code: 0, target });
    expect(events[0].request).toMatchObject({ amount: 5, currency, description: 'from the file' });
  });
});
