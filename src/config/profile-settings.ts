/** Settings for setting a file up: the config file without any profile, and later with the profile that was found. */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { RunOptions } from '../options.js';
import type { World } from '../world.js';
import { configAt, defaultConfigPath } from './config-file.js';
import type { ConfigFile, ConfigKeys, KeyName, RunFlags } from './flags.js';
import { GROUPS } from './setting-table.js';
import { runOptions } from './settings.js';
import { namedFirst, type Settings } from './sources.js';

/** What a profile says of how a file is read: the keys of the settings of input. */
export type Profile = Pick<ConfigKeys, KeyName & keyof typeof GROUPS.input>;

/** What a profile, or the config file itself, says of how files are read. */
export function readingKeys(keys: ConfigKeys): Profile {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => Object.hasOwn(GROUPS.input, key)));
}

export interface ConfigPlace {
  /** Where the config file is, or will be. */
  readonly path: string;
  /** Empty where there is no file yet. */
  readonly config: ConfigFile;
}

/** @throws UsageError where there is no place for a config file, or it cannot be read: a broken one is never written over */
export async function configPlace(flags: RunFlags, world: World): Promise<ConfigPlace> {
  const named = namedFirst('config', flags, world.env);
  const path = named === undefined ? defaultConfigPath(world) : resolve(world.cwd(), named);
  if (path === null)
    throw new UsageError('there is no home folder to keep the config file in; name the file with --config');
  return { path, config: (await configAt(path, false)) ?? {} };
}

/** Flags over what the config file says for all files; no profile counts. */
export function settingsBelow(flags: RunFlags, { path, config }: ConfigPlace): Settings {
  const { profiles: _profiles, ...base } = config;
  const layer = { origin: { from: 'config file', source: path }, keys: readingKeys(base) } as const;
  return { flags, env: {}, layers: [layer], configPath: path };
}

export interface RehearsedCall {
  readonly command: string;
  readonly type: NonNullable<RunOptions['input']['type']>;
  readonly file: string;
  /** Flags that no profile can hold. */
  readonly flags: RunFlags;
}

/** A dry run of the file under the profile, without target and journal. @throws UsageError */
export async function rehearsal(
  { command, type, file, flags }: RehearsedCall,
  name: string,
  profile: Profile,
  place: ConfigPlace,
  world: World,
): Promise<RunOptions> {
  const below = settingsBelow({ ...flags, dryRun: true, progress: false }, place);
  const layer = { origin: { from: 'profile', source: name }, keys: profile } as const;
  const settings = { ...below, layers: [layer, ...below.layers] };
  const options = await runOptions({ command, argv: [], type, files: [file], fields: {} }, settings, world);
  return {
    ...options,
    target: null,
    journal: { ...options.journal, place: { kind: 'file', folder: null }, required: false },
  };
}
