/** A command line as data: taken apart once, changed by its flags, and put together where it is shown. */
import { resolve } from 'node:path';
import { absoluteJournal, withoutPassword } from '../config/journal-url.js';
import { REDACTED, type Redactor } from '../config/secrets.js';
import { flagOf, SETTING_NAMES, settingOf } from '../config/settings.js';
import type { Caller } from '../journal/audit-log.js';
import { takesJson } from '../records/types.js';
import { shellCommand } from '../util/shell-quote.js';
import { version } from '../version.js';
import type { World } from '../world.js';

export type FlagName = `--${string}`;

export interface Flag {
  readonly name: FlagName;
  /** Null for a switch. */
  readonly value: string | null;
}

/** A flag as typed, or any other word. */
type CommandWord =
  | { readonly kind: 'flag'; readonly flag: Flag; /** With `=` before its value. */ readonly isJoined: boolean }
  | {
      readonly kind: 'operand';
      readonly text: string;
      readonly isFile: boolean;
      /** A person must replace it: the records came from a program, and no command reads them again. */
      readonly isPlaceholder?: true;
    };

export interface CommandLine {
  /** The first word: `gigwork`, or the program's path. */
  readonly program: string;
  /** `payout create` */
  readonly command: string;
  readonly words: readonly CommandWord[];
  /** The files after `--`, whose names may look like flags; null without it. */
  readonly rest: readonly string[] | null;
}

/** `cost_center_key` → `--cost-center-key`. */
export function fieldFlag(field: string): FlagName {
  return `--${field.replaceAll('_', '-')}`;
}

function flagsLike(pattern: RegExp): string[] {
  return SETTING_NAMES.filter((name) => pattern.test(settingOf(name).flag ?? '')).map(flagOf);
}

/** Flags whose value is a path. */
const PATHS: ReadonlySet<string> = new Set(flagsLike(/[<[](?:file|dir)[>\]]$/));
/** Flags with an optional value, which stands after `=`. */
const WITH_OPTIONAL_VALUE: ReadonlySet<string> = new Set(flagsLike(/\]$/));
/** What the parser has found out about a command line. */
export interface ParsedWords {
  readonly program: string;
  readonly command: string;
  /** The words that name input files. */
  readonly files: readonly string[];
  /** The flags that take the next word. One with an optional value has it after `=`. */
  readonly valued: ReadonlySet<string>;
}

/**
 * Takes a command line apart that the parser has accepted.
 * @param argv words after the program, which begin with the command
 */
export function parseCommandLine(argv: readonly string[], parsed: ParsedWords): CommandLine {
  const { program, command, files, valued } = parsed;
  const end = argv.indexOf('--');
  const typed = argv.slice(command.split(' ').length, end === -1 ? argv.length : end);
  const words: CommandWord[] = [];
  for (let i = 0; i < typed.length; i++) {
    const text = typed[i] ?? '';
    const [, joined, after] = /^(--[^=]+)=(.*)$/s.exec(text) ?? [];
    if (joined !== undefined && after !== undefined)
      words.push({ kind: 'flag', flag: { name: joined as FlagName, value: after }, isJoined: true });
    else if (valued.has(text) && i + 1 < typed.length)
      words.push({ kind: 'flag', flag: { name: text as FlagName, value: typed[++i] ?? '' }, isJoined: false });
    else if (text.startsWith('--'))
      words.push({ kind: 'flag', flag: { name: text as FlagName, value: null }, isJoined: false });
    else words.push({ kind: 'operand', text, isFile: files.includes(text) });
  }
  return { program, command, words, rest: end === -1 ? null : argv.slice(end + 1) };
}

/** A command with these flags. @param operands words before them, such as the name of a run */
export function newCommandLine(
  program: string,
  command: string,
  operands: readonly string[],
  flags: readonly Flag[],
): CommandLine {
  const words = operands.map((text): CommandWord => ({ kind: 'operand', text, isFile: false }));
  return withFlags({ program, command, words, rest: null }, flags);
}

/** What a call of the library is as a command: its records would stand in a file. */
export function recordsCommandLine(program: string, command: string, flags: readonly Flag[]): CommandLine {
  const line = newCommandLine(program, command, [], flags);
  return { ...line, words: [{ kind: 'operand', text: 'RECORDS', isFile: true, isPlaceholder: true }, ...line.words] };
}

/** The words that a person must replace. */
export function placeholdersIn({ words }: CommandLine): readonly string[] {
  const found: string[] = [];
  for (const word of words) if (word.kind === 'operand' && word.isPlaceholder === true) found.push(word.text);
  return found;
}

/** With these flags behind all others; a switch that is there already is not repeated. */
export function withFlags(line: CommandLine, flags: readonly Flag[]): CommandLine {
  const added = flags
    .filter(({ name, value }) => value !== null || !hasFlag(line, name))
    .map((flag): CommandWord => {
      const isJoined = flag.value !== null && WITH_OPTIONAL_VALUE.has(flag.name);
      return { kind: 'flag', flag, isJoined };
    });
  return { ...line, words: [...line.words, ...added] };
}

export function withoutFlags(line: CommandLine, names: readonly string[]): CommandLine {
  return { ...line, words: line.words.filter((word) => word.kind !== 'flag' || !names.includes(word.flag.name)) };
}

