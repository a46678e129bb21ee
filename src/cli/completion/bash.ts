/** Completion for bash, from version 3.2 on, which macOS has. */
import { type CompletedCommand, type CompletedOption, everyCommand, nameOf, quoted, stepInto } from './tree.js';

/** The completion script for bash. @param program its name on the command line */
export function bashCompletion(program: string, root: CompletedCommand): string {
  const commands = everyCommand(root);
  return `# Completion of ${program} for bash. To load it: source <(${program} completion bash)
# Names are data: compgen -W would run what stands in them.
_${program}_names() {
  local name
  compopt +o default 2>/dev/null
  while IFS= read -r name; do
    name=$(printf '%q' "$name")
    if [[ $name == "$cur"* ]]; then COMPREPLY+=("$name"); fi
  done < <(${program} completion names "$1" -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
}
_${program}() {
  local cur prev word at=''
  COMPREPLY=()
  cur=\${COMP_WORDS[COMP_CWORD]}
  prev=\${COMP_WORDS[COMP_CWORD-1]}
  # --flag=value arrives as three words.
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
${commands
  .filter(({ path }) => path !== '')
  .map(stepCase)
  .join('\n')}
    esac
  done
  case "$at $prev" in
${commands.flatMap((command) => valueCases(program, command)).join('\n')}
  esac
  case "$at" in
${commands.map((command) => wordsCase(program, command)).join('\n')}
  esac
}
# Where nothing is offered, bash completes names of files.
complete -o default -F _${program} ${program}
`;
}

/** Moves into a command when its name follows the path to it. */
function stepCase(command: CompletedCommand): string {
  return `      ${quoted(stepInto(command))}) at=${quoted(command.path)} ;;`;
}

function valueCases(program: string, command: CompletedCommand): string[] {
  const takers = command.options.filter(({ value }) => value !== null);
  const anything = takers.filter(({ value }) => value?.kind === 'any');
  const files = takers.filter(({ value }) => value?.kind === 'file');
  const folders = takers.filter(({ value }) => value?.kind === 'folder');
  const words = takers.flatMap((option) =>
    option.value?.kind === 'words' ? [[option, option.value.words] as const] : [],
  );
  const names = takers.flatMap((option) =>
    option.value?.kind === 'names' ? [[option, option.value.of] as const] : [],
  );
  return [
    ...names.map(([option, of]) => `    ${pattern(command, [option])}) _${program}_names ${of}; return ;;`),
    ...words.map(
      ([option, list]) =>
        `    ${pattern(command, [option])}) COMPREPLY=($(compgen -W ${quoted(list.join(' '))} -- "$cur")); return ;;`,
    ),
    ...(folders.length === 0
      ? []
      : [`    ${pattern(command, folders)}) COMPREPLY=($(compgen -d -- "$cur")); return ;;`]),
    ...(files.length === 0 ? [] : [`    ${pattern(command, files)}) return ;;`]),
    // File names would only mislead. bash 3 has no compopt.
    ...(anything.length === 0 ? [] : [`    ${pattern(command, anything)}) compopt +o default 2>/dev/null; return ;;`]),
  ];
}

function pattern({ path }: CompletedCommand, options: readonly CompletedOption[]): string {
  return options.flatMap(({ names }) => names.map((name) => quoted(`${path} ${name}`))).join('|');
}

function wordsCase(program: string, { path, options, commands, argument }: CompletedCommand): string {
  const flags = options.flatMap(({ names }) => names).join(' ');
  const words = argument?.kind === 'words' ? argument.words : commands.map(nameOf);
  const offered =
    argument?.kind === 'names'
      ? ` else _${program}_names ${argument.of};`
      : words.length === 0
        ? ''
        : ` else COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$cur"));`;
  return `    ${quoted(path)}) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W ${quoted(flags)} -- "$cur"));${offered} fi ;;`;
}
