/** Profiles that setup makes: it tries them out first, then writes them into the config file. */
import { applyEdits, type Edit, modify } from 'jsonc-parser';
import { UsageError } from '../errors.js';
import type { World } from '../world.js';
import { configAt, type ConfigFile, configPath, layerOf } from './config-file.js';
import { GROUPS } from './settings.js';
import type { ConfigKeys, RunFlags, SettingSources } from './resolve.js';

/** How a profile reads a file: the input settings among its keys. */
export type Profile = ConfigKeys;

/** The input settings of a profile, or of the config file itself. */
export function readingKeys(keys: ConfigKeys): Profile {
  return Object.fromEntries(Object.entries(keys).filter(([key]) => Object.hasOwn(GROUPS.input, key)));
}

export interface ConfigPlace {
  /** The path of the config file, whether it exists or not. */
  readonly path: string;
  /** Empty if there is no file yet. */
  readonly config: ConfigFile;
}

/** @throws UsageError without a place for a config file, or if it cannot be read: a broken one is never written over */
export async function configPlace(flags: RunFlags, world: World): Promise<ConfigPlace> {
  const path = configPath(flags, world);
  if (path === null)
    throw new UsageError('there is no home folder to keep the config file in; name the file with --config');
  return { path, config: (await configAt(path, false)) ?? {} };
}

/** Flags and the config file's settings for all files; no profile counts. */
export function settingsWithoutProfile(flags: RunFlags, { path, config }: ConfigPlace, world: World): SettingSources {
  // A profile says which columns are fields; with a template, none is.
  const { template: _template, ...keys } = readingKeys(config);
  const layers = [layerOf('config file', path, keys, path)];
  return { flags, env: {}, cwd: world.cwd(), layers, configPath: path };
}

/**
 * The text with the profile in it: it replaces the one of this name, or comes after the others. Everything else keeps
 * its bytes.
 * @param text a valid config file; null if there is none yet
 */
export function withProfile(text: string | null, name: string, profile: ConfigKeys): string {
  if (text === null) return `${JSON.stringify({ profiles: { [name]: profile } }, null, 2)}\n`;
  // Without layout options, this only inserts the text: its layout would change the neighbours too.
  return applyEdits(
    text,
    modify(text, ['profiles', name], profile, {}).map((edit) => ({ ...edit, content: laidOut(edit, text) })),
  );
}

/** The inserted text, in lines that are formatted like those around it. */
function laidOut({ offset, content }: Edit, text: string): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const [indent = ''] = /^[\t ]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)) ?? [];
  const step = indent.includes('\t') ? '\t' : '  ';
  if (content.startsWith('{')) return memberLines(JSON.parse(content), step).join(lineEnd + indent);
  const [comma = ''] = /^,?/.exec(content) ?? [];
  const members = memberLines(JSON.parse(`{${content.slice(comma.length)}}`), step).slice(1, -1);
  // After another member, it gets that one's indent. If there is none, or all are on one line, it is one step deeper.
  const own = comma === '' || indent === '' ? indent : indent.slice(step.length);
  const added = members.map((line) => lineEnd + own + line).join('');
  return comma + added + (comma === '' ? lineEnd + indent : '');
}

function memberLines(value: unknown, step: string): string[] {
  return JSON.stringify(value, null, step).split('\n');
}
