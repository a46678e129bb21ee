/** The files that settings are read from: no output may be written over one. */
import { dirname, resolve } from 'node:path';
import type { World } from '../world.js';
import type { ConfigKeys } from './flags.js';
import type { SecretText } from './setting.js';
import type { Settings } from './sources.js';

/**
 * The config file, certificates, files of secrets, an approval, and files named with `@`, even those that this run does
 * not need.
 * @param fields the record's fields given as flags
 */
export function settingsFiles(
  { flags, layers, configPath }: Settings,
  fields: Readonly<Record<string, string>>,
  world: World,
): string[] {
  const named = [flags.ca, flags.cert, flags.key, flags.approval].filter((path) => path !== undefined);
  const values = [...(flags.set ?? []).map((text) => text.slice(text.indexOf('=') + 1)), ...Object.values(fields)];
  const here = [...named, ...atFiles(values)].map((path) => resolve(world.cwd(), path));
  if (configPath === null) return here;
  const there = layers.flatMap(({ keys }) => [
    ...[keys.ca, keys.cert, keys.key].filter((path) => path !== undefined),
    ...secretFiles(keys),
    ...atFiles(Object.values(keys.set ?? {})),
  ]);
  return [configPath, ...here, ...there.map((path) => resolve(dirname(configPath), path))];
}

function atFiles(values: readonly unknown[]): string[] {
  return values.flatMap((value) => (typeof value === 'string' && value.startsWith('@') ? [value.slice(1)] : []));
}

function secretFiles({ token, headers }: ConfigKeys): string[] {
  const secrets: (SecretText | undefined)[] = [token, ...Object.values(headers ?? {})];
  return secrets.flatMap((secret) => (typeof secret === 'object' && 'file' in secret ? [secret.file] : []));
}
