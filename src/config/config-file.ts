/** The config file, `config.json`, checked strictly; and the text of files that settings name. CONTRACT: "Settings". */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { systemErrorText } from '../input/source.js';
import type { IssueCode } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import type { World } from '../world.js';
import { utf8Text } from './named-file.js';
import type { SecretText } from './setting.js';
import { SETTING_NAMES, settingOf } from './settings.js';
import {
  type ConfigKeys,
  type ConfigLayer,
  resolveSetting,
  NO_SETTINGS,
  type RunFlags,
  type SettingSources,
  settingValue,
} from './resolve.js';
import { orList, xdgFolder } from './parsers.js';

export interface ConfigFile extends ConfigKeys {
  readonly profiles?: Readonly<Record<string, ConfigKeys>>;
}

/** The path of the config file, whether it exists or not. Null if none is named and there is no home folder. */
export function configPath(flags: RunFlags, world: World): string | null {
  const { env, platform } = world;
  const named = namedFirst('config', flags, env);
  if (named !== null) return resolve(world.cwd(), named);
  const config = xdgFolder(env['XDG_CONFIG_HOME']);
  if (config !== null) return join(config, 'gigwork', 'config.json');
  if (platform === 'win32') return env['APPDATA'] ? join(env['APPDATA'], 'gigwork', 'config.json') : null;
  return env['HOME'] ? join(env['HOME'], '.config', 'gigwork', 'config.json') : null;
}

/** Settings that are read before all others: the config file, and the profile in it. */
function namedFirst(name: 'config' | 'profile', flags: RunFlags, env: World['env']): string | null {
  return settingValue(name, { ...NO_SETTINGS, flags, env });
}

/**
 * Null if there is no config file. Never looks in the working directory: a file that came with the data must not decide
 * where data is sent.
 * @throws UsageError, also if a named file is missing
 */
export async function loadConfig(flags: RunFlags, world: World): Promise<ConfigFile | null> {
  const path = configPath(flags, world);
  return path === null ? null : configAt(path, namedFirst('config', flags, world.env) !== null);
}

/** Reads the config file, and the profile in it. @throws UsageError */
export async function loadSettings(flags: RunFlags, world: World): Promise<SettingSources> {
  return withJournal(await settingsOf(flags, world));
}

/** Reads the journal's URL if it is kept as a secret: from here on, it is an ordinary URL. @throws UsageError */
async function withJournal(settings: SettingSources): Promise<SettingSources> {
  const { value, name: key, folder } = resolveSetting('journal', { ...settings, flags: {}, env: {} });
  if (typeof value !== 'object' || value === null) return settings;
  const { secretText } = await import('./kept-secret.js');
  const journal = await secretText(value as SecretText, { key, folder, env: settings.env });
  const layers = settings.layers.map((layer) => {
    return layer.keys.journal === value ? { ...layer, keys: { ...layer.keys, journal } } : layer;
  });
  return { ...settings, layers };
}

async function settingsOf(flags: RunFlags, world: World): Promise<SettingSources> {
  const { env } = world;
  const config = await loadConfig(flags, world);
  const path = configPath(flags, world);
  const { profiles = {}, ...keys } = config ?? {};
  const file = path === null || config === null ? [] : [layerOf('config file', path, keys, path)];
  const settings = { flags, env, cwd: world.cwd(), layers: file, configPath: config === null ? null : path };
  const profile = namedFirst('profile', flags, env);
  if (profile === null) return settings;
  const found = profileIn(config ?? {}, profile);
  if (found !== undefined && path !== null)
    return { ...settings, layers: [layerOf('profile', profile, found, path), ...file] };
  const known = Object.keys(profiles);
  const has = `the config file ${path} has ${known.length === 0 ? 'none' : known.join(', ')}`;
  throw new UsageError(
    `there is no profile "${profile}": ${config === null ? 'there is no config file' : has}.${didYouMean(profile, known)}`,
  );
}

/** The settings of the config file or a profile. @param path of the file: relative paths start from its folder */
export function layerOf(from: ConfigLayer['from'], source: string, keys: ConfigKeys, path: string): ConfigLayer {
  return { from, source, folder: dirname(path), keys };
}

export function profileIn({ profiles = {} }: ConfigFile, name: string): ConfigKeys | undefined {
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** The config file at a path, or null if it may be missing and is. @throws UsageError */
export async function configAt(path: string, mustBeThere: boolean): Promise<ConfigFile | null> {
  let text: string;
  try {
    text = utf8Text(readFileSync(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT' && !mustBeThere) return null;
    throw new UsageError(`cannot read the config file ${path}: ${systemErrorText(cause)}`, { cause });
  }
  return checkConfig(await parseConfig(text, path), `the config file ${path}`);
}

/**
 * As strict as the reading of a record, since settings are sent. No message repeats the text, which may be a secret.
 * @throws UsageError with line and column, as an editor counts them
 */
async function parseConfig(text: string, path: string): Promise<unknown> {
  const { JsonSyntaxError, parseJson } = await import('../input/json-parser.js');
  try {
    const { value, findings } = parseJson(text);
    if (findings.length === 0) return value;
    const faults = findings.map(({ code, field }) => `${field ?? 'the file'} ${JSON_FAULTS[code] ?? code}`);
    throw new UsageError(`the config file ${path} is not right: ${faults.join('; ')}`);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const lines = text.slice(0, cause.offset).split('\n');
    const fault =
      cause.offset >= text.trimEnd().length
        ? 'it ends too soon; a bracket or a quote is not closed'
        : `correct line ${lines.length}, at column ${(lines.at(-1) ?? '').length + 1}`;
    throw new UsageError(`the config file ${path} is not valid JSON: ${fault}`);
  }
}

/** Messages for findings in JSON that can be parsed. Unlike a record's messages, they do not show the value. */
const JSON_FAULTS: Readonly<Partial<Record<IssueCode, string>>> = {
  'duplicate-field': 'is given twice in one object',
  'inexact-number': 'is a number that cannot be sent exactly; an ID or a token is text, in quotes',
  'bad-encoding': 'holds half of a character (a lone surrogate), which no encoding can carry',
};

/** The settings that the file may have. */
export const CONFIG_KEYS = SETTING_NAMES.filter((name) => settingOf(name).key === true);

/** @param name of what holds the keys, for messages. @throws UsageError */
export async function checkConfig(value: unknown, name: string): Promise<ConfigFile> {
  const { configSchema, RESPONSE_KEYS } = await import('./config-schema.js');
  const parsed = configSchema().safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const where = issue.path.join('.');
    if (issue.code === 'invalid_value') return `${where} takes ${orList(issue.values.map(String))}`;
    if (issue.code !== 'unrecognized_keys') return `${where === '' ? 'the file' : where} ${issue.message}`;
    // The first two steps into a profile are `profiles` and its name, which may equal that of a setting.
    const [setting] = issue.path[0] === 'profiles' ? issue.path.slice(2) : issue.path;
    const known = setting === 'response' ? RESPONSE_KEYS : [...CONFIG_KEYS, 'profiles'];
    return issue.keys
      .map((key) => `unknown key "${where === '' ? key : `${where}.${key}`}".${didYouMean(key, known)}`)
      .join('; ');
  });
  throw new UsageError(`${name} is not right: ${[...new Set(faults)].join('; ')}`);
}
