/** A command: a row of the tables in commands.ts and batch-commands.ts; and its flags, most of which are settings. */
import { type Argument, Option } from 'commander';
import type { Setting } from '../config/setting.js';
import { flagOf, GROUPS, type SettingName, SETTING_NAMES, settingOf } from '../config/settings.js';
import type { RunFlags } from '../config/resolve.js';
import { UsageError } from '../errors.js';
import { type Field, type FieldKind, isJsonKind, type Shape } from '../records/fields.js';
import type { RecordType } from '../records/types.js';
import { type CommandLine, fieldFlag } from '../follow-up/command-line.js';
import type { World } from '../world.js';

/** How a command was called. */
export interface Invocation<Flags = RunFlags> {
  /** `payout create` */
  readonly name: string;
  /** The words after the name, without flags. */
  readonly operands: readonly string[];
  readonly flags: Flags;
  readonly commandLine: CommandLine;
  readonly world: World;
}

/** The flags of settings, and those of a single command, by name: texts, and switches. */
export type FlagsWith<Text extends string, Switch extends string = never> = RunFlags & {
  readonly [Name in Text]?: string;
} & { readonly [Name in Switch]?: boolean };

/** What stands below the flags in help. */
export interface HelpSections {
  readonly examples: readonly string[];
  /** If they differ from {@link PLAIN_CODES}. */
  readonly exitCodes?: Readonly<Record<number, string>>;
}

export interface CommandSpec extends HelpSections {
  /** One word, or two: then the first one is the name of a group. */
  readonly name: string;
  readonly operand?: Argument;
  readonly help: string;
  /** Makes them in the order of its help; those with a heading come below those without. */
  flags(): readonly Option[];
  /** The fields of this type are flags, too. They are known only where the command is called: see program.ts. */
  readonly fieldsOf?: RecordType;
  /** The flags that `--help` shows; `--help-all` shows all. */
  readonly everyday?: readonly string[];
  /** It sends, stores or writes something, so lost output matters. */
  readonly changes?: true;
  /** Loads the command's code, and returns the exit code. The parser has checked that required flags exist. */
  run(call: Invocation<never>): Promise<number>;
}

/** Exit codes of the commands that run records. */
export const RUN_CODES: Readonly<Record<number, string>> = {
  0: 'every record is created, or left out as decided; a dry run found no fault',
  1: 'a fault in gigwork itself, or output that could not be written',
  2: 'usage, configuration or missing confirmation; nothing was sent',
  3: 'refused: invalid input, a missed control total or repeats; nothing sent',
  4: 'done, and some records were rejected, or skipped as invalid',
  5: 'not done; calling again may get further without anybody’s help',
  6: 'not done; a person has to act first, as the summary says',
  130: 'interrupted (143 SIGTERM, 129 SIGHUP)',
};

/** Exit codes of the commands that send nothing. */
export const PLAIN_CODES: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'a fault in gigwork itself',
  2: 'usage or configuration',
};

/** Exit codes of the commands on the journal. */
export const JOURNAL_CODES: Readonly<Record<number, string>> = {
  ...PLAIN_CODES,
  2: 'usage, configuration, a journal that cannot be used, or no such run',
  5: 'the journal cannot be reached or used for now',
};

type SettingGroup = keyof typeof GROUPS;

/** The words of a flag are for completion: the code that uses its value checks it. */
function flagOption(flags: string, help: string, words: readonly string[] = [], occurs?: Setting['occurs']): Option {
  const option = new Option(flags, help);
  option.attributeName = () => (option.long ?? '').slice(2).replaceAll('-', '_');
  option.argChoices = [...words];
  if (occurs === 'repeated')
    option.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]);
  // A second value must not silently win.
  if (occurs === 'once')
    option.argParser((value: string, earlier: string | undefined) => {
      if (earlier !== undefined) throw new UsageError(`${option.long} is given twice; leave one out`);
      return value;
    });
  return option;
}

/** A flag of a single command. */
export function commandFlag(flags: string, help: string, words?: readonly string[]): Option {
  return flagOption(flags, help, words, flags.includes('<') ? 'once' : undefined);
}

/** A required flag of a single command. */
export function requiredFlag(flags: string, help: string): Option {
  return commandFlag(flags, help).makeOptionMandatory();
}

