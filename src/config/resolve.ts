/**
 * The sources of settings, in order of precedence: flag, environment, profile, config file, default. CONTRACT: "Target
 * flags" and "Settings".
 *
 * Some settings have a different order, in the file that reads them:
 * - the profile and the config file, which are chosen before there are settings (`config-file.ts`)
 * - colour (`settings.ts`)
 * - a token in addition to headers (`headers.ts`)
 * - values set on records, also by flags for single fields (`input.ts`)
 * - proxies (`way.ts`)
 * - the target of a run that continues: a target in the settings must be the run's (`target.ts`)
 */
import type { World } from '../world.js';
import type { KeyTypes } from './config-schema.js';
import { flagOf, GROUPS, isSwitch, optionName, type SettingName, settingOf, type SETTINGS } from './settings.js';
import { parseChoice } from './parsers.js';

type Table = typeof SETTINGS;

/** `date_format` → `dateFormat` */
type Camel<Text extends string> = Text extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;

/** A flag as commander returns it: text, which is checked when its value is used. */
type Given<Row> = Row extends { readonly occurs: 'repeated' }
  ? readonly string[]
  : Row extends { readonly flag: `${string} ${string}` }
    ? string
    : boolean;

/** The flags of a command. `--no-color` is false for `color`; `--approve` without a file is empty. */
export type RunFlags = { readonly [Name in SettingName as Camel<Name>]?: Given<Table[Name]> };

type KeyOf<Row> = Row extends { readonly key: 'words'; readonly words: readonly (infer Each)[] }
  ? Each
  : Row extends { readonly key: infer Kind extends keyof KeyTypes }
    ? KeyTypes[Kind]
    : never;

export type KeyName = {
  [Name in SettingName]: Table[Name] extends { readonly key: string } ? Name : never;
}[SettingName];

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = { readonly [Name in KeyName]?: KeyOf<Table[Name]> };

type Parsed<Row> = Row extends { readonly parse: (name: string, written: never) => infer Value }
  ? Value
  : Row extends { readonly words: readonly (infer Value)[] }
    ? Value
    : Row extends { readonly occurs: 'repeated' }
      ? string
      : Row extends { readonly flag: string }
        ? Given<Row>
        : KeyOf<Row>;

/** Null if the setting may be left out. A switch is false then. */
type Missing<Row> = Row extends { readonly default: unknown }
  ? never
  : Row extends { readonly flag: infer Flag }
    ? Flag extends `${string} ${string}`
      ? null
      : never
    : null;

export type ValueOf<Name extends SettingName> = Table[Name] extends { readonly occurs: 'repeated' }
  ? readonly Parsed<Table[Name]>[]
  : Parsed<Table[Name]> | Missing<Table[Name]>;

type Group = keyof typeof GROUPS;

export type OptionsIn<G extends Group> = {
  readonly [Name in keyof (typeof GROUPS)[G] & SettingName as Camel<Name>]: ValueOf<Name>;
};

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
export interface ConfigLayer extends Omit<RawSetting, 'value'> {
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
  const { env: variableName = '', key, default: usual = isSwitch(setting) ? false : undefined } = settingOf(setting);
  const given = (flags as Readonly<Record<string, unknown>>)[optionName(setting)];
  const flag = flagOf(setting);
  if (given !== undefined) return { value: given, from: 'flag', source: flag, name: flag, folder: cwd };
  // Ignoring an empty secret would send with the credential of another source.
  const text = variableName === '' ? undefined : env[variableName];
  if (text !== undefined && (text !== '' || key === 'secret'))
    return { value: text, from: 'environment', source: variableName, name: variableName, folder: cwd };
  for (const { keys, ...layer } of layers) {
    const value = keys[setting as KeyName];
    const where = layer.from === 'profile' ? `the profile ${layer.source}` : layer.source;
    if (value !== undefined) return { value, ...layer, name: `${setting} in ${where}` };
  }
  return { value: usual, ...DEFAULT, name: setting, folder: cwd };
}

/** The checked value of a setting. @throws UsageError that names the source of a wrong value */
export function settingValue<N extends SettingName>(name: N, settings: SettingSources): ValueOf<N> {
  const { occurs, words, parse } = settingOf(name);
  const { value: written, from, name: place } = resolveSetting(name, settings);
  const read = (each: unknown): unknown => {
    if (parse !== undefined) return parse(place, each as never);
    return words === undefined ? each : parseChoice(place, each as string, words);
  };
  if (occurs === 'repeated') return ((written ?? []) as readonly unknown[]).map(read) as ValueOf<N>;
  if (written === undefined) return null as ValueOf<N>;
  return (from === 'default' ? written : read(written)) as ValueOf<N>;
}

/** The values of a group, by option names; for tables and lists, only those of the flags. @throws UsageError */
export function resolveGroup<G extends Group>(group: G, settings: SettingSources): OptionsIn<G> {
  const names = Object.keys(GROUPS[group]) as SettingName[];
  const values = names.map((name) => {
    const isList = settingOf(name).occurs === 'repeated';
    return [optionName(name), settingValue(name, isList ? { ...settings, layers: [] } : settings)];
  });
  return Object.fromEntries(values) as OptionsIn<G>;
}

/** Undefined when the variable is not set, or empty. */
export function variable(name: string, env: World['env']): Resolved<string | undefined> {
  return { value: env[name] === '' ? undefined : env[name], from: 'environment', source: name };
}

/** Settings that are tables, or lists of names: precedence applies to each entry. */
type ListName = 'ignore_columns' | 'only';

export type TableName = 'headers' | 'map' | 'set' | 'response' | ListName;

type Entry<T extends TableName> = T extends ListName
  ? true
  : NonNullable<ConfigKeys[T]>[keyof NonNullable<ConfigKeys[T]>] | string;

type Pairs = readonly (readonly [name: string, entry: unknown])[];

/** A table's entries by name; headers in lower case: `X-Key` and `x-key` are one header. @throws UsageError */
export function resolveTable<T extends TableName>(
  table: T,
  settings: SettingSources,
): Map<string, RawSetting<Entry<T>>> {
  const { flags, cwd, layers } = settings;
  const entries = new Map<string, RawSetting<Entry<T>>>();
  const enter = (pairs: Pairs, origin: Omit<RawSetting, 'value'>): void => {
    for (const [written, value] of pairs) {
      const name = table === 'headers' ? written.toLowerCase() : written;
      // A later entry moves to the end: a value inside an object must come after the object itself.
      entries.delete(name);
      entries.set(name, { ...origin, value: value as Entry<T> });
    }
  };
  for (const { keys, ...origin } of layers.toReversed()) enter(pairsIn(keys[table]), origin);
  const given =
    table === 'ignore_columns' || table === 'only'
      ? pairsIn(flags[optionName(table) as 'ignoreColumns' | 'only'])
      : flagPairs(table, flags);
  enter(given, { from: 'flag', source: flagOf(table), folder: cwd });
  return entries;
}

function pairsIn(written: object | string = {}): Pairs {
  if (typeof written === 'string') return [[written, true]];
  return Array.isArray(written) ? written.map((name: string) => [name, true]) : Object.entries(written);
}

/** The entries of a table from flags. @throws UsageError */
export function flagPairs(
  table: Exclude<TableName, ListName>,
  flags: RunFlags,
): readonly (readonly [name: string, value: string])[] {
  return table === 'response' ? [] : settingValue<'headers' | 'map' | 'set'>(table, { ...NO_SETTINGS, flags });
}

/** The profile's name; null without one. */
export function profileOf({ layers }: SettingSources): string | null {
  return layers.find(({ from }) => from === 'profile')?.source ?? null;
}
