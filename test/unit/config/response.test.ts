import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadSettings } from '../../../src/config/config-file.js';
import type { Settings } from '../../../src/config/sources.js';
import { responseRules } from '../../../src/config/target.js';
import { shownSettings } from '../../../src/cli/config-show.js';
import type { World } from '../../../src/world.js';
import { quietWorld } from '../../support/inside.js';

// What confirms a creation: the setting `response`, in the config file and in profiles.

const TARGET = 'https://gigs.example';
const DEFAULTS = { require: [], id: 'id', empty: false };

/** A world whose config file says this. */
function worldWith(config: object): { world: World; path: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gigwork-response-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return { world: { ...quietWorld(), env: { GIGWORK_STATE_DIR: folder } }, path };
}

async function settingsOf(config: object, profile?: string): Promise<Settings> {
  const { world, path } = worldWith(config);
  return loadSettings({ config: path, ...(profile === undefined ? {} : { profile }) }, world);
}

describe('what confirms a creation', () => {
  const CONFIG = {
    response: { require: ['id', 'data.0.state'], empty: true },
    profiles: { payroll: { response: { id: 'data.0.id', empty: false } } },
  };

  it.each<[what: string, config: object, profile: string | undefined, rules: object]>([
    ['is anything without a setting', {}, undefined, DEFAULTS],
    ['is what the config file says', CONFIG, undefined, { ...CONFIG.response, id: 'id' }],
    [
      'is, rule by rule, what the profile says, then the config file',
      CONFIG,
      'payroll',
      { require: ['id', 'data.0.state'], id: 'data.0.id', empty: false },
    ],
    [
      'may be nothing special again in a profile',
      { ...CONFIG, profiles: { p: { response: { require: [] } } } },
      'p',
      { require: [], id: 'id', empty: true },
    ],
  ])('%s', async (_what, config, profile, rules) => {
    expect(responseRules(await settingsOf(config, profile), TARGET)).toEqual(rules);
  });

  it('is for the real service only: the sandbox answers in its own way', async () => {
    expect(responseRules(await settingsOf(CONFIG), 'sandbox')).toEqual(DEFAULTS);
    expect(responseRules(await settingsOf(CONFIG), null)).toMatchObject({ empty: true });
  });

  it('is shown, each rule with where it comes from', async () => {
    const { world, path } = worldWith(CONFIG);
    const settings = await loadSettings({ config: path, profile: 'payroll' }, world);
    const shown = shownSettings(settings, world).filter(({ name }) => name.startsWith('response.'));
    expect(shown.map(({ name, value, origin }) => [name, value, origin.from, origin.source])).toEqual([
      ['response.require', ['id', 'data.0.state'], 'config file', path],
      ['response.id', 'data.0.id', 'profile', 'payroll'],
      ['response.empty', false, 'profile', 'payroll'],
    ]);
  });
});

describe('a fault in it is told by what would be right there', () => {
  const PATH = 'takes the path of a field in the answer, such as id or data.0.id';

  it.each<[config: object, words: string]>([
    [{ response: 'id' }, 'response takes an object of settings'],
    [{ response: { require: 'id' } }, 'response.require takes a list of texts'],
    [{ response: { require: [5] } }, `response.require.0 ${PATH}`],
    [{ response: { require: ['data..id'] } }, `response.require.0 ${PATH}`],
    [{ response: { id: 5 } }, `response.id ${PATH}`],
    [{ response: { id: '.id' } }, `response.id ${PATH}`],
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
    const { world, path } = worldWith(config);
    await expect(loadSettings({ config: path }, world)).rejects.toMatchObject({
      message: `the config file ${path} is not right: ${words}`,
    });
  });
});
