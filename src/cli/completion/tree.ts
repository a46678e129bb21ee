/** The commands of a program, as completion needs to know them. */

export interface CompletedCommand {
  /** Words that lead to it, without the program's name: `batch show`; empty for the program itself. */
  readonly path: string;
  readonly help: string;
  readonly options: readonly CompletedOption[];
  readonly commands: readonly CompletedCommand[];
  /** What it takes besides options; null for nothing, or nothing that could be offered. */
  readonly argument: Taken | null;
}

export interface CompletedOption {
  /** `-h` and `--help`, or just `--json`. */
  readonly names: readonly string[];
  readonly help: string;
  /** Null for an option without a value. */
  readonly value: Taken | null;
}

/** A few words, names that `completion names` looks up when they are asked for, a file or folder, or anything. */
export type Taken =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'names'; readonly of: NameKind }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'any' };

export const NAME_KINDS = ['runs', 'profiles', 'batches'] as const;
export type NameKind = (typeof NAME_KINDS)[number];

/** The command and all below it, each before its subcommands. */
export function everyCommand(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** The last word of its path. */
export function nameOf({ path }: CompletedCommand): string {
  return path.slice(path.lastIndexOf(' ') + 1);
}

/** What leads into a command: the path before it, and its name. */
export function stepInto({ path }: CompletedCommand): string {
  const cut = path.lastIndexOf(' ');
  return `${path.slice(0, Math.max(0, cut))} ${path.slice(cut + 1)}`;
}

/** In single quotes, for bash and zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
