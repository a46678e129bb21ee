/** Help: what commander lays out, then examples and exit codes, in lines of at most 80 characters. */
import { Help } from 'commander';
import type { StrictCommand } from './strict-command.js';

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
    const { examples, exitCodes, everyday } = command as StrictCommand;
    if (everyday !== null && command.getOptionValue('helpAll') !== true) showOnly(everyday, help);
    const codes = Object.entries(exitCodes);
    const codeWidth = Math.max(...codes.map(([code]) => code.length));
    return [
      Help.prototype.formatHelp.call(help, command, help),
      ...section('Examples:', examples.flatMap(exampleLines)),
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
