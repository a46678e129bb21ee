/**
 * Where settings come from, and who wins: flag, environment, profile, config file, default. CONTRACT: "Target flags" and
 * "Settings".
 *
 * Some settings have an order of their own, in the file that reads them:
 * - the profile and the config file, which are chosen before there are settings (`config-file.ts`)
 * - colour (`settings.ts`)
 * - a token beside headers (`headers.ts`)
 * - values set on records, also by the fields' own flags (`input.ts`)
 * - proxies (`proxy.ts`)
 * - the target of a run that goes on: where the settings make one, it must be the run's own (`target.ts`)
 */
import { dirname } from 'node:path';
import type { World } from '../world.js';
import type { KeyTypes } from './config-schema.js';
import { flagOf, GROUPS, isSwitch, optionName, type SettingName, settingOf, type SETTINGS } from './setting-table.js';
import { oneOf } from './values.js';

type Table = typeof SETTINGS;

/** `date_format` → `dateFormat` */
type Camel<Text extends string> = Text extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Text;

/** What commander gives for a flag: text, checked where its value is asked for. */
type Given<Row> = Row extends { readonly given: 'often' }
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

/** Names of the settings that have a key. */
export type KeyName = {
  [Name in SettingName]: Table[Name] extends { readonly key: string } ? Name : never;
}[SettingName];

/** The keys of a config file, and of each of its profiles. */
export type ConfigKeys = { readonly [Name in KeyName]?: KeyOf<Table[Name]> };

type Parsed<Row> = Row extends { readonly parse: (name: string, written: never) => infer Value }
  ? Value
  : Row extends { readonly words: readonly (infer Value)[] }
    ? Value
    : Row extends { readonly given: 'often' }
      ? string
      : Row extends { readonly flag: string }
        ? Given<Row>
        : KeyOf<Row>;

/** Null where nothing may be said. A switch is false then. */
type Missing<Row> = Row extends { readonly default: unknown }
  ? never
  : Row extends { readonly flag: infer Flag }
    ? Flag extends `${string} ${string}`
      ? null
      : never
    : null;

/** The value of a setting. */
export type ValueOf<Name extends SettingName> = Table[Name] extends { readonly given: 'often' }
  ? readonly Parsed<Table[Name]>[]
  : Parsed<Table[Name]> | Missing<Table[Name]>;

type Group = keyof typeof GROUPS;

/** The values of a group of settings. */
export type OptionsIn<G extends Group> = {
  readonly [Name in keyof (typeof GROUPS)[G] & SettingName as Camel<Name>]: ValueOf<Name>;
};

/** Where a setting can come from; the first source that sets a value wins. */
export const ORIGINS = ['flag', 'environment', 'profile', 'config file', 'default'] as const;

/** `source` is the flag, the variable, the profile's name or the file's path. */
export type Origin =
  | { readonly from: Exclude<(typeof ORIGINS)[number], 'default'>; readonly source: string }
  | { readonly from: 'default'; readonly source: null };

export interface Chosen<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** The keys of a profile or of the config file itself. */
export interface Layer {
  readonly origin: Origin;
  readonly keys: ConfigKeys;
}

/** All sources of settings, before it is decided which one wins. */
export interface Settings {
  readonly flags: RunFlags;
  readonly env: World['env'];
  /** The profile, if one is asked for, then the config file, if there is one. */
  readonly layers: readonly Layer[];
  /** Null when there is no file. */
  readonly configPath: string | null;
}

export const NOTHING_SAID: Settings = { flags: {}, env: {}, layers: [], configPath: null };

export const DEFAULT: Origin = { from: 'default', source: null };

/**
 * What is written in the first source that says anything, as it stands there. An empty variable says nothing, unless it is
 * to hold a secret.
 */
export function choose(name: SettingName, { flags, env, layers }: Settings): Chosen<unknown> {
  const { env: variableName, key, default: usual = isSwitch(name) ? false : undefined } = settingOf(name);
  const given = (flags as Readonly<Record<string, unknown>>)[optionName(name)];
  if (given !== undefined) return { value: given, origin: flagOrigin(name) };
  // To pass an empty secret over would send with a credential of another source.
  const text = env[variableName ?? ''];
  if (variableName !== undefined && text !== undefined && (text !== '' || key === 'secret'))
    return { value: text, origin: { from: 'environment', source: variableName } };
  for (const { keys, origin } of layers) {
    const value = keys[name as KeyName];
    if (value !== undefined) return { value, origin };
  }
  return { value: usual, origin: DEFAULT };
}

