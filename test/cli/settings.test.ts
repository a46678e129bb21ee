/** What settings are read, where each comes from, and what is refused. CONTRACT: "Settings". */
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson } from '../support/builders.js';
import { CONFIG as PATH, type Content, type Workspace, workspace, workspaceWith } from '../support/cli.js';
import { issuesOf, recordsOf } from '../support/desk.js';
import { paying } from '../support/fixtures.js';
import { checkDocument } from '../support/schemas.js';

const CONFIG = {
  base_url: 'https://config.example',
  account: 'berlin',
  token: { env: 'PAY_TOKEN' },
  headers: { 'X-Api-Key': 'key-of-the-config', 'X-Team': 'team-of-the-config' },
  timeout: 12,
  ca: 'ca.pem',
  require_journal: true,
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

const withConfig = (config: object = CONFIG): Workspace => workspaceWith({ [PATH]: config });

interface Shown {
  readonly config: string | null;
  readonly profile: string | null;
  readonly settings: Record<string, { value: unknown; from: string; source: string | null; kept_in?: string }>;
}

async function shown(space: Workspace, flags = '', env: Record<string, string> = {}): Promise<Shown> {
  const { code, events, stderr } = await space.run(`config show --json ${flags}`, { env });
  expect([code, stderr, events.length]).toEqual([0, '', 1]);
  checkDocument('config', events[0]);
  return events[0] as Shown;
}

describe('gigwork config show', () => {
  test('says of every setting where it came from', async () => {
    const space = withConfig();
    const env = { GIGWORK_BASE_URL: 'https://environment.example', GIGWORK_PROFILE: 'payroll' };
    const { config, profile, settings } = await shown(space, '--timeout 7 --map Grund=description', env);
    const file = { from: 'config file', source: space.path(PATH) };
    const payroll = { from: 'profile', source: 'payroll' };
    const none = { from: 'default', source: null };
    expect([config, profile]).toEqual([file.source, 'payroll']);
    expect(settings).toMatchObject({
      timeout: { value: 7, from: 'flag', source: '--timeout' },
      base_url: { value: 'https://environment.example', from: 'environment', source: 'GIGWORK_BASE_URL' },
      retries: { value: 2, ...payroll },
      account: { value: 'berlin', ...file },
      concurrency: { value: 3, ...payroll },
      date_format: { value: 'ymd', ...none },
      rate: { value: null, ...none },
      state_dir: { value: space.stateDir, from: 'environment', source: 'GIGWORK_STATE_DIR' },
      'map.Betrag': { value: 'quantity', ...payroll },
      'map.Grund': { value: 'description', from: 'flag', source: '--map' },
      'set.currency': { value: 'CHF', ...payroll },
      'ignore_columns.Notiz': { value: true, ...file },
      'ignore_columns.Zeile': { value: true, ...payroll },
      'response.require': { value: ['id'], ...file },
      'response.id': { value: 'id', ...none },
      'response.empty': { value: false, ...payroll },
      'headers.x-team': file,
      'headers.x-api-key': { ...payroll, kept_in: 'file key.txt' },
      token: { ...file, kept_in: 'environment variable PAY_TOKEN' },
    });
  });

  test('without anything set, shows the defaults', async () => {
    const { config, settings } = await shown(workspace());
    expect(config).toBeNull();
    const set = Object.entries(settings).filter(([, { from }]) => from !== 'default');
    expect(set.map(([name]) => name)).toEqual(['state_dir']);
    const values = ['timeout', 'retries', 'concurrency', 'base_url'].map((name) => settings[name]?.value);
    expect(values).toEqual([30, 5, 8, null]);
  });

  test('shows no secret, wherever it was given', async () => {
    const space = withConfig({ ...CONFIG, base_url: 'https://me:pass-word@gigs.example/base?key=in-the-query' });
    const env = { GIGWORK_TOKEN: 'token-of-the-env', HTTPS_PROXY: 'http://me:proxy-word@proxy.example:3128' };
    for (const json of ['', '--json']) {
      const { code, stdout, stderr } = await space.run(`config show --header 'X-Other: other-key' ${json}`, { env });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain('@proxy.example:3128');
      expect(stdout).not.toMatch(/pass-word|in-the-query|token-of-the-env|proxy-word|other-key|-of-the-config/);
    }
  });

  test('is a table for people', async () => {
    const { stdout } = await withConfig().run('config show');
    expect(stdout).toMatch(/^setting +value +from$/m);
    expect(stdout).toMatch(/^timeout +12 +config file .*config\.json$/m);
    expect(stdout).toMatch(/^concurrency +8 +default$/m);
  });

  test('an empty variable says nothing, except where it names a journal: another one would not know what was paid', async () => {
    const empty = { GIGWORK_BASE_URL: '', GIGWORK_JOURNAL: '', GIGWORK_PROFILE: '' };
    const { settings } = await shown(withConfig(), '', empty);
    expect(settings).toMatchObject({ base_url: { from: 'config file' }, journal: { from: 'environment' } });
  });

  test('a relative XDG folder counts as none', async () => {
    const work = workspaceWith({ 'st/gigwork/config.json': { base_url: 'https://elsewhere.example' } });
    const { settings } = await shown(work, '', { XDG_CONFIG_HOME: 'st', XDG_STATE_HOME: 'st', GIGWORK_STATE_DIR: '' });
    expect([settings['base_url']?.value, settings['state_dir']?.value]).toEqual([null, expect.stringMatching(/^\//)]);
  });

  test.each([
    ['--profile payrol', /Did you mean "payroll"\?/],
    ['--config none.json', /none\.json/],
    ['--map Betrag', /--map takes NAME=VALUE/],
  ])('refuses %s, without a document', async (flags, message) => {
    const { code, stdout, stderr } = await withConfig().run(`config show --json ${flags}`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
  });
});

describe('a run follows the same precedence', () => {
  const config = {
    base_url: 'https://config.example',
    map: { Betrag: 'amount' },
    set: { currency: 'EUR', description: 'from the file' },
    profiles: { swiss: { base_url: 'https://profile.example', set: { currency: 'CHF' } } },
  };
  const env = { GIGWORK_BASE_URL: 'https://environment.example' };

  test.each([
    ['', {}, 'https://config.example', 'EUR'],
    ['--profile swiss', {}, 'https://profile.example', 'CHF'],
    ['--profile swiss', env, 'https://environment.example', 'CHF'],
    ['--profile swiss --base-url https://flag.example --set currency=PLN', env, 'https://flag.example', 'PLN'],
  ])('%s %j', async (flags, variables, target, currency) => {
    const record = { user_id: 'u1', title: 'Bonus', cost_center_key: 'PP-7', Betrag: 5 };
    const space = workspaceWith({ [PATH]: config, 'p.json': record });
    const result = await space.run(`payout create p.json --dry-run --json ${flags}`, { env: variables });
    expect(result.summary).toMatchObject({ exit_code: 0, target });
    expect(recordsOf(result)[0].request).toMatchObject({ amount: 5, currency, description: 'from the file' });
  });
});

// What the config file says is read as strictly as a record: it is sent.
describe('a value that the config file sets on every record', () => {
  const ROW = { user_id: 'u1', amount: '5', title: 'A', cost_center_key: 'PP' };
  const space = (config: Content): Workspace => workspaceWith({ [PATH]: config, 'p.csv': csv([ROW]) });

  async function body(work: Workspace): Promise<Record<string, unknown>> {
    const result = await work.run('payout create p.csv --dry-run --json');
    // The file has another amount.
    expect(issuesOf(result).filter(({ code }) => code !== 'set-over')).toEqual([]);
    return recordsOf(result)[0].request;
  }

  test.each([
    [{ decimal: 'comma', set: { amount: 1.234 } }, { amount: 1.234 }],
    [{ decimal: 'comma', set: { amount: '1.234' } }, { amount: 1234 }],
    [{ set: { amount: 1e21 } }, { amount: 1e21 }],
    [{ set: { reference_id: null } }, {}],
  ])('%j is the JSON that stands there, or what a cell with its text would be', async (config, expected) => {
    expect(await body(space(config))).toMatchObject(expected);
  });

  test.each([
    ['{"set": {"user_id": 9007199254740993}}', 2, /set\.user_id is a number that cannot be sent exactly/],
    ['{"set": {"amount": 0.1000000000000000055}}', 2, /cannot be sent exactly/],
    ['{"set": {"title": "\\ud800"}}', 2, /lone surrogate/],
    ['{"set": {"amount": 1, "amount": 2}}', 2, /set\.amount is given twice/],
    ['{"base_url": "https://a.example", "base_url": "https://b.example"}', 2, /base_url is given twice/],
    ['{"set": {"user_id": 17}}', 3, /user_id.*in quotes/],
    ['{"set": {"title": true}}', 3, /title must be text/],
    ['{"map": {"Foo": "foo"}}', 2, /there is no field "foo"/],
    ['{"set": {"amuont": 1}}', 2, /no field "amuont".*Did you mean "amount"/],
    [Buffer.from('{"set": {"title": "Pr\xe4mie"}}', 'latin1'), 2, /not in UTF-8/],
  ])('is refused: %s', async (config, code, words) => {
    const result = await space(config).run('payout create p.csv --dry-run');
    expect([result.code, result.stderr.replace(/\s+/g, ' ')]).toEqual([code, expect.stringMatching(words)]);
  });

  test('does no harm where a record type has no such field', async () => {
    const work = space({ set: { currency: 'EUR' } });
    work.file('g.ndjson', ndjson(gigs(1)));
    expect((await work.run('gig create g.ndjson --dry-run')).code).toBe(0);
    expect(await body(work)).toMatchObject({ currency: 'EUR' });
    expect((await work.run('batch import p.csv g.ndjson --set currency=CHF --dry-run')).code).toBe(0);
    const flag = await work.run('gig create g.ndjson --set currency=CHF --dry-run');
    expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining('no field "currency" in a gig')]);
  });

  test('a file that is named with @ is found beside the config file that names it, and must be UTF-8', async () => {
    const work = space({ set: { cost_center_data: '@cc.json' } });
    const center = (entity: string) => ({ legal_entity: entity, inhouse: 'No', partner_project_code: 'PP' });
    work.file('p.csv', csv([{ ...ROW, cost_center_key: '' }]));
    work.file('cc.json', JSON.stringify(center('Wrong')));
    work.file('config/gigwork/cc.json', JSON.stringify(center('Right')));
    expect(await body(work)).toMatchObject({ cost_center_data: { legal_entity: 'Right' } });
    work.file('config/gigwork/cc.json', Buffer.from('{"legal_entity": "M\xfcller", "inhouse": "No"}', 'latin1'));
    const { code, stderr } = await work.run('payout create p.csv --dry-run');
    expect([code, stderr]).toEqual([2, expect.stringContaining('not in UTF-8')]);
  });
});

test.each([
  "--account ''",
  "--account 'a\nb'",
  "--state-dir ''",
  "--journal ''",
  '--journal sqlite:',
  '--journal sqlite:~/x',
  "--batch-id ''",
])('%s, perhaps of a variable that was never set, is refused: it would be another history', async (flag) => {
  const { code, summary } = await paying().run(
    `payout create p.csv --base-url http://127.0.0.1:1 --yes --json ${flag}`,
  );
  expect([code, summary.records.read]).toEqual([2, 0]);
});

test('a number where a secret belongs is not repeated', async () => {
  const secret = '90071992547409931234567';
  const { code, stderr } = await paying(1, `{"token": ${secret}}`).run('payout create p.csv --dry-run');
  expect([code, stderr.includes(secret.slice(0, 8))]).toEqual([2, false]);
  expect(stderr).toContain('token is a number that cannot be sent exactly');
});

// Which headers and secrets can be used, and which cannot, is in test/unit/config/headers.test.ts.
const CREATE = 'payout create p.csv --base-url https://gigs.invalid --yes --json';

test.each(['', '--dry-run'])('a header that cannot be sent is refused, in a dry run too: %s', async (mode) => {
  const { code, stderr, summary } = await paying().run(`${CREATE} --header 'Bad Name: value' ${mode}`);
  expect([code, summary.stop_reason, summary.dry_run]).toEqual([2, 'usage', mode !== '']);
  expect(stderr).toMatch(/^--header: the name of a header holds characters/);
});

test.each([{ token: { env: 'NOT_THERE' } }, { headers: { 'X-Key': { file: 'not-there.txt' } } }])(
  'a dry run and the sandbox need no secret, a run and doctor do: %j',
  async (config) => {
    const work = paying(1, config);
    for (const [words, code] of [
      [`${CREATE} --dry-run`, 0],
      [CREATE, 2],
      ['doctor', 2],
      ['doctor --sandbox', 0],
      ['payout create p.csv --sandbox', 0],
    ] as const)
      expect([words, (await work.run(words)).code]).toEqual([words, code]);
  },
);
