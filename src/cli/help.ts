/** Help: what commander lays out, then examples and exit codes, in lines of at most 80 characters. */
import { type Command, Help } from 'commander';

export interface ExitCode {
  readonly code: string;
  readonly meaning: string;
}

/** What is said of a command beside its flags: in its help, in the man page, in the reference. */
interface Notes {
  readonly examples: readonly string[];
  readonly exitCodes: readonly ExitCode[];
}

const NOTES = new WeakMap<Command, Notes>();
const EVERYDAY = new WeakMap<Command, ReadonlySet<string>>();

/** Adds examples and exit codes to a command. */
export function addNotes(command: Command, notes: Notes): Command {
  NOTES.set(command, notes);
  return command;
}

/** The examples and exit codes of a command; of a group of commands, none. */
export function notesOf(command: Command): Notes {
  return NOTES.get(command) ?? { examples: [], exitCodes: [] };
}

/** Makes `--help` show some flags of a command alone, and `--help-all` every one. */
export function addHelpAll(command: Command, everyday: readonly string[]): Command {
  EVERYDAY.set(command, new Set([...everyday, '--help-all']));
  return command.option('--help-all', 'display help with every flag').on('option:help-all', () => command.help());
}

/** Whether `--help` shows a flag, or a command has so few that it shows all. */
function isEveryday(command: Command, long: string | undefined): boolean {
  return EVERYDAY.get(command)?.has(long ?? '') ?? true;
}

const WIDTH = 80;

/** How wide help may be on a terminal. @param columns of the terminal; 0 or undefined where it is not known */
export function helpWidth(columns: number | undefined): number {
  return Math.min(WIDTH, columns || WIDTH);
}

/** The layout, for `configureHelp`. */
export const LAYOUT: Partial<Help> = {
  // Descriptions are broken beside the longest flag, too.
  minWidthToWrap: 20,
  // They name the words that an option or an argument takes.
  optionDescription: ({ description }) => description,
  argumentDescription: ({ description }) => description,
  formatHelp: (command, help) => {
    const { examples, exitCodes } = notesOf(command);
    const codeWidth = exitCodes.reduce((most, { code }) => Math.max(most, code.length), 0);
    return [
      Help.prototype.formatHelp.call(command.getOptionValue('helpAll') === true ? help : brief(help), command, help),
      ...section('Examples:', examples.flatMap(exampleLines)),
      ...section(
        'Exit codes:',
        exitCodes.map(({ code, meaning }) => help.formatItem(code, codeWidth, meaning, help)),
      ),
    ].join('\n');
  },
};

/** The same help with the everyday flags alone. */
function brief(help: Help): Help {
  const all = help.visibleOptions.bind(help);
  help.visibleOptions = (command) => all(command).filter(({ long }) => isEveryday(command, long));
  return help;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

/** An example as it is pasted: where it is too long for one line, it goes on at a flag. */
function exampleLines(example: string): string[] {
  const lines: string[] = [];
  let rest = `  ${example}`;
  while (rest.length > WIDTH) {
    const cut = rest.lastIndexOf(' --', WIDTH - 2);
    if (cut <= 4) break;
    lines.push(`${rest.slice(0, cut)} \\`);
    rest = `   ${rest.slice(cut)}`;
  }
  return [...lines, rest];
}