/**
 * The value of a setting, checked.
 * @throws UsageError that says where the wrong value is written
 */
export function valueOf<N extends SettingName>(name: N, settings: Settings): ValueOf<N> {
  const { given, words, parse } = settingOf(name);
  const { value: written, origin } = choose(name, settings);
  const read = (each: unknown): unknown => {
    if (parse !== undefined) return parse(placeName(name, origin), each as never);
    return words === undefined ? each : oneOf(placeName(name, origin), each as string, words);
  };
  if (given === 'often') return ((written ?? []) as readonly unknown[]).map(read) as ValueOf<N>;
  if (written === undefined) return null as ValueOf<N>;
  return (origin.from === 'default' ? written : read(written)) as ValueOf<N>;
}

/** The values of a group, under the names of options; of tables and lists, what the flags say. @throws UsageError */
export function optionsIn<G extends Group>(group: G, settings: Settings): OptionsIn<G> {
  const names = Object.keys(GROUPS[group]) as SettingName[];
  const values = names.map((name) => {
    const isList = settingOf(name).given === 'often';
    return [optionName(name), valueOf(name, isList ? { ...settings, layers: [] } : settings)];
  });
  return Object.fromEntries(values) as OptionsIn<G>;
}

/** A variable of the environment; undefined when it is not set, or empty. */
export function variable(name: string, env: World['env']): Chosen<string | undefined> {
  return { value: env[name] === '' ? undefined : env[name], origin: { from: 'environment', source: name } };
}

function flagOrigin(name: SettingName): Origin {
  return { from: 'flag', source: flagOf(name) };
}

/** Settings that are tables, or lists of names: each entry is decided for itself. */
export type TableName = 'headers' | 'map' | 'set' | 'ignore_columns' | 'response';

type Entry<T extends TableName> = T extends 'ignore_columns'
  ? true
  : NonNullable<ConfigKeys[T]>[keyof NonNullable<ConfigKeys[T]>] | string;

/** The entries of a table by name; headers in lower case, since `X-Key` and `x-key` are one header. @throws UsageError */
export function entriesOf<T extends TableName>(table: T, settings: Settings): Map<string, Chosen<Entry<T>>> {
  const entries = new Map<string, Chosen<Entry<T>>>();
  // A later entry moves to the end: what is set inside an object must come after the object itself.
  const enter = (name: string, entry: unknown, origin: Origin): void => {
    const key = table === 'headers' ? name.toLowerCase() : name;
    entries.delete(key);
    entries.set(key, { value: entry as Entry<T>, origin });
  };
  for (const { keys, origin } of [...settings.layers].reverse()) {
    const written: object = keys[table] ?? {};
    for (const [name, entry] of Array.isArray(written) ? named(written) : Object.entries(written))
      enter(name, entry, origin);
  }
  const given =
    table === 'ignore_columns' ? named(settings.flags.ignoreColumns ?? []) : flagPairs(table, settings.flags);
  for (const [name, entry] of given) enter(name, entry, flagOrigin(table));
  return entries;
}

function named(names: readonly string[]): (readonly [name: string, entry: true])[] {
  return names.map((name) => [name, true]);
}

/** What the flags say of a table, entry by entry. @throws UsageError */
export function flagPairs(
  table: Exclude<TableName, 'ignore_columns'>,
  flags: RunFlags,
): readonly (readonly [name: string, value: string])[] {
  return table === 'response' ? [] : valueOf<'headers' | 'map' | 'set'>(table, { ...NOTHING_SAID, flags });
}

/** The profile's name; null without one. */
export function profileOf({ layers }: Settings): string | null {
  return layers.find(({ origin }) => origin.from === 'profile')?.origin.source ?? null;
}

/** Where relative paths in a setting start from: the config file's folder if set there, else the working directory. */
export function folderOf({ from }: Origin, { configPath }: Settings, world: World): string {
  const isInFile = from === 'profile' || from === 'config file';
  return isInFile && configPath !== null ? dirname(configPath) : world.cwd();
}

/** The name of a setting for messages, which says where the person wrote it. */
export function writtenName(name: SettingName, settings: Settings): string {
  return placeName(name, choose(name, settings).origin);
}

function placeName(name: SettingName, { from, source }: Origin): string {
  if (from === 'flag' || from === 'environment') return source;
  if (from === 'default') return name;
  return from === 'profile' ? `${name} in the profile ${source}` : `${name} in ${source}`;
}
