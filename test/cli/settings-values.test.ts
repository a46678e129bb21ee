import { mkdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { csv, ndjson, gigs } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';

// What the config file says is read as strictly as a record: it is sent.

const ROW = { user_id: 'u1', amount: '5', title: 'A', cost_center_key: 'PP' };

function space(config: string | Buffer | object): Workspace {
  const work = workspace();
  const text = typeof config === 'string' || Buffer.isBuffer(config) ? config : JSON.stringify(config);
  work.file('config/gigwork/config.json', text);
  work.file('p.csv', csv([ROW]));
  return work;
}

async function body(work: Workspace, ...flags: string[]): Promise<Record<string, unknown>> {
  const { events, stderr } = await work.run(['payout', 'create', 'p.csv', '--dry-run', '--json', ...flags]);
  const record = events.find(({ event }) => event === 'record');
  if (record?.request === null || record === undefined) throw new Error(stderr);
  return record.request as Record<string, unknown>;
}

describe('a value that the config file sets on every record', () => {
  test.each([
    [{ decimal: 'comma', set: { amount: 1.234 } }, { amount: 1.234 }],
    [{ decimal: 'comma', set: { amount: '1.234' } }, { amount: 1234 }],
    [{ set: { amount: 1.234 } }, { amount: 1.234 }],
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
    const result = await space(config).run(['payout', 'create', 'p.csv', '--dry-run']);
    expect(result.code).toBe(code);
    expect(result.stderr.replace(/\s+/g, ' ')).toMatch(words);
  });

  test('does no harm where a record type has no such field', async () => {
    const work = space({ set: { currency: 'EUR' } });
    work.file('g.ndjson', ndjson(gigs(1)));
    expect((await work.run(['gig', 'create', 'g.ndjson', '--dry-run'])).code).toBe(0);
    expect(await body(work)).toMatchObject({ currency: 'EUR' });
    const both = await work.run(['batch', 'import', 'p.csv', 'g.ndjson', '--set', 'currency=CHF', '--dry-run']);
    expect(both.code).toBe(0);
    const flag = await work.run(['gig', 'create', 'g.ndjson', '--set', 'currency=CHF', '--dry-run']);
    expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining('no field "currency" in a gig')]);
  });
});

test('a file that is named with @ is found beside the config file that names it, and must be UTF-8', async () => {
  const work = space({ set: { cost_center_data: '@cc.json' } });
  work.file('p.csv', csv([{ ...ROW, cost_center_key: '' }]));
  work.file('cc.json', '{"legal_entity": "Wrong", "inhouse": "No", "partner_project_code": "PP"}');
  work.file('config/gigwork/cc.json', '{"legal_entity": "Right", "inhouse": "No", "partner_project_code": "PP"}');
  expect(await body(work)).toMatchObject({ cost_center_data: { legal_entity: 'Right' } });
  work.file('config/gigwork/cc.json', Buffer.from('{"legal_entity": "M\xfcller", "inhouse": "No"}', 'latin1'));
  const { code, stderr } = await work.run(['payout', 'create', 'p.csv', '--dry-run']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('not in UTF-8')]);
});

describe('a value that may come from a variable that was never set', () => {
  test.each([
    ['--account', ''],
    ['--account', 'a\nb'],
    ['--state-dir', ''],
    ['--journal', ''],
    ['--journal', 'sqlite:'],
    ['--journal', 'sqlite:~/x'],
    ['--batch-id', ''],
  ])('%s %j is refused: it would be another history', async (flag, value) => {
    const work = space({});
    const target = ['--base-url', 'http://127.0.0.1:1'];
    const result = await work.run(['payout', 'create', 'p.csv', ...target, '--yes', '--json', flag, value]);
    expect([result.code, result.summary?.records.read]).toEqual([2, 0]);
  });

  test('a relative XDG folder counts as none', async () => {
    const work = space({});
    mkdirSync(work.path('gigwork'), { recursive: true });
    work.file('st/gigwork/config.json', '{"base_url": "https://elsewhere.example"}');
    const shown = await work.run(['config', 'show', '--json'], {
      env: { XDG_CONFIG_HOME: 'st', XDG_STATE_HOME: 'st', GIGWORK_STATE_DIR: '' },
    });
    const { base_url: base, state_dir: state } = shown.events[0].settings;
    expect([base.value, state.value]).toEqual([null, expect.stringMatching(/^\//)]);
  });
});

test('a number where a secret belongs is not repeated', async () => {
  const secret = '90071992547409931234567';
  const { code, stderr } = await space(`{"token": ${secret}}`).run(['payout', 'create', 'p.csv', '--dry-run']);
  expect([code, stderr.includes(secret.slice(0, 8))]).toEqual([2, false]);
  expect(stderr).toContain('token is a number that cannot be sent exactly');
});
