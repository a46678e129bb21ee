import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/config-file.js';
import type { SettingSources } from '../../../src/config/resolve.js';
import { responseRules } from '../../../src/config/target.js';
import { quietWorld } from '../../support/inside.js';

// What the config file may say, and what confirms a creation: the setting `response`, in the file and in profiles.

const TARGET = 'https://gigs.example';
const DEFAULTS = { require: [], id: 'id', empty: false, accepted: false, tasks: 'tasks', taskId: 'id' };

function configFile(config: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-response-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

function settingsOf(config: object, profile?: string): Promise<SettingSources> {
  const flags = { config: configFile(config), ...(profile === undefined ? {} : { profile }) };
  return loadSettings(flags, { ...quietWorld(), env: {} });
}

describe('what confirms a creation', () => {
  const CONFIG = {
    response: { require: ['id', 'data.0.state=paid|pending'], empty: true, accepted: true, tasks: 'data.tasks' },
    profiles: { payroll: { response: { id: 'data.0.id', empty: false, task_id: 'key' } } },
  };

  it.each<[what: string, config: object, profile: string | undefined, rules: object]>([
    ['is anything without a setting', {}, undefined, DEFAULTS],
    ['is what the config file says', CONFIG, undefined, { ...CONFIG.response, id: 'id', taskId: 'id' }],
    [
      'is, rule by rule, what the profile says, then the config file',
      CONFIG,
      'payroll',
      {
        require: ['id', 'data.0.state=paid|pending'],
        id: 'data.0.id',
        empty: false,
        accepted: true,
        tasks: 'data.tasks',
        taskId: 'key',
      },
    ],
    [
      'may be nothing special again in a profile',
      { ...CONFIG, profiles: { p: { response: { require: [] } } } },
      'p',
      { require: [], id: 'id', empty: true, accepted: true, tasks: 'data.tasks', taskId: 'id' },
    ],
  ])('%s', async (_what, config, profile, rules) => {
    expect(responseRules(await settingsOf(config, profile), TARGET)).toEqual(rules);
  });

  it('is for the real service only: the sandbox answers in its own way', async () => {
    expect(responseRules(await settingsOf(CONFIG), 'sandbox')).toEqual(DEFAULTS);
    expect(responseRules(await settingsOf(CONFIG), null)).toMatchObject({ empty: true });
  });
});

describe('a fault of the config file is told by what would be right there', () => {
  const SECRET = 'takes text, in quotes, or {"env": "NAME"}, {"file": "path"} or {"command": ["word", …]}';
  const PATH = 'takes the path of a field in the answer, such as id or data.0.id';
  const REQUIRED = `${PATH}, or a path and its values, such as status=paid|pending`;

  it.each<[config: object, words: string]>([
    [{ headers: { 'X-Key': 5 } }, `headers.X-Key ${SECRET}`],
    [{ token: { envs: 'NAME' } }, `token ${SECRET}`],
    [{ headers: ['X-Key: 1'] }, 'headers takes an object of names and values'],
    [{ base_url: 5 }, 'base_url takes text, in quotes'],
    [{ journal: ['sqlite:x'] }, 'journal takes text, in quotes'],
    [{ timeout: '30' }, 'timeout takes a number, without quotes'],
    [{ map: { Betrag: 5 } }, 'map.Betrag takes text, in quotes'],
    [{ map: 'Betrag=amount' }, 'map takes an object of names and values'],
    [{ ignore_columns: 'A' }, 'ignore_columns takes a list of texts'],
    [{ decimal: 'dot' }, 'decimal takes point or comma'],
    [{ profiles: { payroll: { timeout: 'x' } } }, 'profiles.payroll.timeout takes a number, without quotes'],
    [{ profiles: { payroll: 5 } }, 'profiles.payroll takes an object of settings'],
    [{ profiles: [] }, 'profiles takes an object of names and profiles'],
    [[], 'the file takes an object of settings'],
    [{ profiles: { payroll: { timeot: 5 } } }, 'unknown key "profiles.payroll.timeot". Did you mean "timeout"?'],
    [{ response: 'id' }, 'response takes an object of settings'],
    ...['data..id', 'status=', '=paid', 'status=paid||void', `${'x'.repeat(201)}=1`].map((entry): [object, string] => [
      { response: { require: [entry] } },
      `response.require.0 ${REQUIRED}`,
    ]),
    [{ response: { accepted: 202 } }, 'response.accepted takes true or false, without quotes'],
    [{ response: { id: 'x'.repeat(201) } }, `response.id ${PATH}`],
    [{ response: { empty: 'true' } }, 'response.empty takes true or false, without quotes'],
    [{ response: { requires: ['id'] } }, 'unknown key "response.requires". Did you mean "require"?'],
    // `rate` and `timeout` are settings, but none of an answer.
    [{ response: { rat: 5 } }, 'unknown key "response.rat".'],
    [
      { profiles: { payroll: { response: { emtpy: true } } } },
      'unknown key "profiles.payroll.response.emtpy". Did you mean "empty"?',
    ],
    [{ profiles: { response: { timeot: 5 } } }, 'unknown key "profiles.response.timeot". Did you mean "timeout"?'],
  ])('%j', async (config, words) => {
    await expect(settingsOf(config)).rejects.toThrow(`config.json is not right: ${words}`);
  });
});
