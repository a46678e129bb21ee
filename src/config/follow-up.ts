/** Command lines that are shown: this call, and the command that continues it (place, target and options). */
import { resolve } from 'node:path';
import { UsageError } from '../errors.js';
import { isStream } from '../input/source.js';
import type { Caller } from '../journal/audit-log.js';
import type { Run } from '../journal/payment.js';
import type { FollowUpCommands } from '../options.js';
import { takesJson } from '../records/kinds.js';
import { shellQuote } from '../util/shell-quote.js';
import { version } from '../version.js';
import type { World } from '../world.js';
import { defaultStateDir } from './journal-location.js';
import { absoluteJournal, withoutPassword } from './journal-url.js';
import { REDACTED, type Redactor, createRedactor } from './secrets.js';
import { flagOf, INPUT_SETTINGS, SETTING_NAMES, type SettingName, settingOf } from './settings.js';
import type { Setting } from './setting.js';
import { resolveSetting, type Origin, type SettingSources, settingValue } from './resolve.js';
import { targetNamed } from './target.js';
import { xdgFolder } from './parsers.js';

/** Flags whose value is a name on this machine. */
const NAMES: ReadonlySet<string> = new Set(continuing('location', 'file').map(flagOf));
/** Flags whose value is a path. */
const PATHS = flagsLike(/[<[](?:file|dir)[>\]]$/);
/** Flags that take the next word, unless that is a flag. */
const MAY_TAKE = flagsLike(/ \[/);
/** Flags that take the next word. */
const VALUED = flagsLike(/ </);

/** What names the settings. */
const CONFIG: readonly SettingName[] = ['profile', 'config'];

/** Files that are made from the input as typed. */
const TYPED: readonly SettingName[] = ['rejects', 'results'];

/** The options of a call that its corrected rejects need too: how rows are read, made into records, and sent. */
const CORRECTED: readonly SettingName[] = [
  ...INPUT_SETTINGS.filter((name) => name !== 'format'),
  ...(['type', 'set', 'prices', 'allow_negative', 'allow_total_row', 'key_columns', 'strict', 'headers'] as const),
  ...continuing('as typed').filter((name) => name !== 'skip_created' && name !== 'skip_similar'),
  ...(['ca', 'cert', 'key'] as const),
];

/** A flag, and its value if it takes one. */
type Words = readonly string[];

function continuing(...kinds: readonly Setting['inFollowUp'][]): SettingName[] {
  return SETTING_NAMES.filter((name) => kinds.includes(settingOf(name).inFollowUp));
}

function flagsLike(pattern: RegExp): ReadonlySet<string> {
  return new Set(SETTING_NAMES.filter((name) => pattern.test(settingOf(name).flag ?? '')).map(flagOf));
}

/** A command line, and the words in it that name input files. */
export interface TypedCall {
  /** Words after `gigwork`. */
  readonly argv: readonly string[];
  readonly files: readonly string[];
}

/** @param target its name; null in a dry run without one */
export function followUpCommands(
  typed: TypedCall,
  settings: SettingSources,
  target: string | null,
  redactor: Redactor,
  world: World,
): FollowUpCommands {
  const way = [...flagsForTarget(target, settings, world), ...sendFlags(typed.files, settings)];
  // A command that finds the run already knows its journal.
  const kept = [...wordsOf(CONFIG, ['flag', 'environment'], settings), ...way];
  return {
    program: world.program(),
    resume: redactFlags([...locationFlags(settings, world), ...way.flat()], redactor),
    resumeStored: (run) => resumeCommand(run, settings, world),
    corrected: redactFlags(
      [
        ...locationFlags(settings, world),
        ...flagsForTarget(target, settings, world, true).flat(),
        ...wordsOf(CORRECTED, ['flag'], settings).flat(),
      ],
      redactor,
    ),
    rerun: rerunCommand(typed, settings, redactor, world),
    isRepeatable: isRepeatable(typed, settings),
    files: typed.files.map((file) => absolutePath(file, settings.cwd)),
    inputCall: { folder: settings.cwd, options: kept.map((words) => redactFlags(words, redactor)) },
  };
}

/** This call again, from any folder. */
export function rerunCommand(
  { argv, files }: TypedCall,
  settings: SettingSources,
  redactor: Redactor,
  world: World,
): string[] {
  const inputs = new Set(files);
  const further = [...locationFlags(settings, world), ...flagsForTypedTarget(settings)];
  const words = mapValues(addMissingFlags(argv, further), (value, flag) =>
    inputs.has(value) && !VALUED.has(flag)
      ? absolutePath(value, settings.cwd)
      : absoluteFlagValue(flag, value, settings.cwd),
  );
  return [world.program(), ...redactFlags(words, redactor)];
}

/** Whether the same call has the same input: a stream can be read only once. */
export function isRepeatable({ files }: Pick<TypedCall, 'files'>, settings: SettingSources): boolean {
  const prices = settingValue('prices', settings);
  return ![...files, ...(prices === null ? [] : [prices])].some((file) => isStream(file, settings.cwd));
}

/** The value of a flag, with its full path: the command may be run in another folder. */
function absoluteFlagValue(flag: string, value: string, folder: string): string {
  if (flag === '--journal') return absoluteJournal(value, folder);
  const [, field, path] = (flag === '--set' ? /^([^=]+)=@(.+)$/s : /^()@(.+)$/s).exec(value) ?? [];
  // Any other field takes the text as it is, with its `@`.
  if (path !== undefined && takesJson(field || flag.slice(2).replaceAll('-', '_')))
    return `${value.slice(0, -path.length)}${resolve(folder, path)}`;
  return PATHS.has(flag) ? absolutePath(value, folder) : value;
}

/** `-` is a stream, and an empty value does not name a file. */
function absolutePath(path: string, folder: string): string {
  return path === '-' || path === '' ? path : resolve(folder, path);
}

/**
 * The words of the command that continues a stored run, at its target and with its journal. They repeat the options of
 * the call that read its input. The journal remembers lifetimes of keys with the payments. It does not remember values
 * of headers, which may be secrets: the call asks for them by name.
 */
export function resumeCommand(run: Run, settings: SettingSources, world: World): readonly string[] {
  const { skips, inputCall, name, target } = run;
  const now = redactFlags(
    [...locationFlags(settings, world), ...flagsForTarget(target, settings, world).flat()],
    createRedactor([]),
  );
  const then = inputCall.options.filter(([flag = '']) => !now.includes(flag)).flat();
  // The run asks again about the records that it has left out, because of a flag or an answer.
  const left = [...(skips.skipCreated ? ['--skip-created'] : []), ...(skips.skipSimilar ? ['--skip-similar'] : [])];
  return [world.program(), 'batch', 'resume', name, ...now, ...then, ...left.filter((flag) => !then.includes(flag))];
}

/**
 * The options that a later command needs to find the same settings and the same journal, whatever their source: a
 * variable may not be set where the command is pasted.
 */
export function locationFlags(settings: SettingSources, world: Pick<World, 'platform'>): string[] {
  const names = continuing('location').filter((name) => !CONFIG.includes(name));
  return [
    ...configFlags(settings),
    ...wordsOf(names, ['flag', 'environment'], settings).flat(),
    ...stateDirFlags(settings, world),
  ];
}

/** Those that name the settings. */
export function configFlags(settings: SettingSources): string[] {
  const { env, configPath } = settings;
  const isMoved = resolveSetting('config', settings).from === 'default' && xdgFolder(env['XDG_CONFIG_HOME']) !== null;
  const moved = isMoved && configPath !== null ? ['--config', configPath] : [];
  return [...wordsOf(CONFIG, ['flag', 'environment'], settings).flat(), ...moved];
}

/** The usual place of the journal, if a variable of the system moves it. */
function stateDirFlags(settings: SettingSources, { platform }: Pick<World, 'platform'>): string[] {
  const { env } = settings;
  const isUsual = (['state_dir', 'journal'] as const).every(
    (name) => resolveSetting(name, settings).from === 'default',
  );
  const folder = isUsual && xdgFolder(env['XDG_STATE_HOME']) !== null ? defaultStateDir({ env, platform }) : null;
  return folder === null ? [] : ['--state-dir', folder];
}

/** The options for output and sending; those for reading, rejects and results only if the input can be read again. */
function sendFlags(files: readonly string[], settings: SettingSources): Words[] {
  const isTyped = files.length > 0 && !files.some((file) => isStream(file, settings.cwd));
  const names = continuing('file', 'as typed').filter((name) => isTyped || !TYPED.includes(name));
  const isReadAgain = names.some((name) => TYPED.includes(name) && resolveSetting(name, settings).from === 'flag');
  return wordsOf([...(isReadAgain ? INPUT_SETTINGS : []), ...names], ['flag'], settings);
}

/** The flags of these settings whose values come from these sources. */
function wordsOf(names: readonly SettingName[], sources: readonly Origin['from'][], settings: SettingSources): Words[] {
  return names.flatMap((name) => {
    const { value, from, folder } = resolveSetting(name, settings);
    if (!sources.includes(from) || value === '') return [];
    const flag = flagOf(name);
    if (settingOf(name).kind === 'toggle') return [[flag]];
    return [value].flat().map((text) => [flag, withoutPassword(absoluteFlagValue(flag, String(text), folder))]);
  });
}

/**
 * The flags that name the run's target, if the later settings would name another one: a run continues only at its
 * target. Variables may or may not be set there.
 * @param isNew it begins a run, which has no target yet
 */
function flagsForTarget(target: string | null, settings: SettingSources, world: World, isNew = false): Words[] {
  if (target === null) return [];
  if (target === 'sandbox') return [['--sandbox']];
  const [address = '', account] = target.split('#');
  const { base_url: _url, account: _account, ...flags } = settings.flags;
  const others = [world.env, {}].map((env) => nameOf({ ...settings, flags, env }, address));
  if (others.every((name) => (name === null && !isNew) || name === target)) return [];
  return [['--base-url', address], ...(account === undefined ? [] : [['--account', account]])];
}

/** The same for a call that is repeated, where a variable names its target: it has the flags that were typed. */
function flagsForTypedTarget(settings: SettingSources): string[] {
  const target = nameOf(settings, '') ?? '';
  const [address = '', account] = target.split('#');
  if (address === '' || nameOf({ ...settings, env: {} }, '') === target) return [];
  return ['--base-url', address, ...(account === undefined ? [] : ['--account', account])];
}

/** Unusable settings count as another target. */
function nameOf(settings: SettingSources, stored: string): string | null {
  try {
    return targetNamed(settings, stored);
  } catch (cause) {
    if (cause instanceof UsageError) return '';
    throw cause;
  }
}

/**
 * The call, with flags for its settings from variables, which may not be set where it is pasted.
 * @param further each flag with its value
 */
function addMissingFlags(argv: readonly string[], further: readonly string[]): string[] {
  const given = new Set(argv.map((word) => word.split('=', 1)[0]));
  const missing = further.filter((_word, i) => !given.has(further[i - (i % 2)]));
  // Only file names follow `--`.
  const end = argv.indexOf('--');
  return end === -1 ? [...argv, ...missing] : [...argv.slice(0, end), ...missing, ...argv.slice(end)];
}

/**
 * A command line that may be seen. Names of files, folders and profiles stay as they are: with a hidden part, they
 * would name something else. A shared journal loses only its password. A header has no value: run like this, the
 * command names the header that it needs, and sends nothing.
 */
function redactFlags(words: readonly string[], redactor: Redactor): string[] {
  return mapValues(words, (value, flag) => {
    if (flag === '--header') return redactor.redact(value.replace(/:.*$/s, ':'));
    return NAMES.has(flag) ? withoutPassword(value) : redactor.redact(value);
  });
}

/** The words of a call without values of headers, each of which may be a secret, and without values of these fields. */
function redactArgv(argv: readonly string[], fields: readonly string[] = []): string[] {
  const hidden = new Set(fields.map((field) => `--${field.replaceAll('_', '-')}`));
  return mapValues(argv, (value, flag) => {
    if (flag !== '--header') return hidden.has(flag) ? REDACTED : value;
    const [name, ...rest] = value.split(':');
    return rest.length === 0 ? REDACTED : `${name}: ${REDACTED}`;
  });
}

/** Changes words by the flag whose value each may be: the one before it, or the one before its `=`. */
function mapValues(words: readonly string[], change: (value: string, flag: string) => string): string[] {
  return words.map((word, i) => {
    const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (flag !== undefined && value !== undefined) return `${flag}=${change(value, flag)}`;
    const before = words[i - 1] ?? '';
    return change(word, MAY_TAKE.has(before) && word.startsWith('-') ? '' : before);
  });
}

/**
 * The person who calls the program, and how, for the journal's log of changes.
 * @param argv words after `gigwork`
 * @param fields names of the record's fields that are typed as flags. Their values are left out, because they are
 *   personal data: the journal keeps them with the record, and pruning could not remove them from the log
 */
export function callerFrom(
  argv: readonly string[],
  redactor: Redactor,
  world: World,
  fields: readonly string[] = [],
): Caller {
  const words = redactArgv(argv, fields).map((word) => redactor.redact(word));
  const commandLine = ['gigwork', ...words.map((word) => shellQuote(word, world.platform))].join(' ');
  return { by: world.person(), version: version(), commandLine };
}
