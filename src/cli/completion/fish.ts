/** Completion for fish. */
import { type CompletedCommand, type CompletedOption, everyCommand, nameOf, stepInto } from './tree.js';

/** The completion script for fish. @param program its name on the command line */
export function fishCompletion(program: string, root: CompletedCommand): string {
  const commands = everyCommand(root);
  return `# Completion of ${program} for fish. To keep it: ${program} completion fish > ~/.config/fish/completions/${program}.fish
function __${program}_at
    set -l at ''
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch "$at $word"
${commands
  .filter(({ path }) => path !== '')
  .map(stepCase)
  .join('\n')}
        end
    end
    test "$at" = "$argv[1]"
end
function __${program}_names
    set -l words (commandline -opc)
    set -e words[1]
    ${program} completion names $argv[1] -- $words 2>/dev/null
end
complete -c ${program} -f
${commands.flatMap((command) => lines(program, command)).join('\n')}
`;
}

function stepCase(command: CompletedCommand): string {
  return `            case ${fishQuoted(stepInto(command))}\n                set at ${fishQuoted(command.path)}`;
}

function lines(program: string, { path, options, commands, argument }: CompletedCommand): string[] {
  const start = `complete -c ${program} -n ${fishQuoted(`__${program}_at ${fishQuoted(path)}`)}`;
  return [
    ...commands.map((command) => `${start} -a ${fishQuoted(nameOf(command))} -d ${fishQuoted(command.help)}`),
    ...(argument?.kind === 'words' ? [`${start} -a ${fishQuoted(argument.words.join(' '))}`] : []),
    ...(argument?.kind === 'names' ? [`${start} -k -a '(__${program}_names ${argument.of})'`] : []),
    ...(argument?.kind === 'file' ? [`${start} -F`] : []),
    ...options.map((option) => `${start} ${optionArguments(program, option)}`),
  ];
}

function optionArguments(program: string, { names, help, value }: CompletedOption): string {
  const named = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return [...named, ...valueArguments(program, value), `-d ${fishQuoted(help)}`].join(' ');
}

function valueArguments(program: string, value: CompletedOption['value']): string[] {
  switch (value?.kind) {
    case 'words':
      return [`-x -a ${fishQuoted(value.words.join(' '))}`];
    case 'names':
      return [`-x -k -a '(__${program}_names ${value.of})'`];
    case 'file':
      return ['-r -F'];
    case 'folder':
      return [`-x -a '(__fish_complete_directories)'`];
    case 'any':
      return ['-x'];
    default:
      return [];
  }
}

/** In single quotes, fish knows two escapes. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
