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
import type { ConfigKeys } from './config-schema.js';
import type { InputFlags, OutputFlags, TargetFlags } from './flags.js';
import { headerPair, pair } from './values.js';

export type SettingFlags = InputFlags & TargetFlags & OutputFlags;

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
  readonly flags: SettingFlags;
  readonly env: World['env'];
  /** The profile, if one is asked for, then the config file, if there is one. */
  readonly layers: readonly Layer[];
  /** Null when there is no file. */
  readonly configPath: string | null;
}

interface Definition {
  readonly flag?: keyof SettingFlags;
  readonly env?: string;
  readonly key?: keyof ConfigKeys;
  readonly fallback?: string | number | boolean;
  /** An empty variable counts as set, and is refused: to pass it over would send with a credential of another source. */
  readonly secret?: true;
}

/** Settings of one value, in the order in which they are shown. */
export const SETTINGS = {
  base_url: { flag: 'baseUrl', env: 'GIGWORK_BASE_URL', key: 'base_url' },
  account: { flag: 'account', key: 'account' },
  token: { env: 'GIGWORK_TOKEN', key: 'token', secret: true },
  allow_http: { flag: 'allowHttp', fallback: false },
  ca: { flag: 'ca', key: 'ca' },
  cert: { flag: 'cert', key: 'cert' },
  key: { flag: 'key', key: 'key' },
  timeout: { flag: 'timeout', key: 'timeout', fallback: 30 },
  retries: { flag: 'retries', key: 'retries', fallback: 5 },
  concurrency: { flag: 'concurrency', key: 'concurrency', fallback: 8 },
  rate: { flag: 'rate', key: 'rate' },
  state_dir: { flag: 'stateDir', env: 'GIGWORK_STATE_DIR' },
  journal: { flag: 'journal', env: 'GIGWORK_JOURNAL', key: 'journal' },
  require_journal: { flag: 'requireJournal', key: 'require_journal', fallback: false },
  require_approval: { key: 'require_approval', fallback: false },
  encoding: { flag: 'encoding', key: 'encoding' },
  delimiter: { flag: 'delimiter', key: 'delimiter' },
  decimal: { flag: 'decimal', key: 'decimal' },
  date_format: { flag: 'dateFormat', key: 'date_format', fallback: 'ymd' },
  currency_signs: { flag: 'currencySigns', key: 'currency_signs', fallback: false },
  negate: { flag: 'negate', key: 'negate', fallback: false },
  header_line: { flag: 'headerLine', key: 'header_line' },
  sheet: { flag: 'sheet', key: 'sheet' },
  ignore_other_columns: { flag: 'ignoreOtherColumns', key: 'ignore_other_columns', fallback: false },
  debug: { flag: 'debug', env: 'GIGWORK_DEBUG', fallback: false },
} as const satisfies Readonly<Record<string, Definition>>;

export type SettingName = keyof typeof SETTINGS;

type FromKey<D> = D extends { readonly key: infer K extends keyof ConfigKeys } ? NonNullable<ConfigKeys[K]> : never;
type FromFlag<D> = D extends { readonly flag: infer F extends keyof SettingFlags }
  ? NonNullable<SettingFlags[F]>
  : never;
type FromEnv<D> = D extends { readonly env: string } ? string : never;
type Fallback<D> = D extends { readonly fallback: infer F } ? F : undefined;
type ValueOf<N extends SettingName> =
  | FromKey<(typeof SETTINGS)[N]>
  | FromFlag<(typeof SETTINGS)[N]>
  | FromEnv<(typeof SETTINGS)[N]>
  | Fallback<(typeof SETTINGS)[N]>;

export const DEFAULT: Origin = { from: 'default', source: null };

/** The first source that sets a value wins. An empty variable sets nothing, unless it is to hold a secret. */
export function choose<N extends SettingName>(name: N, settings: Settings): Chosen<ValueOf<N>> {
  return candidates(SETTINGS[name], settings)[0] as Chosen<ValueOf<N>>;
}

function candidates({ flag, env, key, fallback, secret }: Definition, settings: Settings): Chosen<unknown>[] {
  const all: Chosen<unknown>[] = [
    ...(flag === undefined ? [] : [{ value: settings.flags[flag], origin: flagOrigin(flag) }]),
    ...(env === undefined ? [] : [secret ? asItIs(env, settings.env) : variable(env, settings.env)]),
    ...(key === undefined ? [] : settings.layers.map(({ keys, origin }) => ({ value: keys[key], origin }))),
  ];
  return [...all.filter(({ value }) => value !== undefined), { value: fallback, origin: DEFAULT }];
}

/** A variable of the environment; undefined when it is not set, or empty. */
export function variable(name: string, env: World['env']): Chosen<string | undefined> {
  const { value, origin } = asItIs(name, env);
  return { value: value === '' ? undefined : value, origin };
}

function asItIs(name: string, env: World['env']): Chosen<string | undefined> {
  return { value: env[name], origin: { from: 'environment', source: name } };
}

/** The config file that a person names; undefined for the one at the usual place. */
export function configNamed({ config }: Pick<SettingFlags, 'config'>, env: World['env']): string | undefined {
  return config ?? variable('GIGWORK_CONFIG', env).value;
}

function flagOrigin(flag: keyof SettingFlags): Origin {
  return { from: 'flag', source: `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}` };
}

/** Settings that are tables: each entry is decided for itself. */
export type TableName = 'headers' | 'map' | 'set';

/** The entries of a table by name; headers in lower case, since `X-Key` and `x-key` are one header. @throws UsageError */
export function entriesOf<T extends TableName>(
  table: T,
  settings: Settings,
): Map<string, Chosen<NonNullable<ConfigKeys[T]>[string] | string>> {
  const entries = new Map<string, Chosen<NonNullable<ConfigKeys[T]>[string] | string>>();
  // A later entry moves to the end: what is set inside an object must come after the object itself.
  const enter = (name: string, value: NonNullable<ConfigKeys[T]>[string] | string, origin: Origin): void => {
    const key = table === 'headers' ? name.toLowerCase() : name;
    entries.delete(key);
    entries.set(key, { value, origin });
  };
  for (const { keys, origin } of [...settings.layers].reverse()) {
    for (const [name, value] of Object.entries(keys[table] ?? {})) {
      enter(name, value as NonNullable<ConfigKeys[T]>[string], origin);
    }
  }
  const { flag, cut } = TABLE_FLAGS[table];
  for (const text of settings.flags[flag] ?? []) {
    const [name, value] = cut(text);
    enter(name, value, flagOrigin(flag));
  }
  return entries;
}

const TABLE_FLAGS = {
  headers: { flag: 'header', cut: headerPair },
  map: { flag: 'map', cut: (text: string) => pair('--map', text, 'last') },
  set: { flag: 'set', cut: (text: string) => pair('--set', text) },
} as const;

/** Columns to drop: those of flags, profile and config file together. */
export function ignoredColumns({ flags, layers }: Settings): Map<string, Origin> {
  const listed = [...layers]
    .reverse()
    .flatMap(({ keys, origin }) => (keys.ignore_columns ?? []).map((name) => [name, origin] as const));
  const flagged = (flags.ignoreColumn ?? []).map((name) => [name, flagOrigin('ignoreColumn')] as const);
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

/** The name of a setting for messages, which says where the person wrote it; and its value. */
export function named<N extends SettingName>(name: N, settings: Settings): [string, ValueOf<N>] {
  const { value, origin } = choose(name, settings);
  return [writtenName(name, origin), value];
}

function writtenName(name: SettingName, { from, source }: Origin): string {
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