/** `--json` of a command that sends nothing. */
export function jsonFlag(help = 'one JSON document on standard output'): Option {
  return commandFlag('--json', help);
}

/** The flag of a setting. @param help the command's description, if it differs from the setting's */
export function settingFlag(name: SettingName, help = settingOf(name).help): Option {
  const { flag, occurs, words } = settingOf(name);
  const option = flagOption(flag ?? '', help, words, occurs);
  option.attributeName = () => (name === 'no_color' ? 'color' : name);
  // As typed: without the =, the next word is an input file (StrictCommand).
  if (option.optional) option.flags = option.flags.replace(' [', '[=');
  return option;
}

/** The settings of a group that have a flag, in order. */
export function flagsIn(group: SettingGroup, without: readonly SettingName[] = []): SettingName[] {
  const names = Object.keys(GROUPS[group]) as SettingName[];
  return names.filter((name) => flagOf(name) !== '' && !without.includes(name));
}

const HEADINGS: Readonly<Record<SettingGroup, string>> = {
  input: 'Input:',
  safety: 'Safety:',
  target: 'Target:',
  faults: 'Sandbox faults:',
  output: 'Output:',
  state: 'Output:',
};

/** The flags of groups, each under its heading. @param without settings whose flag the command replaces or lacks */
export function flagsOfGroups(groups: readonly SettingGroup[], without: readonly SettingName[] = []): Option[] {
  return groups.flatMap((group) => flagsIn(group, without).map((name) => settingFlag(name).helpGroup(HEADINGS[group])));
}

/** The flags of a command that reads records of one type, or of any, and sends them. Only gigs have tasks. */
export function runFlags(type: RecordType | null): readonly Option[] {
  const without: readonly SettingName[] = type === null || type === 'gig' ? [] : ['task_list'];
  const flags = flagsOfGroups(['input', 'safety', 'target', 'faults', 'output', 'state'], without);
  if (type === null) return flags;
  for (const flag of flags) {
    const { gigHelp } = settingOf(flag.attributeName() as SettingName);
    if (type === 'gig' && gigHelp !== undefined) flag.description = gigHelp;
  }
  return hideFlags(
    flags,
    SETTING_NAMES.filter((name) => settingOf(name).types?.includes(type) === false),
  );
}

/** Only runs, setup and `config show` know of colours. */
export const COLORS: readonly SettingName[] = ['color', 'no_color'];

/** The flags, of which help does not show those of these settings: they are accepted, and mean nothing to the command. */
export function hideFlags(flags: readonly Option[], hidden: readonly SettingName[]): readonly Option[] {
  const names = new Set(hidden.map(flagOf));
  for (const flag of flags) if (names.has(flag.long ?? '')) flag.hideHelp();
  return flags;
}

/** The flags that people use from month to month for records of a type. */
export function commonFlags(type: RecordType): string[] {
  const isCommon = ({ common }: Setting): boolean => common === true || common?.includes(type) === true;
  return SETTING_NAMES.filter((name) => isCommon(settingOf(name))).map(flagOf);
}

/** The flags of the fields that a record needs; of two alternatives, the first. */
export function neededFlags({ fields, rules }: Shape): string[] {
  const first = new Set(rules.filter(({ given }) => given === null).map(({ needs }) => needs[0]));
  return fields.filter(({ name, required }) => required || first.has(name)).map(({ name }) => fieldFlag(name));
}

/** A flag for each field of a record type, from its definition. */
export function fieldFlags({ fields }: Shape): Option[] {
  return fields.map(({ name, help, required, kind, choices }) => {
    const meaning = help.replace('UNIX timestamp in seconds', '2027-03-06T08:00Z or UNIX seconds');
    const text = `${meaning}${required ? ' (required)' : ''}`;
    const option = commandFlag(`${fieldFlag(name)} <${valueName(kind)}>`, text, choices);
    return option.helpGroup('Fields of one record without a file:');
  });
}

function valueName(kind: FieldKind): string {
  if (isJsonKind(kind)) return 'json';
  return kind === 'timestamp' ? 'time' : 'value';
}

/** The fields among a command's options, by field name. */
export function fieldsAmong(
  options: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
): Record<string, string> {
  const given = fields.map(({ name }) => [name, options[name]] as const);
  return Object.fromEntries(given.filter((field): field is [string, string] => typeof field[1] === 'string'));
}
