/** The config file: `config.json`, checked strictly. CONTRACT: "Settings". */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../exit.js';
import { didYouMean } from '../records/nearest.js';
import type { World } from '../world.js';

/** A secret as text, or where it is to be found. */
export type SecretText = string | { readonly env: string } | { readonly file: string };

/** The keys of a config file, and of each of its profiles. */
export interface ConfigKeys {
  readonly base_url?: string | undefined;
  readonly account?: string | undefined;
  readonly headers?: Readonly<Record<string, SecretText>> | undefined;
  readonly token?: SecretText | undefined;
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly rate?: number | undefined;
  readonly journal?: string | undefined;
  readonly map?: Readonly<Record<string, string>> | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly ignore_columns?: readonly string[] | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  readonly date_format?: 'ymd' | 'dmy' | 'mdy' | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly header_line?: number | undefined;
}

export interface ConfigFile extends ConfigKeys {
  readonly profiles?: Readonly<Record<string, ConfigKeys>> | undefined;
}

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
    if (issue.code !== 'unrecognized_keys') return `${where === '' ? 'the file' : where}: ${issue.message}`;
    return issue.keys
      .map((key) => `unknown key "${where === '' ? key : `${where}.${key}`}".${didYouMean(key, CONFIG_KEYS)}`)
      .join('; ');
  });
  throw new UsageError(`the config file ${path} is not right: ${faults.join('; ')}`);
}
