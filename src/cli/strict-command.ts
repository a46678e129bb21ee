/** The parser's commands: they refuse a flag in the place of a value, and print help with examples and exit codes. */
import { Command, Help, type Option } from 'commander';
import { UsageError } from '../errors.js';

/**
 * A command that refuses one of its flags as the value of another: `--batch-id $BATCH --dry-run`, if BATCH is not set.
 * A flag with an optional value takes one only after `=`: in `--approve pay.csv`, the file is the input.
 */
export class StrictCommand extends Command {
  examples: readonly string[] = [];
  /** Exit code → its meaning. */
  exitCodes: Readonly<Record<number, string>> = {};
  /** The flags that help shows if there are too many to show all; null to show all. */
  everyday: ReadonlySet<string> | null = null;

  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override parseOptions(words: string[]): { operands: string[]; unknown: string[] } {
    refuseFlagsAsValues(this, words);
    return super.parseOptions(withEmptyValues(this, words));
  }
}

/** Adds an empty value to flags without their optional value, since the parser would take the next word. */
function withEmptyValues(command: Command, words: readonly string[]): string[] {
  const optional = command.options.filter((option) => option.optional).map(({ long }) => long);
  const end = words.indexOf('--');
  return words.map((word, i) => (optional.includes(word) && (end === -1 || i < end) ? `${word}=` : word));
}

/** Reads the words as the parser does. @throws UsageError */
function refuseFlagsAsValues(command: Command, words: readonly string[]): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    // From here on, all words are operands.
    if (word === '--') return;
    const option = command.options.find(({ short, long }) => word === short || word === long);
    if (option === undefined || !option.required) continue;
    const value = words[++i];
    // Drops the text after the `=`: it may be a secret.
    const [name = ''] = (value ?? '').split('=', 1);
    if (!isFlag(name, command)) continue;
    throw new UsageError(
      `${word} needs a value; found the flag ${name}. For a value that begins so, write ${word}=${name}`,
    );
  }
}

/** Whether a word is a flag of the command or of a command above it, or the `--` that ends the flags. */
function isFlag(word: string, command: Command): boolean {
  if (!word.startsWith('-')) return false;
  const isOf = (options: readonly Option[]): boolean =>
    options.some(({ short, long }) => word === short || word === long);
  const all = (each: Command | null): boolean =>
    each !== null && (isOf(each.createHelp().visibleOptions(each)) || all(each.parent));
  return word === '--' || all(command);
}

const WIDTH = 80;

/** @param columns of the terminal; 0 or undefined if not known */
export function helpWidth(columns: number | undefined): number {
  return Math.min(WIDTH, columns || WIDTH);
}

/** The layout, for `configureHelp`. */
export const LAYOUT: Partial<Help> = {
  // Descriptions are broken next to the longest flag, too.
  minWidthToWrap: 20,
  // They name the words that an option or an argument takes.
  optionDescription: ({ description }) => description,
  argumentDescription: ({ description }) => description,
  formatHelp: (command, help) => {
    const { examples, exitCodes, everyday } = command as StrictCommand;
    if (everyday !== null && command.getOptionValue('helpAll') !== true) showOnly(everyday, help);
    const codes = Object.entries(exitCodes);
    const codeWidth = Math.max(...codes.map(([code]) => code.length));
    return [
      Help.prototype.formatHelp.call(help, command, help),
      ...section(
        'Examples:',
        examples.map((example) => `  ${example}`),
      ),
      ...section(
        'Exit codes:',
        codes.map(([code, meaning]) => help.formatItem(code, codeWidth, meaning, help)),
      ),
    ].join('\n');
  },
};

function showOnly(flags: ReadonlySet<string>, help: Help): void {
  const all = help.visibleOptions.bind(help);
  help.visibleOptions = (command) => all(command).filter(({ long }) => flags.has(long ?? ''));
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}
