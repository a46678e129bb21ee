/** Flags of commands: those of settings in groups, as help shows them; those of fields; and their kinds. */
import { Argument, type Command, Option } from 'commander';
import { UsageError } from '../errors.js';
import { type Field, isJsonKind } from '../records/field.js';
import type { Shape } from '../records/kind.js';
import { flagOf } from '../config/setting-table.js';
import { GROUPS, optionName, type SettingName, SETTING_NAMES, settingOf } from '../config/setting-table.js';
import { addHelpAll, addNotes, type ExitCode } from './help.js';

/** Gets the exit code of the command that ran. */
export type Done = (exitCode: number) => void;

/** The options of a command, as the parser hands them over. */
export type Flags = Record<string, unknown>;

/** Gathers a repeatable option. */
export const collect = (value: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), value];

/** An option that takes one of a few words. Resolving the settings checks the word; the list here is for completion. */
export function choice(flags: string, description: string, words: readonly string[] = []): Option {
  const option = new Option(flags, description);
  option.argChoices = [...words];
  return option;
}

/** An option that may be given only once: it decides what is paid, so a second value must not silently win. */
export function single(flags: string, description: string, words: readonly string[] = []): Option {
  const option = choice(flags, description, words);
  return option.argParser((value: string, earlier: string | undefined) => {
    if (earlier !== undefined) throw new UsageError(`${option.long} is given twice; leave one out`);
    return value;
  });
}

/** An argument that takes one of a few words, as `choice` does for an option. */
export function choiceArgument(name: string, words: readonly string[]): Argument {
  const argument = new Argument(name, words.join(', '));
  argument.argChoices = [...words];
  return argument;
}

const HEADINGS: Readonly<Record<keyof typeof GROUPS, string>> = {
  input: 'Input:',
  safety: 'Safety:',
  target: 'Target:',
  faults: 'Sandbox faults:',
  output: 'Output:',
  state: 'Output:',
};

/** Adds the flags of groups, each under its heading. @param without settings whose flag the command does not take so */
export function addGroups(
  command: Command,
  groups: readonly (keyof typeof GROUPS)[],
  without: readonly SettingName[] = [],
): Command {
  for (const group of groups) {
    command.optionsGroup(HEADINGS[group]);
    for (const name of flagsIn(group, without)) addSetting(command, name);
  }
  return command;
}

/** The settings of a group that have a flag, in order. */
export function flagsIn(group: keyof typeof GROUPS, without: readonly SettingName[] = []): SettingName[] {
  const names = Object.keys(GROUPS[group]) as SettingName[];
  return names.filter((name) => flagOf(name) !== '' && !without.includes(name));
}

/** Adds the flag of a setting. @param help what the command says of it, where that is something else */
export function addSetting(command: Command, name: SettingName, help = settingOf(name).help): Command {
  const { flag = '', given, words } = settingOf(name);
  const option = given === 'once' ? single(flag, help, words) : choice(flag, help, words);
  if (given === 'often') option.argParser(collect);
  const color = name === 'no_color' ? 'color' : name;
  option.attributeName = () => optionName(color);
  // As it is typed: without the =, the next word is an input file (StrictCommand).
  if (option.optional) option.flags = option.flags.replace(' [', '[=');
  return command.addOption(option);
}

/** `cost_center_key` → `--cost-center-key`. */
function fieldFlag(field: string): string {
  return `--${field.replaceAll('_', '-')}`;
}

/**
 * The flags of a command that reads records and sends them: below the flags of its own, all groups. Help shows those that
 * people use from month to month.
 * @param own its flags that help shows beside the everyday ones
 */
export function addRunFlags(command: Command, own: readonly string[]): Command {
  const everyday = SETTING_NAMES.filter((name) => settingOf(name).everyday === true).map(flagOf);
  return addHelpAll(addGroups(command, ['input', 'safety', 'target', 'faults', 'output', 'state']), [
    ...everyday,
    ...own,
  ]);
}

/** The flags of fields that a record cannot do without; of two that stand for each other, the first. */
export function neededFlags({ fields, rules }: Shape): string[] {
  const first = new Set(rules.flatMap((rule) => (rule.rule === 'one-of' ? [rule.fields[0]] : [])));
  return fields.filter(({ name, required }) => required || first.has(name)).map(({ name }) => fieldFlag(name));
}

/** A flag for each field of a record type, from its definition. */
export function addFieldFlags(command: Command, fields: readonly Field[]): Command {
  command.optionsGroup('Fields of one record without a file:');
  for (const { name, help, required, kind, choices } of fields) {
    const value = isJsonKind(kind) ? 'json' : kind === 'timestamp' ? 'time' : 'value';
    const option = single(`${fieldFlag(name)} <${value}>`, `${help}${required ? ' (required)' : ''}`, choices);
    option.attributeName = () => name;
    command.addOption(option);
  }
  return command;
}

/** The fields among a command's options, by field name. */
export function fieldsAmong(options: Flags, fields: readonly Field[]): Record<string, string> {
  const given = fields.map(({ name }) => [name, options[name]] as const);
  return Object.fromEntries(given.filter((field): field is [string, string] => typeof field[1] === 'string'));
}

const EXIT_CODES = exitCodes({
  0: 'every record is created, or left out as decided; a dry run found no fault',
  1: 'a fault in gigwork itself, or output that could not be written',
  2: 'usage, configuration or missing confirmation; nothing was sent',
  3: 'refused: invalid input, a missed control total or repeats; nothing sent',
  4: 'done, and some records were rejected, or skipped as invalid',
  5: 'not done; calling again may get further without anybody’s help',
  6: 'not done; a person has to act first, as the summary says',
  130: 'interrupted (143 SIGTERM, 129 SIGHUP)',
});

/** Examples and exit codes below a command's help. */
export function addExamples(command: Command, examples: readonly string[], codes = EXIT_CODES): Command {
  return addNotes(command, { examples, exitCodes: codes });
}

/** Exit codes of commands that send nothing and read no records. @param done what 0 means, @param usage what 2 means */
export function plainExitCodes(done: string, usage = 'usage or configuration'): ExitCode[] {
  return exitCodes({ 0: done, 1: 'a fault in gigwork itself', 2: usage });
}

function exitCodes(meanings: Readonly<Record<number, string>>): ExitCode[] {
  return Object.entries(meanings).map(([code, meaning]) => ({ code, meaning }));
}
