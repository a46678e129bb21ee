/** The options of a program → the flags of the same call, and the settings that have no flag. */
import { UsageError } from '../errors.js';
import { checkConfig, configPath, loadSettings } from '../config/config-file.js';
import { type ConfigLayer, resolveSetting, type RunFlags, type SettingSources } from '../config/resolve.js';
import { flagOf, GROUPS, optionName, SETTING_NAMES, type SettingName, settingOf } from '../config/settings.js';
import type { Flag, FlagName } from '../follow-up/command-line.js';
import { didYouMean } from '../records/nearest.js';
import type { World } from '../world.js';
import type { Options } from './options-type.js';

/** Settings about files as bytes and tables, and about what a person sees: records of a program have neither. */
export const NOT_FOR_PROGRAMS = [
  'type',
  'format',
  'encoding',
  'delimiter',
  'header_line',
  'sheet',
  'pad_short_rows',
  'decimal',
  'date_format',
  'currency_signs',
  'trim',
  'only',
  'known_values',
  'known_sheets',
  'json',
  'quiet',
  'progress',
  'explain',
  'color',
  'no_color',
  'debug',
] as const satisfies readonly SettingName[];

/** The options by the setting's name, in the order of the table. */
const OPTION_NAMES: ReadonlyMap<SettingName, string> = new Map(
  SETTING_NAMES.filter((name) => !(NOT_FOR_PROGRAMS as readonly string[]).includes(name)).map((name) => [
    name,
    optionName(name),
  ]),
);

/** On the command line, `-` is a stream of the process there. */
const STREAMS: readonly string[] = ['prices', 'logFile'];

/** Not settings: they are the surroundings of a call. */
const SURROUNDINGS: readonly string[] = ['env', 'signal'];

/** Options that no flag sets, because their value is not a text, or must not stand in a command line. */
const WITHOUT_FLAG: readonly SettingName[] = ['token', 'response', 'require_approval'];

/** Whether a run that is resumed has it from the call that began it. */
function isOfFirstCall(name: SettingName): boolean {
  return settingOf(name).ofFirstCall === true || name in GROUPS.input;
}

/**
 * @param resumes options of a call that resumes a run
 * @throws UsageError for an option that does not exist, or whose value has another type
 */
export function optionFlags(options: Options, resumes = false): RunFlags {
  const given = options as Readonly<Record<string, unknown>>;
  const settings = [...OPTION_NAMES.keys()].filter((name) => !resumes || !isOfFirstCall(name));
  const known = [...settings.map((name) => OPTION_NAMES.get(name) ?? ''), ...SURROUNDINGS];
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new UsageError(`there is no option "${name}".${didYouMean(name, known)}`);
  const flags: Record<string, unknown> = {};
  for (const [setting, name] of OPTION_NAMES) {
    const value = given[name];
    if (value !== undefined && !WITHOUT_FLAG.includes(setting)) flags[setting] = typedValue(setting, name, value);
  }
  return flags;
}

/** What the parser of the command line would have made of it. */
function typedValue(setting: SettingName, name: string, value: unknown): unknown {
  switch (settingOf(setting).kind) {
    case 'toggle':
      return requireType(name, typeof value === 'boolean', 'true or false', value);
    case 'number':
      requireType(name, typeof value === 'number', 'a number', value);
      return String(value);
    case 'list':
      return [value].flat().map((each) => optionText(name, each));
    case 'texts':
    case 'values':
      return pairsOf(name, value, '=');
    case 'secrets':
      return pairsOf(name, value, ': ');
    default:
      if (setting === 'key_columns' && Array.isArray(value))
        return value.map((each) => optionText(name, each)).join(',');
      return setting === 'approve' && value === true ? '' : optionText(name, value);
  }
}

/** An amount may be a number: it is exact where its shortest decimal form is. */
function optionText(name: string, value: unknown): string {
  if (name === 'expectTotal' && typeof value === 'number') return String(value);
  requireType(name, typeof value === 'string', 'text', value);
  if (value === '-' && STREAMS.includes(name))
    throw new UsageError(
      `${name} takes the path of a file: the streams of the process belong to the program that calls`,
    );
  return value as string;
}

function pairsOf(name: string, value: unknown, mark: string): string[] {
  requireType(name, typeof value === 'object' && value !== null && !Array.isArray(value), 'an object', value);
  return Object.entries(value as object).map(([key, each]) => {
    if (name !== 'set') return `${key}${mark}${optionText(`${name}.${key}`, each)}`;
    return `${key}${mark}${typeof each === 'string' ? each : JSON.stringify(each)}`;
  });
}

function requireType(name: string, isRight: boolean, expected: string, value: unknown): unknown {
  if (isRight) return value;
  throw new UsageError(`${name} takes ${expected}; found ${JSON.stringify(value)}`);
}

/** The flags of a command that does the same. */
export function commandFlags(flags: RunFlags): Flag[] {
  return Object.entries(flags).flatMap(([setting, value]: [string, unknown]): Flag[] => {
    const name = flagOf(setting as SettingName) as FlagName;
    if (typeof value === 'boolean') return value ? [{ name, value: null }] : [];
    return [value].flat().map((text) => ({ name, value: setting === 'approve' && text === '' ? null : String(text) }));
  });
}

/**
 * The settings of a call: nothing else is read unless the options name it.
 * @throws UsageError also if nothing names the journal's place, and the usual one may not be looked up
 */
export async function optionSettings(options: Options, flags: RunFlags, world: World): Promise<SettingSources> {
  const found = await loadSettings(withConfig(flags, options, world), world);
  const isNamed = (['state_dir', 'journal'] as const).some((name) => resolveSetting(name, found).from !== 'default');
  if (!isNamed && options.env === undefined)
    throw new UsageError(
      'stateDir or journal is required: the journal protects from paying twice, and without env no place for it is looked up',
    );
  const keys: Record<string, unknown> = {};
  if (options.token !== undefined) keys['token'] = options.token;
  if (options.response !== undefined) keys['response'] = options.response;
  if (options.requireApproval !== undefined) keys['require_approval'] = options.requireApproval;
  if (Object.keys(keys).length === 0) return found;
  await checkConfig(keys, 'the call');
  const layer: ConfigLayer = {
    from: 'config file',
    source: 'the options',
    folder: world.cwd(),
    keys,
  };
  return { ...found, layers: [layer, ...found.layers] };
}

/** A profile without a config file is that of the usual place, which only the process's variables show. */
function withConfig(flags: RunFlags, { profile, config, env }: Options, world: World): RunFlags {
  if (profile === undefined || config !== undefined || env !== undefined) return flags;
  const path = configPath({}, { ...world, env: process.env });
  return path === null ? flags : { ...flags, config: path };
}
