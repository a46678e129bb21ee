/**
 * Where settings come from, and who wins: flag, environment, profile, config file, default. CONTRACT: "Target flags" and
 * "Settings".
 *
 * Some settings have an order of their own, in the file that reads them:
 * - the profile and the config file, which are chosen before there are settings (`settings.ts`, `config-file.ts`)
 * - colour (`color.ts`)
 * - a token beside headers (`headers.ts`)
 * - values set on records, also by the fields' own flags (`input.ts`)
 * - proxies (`proxy.ts`)
 * - the target of a run that goes on: where the settings make one, it must be the run's own (`target.ts`)
 */
import { dirname } from 'node:path';
import type { World } from '../world.js';
import { attributeOf, type ConfigKeys, flagOf, isSwitch, type RunFlags, type ValueOf } from './flags.js';
import { type SettingName, settingOf } from './setting-table.js';
import { oneOf } from './values.js';

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

export const DEFAULT: Origin = { from: 'default', source: null };

/**
 * What is written in the first source that says anything, as it stands there. An empty variable says nothing, unless it is
 * to hold a secret.
 */
export function choose(name: SettingName, settings: Settings): Chosen<unknown> {
  const setting = settingOf(name);
  const fallback = setting.default ?? (isSwitch(setting) ? false : undefined);
  const found = candidates(name, settings).find(({ value: written }) => written !== undefined);
  return found ?? { value: fallback, origin: DEFAULT };
}

function candidates(name: SettingName, { flags, env, layers }: Settings): Chosen<unknown>[] {
  const { flag, env: variableName, key } = settingOf(name);
  const given: Readonly<Record<string, unknown>> = flags;
  const keysOf = (keys: ConfigKeys): unknown => keys[name as keyof ConfigKeys];
  // To pass an empty secret over would send with a credential of another source.
  const variableOf = key === 'secret' ? asItIs : variable;
  return [
    ...(flag === undefined ? [] : [{ value: given[attributeOf(flagOf(name))], origin: flagOrigin(name) }]),
    ...(variableName === undefined ? [] : [variableOf(variableName, env)]),
    ...(key === undefined ? [] : layers.map(({ keys, origin }) => ({ value: keysOf(keys), origin }))),
  ];
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

/** A variable of the environment; undefined when it is not set, or empty. */
export function variable(name: string, env: World['env']): Chosen<string | undefined> {
  const { value: text, origin } = asItIs(name, env);
  return { value: text === '' ? undefined : text, origin };
}

function asItIs(name: string, env: World['env']): Chosen<string | undefined> {
  return { value: env[name], origin: { from: 'environment', source: name } };
}

/** What a person names before there are settings: the config file, or a profile in it. Undefined for nothing. */
export function namedFirst(name: 'config' | 'profile', flags: RunFlags, env: World['env']): string | undefined {
  return valueOf(name, { flags, env, layers: [], configPath: null }) ?? undefined;
}

function flagOrigin(name: SettingName): Origin {
  return { from: 'flag', source: flagOf(name) };
}

/** Settings that are tables: each entry is decided for itself. */
export type TableName = 'headers' | 'map' | 'set';

type EntryOf<T extends TableName> = NonNullable<ConfigKeys[T]>[string] | string;

/** The entries of a table by name; headers in lower case, since `X-Key` and `x-key` are one header. @throws UsageError */
export function entriesOf<T extends TableName>(table: T, settings: Settings): Map<string, Chosen<EntryOf<T>>> {
  const entries = new Map<string, Chosen<EntryOf<T>>>();
  // A later entry moves to the end: what is set inside an object must come after the object itself.
  const enter = (name: string, entry: EntryOf<T>, origin: Origin): void => {
    const key = table === 'headers' ? name.toLowerCase() : name;
    entries.delete(key);
    entries.set(key, { value: entry, origin });
  };
  for (const { keys, origin } of [...settings.layers].reverse())
    for (const [name, entry] of Object.entries(keys[table] ?? {})) enter(name, entry as EntryOf<T>, origin);
  for (const [name, text] of flagPairs(table, settings.flags)) enter(name, text, flagOrigin(table));
  return entries;
}

/** What the flags say of a table, entry by entry. @throws UsageError */
export function flagPairs(table: TableName, flags: RunFlags): readonly (readonly [name: string, value: string])[] {
  return valueOf<TableName>(table, { flags, env: {}, layers: [], configPath: null });
}

/** Columns to drop: those of flags, profile and config file together. */
export function ignoredColumns({ flags, layers }: Settings): Map<string, Origin> {
  const listed = [...layers]
    .reverse()
    .flatMap(({ keys, origin }) => (keys.ignore_columns ?? []).map((name) => [name, origin] as const));
  const flagged = (flags.ignoreColumn ?? []).map((name) => [name, flagOrigin('ignore_columns')] as const);
  return new Map([...listed, ...flagged]);
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
  switch (from) {
    case 'flag':
    case 'environment':
      return source;
    case 'profile':
      return `${name} in the profile ${source}`;
    case 'config file':
      return `${name} in ${source}`;
    case 'default':
      return name;
  }
}
