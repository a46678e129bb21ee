/** The config file: `config.json`, checked strictly. CONTRACT: "Settings". */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import { didYouMean } from '../records/nearest.js';
import type { World } from '../world.js';
import { listed } from './values.js';
import type { ConfigFile } from './config-schema.js';

export interface LoadedConfig {
  /** Null when there is no file. */
  readonly path: string | null;
  readonly config: ConfigFile;
}

/** Where the config file is when none is named. */
export function defaultConfigPath({ env, platform }: World): string | null {
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'gigwork', 'config.json');
  if (platform === 'win32') return env['APPDATA'] ? join(env['APPDATA'], 'gigwork', 'config.json') : null;
  return env['HOME'] ? join(env['HOME'], '.config', 'gigwork', 'config.json') : null;
}

/** Never looks in the working directory: a file that came with the data must not say where it goes. @throws UsageError */
export async function loadConfig(named: string | undefined, world: World): Promise<LoadedConfig> {
  const path = named === undefined ? defaultConfigPath(world) : resolve(world.cwd(), named);
  const text = path === null ? null : readText(path, named !== undefined);
  if (path === null || text === null) return { path: null, config: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    // Neither the words of JSON.parse nor their stack: they repeat the text around the fault, which may be a secret.
    throw new UsageError(`the config file ${path} is no JSON${await faultPlace(text, cause as Error)}`);
  }
  return { path, config: await checkConfig(value, path) };
}

/** Where JSON ends to be JSON, as an editor counts. */
async function faultPlace(text: string, { message }: Error): Promise<string> {
  if (/unexpected end/i.test(message)) return ': it ends too soon; something is not closed';
  const { JsonSyntaxError, parseJson } = await import('../read/json-text.js');
  try {
    parseJson(text);
    return '';
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const lines = text.slice(0, cause.offset).split('\n');
    return `: mend line ${lines.length}, at column ${(lines.at(-1) ?? '').length + 1}`;
  }
}

function readText(path: string, mustBeThere: boolean): string | null {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing && !mustBeThere) return null;
    const reason = missing ? 'there is no such file' : (cause as Error).message;
    throw new UsageError(`cannot read the config file ${path}: ${reason}`, { cause });
  }
}

async function checkConfig(value: unknown, path: string): Promise<ConfigFile> {
  const { configFile, CONFIG_KEYS } = await import('./config-schema.js');
  const parsed = configFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const where = issue.path.join('.');
    if (issue.code === 'invalid_value') return `${where} takes ${listed(issue.values.map(String))}`;
    if (issue.code !== 'unrecognized_keys') return `${where === '' ? 'the file' : where}: ${issue.message}`;
    return issue.keys
      .map((key) => `unknown key "${where === '' ? key : `${where}.${key}`}".${didYouMean(key, CONFIG_KEYS)}`)
      .join('; ');
  });
  throw new UsageError(`the config file ${path} is not right: ${faults.join('; ')}`);
}
