/** The config file: `config.json`, checked strictly. CONTRACT: "Settings". */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../errors.js';
import type { IssueCode } from '../records/issue.js';
import { didYouMean } from '../records/nearest.js';
import { reasonOf } from '../input/source.js';
import type { World } from '../world.js';
import { NoUtf8, textOf } from './named-file.js';
import { listed, xdgFolder } from './values.js';
import type { ConfigFile } from './flags.js';

export interface LoadedConfig {
  /** Null when there is no file. */
  readonly path: string | null;
  readonly config: ConfigFile;
}

/** Where the config file is when none is named. */
export function defaultConfigPath({ env, platform }: World): string | null {
  const config = xdgFolder(env['XDG_CONFIG_HOME']);
  if (config !== null) return join(config, 'gigwork', 'config.json');
  if (platform === 'win32') return env['APPDATA'] ? join(env['APPDATA'], 'gigwork', 'config.json') : null;
  return env['HOME'] ? join(env['HOME'], '.config', 'gigwork', 'config.json') : null;
}

/**
 * Never looks in the working directory: a file that came with the data must not say where data is sent.
 * @throws UsageError
 */
export async function loadConfig(named: string | undefined, world: World): Promise<LoadedConfig> {
  const path = named === undefined ? defaultConfigPath(world) : resolve(world.cwd(), named);
  const config = path === null ? null : await configAt(path, named !== undefined);
  return config === null ? { path: null, config: {} } : { path, config };
}

/** The config file at a path, or null where there need not be one and is none. @throws UsageError */
export async function configAt(path: string, mustBeThere: boolean): Promise<ConfigFile | null> {
  const text = readText(path, mustBeThere);
  return text === null ? null : checkConfig(await parseConfig(text, path), path);
}

/**
 * As strict as the reading of a record, since settings are sent. No message repeats the text, which may be a secret.
 * @throws UsageError with line and column, as an editor counts them
 */
async function parseConfig(text: string, path: string): Promise<unknown> {
  const { JsonSyntaxError, parseJson } = await import('../input/json-text.js');
  try {
    const { value, findings } = parseJson(text);
    if (findings.length === 0) return value;
    const faults = findings.map(({ code, field }) => `${field ?? 'the file'} ${FAULTS[code] ?? code}`);
    throw new UsageError(`the config file ${path} is not right: ${faults.join('; ')}`);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    if (cause.offset >= text.trimEnd().length)
      throw new UsageError(
        `the config file ${path} is not valid JSON: it ends too soon; a bracket or a quote is not closed`,
      );
    const lines = text.slice(0, cause.offset).split('\n');
    const place = `correct line ${lines.length}, at column ${(lines.at(-1) ?? '').length + 1}`;
    throw new UsageError(`the config file ${path} is not valid JSON: ${place}`);
  }
}

/** Messages for findings in JSON that can be parsed. Unlike a record's messages, they do not show the value. */
const FAULTS: Readonly<Partial<Record<IssueCode, string>>> = {
  'duplicate-field': 'is given twice in one object',
  'inexact-number': 'is a number that cannot be sent exactly; an ID or a token is text, in quotes',
  'bad-encoding': 'holds half of a character (a lone surrogate), which no encoding can carry',
};

function readText(path: string, mustBeThere: boolean): string | null {
  try {
    return textOf(readFileSync(path));
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    if (missing && !mustBeThere) return null;
    const reason = missing ? 'there is no such file' : cause instanceof NoUtf8 ? cause.message : reasonOf(cause);
    throw new UsageError(`cannot read the config file ${path}: ${reason}`, { cause });
  }
}

async function checkConfig(value: unknown, path: string): Promise<ConfigFile> {
  const { configFile, CONFIG_KEYS, RESPONSE_KEYS } = await import('./config-schema.js');
  const parsed = configFile.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => {
    const where = issue.path.join('.');
    if (issue.code === 'invalid_value') return `${where} takes ${listed(issue.values.map(String))}`;
    if (issue.code !== 'unrecognized_keys') return `${where === '' ? 'the file' : where} ${issue.message}`;
    // The first two steps into a profile are `profiles` and its name, which may be that of a setting.
    const [setting] = issue.path[0] === 'profiles' ? issue.path.slice(2) : issue.path;
    const known = setting === 'response' ? RESPONSE_KEYS : CONFIG_KEYS;
    return issue.keys
      .map((key) => `unknown key "${where === '' ? key : `${where}.${key}`}".${didYouMean(key, known)}`)
      .join('; ');
  });
  throw new UsageError(`the config file ${path} is not right: ${[...new Set(faults)].join('; ')}`);
}
