/** The parser's commands: they refuse a flag in the place of a value. And the layout of their help. */
import { Command, type Help, Option } from 'commander';
import { UsageError } from '../errors.js';
import { type HelpSections, PLAIN_CODES } from './command.js';

/** Words that no flag takes as its value, besides the flags of its command. */
const NO_VALUES: readonly string[] = ['-h', '--help', '--version', '--'];

/**
 * A command that refuses one of its flags as the value of another: `--batch-id $BATCH --dry-run`, if BATCH is not set.
 * A flag with an optional value takes one only after `=`: in `--approve pay.csv`, the file is the input.
 */
export class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  /** @throws UsageError */
  override parseOptions(words: string[]): { operands: string[]; unknown: string[] } {
    const optionOf = (word: string): Option | undefined =>
      this.options.find(({ short, long }) => word === short || word === long);
    const read = [...words];
    for (const [i, word] of words.entries()) {
      // From here on, all words are operands.
      if (word === '--') break;
      const option = optionOf(word);
      // Otherwise the parser would take the next word.
      if (option?.optional === true) read[i] = `${word}=`;
      if (option?.required !== true) continue;
      // Drops the text after the `=`: it may be a secret.
      const [name = ''] = (words[i + 1] ?? '').split('=', 1);
      if (optionOf(name) === undefined && !NO_VALUES.includes(name)) continue;
      throw new UsageError(
        `${word} needs a value; found the flag ${name}. For a value that begins so, write ${word}=${name}`,
      );
    }
    return super.parseOptions(read);
  }
}

const WIDTH = 80;

/** The layout, for `configureHelp`. @param columns of the terminal; 0 or undefined if not known */
export function layout(columns: number | undefined): Partial<Help> {
  return {
    helpWidth: Math.min(WIDTH, columns || WIDTH),
    // Descriptions are broken next to the longest flag, too.
    minWidthToWrap: 20,
    // Every command has options.
    subcommandTerm: (command) => `${command.name()} ${command.usage().replace(/\[(options|command)\] ?/g, '')}`.trim(),
    // They name the words that an option or an argument takes.
    optionDescription: ({ description }) => description,
    argumentDescription: ({ description }) => description,
  };
}

/** Adds the examples and exit codes of a command to its help; they are laid out only where it is shown. */
export function addSections(command: Command, { examples, exitCodes = PLAIN_CODES }: HelpSections): void {
  command.addHelpText('after', () => {
    const codes = Object.entries(exitCodes);
    const codeWidth = Math.max(...codes.map(([code]) => code.length));
    const help = command.createHelp();
    return [
      '',
      'Examples:',
      ...examples.map((example) => `  ${example}`),
      '',
      'Exit codes:',
      ...codes.map(([code, meaning]) => help.formatItem(code, codeWidth, meaning, help)),
    ].join('\n');
  });
}

export const HELP_ALL = '--help-all';

/**
 * Every command takes `--help-all`. Where it shows more than `--help`, help says so.
 * @param everyday of too many flags, those that help shows unless all are asked for; null: it shows all
 */
export function addHelpAll(command: Command, everyday: readonly string[] | null): void {
  const option = new Option(HELP_ALL, 'display help with every flag').helpGroup('Output:').hideHelp(everyday === null);
  command.addOption(option);
  command.on('option:help-all', () => command.help());
  if (everyday === null) return;
  const flags = new Set([...everyday, HELP_ALL]);
  command.on('beforeHelp', () => {
    if (command.getOptionValue('helpAll') === true) return;
    const visibleOptions: Help['visibleOptions'] = ({ options }) => options.filter(({ long }) => flags.has(long ?? ''));
    command.configureHelp({ ...command.configureHelp(), visibleOptions });
  });
}
