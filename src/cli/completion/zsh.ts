/** Completion for zsh. */
import { type CompletedCommand, type CompletedOption, everyCommand, nameOf, quoted, stepInto } from './tree.js';

/** The completion script for zsh. @param program its name on the command line */
export function zshCompletion(program: string, root: CompletedCommand): string {
  const commands = everyCommand(root);
  return `#compdef ${program}
# Completion of ${program} for zsh. To load it: source <(${program} completion zsh)
# or save it as _${program} in a folder of $fpath.
_${program}_names() {
  local -a names
  names=("\${(@f)$(${program} completion names $1 -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)}")
  # Newest first, as they come. Without quotes, nothing is offered for an empty line.
  compadd -V names -- $names
}
_${program}() {
  local at='' word
  local -a offered
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(stepCase)
  .join('\n')}
    esac
  done
  # --flag=value is one word here.
  local flag="\${words[CURRENT-1]}"
  if [[ "\${words[CURRENT]}" == --*=* ]]; then
    flag="\${words[CURRENT]%%=*}"
    compset -P '*='
  fi
  case "$at $flag" in
${commands.flatMap((command) => valueCases(program, command)).join('\n')}
  esac
  case "$at" in
${commands.map((command) => wordsCase(program, command)).join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == "_${program}" ]]; then
  _${program} "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit; compinit; }
  compdef _${program} ${program}
fi
`;
}

function stepCase(command: CompletedCommand): string {
  return `      (${quoted(stepInto(command))}) at=${quoted(command.path)} ;;`;
}

function valueCases(program: string, command: CompletedCommand): string[] {
  return command.options.flatMap((option) => {
    if (option.value === null) return [];
    return [
      `    (${option.names.map((name) => quoted(`${command.path} ${name}`)).join('|')}) ${completer(program, option)}; return ;;`,
    ];
  });
}

function completer(program: string, { value, names }: CompletedOption): string {
  switch (value?.kind) {
    case 'words':
      return `compadd -- ${value.words.map(quoted).join(' ')}`;
    case 'names':
      return `_${program}_names ${value.of}`;
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    default:
      return `_message ${quoted(`value of ${names.at(-1) ?? ''}`)}`;
  }
}

function wordsCase(program: string, { path, options, commands, argument }: CompletedCommand): string {
  const flags = options.flatMap(({ names, help }) => names.map((name) => described(name, help)));
  return [
    `    (${quoted(path)})`,
    `      if [[ "\${words[CURRENT]}" == -* ]]; then`,
    `        offered=(${flags.join(' ')})`,
    `        _describe -o option offered`,
    `      else`,
    ...argumentLines(program, commands, argument),
    `      fi ;;`,
  ].join('\n');
}

function argumentLines(
  program: string,
  commands: readonly CompletedCommand[],
  argument: CompletedCommand['argument'],
): string[] {
  if (argument?.kind === 'words') return [`        compadd -- ${argument.words.map(quoted).join(' ')}`];
  if (argument?.kind === 'names') return [`        _${program}_names ${argument.of}`];
  if (argument?.kind === 'file') return ['        _files'];
  if (commands.length === 0) return [`        _message 'no more words'`];
  return [
    `        offered=(${commands.map((command) => described(nameOf(command), command.help)).join(' ')})`,
    `        _describe command offered`,
  ];
}

/** `name:help`, with colons of the name's own escaped. */
function described(name: string, help: string): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${help}`);
}