/** With other input files in the place of its own. It has some. */
export function withFiles(line: CommandLine, files: readonly string[]): CommandLine {
  const first = line.words.findIndex((word) => word.kind === 'operand' && word.isFile);
  const others = files.map((text): CommandWord => ({ kind: 'operand', text, isFile: true }));
  const words = line.words.flatMap((word, i): readonly CommandWord[] => {
    if (i === first) return others;
    return word.kind === 'operand' && word.isFile ? [] : [word];
  });
  if (line.rest === null) return { ...line, words };
  return { ...line, words, rest: first === -1 && line.rest.length > 0 ? files : [] };
}

export function hasFlag({ words }: CommandLine, name: FlagName): boolean {
  return words.some((word) => word.kind === 'flag' && word.flag.name === name);
}

/** From any folder: files have their full paths. @param folder from which relative paths start */
export function absolute(line: CommandLine, folder: string): CommandLine {
  const changed = changeWords(
    line,
    (flag) => absoluteFlag(flag, folder),
    (text, isFile) => (isFile ? absolutePath(text, folder) : text),
  );
  return { ...changed, rest: line.rest?.map((file) => absolutePath(file, folder)) ?? null };
}

/** The value of a flag with its full path: the command may be run in another folder. */
export function absoluteFlag({ name, value }: Flag, folder: string): Flag {
  if (value === null) return { name, value };
  if (name === '--journal') return { name, value: absoluteJournal(value, folder) };
  const [, field, path] = (name === '--set' ? /^([^=]+)=@(.+)$/s : /^()@(.+)$/s).exec(value) ?? [];
  // Any other field takes the text as it is, with its `@`.
  if (path !== undefined && takesJson(field || name.slice(2).replaceAll('-', '_')))
    return { name, value: `${value.slice(0, -path.length)}${resolve(folder, path)}` };
  return { name, value: PATHS.has(name) ? absolutePath(value, folder) : value };
}

/** `-` is a stream, and an empty value does not name a file. */
function absolutePath(path: string, folder: string): string {
  return path === '-' || path === '' ? path : resolve(folder, path);
}

/** Flags whose value is a name on this machine: with a hidden part, it would be another one. */
const NAMES_ON_THIS_MACHINE: ReadonlySet<string> = new Set(
  SETTING_NAMES.filter((name) => ['location', 'file'].includes(settingOf(name).inFollowUp ?? '')).map(flagOf),
);

/** A command line that may be seen. */
export function redacted(line: CommandLine, redactor: Redactor): CommandLine {
  const changed = changeWords(
    line,
    (flag) => redactedFlag(flag, redactor),
    (text) => redactor.redact(text),
  );
  return { ...changed, rest: line.rest?.map((text) => redactor.redact(text)) ?? null };
}

/**
 * A flag that may be seen. A shared journal loses only its password. A header has no value: run like this, the command
 * names the header that it needs, and sends nothing.
 */
export function redactedFlag({ name, value }: Flag, redactor: Redactor): Flag {
  if (value === null) return { name, value };
  if (name === '--header') return { name, value: redactor.redact(value.replace(/:.*$/s, ':')) };
  return { name, value: NAMES_ON_THIS_MACHINE.has(name) ? withoutPassword(value) : redactor.redact(value) };
}

/** Changes each flag, and each other word before `--`. */
export function changeWords(
  line: CommandLine,
  changeFlag: (flag: Flag) => Flag,
  changeOperand: (text: string, isFile: boolean) => string = (text) => text,
): CommandLine {
  const words = line.words.map((word): CommandWord => {
    if (word.kind === 'flag') return { ...word, flag: changeFlag(word.flag) };
    return { ...word, text: changeOperand(word.text, word.isFile && word.isPlaceholder !== true) };
  });
  return { ...line, words };
}

export function flagWords({ name, value }: Flag): readonly string[] {
  return value === null ? [name] : [name, value];
}

/** All words, from the program on: the form of `next` and of remedies. */
export function toWords({ program, command, words, rest }: CommandLine): readonly string[] {
  const typed = words.flatMap((word) => {
    if (word.kind === 'operand') return [word.text];
    return word.isJoined ? [`${word.flag.name}=${word.flag.value ?? ''}`] : flagWords(word.flag);
  });
  return [program, ...command.split(' '), ...typed, ...(rest === null ? [] : ['--', ...rest])];
}

/** As a person pastes it. */
export function toShell(line: CommandLine, platform: NodeJS.Platform): string {
  return shellCommand(toWords(line), platform);
}

/**
 * The person who calls the program, and how, for the journal's log of changes.
 * @param fields names of the record's fields that are typed as flags. Their values are left out, because they are
 *   personal data: the journal keeps them with the record, and pruning could not remove them from the log
 */
export function callerFrom(
  line: CommandLine,
  redactor: Redactor,
  world: World,
  fields: readonly string[] = [],
): Caller {
  const personal = new Set<string>(fields.map(fieldFlag));
  const shown = changeWords(line, ({ name, value }) => {
    if (value === null || !(name === '--header' || personal.has(name))) return { name, value };
    const [header, ...rest] = value.split(':');
    // Any value of a header may be a secret, and without a colon all of it may be one.
    return { name, value: name === '--header' && rest.length > 0 ? `${header}: ${REDACTED}` : REDACTED };
  });
  const [, ...words] = toWords(shown).map((word) => redactor.redact(word));
  return { by: world.person(), version: version(), commandLine: shellCommand(['gigwork', ...words], world.platform) };
}
