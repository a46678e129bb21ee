/** `gigwork completion <shell>`: a script made from the program's own commands. */
import type { Argument, Command, Option } from 'commander';
import { EXIT } from '../errors.js';
import { oneOf } from '../config/values.js';
import { bashCompletion } from './completion/bash.js';
import { fishCompletion } from './completion/fish.js';
import type { CompletedCommand, NameKind, Taken } from './completion/tree.js';
import { zshCompletion } from './completion/zsh.js';
import type { World } from '../world.js';
import { writeDocument } from './document.js';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints the script and gives the exit code. @throws UsageError for a shell that is not known */
export function printCompletion(name: string, json: boolean, program: Command, world: World): number {
  const shell = oneOf('gigwork completion', name, Object.keys(SHELLS) as (keyof typeof SHELLS)[]);
  const script = SHELLS[shell](program.name(), completed(program, ''));
  if (json) writeDocument({ shell, script }, world);
  else world.stdout.write(script);
  return EXIT.ok;
}

function completed(command: Command, path: string): CompletedCommand {
  const help = command.createHelp();
  const pathOf = (inner: Command): string => (path === '' ? inner.name() : `${path} ${inner.name()}`);
  const [argument] = command.registeredArguments;
  return {
    path,
    help: command.description(),
    options: help.visibleOptions(command).map(({ short, long, description, ...option }) => ({
      names: [short, long].filter((name) => name !== undefined),
      help: description,
      value: option.required ? takenBy(option) : null,
    })),
    commands: help.visibleCommands(command).map((inner) => completed(inner, pathOf(inner))),
    argument: argument === undefined ? null : takenByArgument(argument),
  };
}

const NAMED: Readonly<Record<string, NameKind>> = { '--profile': 'profiles', '--batch-id': 'batches', run: 'runs' };

function takenBy({ argChoices, flags }: Pick<Option, 'argChoices' | 'flags'>): Taken {
  const names = NAMED[flags.split(' ', 1)[0] ?? ''];
  if (names !== undefined) return { kind: 'names', of: names };
  if (argChoices !== undefined && argChoices.length > 0) return { kind: 'words', words: argChoices };
  if (flags.endsWith('<file>')) return { kind: 'file' };
  return { kind: flags.endsWith('<dir>') ? 'folder' : 'any' };
}

function takenByArgument(argument: Argument): Taken {
  if (argument.argChoices !== undefined) return { kind: 'words', words: argument.argChoices };
  const names = NAMED[argument.name()];
  if (names !== undefined) return { kind: 'names', of: names };
  return { kind: argument.name() === 'file' ? 'file' : 'any' };
}
