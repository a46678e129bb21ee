import { describe, expect, test } from 'vitest';
import { settingFlag } from '../../../src/cli/command.js';
import { StrictCommand } from '../../../src/cli/strict-command.js';
import { flagOf, type SettingName, SETTING_NAMES, settingOf } from '../../../src/config/settings.js';
import { type ConfigLayer, type RunFlags, type SettingSources, settingValue } from '../../../src/config/resolve.js';

const FLAGS = SETTING_NAMES.map(flagOf).filter((flag) => flag !== '');

describe('the table of settings', () => {
  test('has a flag once', () => {
    expect(new Set(FLAGS).size).toBe(FLAGS.length);
  });

  test('says in its help the words, the variable and the default of a flag', () => {
    for (const name of SETTING_NAMES.filter((each) => flagOf(each) !== '')) {
      const { help, words, env, default: usual } = settingOf(name);
      for (const word of words) expect([name, help]).toEqual([name, expect.stringContaining(word)]);
      if (env !== undefined) expect([name, help]).toEqual([name, expect.stringContaining(env)]);
      if (typeof usual === 'string' || (typeof usual === 'number' && usual !== 0))
        expect([name, help]).toEqual([name, expect.stringContaining(`${usual})`)]);
    }
  });
});

describe('a flag that decides what is paid', () => {
  const once = SETTING_NAMES.filter((name) => settingOf(name).occurs === 'once');

  test.each(once)('%s is given once', (name) => {
    const flag = flagOf(name);
    const command = new StrictCommand().addOption(settingFlag(name)).allowExcessArguments();
    expect(() => command.parse([`${flag}=a`, `${flag}=a`], { from: 'user' })).toThrow(
      `${flag} is given twice; leave one out`,
    );
  });

  test('is each that says which records are paid, or how they are read', () => {
    const needed = 'batch_id key_columns expect_count expect_digest send_similar key_lifetime prices rejects results';
    const read = 'decimal date_format encoding delimiter header_line sheet type';
    expect(once).toEqual(expect.arrayContaining([...needed.split(' '), ...read.split(' ')]));
  });
});

describe('the value of a setting', () => {
  const layer = (from: 'profile' | 'config file', keys: ConfigLayer['keys']): ConfigLayer => ({
    from,
    source: 'p',
    folder: '/',
    keys,
  });
  const settings = (
    flags: RunFlags = {},
    env: SettingSources['env'] = {},
    ...layers: ConfigLayer[]
  ): SettingSources => ({
    flags,
    env,
    cwd: '/',
    layers,
    configPath: null,
  });

  test('is a default, false for a switch, an empty list, or nothing', () => {
    expect(settingValue('timeout', settings())).toBe(30);
    expect(settingValue('progress', settings())).toBe(true);
    expect(settingValue('negate', settings())).toBe(false);
    expect(settingValue('report', settings())).toEqual([]);
    expect(settingValue('rate', settings())).toBeNull();
  });

  test('is checked, and a fault is told by its place', () => {
    expect(settingValue('timeout', settings({ timeout: '0.5' }))).toBe(0.5);
    expect(settingValue('debug', settings({}, { GIGWORK_DEBUG: '1' }))).toBe(true);
    expect(settingValue('debug', settings({}, { GIGWORK_DEBUG: '0' }))).toBe(false);
    expect(() => settingValue('timeout', settings({ timeout: '0' }))).toThrow(/^--timeout takes a number/);
    expect(() => settingValue('retries', settings({}, {}, layer('profile', { retries: 5000 })))).toThrow(
      /^retries in the profile p takes a whole number, 0 to 1000; found 5000/,
    );
    for (const keys of [{ retries: 1.5 }, { retries: -1 }, { timeout: 0 }, { header_line: 20_000 }])
      expect(() =>
        settingValue(Object.keys(keys)[0] as SettingName, settings({}, {}, layer('config file', keys))),
      ).toThrow(/^\w+ in p takes a (whole )?number/);
    expect(() => settingValue('decimal', settings({ decimal: 'coma' }))).toThrow(
      /^--decimal takes point or comma.*"comma"/,
    );
  });

  test('an empty variable with a secret counts: to pass it over would send as somebody else', () => {
    expect(settingValue('token', settings({}, { GIGWORK_TOKEN: '' }, layer('profile', { token: 't' })))).toBe('');
  });
});
