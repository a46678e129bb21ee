/**
 * The sources of settings, in order of precedence: flag, environment, profile, config file, default. CONTRACT: "Target
 * flags" and "Settings".
 *
 * Some settings have a different order, in the file that reads them:
 * - the profile and the config file, which are chosen before there are settings (`config-file.ts`)
 * - colour (`run-options.ts`)
 * - a token in addition to headers (`headers.ts`)
 * - values set on records, also by flags for single fields (`input-options.ts`)
 * - proxies (`tls-and-proxy.ts`)
 * - the target of a run that continues: a target in the settings must be the run's (`target.ts`)
 */
import type { World } from '../world.js';
import type { SecretText, SettingKinds } from './setting.js';
import { flagOf, type OptionName, optionName, type SettingName, settingOf, type SETTINGS } from './settings.js';

type KindOf<Name extends SettingName> = SettingKinds[(typeof SETTINGS)[Name]['kind']];

/** The flags of a command as commander returns them: texts, which are checked when their values are used. */
export type RunFlags = { readonly [Name in SettingName]?: KindOf<Name>['typed'] };

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = { readonly [Name in SettingName]?: KindOf<Name>['written'] };

/** The checked value of a setting. */
export type ValueOf<Name extends SettingName> = (typeof SETTINGS)[Name]['default'];

/** The first source that sets a value wins. */
export const ORIGINS = ['flag', 'environment', 'profile', 'config file', 'default'] as const;

export interface Origin {
  readonly from: (typeof ORIGINS)[number];
  /** The flag, the variable, the profile's name or the file's path; null for a default. */
  readonly source: string | null;
}

export interface Resolved<T> extends Origin {
  readonly value: T;
}

/** A value as written, and the folder where relative paths in it start. */
export interface RawSetting<T = unknown> extends Resolved<T> {
  readonly folder: string;
}

/** The keys of a profile or of the config file itself. */
export interface ConfigLayer extends Origin {
  /** Where relative paths in them start. */
  readonly folder: string;
  readonly keys: ConfigKeys;
}

/** All sources of settings, before precedence is applied. */
export interface SettingSources {
  readonly flags: RunFlags;
  readonly env: World['env'];
  /** Where relative paths in flags and variables start. */
  readonly cwd: string;
  /** The profile, if one is named, then the config file, if there is one. */
  readonly layers: readonly ConfigLayer[];
  /** Null when there is no file. */
  readonly configPath: string | null;
}

export const NO_SETTINGS: SettingSources = { flags: {}, env: {}, cwd: '.', layers: [], configPath: null };

export const DEFAULT: Origin = { from: 'default', source: null };

/**
 * The value of the first source that sets it; and the setting's name for messages, with that source. An empty variable
 * counts as not set, unless the setting is a secret.
 */
export function resolveSetting(setting: SettingName, settings: SettingSources): RawSetting & { readonly name: string } {
  const { flags, env, cwd, layers } = settings;
  const { env: variableName = '', kind, default: usual } = settingOf(setting);
  const given = flags[setting];
  const flag = flagOf(setting);
  if (given !== undefined) return { value: given, from: 'flag', source: flag, name: flag, folder: cwd };
  // Ignoring an empty secret would send with the credential of another source.
  const text = variableName === '' ? undefined : env[variableName];
  if (text !== undefined && (text !== '' || kind === 'secret'))
    return { value: text, from: 'environment', source: variableName, name: variableName, folder: cwd };
  for (const { keys, ...layer } of layers) {
    const value = keys[setting];
    const where = layer.from === 'profile' ? `the profile ${layer.source}` : layer.source;
    if (value !== undefined) return { value, ...layer, name: `${setting} in ${where}` };
  }
  return { value: usual, ...DEFAULT, name: setting, folder: cwd };
}

/** The checked value of a setting. @throws UsageError that names the source of a wrong value */
export function settingValue<Name extends SettingName>(name: Name, settings: SettingSources): ValueOf<Name> {
  const { occurs, parse } = settingOf(name);
  const { value: written, from, name: place } = resolveSetting(name, settings);
  if (from === 'default') return written as ValueOf<Name>;
  if (occurs !== 'repeated') return parse(place, written as never) as ValueOf<Name>;
  return (written as readonly never[]).map((each) => parse(place, each)) as unknown as ValueOf<Name>;
}

/** The checked values of settings, by the names that the program has for them. @throws UsageError */
export function settingValues<Name extends SettingName>(
  settings: SettingSources,
  ...names: readonly Name[]
): { readonly [Each in Name as OptionName<Each>]: ValueOf<Each> } {
  const values = names.map((name) => [optionName(name), settingValue(name, settings)]);
  return Object.fromEntries(values) as { readonly [Each in Name as OptionName<Each>]: ValueOf<Each> };
}

/** Undefined when the variable is not set, or empty. */
export function variable(name: string, env: World['env']): Resolved<string | undefined> {
  return { value: env[name] === '' ? undefined : env[name], from: 'environment', source: name };
}

/** Settings that are tables, or lists of names: precedence applies to each entry. */
interface TableEntries {
  readonly headers: SecretText;
  readonly map: string;
  readonly set: unknown;
  readonly response: unknown;
  readonly ignore_columns: true;
  readonly known_sheets: true;
  readonly only: true;
  readonly known_values: readonly string[];
}

type Pairs = readonly (readonly [name: string, entry: unknown])[];

/** A table's entries by name; headers in lower case: `X-Key` and `x-key` are one header. @throws UsageError */
export function resolveTable<Name extends keyof TableEntries>(
  table: Name,
  settings: SettingSources,
): Map<string, RawSetting<TableEntries[Name]>> {
  const { flags, cwd, layers } = settings;
  const entries = new Map<string, RawSetting<TableEntries[Name]>>();
  const enter = (pairs: Pairs, origin: Origin, folder: string): void => {
    for (const [written, value] of pairs) {
      const name = table === 'headers' ? written.toLowerCase() : written;
      // A later entry moves to the end: a value inside an object must come after the object itself.
      entries.delete(name);
      entries.set(name, { from: origin.from, source: origin.source, folder, value: value as TableEntries[Name] });
    }
  };
  for (const layer of layers.toReversed()) enter(pairsIn(layer.keys[table]), layer, layer.folder);
  enter(typedPairs(table, flags), { from: 'flag', source: flagOf(table) }, cwd);
  return entries;
}

function pairsIn(written: object | string = {}): Pairs {
  if (typeof written === 'string') return [[written, true]];
  return Array.isArray(written) ? written.map((name: string) => [name, true]) : Object.entries(written);
}

function typedPairs(table: keyof TableEntries, flags: RunFlags): Pairs {
  if (table === 'ignore_columns' || table === 'only') return pairsIn(flags[table]);
  // A flag adds one value to a column's list, and takes no list's place.
  return table === 'known_values' || table === 'known_sheets' ? [] : flagPairs(table, flags);
}

/** The entries of a table from flags. @throws UsageError */
export function flagPairs(
  table: 'headers' | 'map' | 'set' | 'response' | 'known_values',
  flags: RunFlags,
): readonly (readonly [name: string, value: string])[] {
  return table === 'response' ? [] : settingValue(table, { ...NO_SETTINGS, flags });
}

/** The profile's name; null without one. */
export function profileOf({ layers }: SettingSources): string | null {
  return layers.find(({ from }) => from === 'profile')?.source ?? null;
}
